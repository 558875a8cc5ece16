// The figures that the program computes for a kernel, for tests of sentences that quote them. Each experiment
// runs once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiment/results.h"
#include "metrics/counters.h"

namespace gemmscope::claims {

struct Setup {
  std::string kernel;
  std::map<std::string, int64_t> toggles = {};
  int64_t m = 256, n = 256, k = 256;
  isa::Arch arch = isa::Arch::sm_86;
  uint32_t launch = 0;
  std::map<std::string, std::string> inputs = {};
  std::array<uint32_t, 3> block = {0, 0, 0};  // the traced one
};

struct Figures {
  catalog::Kernel kernel;
  std::shared_ptr<const experiment::CompiledKernel> compiled;
  std::shared_ptr<const experiment::BlockResult> block;  // setup.block, traced
  metrics::CounterSummary totals;                        // of the whole grid

  const metrics::InstructionTraffic& traffic() const { return totals.traffic; }
  // Returns the warp instructions of a mnemonic without modifiers; 0 if there are none.
  uint64_t opcode(const std::string& mnemonic) const;
  // Returns the accesses of the traced block.
  std::vector<machine::TraceAccess> accesses(machine::Space space, machine::Direction direction) const;
  // Returns the kernel's machine code, one instruction per line, and how often a word occurs in it.
  std::string code() const;
  int count_in_code(std::string_view word) const;
  const experiment::Resources& resources() const { return compiled->resources; }
  int registers() const { return resources().registers; }
  const catalog::TileShape& tile() const { return compiled->launch.tile; }
  int64_t warps() const;  // of a block
  int64_t blocks() const;
};

// Throws std::runtime_error if the experiment fails, and so fails the test.
const Figures& figures(const Setup& setup);
inline const Figures& figures(const std::string& kernel) { return figures(Setup{.kernel = kernel}); }
// Returns the largest |C − C64| of the whole grid. Throws likewise.
double largest_error(const Setup& setup);

}  // namespace gemmscope::claims
