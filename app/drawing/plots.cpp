#include "drawing/plots.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace gemmscope::drawing {
namespace {

// Anti-aliased pieces would leave seams, and the line above hides the steps.
void fill_below(Canvas& canvas, std::span<const Point> points, float bottom, Color fill) {
  ImDrawList& list = canvas.draw_list();
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point a = points[i], b = points[i + 1];
    list.AddQuadFilled(canvas.to_screen(a), canvas.to_screen(b), canvas.to_screen({b.x, bottom}),
                       canvas.to_screen({a.x, bottom}), packed(fill));
  }
  list.Flags = flags;
}

}  // namespace

void draw_sparkline(Canvas& canvas, Rect area, std::span<const float> values, Color line, float min,
                    float max, bool filled) {
  if (values.empty()) return;
  if (min == max) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    min = *low, max = *high;
  }
  const std::vector<Point> points = layout_sparkline(area, values, min, max);
  if (filled) fill_below(canvas, points, area.bottom, with_opacity(line, 0.18f));
  canvas.polyline(points, line, canvas.px(1.5f));
}

void draw_density(Canvas& canvas, Rect area, std::span<const std::uint32_t> counts,
                  std::span<const Color> colors) {
  if (colors.empty()) return;
  const int categories = static_cast<int>(colors.size()),
            buckets = static_cast<int>(counts.size() / colors.size());
  std::vector<ColoredRect> rects;
  for (const DensityColumn& column : layout_density(area, counts, buckets, categories)) {
    rects.push_back({{column.left, column.top, column.right, column.bottom}, colors[column.category]});
  }
  canvas.fill_rects(rects);
}

}  // namespace gemmscope::drawing
