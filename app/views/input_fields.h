// Controls of the experiment panel that only some kernels need: expressions to type in, a slider for a toggle
// of many values, the choice among several launches.
#pragma once

#include <map>
#include <span>
#include <string>

#include "session/view_state.h"

namespace gemmscope::views {

// More values than this are chosen with a slider.
inline constexpr size_t kMostSegments = 8;
// A slider over the values, and the label of the one that stands at its right end.
struct SliderUse {
  bool moved = false;  // `index` has changed
  bool held = false;   // the button is down on it
};
SliderUse value_slider(const char* id, std::span<const std::string> labels, size_t& index);

// A heading between kernels of different folders in the list; nothing for the first one and for a user's own.
void kernel_list_heading(const catalog::Catalog& catalog, const catalog::Kernel& kernel);

class InputFields {
 public:
  void draw(const session::ViewState& state, session::Requests& requests, const catalog::Kernel& kernel);

 private:
  std::map<std::string, std::string> typed_;  // by input; taken over when a field is left or Enter is pressed
  std::optional<experiment::Experiment> shown_;
};

void draw_launch_choice(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
