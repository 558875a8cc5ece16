// A field whose value is refused takes the keys again: what is typed next mends the value and runs no
// command.
#pragma once

#include <string>

#include "session/view_state.h"

namespace gemmscope::views {

class EnteredField {
 public:
  // Call it where the value of the field, the item drawn last, takes effect: another experiment is requested.
  // `stop` is its name (drawing/focus.h). Where Enter did it, keys wait for the answer, though not for long.
  void note(std::string stop, session::Requests& requests);
  // Call it once a frame, before the fields are drawn.
  void follow(const session::ViewState& state, session::Requests& requests);

 private:
  std::string stop_;  // empty: nothing is awaited
  double since_ = 0;  // seconds
};

}  // namespace gemmscope::views
