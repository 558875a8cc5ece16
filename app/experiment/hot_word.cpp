#include "experiment/hot_word.h"

#include <algorithm>
#include <unordered_map>

#include "machine/execute/block.h"
#include "machine/state/launch.h"

namespace gemmscope::experiment {
namespace {

constexpr uint64_t kMostInstructions = 1'000'000;  // of warps

class AtomicWords : public machine::Observer {
 public:
  void start_block() { ++blocks_; }
  void on_access(const machine::Access& access) override {
    const bool is_atomic =
        access.direction == machine::Direction::atomic || access.direction == machine::Direction::reduce;
    if (access.space != machine::Space::global || !is_atomic) return;
    for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      if (((access.mask >> lane) & 1) == 0) continue;
      Word& word = words_[(*access.addresses)[lane]];
      ++word.lanes;
      if (word.last_block != blocks_) ++word.blocks;
      word.last_block = blocks_;
    }
  }
  // Lanes of the busiest word in a grid of so many blocks. A word that most of the blocks here update is
  // taken for one that blocks of the whole grid update alike.
  double most_of(uint64_t grid_blocks) const {
    const double others = static_cast<double>(grid_blocks) / static_cast<double>(blocks_);
    double most = 0;
    for (const auto& [address, word] : words_)
      most = std::max(most, static_cast<double>(word.lanes) * (2 * word.blocks > blocks_ ? others : 1));
    return most;
  }

 private:
  struct Word {
    uint64_t lanes = 0;       // of all blocks
    uint64_t blocks = 0;      // that update it
    uint64_t last_block = 0;  // counted from 1
  };
  std::unordered_map<uint64_t, Word> words_;  // by address
  uint64_t blocks_ = 0;
};

bool has_atomics(const sm::LaunchTrace& launch) {
  return std::ranges::any_of(launch.code, [](const sm::TimedInstruction& instruction) {
    return instruction.memory == sm::MemoryOp::atomic_global ||
           instruction.memory == sm::MemoryOp::reduce_global;
  });
}

}  // namespace

void count_hot_word(sm::LaunchTrace& launch, const machine::Program& program, machine::GlobalMemory& memory) {
  if (!has_atomics(launch)) return;
  const uint64_t total = launch.block_count();
  const uint64_t of_block = std::max<uint64_t>(1, launch.instructions() / launch.blocks.size());
  const uint64_t count = std::min(total, std::max<uint64_t>(2, kMostInstructions / of_block));
  AtomicWords words;
  machine::InstructionCounts counts(launch.code.size());
  machine::Block block(program, memory, counts, {});
  for (uint64_t n = 0; n < count; ++n) {
    const auto index = machine::block_at(n * total / count, launch.grid);
    words.start_block();
    if (block.run(index, machine::Schedule::round_robin, &words)) break;  // a fault: the words so far count
  }
  launch.hot_word_lanes = words.most_of(total);
}

}  // namespace gemmscope::experiment
