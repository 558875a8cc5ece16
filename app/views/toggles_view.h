// Draws a kernel's toggles: under headings that fold, each with its values side by side. Values that cannot
// be chosen are greyed out and say why; toggles that differ from the kernel's default are marked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/toggle_list.h"
#include "session/view_state.h"

namespace gemmscope::views {

class TogglesView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel

 private:
  void draw_group(const session::ViewState& state, session::Requests& requests, const catalog::Kernel& kernel,
                  const experiment::ToggleGroup& group);
  bool draw_heading(const experiment::ToggleGroup& group);  // whether it is open
  void draw_row(const session::ViewState& state, session::Requests& requests, const catalog::Kernel& kernel,
                const experiment::ToggleRow& row);
  void draw_title(const session::ViewState& state, session::Requests& requests, const catalog::Kernel& kernel,
                  const experiment::ToggleRow& row, drawing::Size size);

  std::map<std::string, bool> open_;  // by kernel and group; absent: the first group only
  // The list is computed anew only when one of these has changed.
  std::optional<experiment::Experiment> listed_;
  std::string listed_source_;
  experiment::Offer listed_offer_;
  std::vector<experiment::ToggleGroup> groups_;
  std::string dragged_;       // the toggle whose slider was moved and is still held
  std::string shown_toggle_;  // the toggle that keys change, scrolled to once
};

}  // namespace gemmscope::views
