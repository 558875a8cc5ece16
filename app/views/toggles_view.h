// A kernel's toggles: under headings that fold, each with its values side by side. Values that cannot be
// chosen are greyed out and say why; what differs from the kernel's default is marked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "scenes/toggle_list.h"
#include "views/view_state.h"

namespace gemmscope::views {

class TogglesView {
 public:
  void draw(ViewState& state);  // into the current panel

 private:
  void draw_group(ViewState& state, const catalog::Kernel& kernel, const scenes::ToggleGroup& group);
  bool draw_heading(const scenes::ToggleGroup& group);  // whether it is open
  void draw_row(ViewState& state, const catalog::Kernel& kernel, const scenes::ToggleRow& row);
  void draw_title(ViewState& state, const catalog::Kernel& kernel, const scenes::ToggleRow& row,
                  drawing::Size size);

  std::map<std::string, bool> open_;  // by kernel and group; absent: the first group only
  // The rules are computed anew only when they may say something else.
  std::optional<experiment::Experiment> listed_;
  std::string listed_source_;
  std::vector<scenes::ToggleGroup> groups_;
  std::string dragged_;       // whose slider has been moved and is still held
  std::string shown_toggle_;  // the one that keys change, scrolled to once
};

}  // namespace gemmscope::views
