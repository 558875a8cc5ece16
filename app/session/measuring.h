// Says in words what the measuring does, or why it does nothing: for the switch of the timings, the status
// bar and the dialog of the GPU runner.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "drawing/palette.h"
#include "session/timing_state.h"

namespace gemmscope::session {

enum class Measuring : uint8_t {
  nowhere,  // in a picture without a window, or before the window's first picture
  off,      // the user turned it off
  waiting,  // the timings were not opened yet, or the runner has not answered
  on,
  no_gpu,  // no driver, no device, no runner …
  ended,   // there is a GPU, but nothing is measured on it (any more): it was lost, or is too new
};
Measuring measuring_of(const TimingState& state);

struct MeasuringSwitch {
  std::string word, hint;  // "measure: on", "no GPU"
  drawing::Role role;
  bool on = false;
  bool asks_for_runner = false;  // a click opens the dialog instead of switching
};
MeasuringSwitch measuring_switch(const TimingState& state);

// One line that says why nothing, or not everything, is measured; empty when all is well. `long_form` adds
// what is shown instead and what to do.
std::string measuring_line(const TimingState& state, const catalog::Problem& problem, bool long_form = true);

}  // namespace gemmscope::session
