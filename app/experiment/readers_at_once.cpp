#include "experiment/readers_at_once.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "machine/execute/block.h"
#include "machine/state/launch.h"
#include "metrics/counters.h"
#include "sm/line_counter.h"

namespace gemmscope::experiment {
namespace {

// The blocks that are executed: half of them first, so that the growth tells how it goes on.
constexpr uint64_t kMostBlocks = 132;
static_assert(kMostBlocks <= sm::LineCounter::kMostBlocks);

// A warp takes so many branches until its block is stopped at the latest.
constexpr uint64_t kBranchesOfWarp = 24;

// After so many loads a block is stopped: each of its warps has loaded from each buffer that it loads from,
// and as much again.
uint64_t loads_of_block(const sm::LaunchTrace& launch) {
  uint64_t loads = 0;
  for (const auto& warp : launch.blocks.front().warps) {
    std::vector<bool> loaded(launch.buffers.size());
    uint64_t count = 0, needed = 0;
    for (const sm::IssuedInstruction& issued : warp) {
      if (issued.shape == 0 || !launch.code[issued.instruction].loads_global()) continue;
      ++count;
      for (size_t b = 0; b < loaded.size(); ++b) {
        if (loaded[b] || !launch.buffers[b].holds(issued.line)) continue;
        loaded[b] = true;
        needed = count;
      }
    }
    loads += 2 * needed;
  }
  return loads;
}

// The distinct lines of global memory that a block reads, and how many blocks read each.
class LineReaders : public machine::Observer {
 public:
  explicit LineReaders(const sm::LaunchTrace& launch)
      : base_line_(launch.base_line), loads_of_block_(loads_of_block(launch)) {
    for (const sm::BufferUse& buffer : launch.buffers)
      lines_.emplace_back(buffer.first_line, buffer.end_line);
  }

  void on_access(const machine::Access& access) override {
    if (access.space != machine::Space::global || access.direction != machine::Direction::load) return;
    if (++loads_ >= loads_of_block_) has_loaded_ = true;
    for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      if (((access.mask >> lane) & 1) == 0) continue;
      const auto line = static_cast<uint32_t>((*access.addresses)[lane] / metrics::kLineBytes - base_line_);
      for (sm::LineCounter& buffer : lines_) buffer.add(line);
    }
  }

  void end_block() {
    for (sm::LineCounter& buffer : lines_) buffer.end_block();
    loads_ = 0;
    has_loaded_ = false;
  }
  const std::atomic<bool>& has_loaded() const { return has_loaded_; }  // enough of the present block

  // Blocks that read a line of the buffer, on average.
  double readers(size_t buffer) const {
    const sm::LineCounter& lines = lines_[buffer];
    return lines.distinct() == 0
               ? 1
               : static_cast<double>(lines.of_blocks()) / static_cast<double>(lines.distinct());
  }

 private:
  uint64_t base_line_, loads_of_block_, loads_ = 0;
  std::atomic<bool> has_loaded_ = false;
  std::vector<sm::LineCounter> lines_;  // by buffer
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
  limits.cancelled = &lines.has_loaded();
  machine::Block block(program, memory, counts, limits);
  std::vector<double> of_half(launch.buffers.size(), 1);
  for (uint64_t n = 0; n < count; ++n) {
    // A block that is stopped has a fault to the machine.
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
