// The cursor in the trace: what moves it, and where it is after the machine code has changed.
#include <algorithm>

#include "catalog/product.h"
#include "scenes/first_record.h"
#include "scenes/paired_cursor.h"
#include "session/workspace.h"

namespace gemmscope::session {
namespace {

bool is_lab(const experiment::CompiledKernel& compiled) { return catalog::is_lab(compiled.kernel); }

// A lab and a step of the ladder have no passes in common, so a fraction of the one says nothing of the
// other: such a kernel opens at the access that it is about.
std::string gone_sentence(const std::string& name, const experiment::BlockResult& block, bool opens) {
  if (!opens) return name + " is gone; the cursor is at the same fraction.";
  return name + (is_lab(*block.compiled) ? " is gone; this lab opens at its own access."
                                         : " is gone; this kernel opens at its own access.");
}

}  // namespace

// An anchor outlives several changes as long as the user does not move the cursor, so that an access that one
// change hides is there again after the next. Where nobody moved the cursor, another kernel opens at its own
// place.
void Workspace::anchor_cursor(const experiment::BlockResult& next) {
  same_instruction_.reset();
  if (!state_.has_trace() || std::exchange(opens_anew_, false)) return anchor_.reset();
  if (!next.trace.records.empty())
    same_instruction_ = scenes::same_instruction(*state_.block, next, state_.cursor, state_.playback.warp);
  const bool same_kernel = state_.block->compiled->kernel.id == next.compiled->kernel.id;
  const bool moved = !(CursorPlace{state_.cursor, state_.playback.warp} == placed_);
  if (moved) opened_ = false;
  if (opened_ && !same_kernel) return anchor_.reset();
  if (moved || !anchor_) anchor_ = scenes::anchor_of(*state_.block, state_.cursor, state_.playback.warp);
}

void Workspace::place_cursor(bool same_kernel, bool both_products) {
  const experiment::BlockResult& block = *state_.block;
  std::string note;
  scenes::Anchored found;
  if (anchor_) found = same_instruction_ ? *same_instruction_ : scenes::find_anchor(*anchor_, block);
  const bool gone = anchor_ && found.match == scenes::AnchorMatch::gone;
  const bool opens = !anchor_ || (gone && !same_kernel && !both_products);
  state_.playback.warp = anchor_ ? found.followed : state_.playback.warp;
  if (state_.playback.warp >= static_cast<int>(block.trace.warp_count)) state_.playback.warp = 0;
  if (opens)
    found.cursor = {scenes::first_record_to_show(block, state_.playback.warp), scenes::kAllWavefronts};
  if (!anchor_) opened_ = true;
  seek(found.cursor);
  if (gone) state_.note = gone_sentence(anchor_->name, block, opens);
  placed_ = {state_.cursor, state_.playback.warp};
}

// Keeps the access that the cursor shows (scenes/access_anchor.h). What the mouse pointed at in the old
// picture is forgotten.
void Workspace::show_block(std::shared_ptr<const experiment::BlockResult> block) {
  anchor_cursor(*block);
  // The access may be that of a kernel before the one that is left.
  const experiment::CompiledKernel* const from = anchor_ ? anchor_->compiled.get() : nullptr;
  const bool same_kernel = from != nullptr && from->kernel.id == block->compiled->kernel.id;
  const bool both_products = from != nullptr && !is_lab(*from) && !is_lab(*block->compiled);
  state_.hover = {};
  state_.compiled = block->compiled;
  state_.playhead = std::make_unique<scenes::Playhead>(block);
  state_.block = std::move(block);
  ++state_.block_version;
  state_.places = nullptr;  // the timeline still belongs to the block before
  state_.modelled_time = nullptr;
  if (!state_.block->trace.records.empty()) place_cursor(same_kernel, both_products);
  restore_place();
  if (!late_note_.empty()) state_.note = std::exchange(late_note_, {});
}

void Workspace::pause() { state_.playback.playing = false; }

void Workspace::seek(scenes::Cursor cursor) {
  if (!state_.has_trace()) return;
  cursor.record = std::min(cursor.record, state_.block->trace.records.size() - 1);
  state_.cursor = cursor;
  state_.note.clear();
  state_.playhead->seek(cursor.record);
  state_.pipeline.selected.reset();
  cycle_of_cursor();
}

void Workspace::step(int count) {
  pause();
  move_by(count);
}

void Workspace::move_by(int count) {
  if (!state_.has_trace()) return;
  const auto position =
      static_cast<int64_t>(scenes::position_of(*state_.block, state_.playback.warp, state_.cursor.record));
  const auto last = static_cast<int64_t>(scenes::step_count(*state_.block, state_.playback.warp)) - 1;
  const int64_t target = std::clamp<int64_t>(position + count, 0, std::max<int64_t>(0, last));
  seek({scenes::record_at(*state_.block, state_.playback.warp, static_cast<size_t>(target)),
        scenes::kAllWavefronts});
}

void Workspace::step_wavefront(int count) {
  if (!state_.has_trace()) return;
  pause();
  const std::optional<scenes::ShownAccess> shown =
      scenes::shown_shared_access(*state_.block, state_.cursor.record);
  if (!shown) return;
  const int passes = scenes::wavefront_count(*state_.block, shown->record);
  state_.cursor.wavefront = std::clamp(state_.cursor.wavefront + count, scenes::kAllWavefronts, passes - 1);
}

void Workspace::to_start() {
  if (!state_.has_trace()) return;
  pause();
  seek({scenes::record_at(*state_.block, state_.playback.warp, 0), scenes::kAllWavefronts});
}
void Workspace::to_end() {
  if (!state_.has_trace()) return;
  pause();
  const size_t steps = scenes::step_count(*state_.block, state_.playback.warp);
  seek({scenes::record_at(*state_.block, state_.playback.warp, steps == 0 ? 0 : steps - 1),
        scenes::kAllWavefronts});
}

void Workspace::to_event(scenes::Event event, bool forward) {
  if (!state_.has_trace()) return;
  pause();
  const auto found =
      forward ? scenes::next_event(*state_.block, state_.playback.warp, state_.cursor.record, event)
              : scenes::previous_event(*state_.block, state_.playback.warp, state_.cursor.record, event);
  if (found) return seek({*found, scenes::kAllWavefronts});
  state_.note =
      scenes::nothing_found_text(*state_.block, state_.playback.warp, state_.cursor.record, event, forward);
}

void Workspace::play_or_pause() {
  if (!state_.has_trace()) return;
  const size_t steps = scenes::step_count(*state_.block, state_.playback.warp);
  if (state_.pipeline_is_open()) {
    const bool over = state_.pipeline.cycle >= state_.model->timeline.cycles;
    if (!state_.playback.playing && over) seek_cycle(0);
    state_.playback.playing = !state_.playback.playing;
    return;
  }
  const bool at_end =
      scenes::position_of(*state_.block, state_.playback.warp, state_.cursor.record) + 1 >= steps;
  if (!state_.playback.playing && at_end) to_start();
  state_.playback.playing = !state_.playback.playing;
  owed_steps_ = 0;
}

void Workspace::change_speed(float factor) {
  float& cycles = state_.playback.cycles_per_second;
  if (state_.pipeline_is_open()) {
    cycles = std::clamp(cycles * factor, kSlowestPlay, kFastestPlay);
    return;
  }
  state_.playback.steps_per_second =
      std::clamp(state_.playback.steps_per_second * factor, kSlowestPlay, kFastestPlay);
}

void Workspace::follow(int warp) {
  state_.playback.warp = warp;
  move_by(0);
}

}  // namespace gemmscope::session
