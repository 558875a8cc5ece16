// A kernel translated for one launch: micro-ops and the rows of constants that they read.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "cubin/cubin.h"
#include "isa/instruction.h"
#include "machine/state/launch.h"
#include "machine/state/micro_op.h"

namespace gemmscope::machine {

using LaneRow = std::array<uint32_t, kWarpLanes>;

struct Program {
  std::string kernel;
  isa::Arch arch = isa::Arch::sm_90;
  std::vector<MicroOp> ops;                    // one per instruction, by address / 16
  std::vector<isa::Instruction> instructions;  // the same, decoded
  std::vector<std::string> unsupported;        // why ops[i] cannot be executed; empty if it can
  std::vector<uint32_t> source_lines;          // by instruction: a number for each file and line; 0: unknown
  std::vector<LaneRow> constants;              // the rows from kConstantRow on
  ConstantBanks banks;
  std::map<uint64_t, std::string> external_functions;  // by the address that stands for them
  LaunchConfig launch;
  int registers = 0;
  size_t register_rows = 0;            // rows from 0 on, of the registers that the code can name
  uint32_t shared_bytes = 0;           // of the shared window, reserved bytes included
  uint32_t shared_reserved_bytes = 0;  // at the start of the shared window

  size_t row_count() const { return kConstantRow + constants.size(); }
};

}  // namespace gemmscope::machine
