#include "drawing/plot_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gemmscope::drawing {
namespace {

float line_y(Rect area, float value, float min, float max) {
  const float range = max > min ? max - min : 1;
  const float t = std::clamp((value - min) / range, 0.0f, 1.0f);
  return area.bottom - t * area.height();
}

// Keeps the least and the greatest value of each pixel column, in the order in which they occur.
std::vector<Point> sparkline_envelope(Rect area, std::span<const float> values, float min, float max) {
  const int columns = static_cast<int>(area.width());
  std::vector<Point> points;
  points.reserve(2 * static_cast<std::size_t>(columns));
  for (int column = 0; column < columns; ++column) {
    const std::size_t begin =
        values.size() * static_cast<std::size_t>(column) / static_cast<std::size_t>(columns);
    const std::size_t end =
        values.size() * static_cast<std::size_t>(column + 1) / static_cast<std::size_t>(columns);
    const auto [low, high] = std::minmax_element(values.begin() + begin, values.begin() + end);
    const float x = area.left + static_cast<float>(column) + 0.5f;
    points.push_back({x, line_y(area, low < high ? *low : *high, min, max)});
    if (low != high) points.push_back({x, line_y(area, low < high ? *high : *low, min, max)});
  }
  return points;
}

// Resamples the counts from buckets to pixel columns; the result is columns × categories.
std::vector<double> resample(std::span<const std::uint32_t> counts, int buckets, int categories,
                             int columns) {
  std::vector<double> sums(static_cast<std::size_t>(columns) * categories);
  for (int column = 0; column < columns; ++column) {
    // A column narrower than a bucket shows that bucket; a wider one shows the mean of its buckets, so that
    // heights are comparable.
    const int begin = static_cast<int>(static_cast<std::int64_t>(buckets) * column / columns);
    const int end =
        std::max(begin + 1, static_cast<int>(static_cast<std::int64_t>(buckets) * (column + 1) / columns));
    for (int bucket = begin; bucket < end; ++bucket) {
      for (int category = 0; category < categories; ++category) {
        sums[static_cast<std::size_t>(column) * categories + category] +=
            static_cast<double>(counts[static_cast<std::size_t>(bucket) * categories + category]) /
            (end - begin);
      }
    }
  }
  return sums;
}

}  // namespace

std::vector<Point> layout_sparkline(Rect area, std::span<const float> values, float min, float max) {
  if (values.empty() || area.width() < 1) return {};
  if (static_cast<float>(values.size()) > area.width()) return sparkline_envelope(area, values, min, max);
  std::vector<Point> points;
  const float step = values.size() > 1 ? area.width() / static_cast<float>(values.size() - 1) : 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    points.push_back({area.left + step * static_cast<float>(i), line_y(area, values[i], min, max)});
  }
  return points;
}

std::vector<DensityColumn> layout_density(Rect area, std::span<const std::uint32_t> counts, int buckets,
                                          int categories) {
  const int columns = static_cast<int>(area.width());
  if (buckets < 1 || categories < 1 || columns < 1 ||
      counts.size() < static_cast<std::size_t>(buckets) * categories)
    return {};
  const std::vector<double> sums = resample(counts, buckets, categories, columns);
  double highest = 0;
  for (int column = 0; column < columns; ++column) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(column) * categories;
    highest = std::max(highest, std::accumulate(begin, begin + categories, 0.0));
  }
  if (highest <= 0) return {};
  std::vector<DensityColumn> result;
  std::vector<std::size_t> open(categories, SIZE_MAX);  // last rectangle of each category
  for (int column = 0; column < columns; ++column) {
    const float left = area.left + static_cast<float>(column);
    double running = 0;
    float bottom = area.bottom;
    for (int category = 0; category < categories; ++category) {
      running += sums[static_cast<std::size_t>(column) * categories + category];
      const float top = std::round(area.bottom - static_cast<float>(running / highest) * area.height());
      if (top < bottom) {
        DensityColumn* last = open[category] == SIZE_MAX ? nullptr : &result[open[category]];
        if (last != nullptr && last->right == left && last->top == top && last->bottom == bottom) {
          last->right = left + 1;
        } else {
          open[category] = result.size();
          result.push_back({left, left + 1, category, top, bottom});
        }
      }
      bottom = top;
    }
  }
  return result;
}

}  // namespace gemmscope::drawing
