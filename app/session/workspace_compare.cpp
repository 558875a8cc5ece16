// The pinned experiment: kept, exchanged with the live one, completed, and its cursor.
#include <algorithm>

#include "session/device_choice.h"
#include "session/workspace.h"

namespace gemmscope::session {
namespace {

// The worker has said all that it can.
bool is_complete(const ViewState& side) {
  const bool counted = side.grid != nullptr || side.grid_skipped;
  return counted && ((side.model != nullptr && side.modelled_time != nullptr) || !side.no_model.empty());
}

// The results that are shown, with a cursor of their own. What still belongs to an older experiment is left
// out.
std::shared_ptr<ViewState> side_of(const ViewState& state) {
  auto side = std::make_shared<ViewState>();
  side->block = state.block;
  side->compiled = state.block->compiled;
  side->experiment = state.block->experiment;
  side->timings.choice.model_device = state.timings.choice.model_device;
  side->catalog = state.catalog;
  side->offer = state.offer;
  side->commands = state.commands;
  side->playback.warp = state.playback.warp;
  side->code_edit.bits = state.code_edit.bits;
  side->cursor = state.cursor;
  side->playhead = std::make_unique<scenes::Playhead>(side->block);
  side->playhead->seek(side->cursor.record);
  if (state.grid != nullptr && state.grid->compiled == side->compiled) side->grid = state.grid;
  const bool settled = state.compiled == side->compiled && state.experiment == side->experiment;
  if (settled) side->grid_skipped = state.grid_skipped;
  if (state.places != nullptr) {  // the model is that of the block
    side->model = state.model;
    side->modelled_time = state.modelled_time;
    side->places = std::make_unique<scenes::PipelinePlaces>(side->block, side->model);
  } else if (settled && state.model == nullptr) {
    side->no_model = state.no_model;
  }
  return side;
}

}  // namespace

void Workspace::pin() {
  if (state_.pinned.side != nullptr) {
    state_.pinned.side = nullptr;
    state_.pinned.note.clear();
    return;
  }
  if (!state_.has_trace()) return;
  state_.pinned.side = side_of(state_);
  state_.pinned.side->block_version = state_.block_version++;  // no two blocks have the same
  pinned_generation_ = 0;
  follow_pinned();
}

// The kept results are shown without a new run. What is still computed for the live experiment goes to its
// side.
void Workspace::swap_pinned() {
  if (!can_swap()) return;
  const bool settled =
      state_.experiment == state_.block->experiment && state_.compiled == state_.block->compiled;
  std::shared_ptr<ViewState> kept = side_of(state_);
  const std::shared_ptr<ViewState> next = std::exchange(state_.pinned.side, std::move(kept));
  pinned_generation_ = settled ? generation_ : 0;
  generation_ = 0;
  state_.timings.choice.model_device = next->timings.choice.model_device;
  history_.push(next->experiment);
  state_.experiment = history_.current();
  device_ = chosen_device(state_);
  state_.failure.reset();
  state_.progress.reset();
  state_.offer = next->offer;
  attend_to(next->compiled->kernel);
  state_.pinned.side->block_version = ++state_.block_version;
  show_kept(*next);
  if (!is_complete(*next)) submit_kept(*next);
  follow_pinned();
}

void Workspace::show_kept(ViewState& side) {
  state_.compiled = side.compiled;
  state_.block = side.block;
  state_.grid = side.grid;
  state_.grid_skipped = side.grid_skipped;
  state_.playhead = std::move(side.playhead);
  state_.places = nullptr;
  state_.hover = {};
  state_.code.selected.reset();
  state_.code.mark = -1;
  state_.code_edit.bits = side.code_edit.bits;
  state_.code_edit.refused.clear();
  ++state_.block_version;
  state_.playback.warp = side.playback.warp;
  seek(side.cursor);
  anchor_.reset();
  placed_ = {state_.cursor, state_.playback.warp};
  opened_ = false;
  if (side.model != nullptr)
    show_model(side.model);
  else
    drop_model(side.no_model);
  state_.modelled_time = side.modelled_time;
  const catalog::Kernel* now = catalog_.find(state_.experiment.kernel);
  if (now != nullptr && now->source != side.compiled->kernel.source)
    state_.note = "This is the file as it was when it was pinned.";
}

// The same kernel text, sizes and toggles: the machine code is there.
void Workspace::submit_kept(const ViewState& side) {
  generation_ =
      worker_.submit({side.experiment, side.compiled->kernel, false, side.compiled, chosen_device(side)});
}

// Returns true when the update belongs to the pinned experiment alone.
bool Workspace::take_pinned_result(const experiment::Update& update) {
  ViewState* const side = state_.pinned.side.get();
  const bool own = update.generation == pinned_generation_ && update.generation != generation_;
  // Just pinned: what is computed for the live experiment is also that of the pinned one.
  const bool shared = side != nullptr && update.generation == generation_ &&
                      side->compiled == state_.compiled && chosen_device(*side) == device_;
  if (side == nullptr || !(own || shared)) return own;
  if (const auto* grid = std::get_if<std::shared_ptr<const experiment::GridResult>>(&update.what))
    side->grid = *grid;
  if (const auto* skipped = std::get_if<experiment::GridSkipped>(&update.what)) side->grid_skipped = *skipped;
  if (const auto* model = std::get_if<std::shared_ptr<const experiment::ModelResult>>(&update.what)) {
    side->model = *model;
    side->places = std::make_unique<scenes::PipelinePlaces>(side->block, side->model);
  }
  if (const auto* time = std::get_if<std::shared_ptr<const experiment::ModelledTime>>(&update.what))
    side->modelled_time = *time;
  if (const auto* none = std::get_if<experiment::NotModelled>(&update.what)) side->no_model = none->why;
  return own;
}

// A change of the live experiment cancels what was still computed for the pinned one. It is asked for again
// when the worker has nothing else to do, once.
void Workspace::complete_pinned() {
  const ViewState* const side = state_.pinned.side.get();
  const bool asked = pinned_generation_ > generation_;
  if (side == nullptr || worker_.busy() || asked || is_complete(*side)) return;
  pinned_generation_ =
      worker_.submit({side->experiment, side->compiled->kernel, false, side->compiled, chosen_device(*side)});
}

void Workspace::follow_pinned() {
  if (!state_.compares()) return;
  ViewState& side = *state_.pinned.side;
  side.hover = state_.hover;  // lanes, banks and elements; code has other lines and instructions
  side.hover.instruction.reset();
  side.hover.source_line.reset();
  side.map = state_.map;
  const Followed now{state_.block.get(),   side.block.get(),   state_.cursor,
                     state_.playback.warp, pairing_of(state_), pinned_cycle(state_)};
  if (now == followed_) return;
  followed_ = now;
  scenes::PairingInput input{state_.block.get(),   side.block.get(),  state_.cursor,
                             state_.playback.warp, side.places.get(), now.cycle};
  state_.pinned.note.clear();
  if (side.block->trace.records.empty()) return;
  const scenes::Anchored found = scenes::paired_cursor(now.pairing, input);
  side.cursor = found.cursor;
  side.playback.warp = found.followed;
  side.pipeline.cycle = now.cycle;
  side.playhead->seek(found.cursor.record);
  if (found.match == scenes::AnchorMatch::gone)
    state_.pinned.note = scenes::anchor_of(*state_.block, state_.cursor, state_.playback.warp).name +
                         " is not in A, which is at the same fraction of its trace.";
}

void Workspace::seek_pinned(scenes::Cursor cursor) {
  if (!state_.compares()) return;
  pause();
  const ViewState& side = *state_.pinned.side;
  if (pairing_of(state_) == scenes::Pairing::cycle) {
    const double shift = state_.pipeline.cycle - pinned_cycle(state_);
    if (const auto step = side.places->step_of(cursor.record, 0))
      return seek_cycle(side.model->timeline.warps[step->warp].steps[step->step].issued + shift);
  }
  const scenes::PairingInput input{
      side.block.get(), state_.block.get(), cursor, side.playback.warp, nullptr, 0};
  seek(scenes::paired_cursor(state_.pinned.choice.pairing, input).cursor);
}

}  // namespace gemmscope::session
