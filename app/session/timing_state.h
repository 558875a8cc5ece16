// The state that the timings are drawn from. The shell owns it and fills it in. Commands change `visible`,
// `wide` and `choice`; the view asks for another choice (Requests).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiment/timing_choice.h"
#include "experiment/timings.h"
#include "scenes/roofline_scene.h"

namespace gemmscope::session {

struct ModelDevice {
  std::string id, name;
};

struct TimingState {
  bool visible = false;  // shown in place of the code
  bool wide = false;     // shown over everything but the experiment
  experiment::TimingChoice choice;
  experiment::VariantHistory history;
  std::vector<experiment::VariantKey> racers;

  std::shared_ptr<const experiment::Timings> live;  // null until something was measured, or could not be
  bool can_measure = false;                         // this is a window, and its first picture is there
  bool measuring = false;
  std::string trouble;        // why nothing is measured, a sentence; else empty
  std::string gpu_runner;     // its command line; empty: the one beside the program
  bool runner_given = false;  // by the option or the environment, which override the setting
  std::string runner_note;    // why the command line was not saved or read, a sentence; else empty
  std::vector<experiment::Timings> recordings;  // those that ship with the program
  // For the roofline, at the problem and of the device that are shown.
  std::vector<scenes::CountedIntensity> counted;
  scenes::WorkDone counting, modelled_count;
  bool roofline_shown = false;  // in the last frame; nothing else needs what is counted
  experiment::MemoryRates rates;
  // Modelled times, on the device of the shown times and at their size, else of the user's experiment. Null
  // until there are some.
  std::shared_ptr<const experiment::Timings> modelled;
  bool modelling = false;
  std::vector<ModelDevice> devices;  // whose times can be modelled; empty until the timings are opened
  uint64_t version = 0;              // changes with all but `choice`
};

// The timings to show: those that the user picked (a recording, or what is modelled), else what is measured,
// else the recording nearest to the problem, else what is modelled; null when there is none of them.
const experiment::Timings* shown_timings(const TimingState& state, const catalog::Problem& problem);
// The index of the recording that is shown; -1: none is.
int shown_recording(const TimingState& state, const catalog::Problem& problem);

}  // namespace gemmscope::session
