#include "experiment/hot_word.h"

#include <algorithm>
#include <unordered_map>

#include "machine/execute/block.h"
#include "machine/state/launch.h"

namespace gemmscope::experiment {
namespace {

constexpr uint64_t kMostInstructions = 1'000'000;  // of warps

class AtomicLanes : public machine::Observer {
 public:
  void on_access(const machine::Access& access) override {
    const bool is_atomic =
        access.direction == machine::Direction::atomic || access.direction == machine::Direction::reduce;
    if (access.space != machine::Space::global || !is_atomic) return;
    for (size_t lane = 0; lane < machine::kWarpLanes; ++lane)
      if (((access.mask >> lane) & 1) != 0) most_ = std::max(most_, ++lanes_[(*access.addresses)[lane]]);
  }
  uint64_t most() const { return most_; }

 private:
  std::unordered_map<uint64_t, uint64_t> lanes_;  // by address
  uint64_t most_ = 0;
};

}  // namespace

void count_hot_word(sm::LaunchTrace& launch, const machine::Program& program, machine::GlobalMemory& memory) {
  if (!launch.hot_word_is_shared) return;
  const uint64_t total = launch.block_count(), here = launch.blocks.size();
  const uint64_t of_block = std::max<uint64_t>(1, launch.instructions() / here);
  const uint64_t count = std::min(total, kMostInstructions / of_block);
  if (count <= here) return;
  AtomicLanes atomics;
  machine::InstructionCounts counts(launch.code.size());
  machine::Block block(program, memory, counts, {});
  for (uint64_t n = 0; n < count; ++n) {
    const auto index = machine::block_at(n * total / count, launch.grid);
    if (block.run(index, machine::Schedule::round_robin, &atomics)) return;  // a fault: what is known stays
  }
  launch.hot_word_lanes =
      static_cast<double>(atomics.most()) * static_cast<double>(total) / static_cast<double>(count);
}

}  // namespace gemmscope::experiment
