// What the program computes of a kernel, for tests of sentences that quote it. Each experiment runs once.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "experiment/results.h"
#include "metrics/counters.h"

namespace gemmscope::claims {

struct Setup {
  std::string kernel;
  std::map<std::string, int64_t> toggles = {};
  int64_t m = 256, n = 256, k = 256;
  isa::Arch arch = isa::Arch::sm_86;
  uint32_t launch = 0;
};

struct Figures {
  catalog::Kernel kernel;
  std::shared_ptr<const experiment::CompiledKernel> compiled;
  std::shared_ptr<const experiment::BlockResult> block;  // block (0, 0, 0), traced
  metrics::CounterSummary totals;                        // of the whole grid

  const metrics::InstructionTraffic& traffic() const { return totals.traffic; }
  // Warp instructions of a mnemonic without modifiers; 0 where there is none.
  uint64_t opcode(const std::string& mnemonic) const;
  // The most wavefronts that one execution of an instruction whose text holds `mnemonic` has in the traced block.
  int worst_wavefronts(const std::string& mnemonic) const;
  int registers() const { return compiled->resources.registers; }
  int64_t blocks() const;
};

// Fails the test and returns an empty result where the experiment does.
const Figures& figures(const Setup& setup);
inline const Figures& figures(const std::string& kernel) { return figures(Setup{.kernel = kernel}); }

}  // namespace gemmscope::claims
