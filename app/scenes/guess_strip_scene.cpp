#include "scenes/guess_strip_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace gemmscope::scenes {
namespace {

constexpr double kFarApart = 30;  // from which ratio on the axis is logarithmic

// Where a number lies on the axis, from 0 to 1.
double share(const GuessStrip& strip, double number) {
  if (strip.most <= strip.least) return 0.5;
  if (!strip.logarithmic) return (number - strip.least) / (strip.most - strip.least);
  return std::log(number / strip.least) / std::log(strip.most / strip.least);
}

}  // namespace

GuessStrip layout_guess_strip(std::span<const GuessedNumber> guesses, double truth, drawing::Rect area,
                              float dot) {
  GuessStrip strip;
  strip.least = strip.most = truth;
  for (const GuessedNumber& guess : guesses) {
    strip.least = std::min(strip.least, guess.number);
    strip.most = std::max(strip.most, guess.number);
  }
  strip.logarithmic = strip.least > 0 && strip.most / strip.least > kFarApart;
  strip.axis = {area.left, area.bottom - 1, area.right, area.bottom};
  const float room = std::max(0.0f, area.width() - dot);
  const auto left_of = [&](double number) {
    return area.left + std::round(static_cast<float>(share(strip, number)) * room);
  };
  const float middle = left_of(truth) + dot / 2;
  strip.truth = {middle - 1, area.top, middle + 1, area.bottom};
  // Guesses that are not equal share a column where they would overlap.
  std::map<int, std::vector<const GuessedNumber*>> columns;
  for (const GuessedNumber& guess : guesses)
    columns[static_cast<int>((left_of(guess.number) - area.left) / dot)].push_back(&guess);
  int highest = 1;
  for (const auto& [column, of] : columns) {
    int count = 0;
    for (const GuessedNumber* guess : of) count += guess->count;
    highest = std::max(highest, count);
  }
  const float step = std::min(dot, (area.height() - 2) / static_cast<float>(highest));
  for (const auto& [column, of] : columns) {
    float bottom = area.bottom - 2;
    const float left = left_of(of.front()->number);
    for (const GuessedNumber* guess : of)
      for (int i = 0; i < guess->count; ++i, bottom -= step)
        strip.dots.push_back(
            {{left + 1, bottom - std::max(1.0f, step - 1), left + dot - 1, bottom}, guess->right});
  }
  return strip;
}

}  // namespace gemmscope::scenes
