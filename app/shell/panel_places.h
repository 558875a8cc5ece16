// Where the panels of the frame lie, so that one of them can be exported. Only the UI thread uses it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::shell {

struct PanelPlace {
  std::string id;
  drawing::Rect area;
};

std::vector<PanelPlace>& panel_places();  // of this frame, in the order they were drawn
const PanelPlace* find_panel(std::string_view id);
// As the dialog calls it: "Map"; empty: it is not offered alone.
const char* panel_title(std::string_view id);
// What `gemmscope render --view` calls the panel; "all" where it has no view of its own.
const char* panel_view(std::string_view id);

}  // namespace gemmscope::shell
