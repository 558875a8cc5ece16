#include "scenes/roofline_step.h"

#include <charconv>
#include <cmath>

namespace gemmscope::scenes {
namespace {

// Of "07" or "07a"; 0: it is no step.
int step_number(const std::string& mark) {
  int number = 0;
  std::from_chars(mark.data(), mark.data() + mark.size(), number);
  return number;
}

}  // namespace

std::optional<RoofStep> step_before(const RooflineScene& scene, const Contest& contest, float clear) {
  const RoofPoint* now = nullptr;
  const auto contender = [&](const RoofPoint& point) -> const Contender& {
    return contest.contenders[static_cast<size_t>(point.contender)];
  };
  for (const RoofPoint& point : scene.points)
    if (contender(point).current && step_number(contender(point).mark) > 0) now = &point;
  if (now == nullptr) return std::nullopt;
  // Of several variants of the step before the first, which is the one without toggles.
  const RoofPoint* before = nullptr;
  for (const RoofPoint& point : scene.points)
    if (step_number(contender(point).mark) == step_number(contender(*now).mark) - 1 &&
        (before == nullptr || contender(point).mark < contender(*before).mark))
      before = &point;
  if (before == nullptr) return std::nullopt;
  const float x = now->at.x - before->at.x, y = now->at.y - before->at.y, length = std::hypot(x, y);
  if (length < 3 * clear) return std::nullopt;
  const float share = clear / length;
  return RoofStep{{before->at.x + share * x, before->at.y + share * y},
                  {now->at.x - share * x, now->at.y - share * y}};
}

}  // namespace gemmscope::scenes
