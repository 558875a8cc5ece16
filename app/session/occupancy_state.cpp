#include "session/occupancy_state.h"

#include "scenes/occupancy_scene.h"
#include "session/view_state.h"

namespace gemmscope::session {

std::optional<metrics::OccupancyPoint> occupancy_point(const ViewState& state) {
  if (state.occupancy.choice.by_hand) return state.occupancy.choice.point;
  if (state.compiled == nullptr) return std::nullopt;
  return scenes::occupancy_point_of(*state.compiled);
}

void note_occupancy(ViewState& state, bool continues) {
  const std::optional<metrics::OccupancyPoint> now = occupancy_point(state);
  OccupancyState& occupancy = state.occupancy;
  if (!now || now == occupancy.shown) return;
  if (!continues) occupancy.before = occupancy.shown;
  occupancy.shown = now;
}

OccupancyChoice occupancy_by_hand(const ViewState& state) {
  OccupancyChoice choice = state.occupancy.choice;
  if (const auto point = occupancy_point(state)) choice.point = *point;
  choice.by_hand = true;
  return choice;
}

}  // namespace gemmscope::session
