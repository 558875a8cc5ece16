// Controls of the experiment panel that only some kernels need: fields for expressions, a slider for a toggle
// with many values, the choice among several launches.
#pragma once

#include <map>
#include <span>
#include <string>

#include "session/view_state.h"
#include "views/entered_field.h"

namespace gemmscope::views {

// A toggle with more values than this has a slider.
inline constexpr size_t kMostSegments = 8;
// Draws a slider over the values, with the label of the chosen one at its right end.
struct SliderUse {
  bool moved = false;  // `index` has changed
  bool held = false;   // the button is down on it
};
SliderUse value_slider(const char* id, std::span<const std::string> labels, size_t& index);

// Draws a heading before the first kernel of each folder in the list. A user's own kernel has none.
void kernel_list_heading(const catalog::Catalog& catalog, const catalog::Kernel& kernel);

class InputFields {
 public:
  void draw(const session::ViewState& state, session::Requests& requests, const catalog::Kernel& kernel,
            EnteredField& entered);

 private:
  // By input. A value takes effect when its field is left or Enter is pressed.
  std::map<std::string, std::string> typed_;
  std::optional<experiment::Experiment> shown_;
};

void draw_launch_choice(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
