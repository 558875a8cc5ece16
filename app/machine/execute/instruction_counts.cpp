#include "machine/execute/instruction_counts.h"

namespace gemmscope::machine {

void InstructionCounts::add(const InstructionCounts& other) {
  for (size_t i = 0; i < warps.size(); ++i) warps[i] += other.warps[i], threads[i] += other.threads[i];
}
uint64_t InstructionCounts::total_warps() const {
  uint64_t sum = 0;
  for (uint64_t n : warps) sum += n;
  return sum;
}

}  // namespace gemmscope::machine
