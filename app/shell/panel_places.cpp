#include "shell/panel_places.h"

#include <algorithm>

namespace gemmscope::shell {
namespace {

struct Name {
  std::string_view id;
  const char *title, *view;
};
constexpr Name kNames[] = {{"map", "Map", "map"},
                           {"pictures", "Picture", "banks"},
                           {"code", "Code", "code"},
                           {"code diff", "Code of both", "all"},
                           {"what changed", "What changed", "all"},
                           {"experiment", "Experiment", "experiment"},
                           {"numbers", "Numbers", "all"},
                           {"timings", "Timings", "timings"},
                           {"lattice", "Lattice", "lattice"},
                           {"occupancy", "Occupancy", "occupancy"},
                           {"explorer", "Bank explorer", "all"},
                           {"board", "Devices", "board"},
                           {"lesson", "Lesson", "all"}};

const Name* find_name(std::string_view id) {
  const auto* found = std::ranges::find(kNames, id, &Name::id);
  return found == std::end(kNames) ? nullptr : found;
}

}  // namespace

std::vector<PanelPlace>& panel_places() {
  static std::vector<PanelPlace> places;
  return places;
}

const PanelPlace* find_panel(std::string_view id) {
  const auto found = std::ranges::find(panel_places(), id, &PanelPlace::id);
  return found == panel_places().end() ? nullptr : &*found;
}

const char* panel_title(std::string_view id) {
  const Name* name = find_name(id);
  return name == nullptr ? "" : name->title;
}

const char* panel_view(std::string_view id) {
  const Name* name = find_name(id);
  return name == nullptr ? "all" : name->view;
}

}  // namespace gemmscope::shell
