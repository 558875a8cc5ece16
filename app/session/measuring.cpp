#include "session/measuring.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gemmscope::session {
namespace {

using drawing::Role;
using experiment::TimedVariant;

constexpr const char* kAdvice = "Press Shift+M to use another computer's GPU.";

// Removes the full stop, so that the sentence can stand before one.
std::string without_full_stop(std::string sentence) {
  while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == ' ')) sentence.pop_back();
  return sentence;
}

bool has_device(const TimingState& state) {
  return state.live != nullptr && !state.live->device.name.empty();
}

std::string shown_instead(const TimingState& state, const catalog::Problem& problem) {
  const experiment::Timings* const shown = shown_timings(state, problem);
  if (shown == nullptr) return " There is no recording to show instead.";
  if (shown->provenance == experiment::Provenance::recorded) return " Recorded times are shown.";
  if (shown->provenance == experiment::Provenance::modelled) return " Modelled times are shown.";
  return " The measured times stay.";
}

// Says which variants the GPU refused while others run. It names the library first, since all variants are
// compared with it.
std::string refused_line(const experiment::Timings& live) {
  std::vector<const TimedVariant*> refused;
  for (const TimedVariant& v : live.variants)
    if (!v.trouble.empty()) refused.push_back(&v);
  if (refused.empty()) return {};
  std::stable_partition(refused.begin(), refused.end(), [](const TimedVariant* v) { return v->is_library; });
  const std::string others = refused.size() == 1 ? ""
                             : refused.size() == 2
                                 ? " One other is not measured either."
                                 : fmt::format(" {} others are not measured either.", refused.size() - 1);
  return fmt::format("{} is not measured: {}.{}", refused[0]->title, without_full_stop(refused[0]->trouble),
                     others);
}

}  // namespace

Measuring measuring_of(const TimingState& state) {
  if (!state.can_measure) return Measuring::nowhere;
  if (!state.choice.measure) return Measuring::off;
  if (!state.trouble.empty()) return has_device(state) ? Measuring::ended : Measuring::no_gpu;
  if (!has_device(state)) return Measuring::waiting;
  return state.measuring ? Measuring::on : Measuring::ended;  // all variants were refused
}

MeasuringSwitch measuring_switch(const TimingState& state) {
  const std::string reason = state.trouble + "\nClick to enter the GPU runner of another computer.";
  switch (measuring_of(state)) {
    case Measuring::nowhere:
      return {"not measured", "Only the window measures, not a picture.", Role::text_dim, false, false};
    case Measuring::off:
      return {"measure: off", "Measure the variants of the race in turn on the GPU, until you switch it off.",
              Role::text, false, false};
    case Measuring::waiting:
      return {"measure: waiting", "Waiting for the GPU runner to answer.", Role::text_strong, true, true};
    case Measuring::on:
      return {"measure: on",
              fmt::format("Measuring the variants in turn on {}, until you switch it off.",
                          state.live->device.name),
              Role::text_strong, true, false};
    case Measuring::no_gpu:
      return {"no GPU", reason, Role::warning, false, true};
    case Measuring::ended:
      return {"not measured", reason, Role::warning, false, true};
  }
  return {"", "", Role::text, false, false};
}

std::string measuring_line(const TimingState& state, const catalog::Problem& problem, bool long_form) {
  switch (measuring_of(state)) {
    case Measuring::nowhere:
    case Measuring::off:
      return {};
    case Measuring::waiting:
      return !state.measuring || state.gpu_runner.empty()
                 ? ""
                 : fmt::format("Waiting for the GPU runner: {}", state.gpu_runner);
    case Measuring::on:
      return !state.live->notice.empty() ? state.live->notice : refused_line(*state.live);
    case Measuring::no_gpu:
    case Measuring::ended:
      if (state.trouble.empty()) return refused_line(*state.live);
      return fmt::format("{}: {}.{}{}{}", has_device(state) ? "Not measured" : "No GPU",
                         without_full_stop(state.trouble), long_form ? shown_instead(state, problem) : "",
                         long_form ? " " : "", long_form ? kAdvice : "");
  }
  return {};
}

}  // namespace gemmscope::session
