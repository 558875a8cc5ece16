// Where the cursor is on a timeline. The timeline replays blocks of the same kernel as the traced block, so
// step k of a warp is the k-th record of that warp. Where the model runs at a smaller depth K, passes are
// matched from the first on, and the last with the last.
#pragma once

#include <optional>
#include <vector>

#include "experiment/model_result.h"

namespace gemmscope::scenes {

struct CycleRange {
  double from = 0, to = 0;  // cycles
  double length() const { return to - from; }
  bool empty() const { return to <= from; }
  bool contains(double cycle) const { return cycle >= from && cycle < to; }
  friend bool operator==(const CycleRange&, const CycleRange&) = default;
};

struct StepId {
  uint32_t warp = 0, step = 0;  // indices into Timeline::warps and its steps
  friend bool operator==(const StepId&, const StepId&) = default;
};

// Where a warp is at a cycle: the instruction that it issued last.
struct WarpPlace {
  uint16_t warp = 0;         // of the block
  uint32_t instruction = 0;  // index into the code
  size_t record = 0;         // of the traced block
  bool issues = false;       // in that cycle; else it waits
};

class PipelinePlaces {
 public:
  PipelinePlaces(std::shared_ptr<const experiment::BlockResult> block,
                 std::shared_ptr<const experiment::ModelResult> model);

  const experiment::BlockResult& block() const { return *block_; }
  const experiment::ModelResult& model() const { return *model_; }
  // The record of the traced block for a step of the same warp of any block of the timeline.
  size_t record_of(StepId step) const;
  // The step of the timeline's block for a record; nothing where that warp has no steps.
  std::optional<StepId> step_of(size_t record, uint32_t timeline_block) const;
  // The last step that a warp of the block (scenes::kAllWarps: any of its warps) issues until the cycle.
  std::optional<StepId> step_at(uint32_t timeline_block, int warp, double cycle) const;
  // The warps of the block that have started and not ended, by number.
  std::vector<WarpPlace> warps_at(uint32_t timeline_block, double cycle) const;
  std::optional<uint32_t> warp_index(uint32_t timeline_block, uint32_t warp) const;

 private:
  using PassStarts = std::vector<std::vector<uint32_t>>;  // by warp and pass: its first step; then the end
  static uint32_t translate(const std::vector<uint32_t>& from, const std::vector<uint32_t>& to, uint32_t at);

  std::shared_ptr<const experiment::BlockResult> block_;
  std::shared_ptr<const experiment::ModelResult> model_;
  std::vector<std::vector<uint32_t>> warps_;  // by block and warp: index into Timeline::warps
  PassStarts records_, steps_;                // of the traced block; of the timeline's warps
};

// The range to show first: a few passes in the steady state of the main loop, or everything.
CycleRange first_range(const experiment::ModelResult& model, uint32_t block);
CycleRange whole_range(const experiment::ModelResult& model);
// Zooms by a factor (below 1: in) around a cycle, and stays within the timeline.
CycleRange zoomed(const experiment::ModelResult& model, CycleRange range, double around, double factor);
CycleRange moved(const experiment::ModelResult& model, CycleRange range, double by);
// The range of that length, moved as little as possible until it shows the cycle.
CycleRange showing(const experiment::ModelResult& model, CycleRange range, double cycle);

// The next step of the warp (kNoWarp: any warp of the block) that waits at least so many cycles.
std::optional<StepId> next_stall(const experiment::ModelResult& model, uint32_t warp, double cycle,
                                 uint32_t least_cycles, bool forward);
inline constexpr uint32_t kShortestStall = 20;  // cycles

// The first step of the warp, or at a barrier of its block, that waited for this one.
std::optional<StepId> first_delayed(const experiment::ModelResult& model, StepId id);

uint32_t pass_at(const experiment::BlockStages& stages, double cycle);

}  // namespace gemmscope::scenes
