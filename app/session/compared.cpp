#include "session/compared.h"

#include "scenes/key_times.h"

namespace gemmscope::session {

scenes::ComparedSide compared_side(const ViewState& side, const TimingState& timings) {
  scenes::ComparedSide compared;
  compared.block = side.block.get();
  if (side.grid != nullptr && side.grid->compiled == side.block->compiled) compared.grid = side.grid.get();
  if (side.places != nullptr && side.modelled_time != nullptr) {  // the model is that of the block
    compared.sample = side.model->sample.get();
    compared.device = &side.model->device;
    compared.modelled = side.modelled_time.get();
  } else if (side.model == nullptr) {
    compared.no_model = side.no_model;
  }
  compared.timed = scenes::timed_of(*side.block, timings.live.get(), timings.recordings);
  return compared;
}

scenes::Comparison compare_pinned(const ViewState& state) {
  return scenes::compare(compared_side(*state.pinned.side, state.timings),
                         compared_side(state, state.timings));
}

}  // namespace gemmscope::session
