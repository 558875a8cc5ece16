// The arrow of the roofline from the ladder's step before to the step that is shown.
#pragma once

#include <optional>

#include "scenes/roofline_scene.h"

namespace gemmscope::scenes {

struct RoofStep {
  drawing::Point from, to;  // outside of both dots
};
// Nothing where the shown kernel is no step of the ladder, one of the two has no dot, or the dots touch.
// `clear`: the distance of the arrow's ends from the dots' centres.
std::optional<RoofStep> step_before(const RooflineScene& scene, const Contest& contest, float clear);

}  // namespace gemmscope::scenes
