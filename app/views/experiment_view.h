// The panel on the left: the experiment, what the compiler made of it, and what its execution counted.
#pragma once

#include <array>
#include <string>

#include "session/view_state.h"
#include "views/entered_field.h"
#include "views/input_fields.h"
#include "views/toggles_view.h"

namespace gemmscope::views {

class ExperimentView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel

 private:
  void draw_kernels(const session::ViewState& state, session::Requests& requests);
  void draw_problem(const session::ViewState& state, session::Requests& requests);
  void draw_block(const session::ViewState& state, session::Requests& requests);

  TogglesView toggles_;
  // Values that are being typed. They take effect when a field is left or Enter is pressed.
  std::array<int64_t, 3> sizes_{};
  std::array<float, 2> scales_{};
  InputFields inputs_;
  EnteredField entered_;
  std::optional<experiment::Experiment> shown_;  // whose values the fields hold
};

}  // namespace gemmscope::views
