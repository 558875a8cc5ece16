// The cursor on the modelled timeline. It is one cursor: a cycle has a record of the traced block, and a
// record has a cycle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/pipeline_story.h"
#include "session/workspace.h"

namespace gemmscope::session {

using scenes::StepId;

void Workspace::show_model(std::shared_ptr<const experiment::ModelResult> model) {
  PipelineState& pipeline = state_.pipeline;
  const bool same_kernel =
      state_.model != nullptr && state_.model->compiled->kernel.id == model->compiled->kernel.id;
  const double scale = state_.model == nullptr || state_.model->timeline.cycles == 0
                           ? 1
                           : static_cast<double>(model->timeline.cycles) / state_.model->timeline.cycles;
  state_.model = std::move(model);
  state_.no_model.clear();
  ++state_.model_version;
  pipeline.selected.reset();
  pipeline.measure.reset();
  pipeline.bookmarks.clear();
  state_.places = std::make_unique<scenes::PipelinePlaces>(state_.block, state_.model);
  const auto& blocks = state_.model->timeline.blocks;
  const auto traced = std::ranges::find(blocks, state_.block->experiment.block, &sm::BlockSpan::block);
  pipeline.block = traced == blocks.end() ? 0 : static_cast<uint32_t>(traced - blocks.begin());
  // The same kernel keeps its zoom; another one starts with passes of its own.
  pipeline.visible = same_kernel && !pipeline.visible.empty() && scale > 0.5 && scale < 2
                         ? scenes::moved(*state_.model, pipeline.visible, 0)
                         : scenes::first_range(*state_.model, pipeline.block);
  // A cursor that shows an access stays; where another kernel's picture just opened, its passes are shown.
  const bool at_opening = opened_ && CursorPlace{state_.cursor, state_.playback.warp} == placed_;
  if (!same_kernel && pipeline.open && !state_.playback.playing && at_opening)
    return seek_cycle(pipeline.visible.from + pipeline.visible.length() / 2);
  cycle_of_cursor();
}

void Workspace::drop_model(std::string why) {
  state_.model = nullptr;
  state_.places = nullptr;
  state_.modelled_time = nullptr;
  state_.no_model = std::move(why);
  ++state_.model_version;
  state_.pipeline.selected.reset();
}

// Moves the cycle to the cursor's record.
void Workspace::cycle_of_cursor() {
  if (state_.places == nullptr || !state_.has_trace()) return;
  if (const auto id = state_.places->step_of(state_.cursor.record, state_.pipeline.block))
    state_.pipeline.cycle = state_.model->timeline.warps[id->warp].steps[id->step].issued;
  state_.pipeline.visible = scenes::showing(*state_.model, state_.pipeline.visible, state_.pipeline.cycle);
}

void Workspace::seek_cycle(double cycle) {
  if (state_.places == nullptr || !state_.has_trace()) return;
  cycle = std::clamp(cycle, 0.0, static_cast<double>(state_.model->timeline.cycles));
  state_.note.clear();
  const auto id = state_.places->step_at(state_.pipeline.block, state_.playback.warp, cycle);
  if (id) {
    const size_t record = state_.places->record_of(*id);
    if (record != state_.cursor.record) {
      state_.cursor = {record, scenes::kAllWavefronts};
      state_.playhead->seek(record);
    }
  }
  state_.pipeline.cycle = cycle;
  state_.pipeline.visible = scenes::showing(*state_.model, state_.pipeline.visible, cycle);
}

// Shows a step of the timeline, and follows its warp if one warp is followed.
void Workspace::to_step(StepId id) {
  if (state_.places == nullptr) return;
  pause();
  const sm::WarpTimeline& warp = state_.model->timeline.warps[id.warp];
  state_.pipeline.selected = id;
  state_.pipeline.block = warp.block;
  if (state_.playback.warp != scenes::kAllWarps && warp.warp < state_.block->trace.warp_count)
    state_.playback.warp = warp.warp;
  seek_cycle(warp.steps[id.step].issued);
}

std::optional<StepId> Workspace::step_at_cursor() const {
  if (state_.places == nullptr) return std::nullopt;
  if (state_.pipeline.selected) return state_.pipeline.selected;
  return state_.places->step_at(state_.pipeline.block, state_.playback.warp, state_.pipeline.cycle);
}

void Workspace::to_stall(bool forward) {
  const auto here = step_at_cursor();
  if (!here) return;
  const auto found =
      scenes::next_stall(*state_.model, here->warp, state_.pipeline.cycle, scenes::kShortestStall, forward);
  if (found) {
    to_step(*found);
    state_.pipeline.visible = scenes::framing(*state_.model, state_.pipeline.visible, *found);
    return;
  }
  state_.note = fmt::format("No stall of {} cycles or more {} this one in this warp.", scenes::kShortestStall,
                            forward ? "after" : "before");
}

void Workspace::to_cause() {
  const auto here = step_at_cursor();
  if (!here) return;
  const sm::TimelineStep& step = state_.model->timeline.warps[here->warp].steps[here->step];
  if (step.cause == sm::kNoStep) {
    state_.note = scenes::why_no_arrow(*state_.model, *here);
    return;
  }
  to_step({step.cause_warp, step.cause});
  state_.pipeline.visible = scenes::framing(*state_.model, state_.pipeline.visible, *here);
}

// To the first step of the warp that waited for this one.
void Workspace::to_effect() {
  const auto here = step_at_cursor();
  if (!here) return;
  const auto found = scenes::first_delayed(*state_.model, *here);
  if (!found) {
    state_.note = "No step waited for this one.";
    return;
  }
  to_step(*found);
  state_.pipeline.visible = scenes::framing(*state_.model, state_.pipeline.visible, *found);
}

bool Workspace::advance_cycles(double seconds) {
  if (!state_.pipeline_is_open()) return false;
  const double before = state_.pipeline.cycle;
  seek_cycle(before + std::min(seconds, 0.25) * state_.playback.cycles_per_second);
  if (before >= state_.model->timeline.cycles) state_.playback.playing = false;
  return true;
}

void Workspace::bookmark() {
  std::vector<double>& marks = state_.pipeline.bookmarks;
  const double cycle = std::floor(state_.pipeline.cycle);
  const auto at = std::ranges::lower_bound(marks, cycle);
  if (at != marks.end() && *at == cycle)
    marks.erase(at);
  else
    marks.insert(at, cycle);
}

void Workspace::to_bookmark(bool forward) {
  const std::vector<double>& marks = state_.pipeline.bookmarks;
  if (marks.empty()) return;
  pause();
  const double cycle = std::floor(state_.pipeline.cycle);
  if (forward) {
    const auto next = std::ranges::upper_bound(marks, cycle);
    return seek_cycle(next == marks.end() ? marks.front() : *next);
  }
  const auto here = std::ranges::lower_bound(marks, cycle);
  seek_cycle(here == marks.begin() ? marks.back() : *(here - 1));
}

}  // namespace gemmscope::session
