// The panel on the left: what the experiment is, what the compiler made of it, and what its execution
// counted.
#pragma once

#include <array>
#include <string>

#include "views/input_fields.h"
#include "views/toggles_view.h"
#include "views/view_state.h"

namespace gemmscope::views {

class ExperimentView {
 public:
  void draw(ViewState& state);  // into the current panel

 private:
  void draw_kernels(ViewState& state);
  void draw_problem(ViewState& state);
  void draw_block(ViewState& state);
  void draw_failure(const ViewState& state);

  TogglesView toggles_;
  // What is being typed; taken over when a field is left or Enter is pressed.
  std::array<int, 3> sizes_{};
  std::array<float, 2> scales_{};
  InputFields inputs_;
  std::optional<experiment::Experiment> shown_;  // whose values the fields hold
};

}  // namespace gemmscope::views
