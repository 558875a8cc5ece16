// What the measuring does and why it does not, in words: for the switch of the timings, the status bar and
// the dialog of the GPU runner.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "drawing/palette.h"
#include "session/timing_state.h"

namespace gemmscope::session {

enum class Measuring : uint8_t {
  nowhere,  // in a picture without a window, or before the window's first picture
  off,      // the user turned it off
  waiting,  // nobody has looked yet, or the runner has not answered
  on,
  no_gpu,  // no driver, no device, no runner …
  ended,   // there is a GPU, and nothing is measured on it (any more): lost, or too new
};
Measuring measuring_of(const TimingState& state);

struct MeasuringSwitch {
  std::string word, hint;  // "measure: on", "no GPU"
  drawing::Role role;
  bool on = false;
  bool asks_for_runner = false;  // pressed, it opens the dialog instead of turning
};
MeasuringSwitch measuring_switch(const TimingState& state);

// Why nothing, or not all, is measured and what is shown instead, in a line; empty: all is well. `long_form`
// says what to do as well.
std::string measuring_line(const TimingState& state, const catalog::Problem& problem, bool long_form = true);

}  // namespace gemmscope::session
