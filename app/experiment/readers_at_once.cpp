#include "experiment/readers_at_once.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

#include "machine/execute/block.h"
#include "machine/state/launch.h"
#include "metrics/counters.h"

namespace gemmscope::experiment {
namespace {

// The blocks that are executed: half of them first, so that the growth tells how it goes on.
constexpr uint64_t kMostBlocks = 132;
// A warp takes so many branches until its block is stopped: those before the loop, and the loop's first
// passes.
constexpr uint64_t kBranchesOfWarp = 24;

// The distinct lines of global memory that a block reads, and how many blocks read each.
class LineReaders : public machine::Observer {
 public:
  explicit LineReaders(const sm::LaunchTrace& launch)
      : launch_(launch),
        of_block_(launch.buffers.size()),
        distinct_(launch.buffers.size()),
        read_(launch.buffers.size()) {}

  void on_access(const machine::Access& access) override {
    if (access.space != machine::Space::global || access.direction != machine::Direction::load) return;
    for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      if (((access.mask >> lane) & 1) == 0) continue;
      const auto line =
          static_cast<uint32_t>((*access.addresses)[lane] / metrics::kLineBytes - launch_.base_line);
      for (size_t b = 0; b < launch_.buffers.size(); ++b)
        if (launch_.buffers[b].holds(line)) of_block_[b].insert(line);
    }
  }

  void end_block() {
    for (size_t b = 0; b < of_block_.size(); ++b) {
      read_[b] += static_cast<double>(of_block_[b].size());
      distinct_[b].insert(of_block_[b].begin(), of_block_[b].end());
      of_block_[b].clear();
    }
  }

  // Blocks that read a line of the buffer, on average.
  double readers(size_t buffer) const {
    return distinct_[buffer].empty() ? 1 : read_[buffer] / static_cast<double>(distinct_[buffer].size());
  }

 private:
  const sm::LaunchTrace& launch_;
  std::vector<std::unordered_set<uint32_t>> of_block_, distinct_;
  std::vector<double> read_;
};

}  // namespace

void count_readers_at_once(sm::LaunchTrace& launch, const machine::Program& program,
                           machine::GlobalMemory& memory, uint64_t first, uint64_t blocks_at_once) {
  for (sm::BufferUse& buffer : launch.buffers) buffer.readers_at_once = buffer.readers;
  const uint64_t total = launch.block_count();
  if (blocks_at_once >= total) return;
  const uint64_t count = std::min(blocks_at_once, kMostBlocks), half = std::max<uint64_t>(1, count / 2);
  LineReaders lines(launch);
  machine::InstructionCounts counts(launch.code.size());
  machine::BlockLimits limits;
  limits.branch_budget = kBranchesOfWarp * static_cast<uint64_t>(launch.warps_per_block);
  machine::Block block(program, memory, counts, limits);
  std::vector<double> of_half(launch.buffers.size(), 1);
  for (uint64_t n = 0; n < count; ++n) {
    // The branch budget stops the block, which is a fault to the machine.
    (void)block.run(machine::block_at((first + n) % total, launch.grid), machine::Schedule::round_robin,
                    &lines);
    lines.end_block();
    if (n + 1 == half)
      for (size_t b = 0; b < of_half.size(); ++b) of_half[b] = lines.readers(b);
  }
  for (size_t b = 0; b < of_half.size(); ++b) {
    const double all = lines.readers(b), growth = count > half ? std::log2(all / of_half[b]) : 0;
    const double more = static_cast<double>(blocks_at_once) / static_cast<double>(count);
    launch.buffers[b].readers_at_once = std::min(launch.buffers[b].readers, all * std::pow(more, growth));
  }
}

}  // namespace gemmscope::experiment
