// Rewrites the main loop of a kernel in its machine code: the order of the multiply-adds, the registers of
// fragments and sums, reuse flags, scoreboards, waits and stall counts, so that the loop loses fewer cycles
// to register ports. What it computes stays the same bit for bit, and that is proved (proof.h), not hoped
// for.
//
// Left out: everything but FFMA keeps its order, and every register other than those that one load from
// shared memory or one FFMA hands to FFMAs of the same region keeps its name. The line table keeps its
// addresses.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "isa/instruction.h"
#include "schedule/outer_product.h"
#include "schedule/region.h"

namespace gemmscope::schedule {

// A pass over the loop in its steady state, by the port model (metrics/register_ports.h). Modelled.
struct LoopFigures {
  uint32_t instructions = 0, products = 0;
  uint64_t cycles = 0;       // issue slots and waits for register ports
  uint64_t wait_cycles = 0;  // that one warp waits for loads from shared memory
  uint64_t crowding = 0;     // places by which such loads follow each other too closely, summed
  uint64_t lost_cycles() const { return cycles - instructions; }  // waited for register ports
  double lost_cycles_per_product() const {
    return products == 0 ? 0 : static_cast<double>(lost_cycles()) / products;
  }
};
LoopFigures loop_figures(const std::vector<isa::Instruction>& instructions, Range body);

struct Options {
  int registers = 0;                           // that the kernel has
  int register_budget = 0;                     // that it may have, at least as many
  int warps_per_scheduler = 0;                 // that are resident; 0: not known
  std::vector<uint32_t> named_addresses = {};  // of instructions that must stay (cubin/write_cubin.h)
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(double share)> progress = {};  // 0 to 1
};

// What was done to one region.
struct RegionResult {
  Range range;
  Kept kept = Kept::first_factor;
  uint32_t steps = 0;       // outer products along K
  uint32_t wrong_bank = 0;  // sums in the bank of the streamed factor
  int tried = 0;            // ways to place it that could be made
};

struct Scheduled {
  MainLoop loop;
  std::vector<isa::Instruction> instructions;  // all of the kernel's
  std::vector<uint32_t> moved;                 // by place: the instruction of the code before
  int registers = 0;
  LoopFigures before, after;
  std::vector<RegionResult> regions;  // that changed
  std::vector<std::string> refused;   // a sentence for each region that stays as it is
};

// Errors: no loop that can be proved safe, code that the lint already refuses, no order that is better than
// the code's own; cancelled.
Result<Scheduled> schedule_code(const std::vector<isa::Instruction>& instructions, const Options& options);

// Words of the code for cubin::write_cubin. Errors: those of isa::encode.
Result<std::vector<uint64_t>> encode_code(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::schedule
