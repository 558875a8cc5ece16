#include "session/number_state.h"

#include "metrics/counters.h"
#include "scenes/key_times.h"
#include "session/view_state.h"

namespace gemmscope::session {
namespace {

using experiment::Provenance;
using scenes::KeyTime;

// What was measured here, else what was recorded, else what is modelled; the others stand beside it.
void note_times(const ViewState& state, const TimingState& timings, scenes::KeyNumbers& numbers) {
  std::vector<KeyTime> times = scenes::timed_of(*state.block, timings.live.get(), timings.recordings);
  if (const auto& modelled = state.modelled_time; modelled != nullptr)
    times.push_back({modelled->milliseconds, Provenance::modelled, modelled->device, ""});
  numbers.time.reset();
  if (!times.empty()) {
    numbers.time = std::move(times.front());
    times.erase(times.begin());
  }
  numbers.other_times = std::move(times);
}

// The same machine code for the same numbers: another block of it is no change.
bool same_experiment(const experiment::BlockResult& a, const experiment::BlockResult& b) {
  experiment::Experiment moved = a.experiment;
  moved.block = b.experiment.block;
  return moved == b.experiment && a.compiled->kernel.source == b.compiled->kernel.source;
}

void note_side(ViewState& state, const TimingState& timings) {
  NumberState& numbers = state.numbers;
  if (state.block == nullptr) return;
  if (numbers.block != state.block) {
    const bool change = numbers.block != nullptr && !same_experiment(*numbers.block, *state.block);
    if (change) numbers.before = std::move(numbers.now);
    numbers.block = state.block;
    numbers.grid = nullptr;
    numbers.now = scenes::numbers_of_code(*state.block->compiled);
    numbers.now->block =
        scenes::key_counts(metrics::summarize(state.block->counters, state.block->compiled->instructions));
  }
  if (numbers.grid != state.grid && state.grid != nullptr &&
      state.grid->compiled == numbers.block->compiled) {
    numbers.grid = state.grid;
    numbers.now->grid = scenes::key_counts(state.grid->summary);
  }
  note_times(state, timings, *numbers.now);
}

}  // namespace

void note_numbers(ViewState& state) {
  note_side(state, state.timings);
  if (state.pinned.side != nullptr) note_side(*state.pinned.side, state.timings);
}

const scenes::KeyNumbers* numbers_before(const ViewState& state) {
  const NumberState& from = state.compares() ? state.pinned.side->numbers : state.numbers;
  const std::optional<scenes::KeyNumbers>& before = state.compares() ? from.now : from.before;
  return before ? &*before : nullptr;
}

const char* number_command(scenes::KeyNumber number) {
  static constexpr const char* kIds[scenes::kKeyNumbers] = {"numbers.warp_instructions",
                                                            "numbers.flops",
                                                            "numbers.port_cycles",
                                                            "numbers.global_sectors",
                                                            "numbers.excess_sectors",
                                                            "numbers.wavefronts",
                                                            "numbers.excess",
                                                            "numbers.registers",
                                                            "numbers.spills",
                                                            "numbers.blocks_per_sm",
                                                            "numbers.time"};
  return kIds[static_cast<size_t>(number)];
}

}  // namespace gemmscope::session
