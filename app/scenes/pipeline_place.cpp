#include "scenes/pipeline_place.h"

#include <algorithm>
#include <cmath>

#include "scenes/cursor.h"

namespace gemmscope::scenes {
namespace {

using experiment::ModelResult;

constexpr double kShortestRange = 24;  // cycles
constexpr uint32_t kFirstPass = 3, kFirstPasses = 4;

}  // namespace

PipelinePlaces::PipelinePlaces(std::shared_ptr<const experiment::BlockResult> block,
                               std::shared_ptr<const ModelResult> model)
    : block_(std::move(block)), model_(std::move(model)) {
  const auto add = [](std::vector<uint32_t>& starts, uint32_t pass, uint32_t at) {
    while (starts.size() <= pass) starts.push_back(at);
  };
  const auto& records = block_->trace.records;
  for (const std::vector<uint32_t>& own : block_->warp_records) {
    std::vector<uint32_t> starts;
    for (uint32_t i = 0; i < own.size(); ++i) add(starts, records[own[i]].k_tile, i);
    starts.push_back(static_cast<uint32_t>(own.size()));
    records_.push_back(std::move(starts));
  }
  const sm::Timeline& timeline = model_->timeline;
  warps_.resize(timeline.blocks.size());
  for (uint32_t w = 0; w < timeline.warps.size(); ++w) {
    const sm::WarpTimeline& warp = timeline.warps[w];
    auto& of_block = warps_[warp.block];
    if (of_block.size() <= warp.warp) of_block.resize(warp.warp + 1u, sm::kNoStep);
    of_block[warp.warp] = w;
    std::vector<uint32_t> starts;
    for (uint32_t k = 0; k < warp.steps.size(); ++k) add(starts, warp.steps[k].pass, k);
    starts.push_back(static_cast<uint32_t>(warp.steps.size()));
    steps_.push_back(std::move(starts));
  }
}

// `from` and `to` are the starts of passes, with the end behind the last.
uint32_t PipelinePlaces::translate(const std::vector<uint32_t>& from, const std::vector<uint32_t>& to,
                                   uint32_t at) {
  if (from.size() < 2 || to.size() < 2) return 0;
  const auto after = std::ranges::upper_bound(from.begin(), from.end() - 1, at);
  const auto pass = static_cast<size_t>(after - from.begin()) - 1;
  const size_t from_passes = from.size() - 1, to_passes = to.size() - 1;
  const size_t target = pass + 1 == from_passes ? to_passes - 1
                        : to_passes > 1         ? std::min(pass, to_passes - 2)
                                                : 0;
  const uint32_t length = to[target + 1] - to[target];
  return to[target] + std::min(at - from[pass], length == 0 ? 0 : length - 1);
}

size_t PipelinePlaces::record_of(StepId id) const {
  const sm::WarpTimeline& warp = model_->timeline.warps[id.warp];
  if (warp.warp >= block_->warp_records.size() || block_->warp_records[warp.warp].empty()) return 0;
  const std::vector<uint32_t>& own = block_->warp_records[warp.warp];
  return own[std::min<size_t>(translate(steps_[id.warp], records_[warp.warp], id.step), own.size() - 1)];
}

std::optional<uint32_t> PipelinePlaces::warp_index(uint32_t timeline_block, uint32_t warp) const {
  if (timeline_block >= warps_.size() || warp >= warps_[timeline_block].size()) return std::nullopt;
  const uint32_t index = warps_[timeline_block][warp];
  return index == sm::kNoStep ? std::nullopt : std::optional(index);
}

std::optional<StepId> PipelinePlaces::step_of(size_t record, uint32_t timeline_block) const {
  if (record >= block_->trace.records.size()) return std::nullopt;
  const uint16_t warp = block_->trace.records[record].warp;
  const std::optional<uint32_t> index = warp_index(timeline_block, warp);
  if (!index || model_->timeline.warps[*index].steps.empty()) return std::nullopt;
  const std::vector<uint32_t>& own = block_->warp_records[warp];
  const auto position =
      static_cast<uint32_t>(std::ranges::lower_bound(own, static_cast<uint32_t>(record)) - own.begin());
  const uint32_t step = translate(records_[warp], steps_[*index], position);
  return StepId{*index,
                std::min(step, static_cast<uint32_t>(model_->timeline.warps[*index].steps.size()) - 1)};
}

std::optional<StepId> PipelinePlaces::step_at(uint32_t timeline_block, int warp, double cycle) const {
  if (timeline_block >= warps_.size()) return std::nullopt;
  std::optional<StepId> latest;
  uint32_t latest_cycle = 0;
  const auto at = static_cast<uint32_t>(std::max(0.0, std::floor(cycle)));
  for (uint32_t w = 0; w < warps_[timeline_block].size(); ++w) {
    if (warp != kAllWarps && w != static_cast<uint32_t>(warp)) continue;
    const std::optional<uint32_t> index = warp_index(timeline_block, w);
    if (!index) continue;
    const sm::WarpTimeline& line = model_->timeline.warps[*index];
    if (line.steps.empty()) continue;
    const size_t next = sm::TimelineIndex::first_step_at(line, at + 1);
    const auto step = static_cast<uint32_t>(next == 0 ? 0 : next - 1);
    if (latest && line.steps[step].issued < latest_cycle) continue;
    latest = StepId{*index, step};
    latest_cycle = line.steps[step].issued;
  }
  return latest;
}

std::vector<WarpPlace> PipelinePlaces::warps_at(uint32_t timeline_block, double cycle) const {
  std::vector<WarpPlace> places;
  if (timeline_block >= warps_.size()) return places;
  const double now = std::floor(std::max(0.0, cycle));
  for (uint32_t w = 0; w < warps_[timeline_block].size(); ++w) {
    const std::optional<StepId> id = step_at(timeline_block, static_cast<int>(w), now);
    if (!id) continue;
    const std::vector<sm::TimelineStep>& steps = model_->timeline.warps[id->warp].steps;
    const sm::TimelineStep& step = steps[id->step];
    if (step.issued > now || steps.back().issued < now) continue;
    places.push_back({static_cast<uint16_t>(w), step.instruction, record_of(*id), step.issued == now});
  }
  return places;
}

CycleRange whole_range(const ModelResult& model) {
  return {0, std::max(kShortestRange, static_cast<double>(model.timeline.cycles))};
}

CycleRange first_range(const ModelResult& model, uint32_t block) {
  if (block >= model.stages.size()) return whole_range(model);
  const std::vector<uint32_t>& passes = model.stages[block].pass_begins;
  if (passes.size() < kFirstPass + kFirstPasses + 2) return whole_range(model);
  const double from = passes[kFirstPass], to = passes[kFirstPass + kFirstPasses];
  return moved(model, {from, std::max(to, from + kShortestRange)}, 0);
}

CycleRange moved(const ModelResult& model, CycleRange range, double by) {
  const CycleRange whole = whole_range(model);
  const double length = std::clamp(range.length(), kShortestRange, whole.length());
  const double from = std::clamp(range.from + by, 0.0, whole.to - length);
  return {from, from + length};
}

CycleRange zoomed(const ModelResult& model, CycleRange range, double around, double factor) {
  const double length = std::clamp(range.length() * factor, kShortestRange, whole_range(model).length());
  const double share = range.empty() ? 0.5 : std::clamp((around - range.from) / range.length(), 0.0, 1.0);
  return moved(model, {around - share * length, around + (1 - share) * length}, 0);
}

CycleRange showing(const ModelResult& model, CycleRange range, double cycle) {
  if (range.empty() || range.contains(cycle)) return range;
  return moved(model, range, cycle - range.from - range.length() / 2);
}

std::optional<StepId> next_stall(const ModelResult& model, uint32_t w, double cycle, uint32_t least_cycles,
                                 bool forward) {
  if (w >= model.timeline.warps.size()) return std::nullopt;
  const sm::WarpTimeline& warp = model.timeline.warps[w];
  const auto at = static_cast<uint32_t>(std::max(0.0, cycle));
  const auto waits = [&](size_t k) { return warp.steps[k].issued - warp.begin_of(k) >= least_cycles; };
  if (forward) {
    for (size_t k = sm::TimelineIndex::first_step_at(warp, at + 1); k < warp.steps.size(); ++k)
      if (waits(k)) return StepId{w, static_cast<uint32_t>(k)};
    return std::nullopt;
  }
  for (size_t k = sm::TimelineIndex::first_step_at(warp, at); k-- > 0;)
    if (waits(k)) return StepId{w, static_cast<uint32_t>(k)};
  return std::nullopt;
}

std::optional<StepId> first_delayed(const ModelResult& model, StepId id) {
  const sm::Timeline& timeline = model.timeline;
  const sm::TimelineStep& step = timeline.warps[id.warp].steps[id.step];
  constexpr size_t kSteps = 4096;  // a result is waited for soon or never
  std::optional<StepId> first;
  for (uint32_t w = 0; w < timeline.warps.size(); ++w) {
    const sm::WarpTimeline& warp = timeline.warps[w];
    if (warp.block != timeline.warps[id.warp].block) continue;
    const size_t begin = sm::TimelineIndex::first_step_at(warp, step.issued);
    for (size_t k = begin; k < std::min(begin + kSteps, warp.steps.size()); ++k) {
      const sm::TimelineStep& later = warp.steps[k];
      if (later.cause != id.step || later.cause_warp != id.warp) continue;
      if (!first || later.issued < timeline.warps[first->warp].steps[first->step].issued)
        first = StepId{w, static_cast<uint32_t>(k)};
      break;
    }
  }
  return first;
}

uint32_t pass_at(const experiment::BlockStages& stages, double cycle) {
  const std::vector<uint32_t>& begins = stages.pass_begins;
  if (begins.size() < 2) return 0;
  const auto after = std::ranges::upper_bound(begins.begin(), begins.end() - 1, std::max(0.0, cycle));
  return static_cast<uint32_t>(std::max<ptrdiff_t>(0, after - begins.begin() - 1));
}

}  // namespace gemmscope::scenes
