#include "session/number_state.h"

#include "experiment/recorded_time.h"
#include "metrics/counters.h"
#include "scenes/occupancy_scene.h"
#include "session/view_state.h"

namespace gemmscope::session {
namespace {

using experiment::Provenance;
using experiment::Timings;
using scenes::KeyTime;

bool same_size(const catalog::Problem& a, const catalog::Problem& b) {
  return a.m == b.m && a.n == b.n && a.k == b.k;
}

std::optional<KeyTime> time_in(const Timings& timings, const ViewState& state) {
  if (timings.l2_flushed || !same_size(timings.problem, state.block->experiment.problem)) return std::nullopt;
  const experiment::VariantKey wanted = experiment::key_of(state.block->experiment);
  for (const experiment::TimedVariant& variant : timings.variants)
    if (!variant.samples.empty() && experiment::key_of(variant) == wanted)
      return KeyTime{experiment::median_ms(variant), timings.provenance, timings.device.name, timings.date};
  return std::nullopt;
}

// Recordings say nothing of typed inputs. One made on a GPU of the chosen architecture comes first.
std::optional<KeyTime> recorded_time(const ViewState& state) {
  const int shown = scenes::occupancy_point_of(*state.block->compiled).compute_capability;
  std::optional<KeyTime> any;
  for (const Timings& recording : state.timings.recordings) {
    std::optional<KeyTime> time = time_in(recording, state);
    if (!time) continue;
    if (recording.device.compute_capability == shown) return time;
    if (!any) any = time;
  }
  return any;
}

// What was measured here, else what was recorded, else what is modelled.
std::optional<KeyTime> time_of(const ViewState& state) {
  if (state.block->experiment.inputs.empty()) {
    if (state.timings.live != nullptr)
      if (auto time = time_in(*state.timings.live, state)) return time;
    if (auto time = recorded_time(state)) return time;
  }
  if (state.modelled_time == nullptr) return std::nullopt;
  return KeyTime{state.modelled_time->milliseconds, Provenance::modelled, state.modelled_time->device, ""};
}

// The same machine code for the same numbers: another block of it is no change.
bool same_experiment(const experiment::BlockResult& a, const experiment::BlockResult& b) {
  experiment::Experiment moved = a.experiment;
  moved.block = b.experiment.block;
  return moved == b.experiment && a.compiled->kernel.source == b.compiled->kernel.source;
}

}  // namespace

void note_numbers(ViewState& state) {
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
  numbers.now->time = time_of(state);
}

const char* number_command(scenes::KeyNumber number) {
  static constexpr const char* kIds[scenes::kKeyNumbers] = {
      "numbers.warp_instructions", "numbers.flops",  "numbers.global_sectors", "numbers.excess_sectors",
      "numbers.wavefronts",        "numbers.excess", "numbers.registers",      "numbers.spills",
      "numbers.blocks_per_sm",     "numbers.time"};
  return kIds[static_cast<size_t>(number)];
}

}  // namespace gemmscope::session
