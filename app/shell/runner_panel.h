// The dialog of the GPU runner: its state, and a field for its command line. (Dear ImGui)
#pragma once

#include <optional>
#include <string>

#include "session/view_state.h"

namespace gemmscope::shell {

class RunnerPanel {
 public:
  bool is_open() const { return open_; }
  void open(const session::TimingState& timings);
  // The command line that was chosen in this frame.
  std::optional<std::string> draw(const session::ViewState& state);

 private:
  void draw_examples();
  void draw_notes(const session::TimingState& timings) const;

  bool open_ = false, just_opened_ = false, to_end_ = false;
  std::string typed_;
};

}  // namespace gemmscope::shell
