#include "views/chart_axes.h"

#include <cmath>

namespace gemmscope::views {

using drawing::AlignX;
using drawing::color;
using drawing::FontRole;
using drawing::Role;

void draw_chart_axes(drawing::Canvas& canvas, const drawing::Rect& plot, const AxisTicks& x,
                     const AxisTicks& y) {
  for (size_t i = 0; i < x.ticks.size(); ++i) {
    const float at = std::round(x.ticks[i].position);
    canvas.line({at, plot.top}, {at, plot.bottom}, color(Role::grid), canvas.px(1));
    canvas.text(x.labels[i], x.ticks[i].text, color(Role::text_dim), {FontRole::small, AlignX::center});
  }
  for (size_t i = 0; i < y.ticks.size(); ++i) {
    const float at = std::round(y.ticks[i].position);
    canvas.line({plot.left, at}, {plot.right, at}, color(Role::grid), canvas.px(1));
    canvas.text(y.labels[i], y.ticks[i].text, color(Role::text_dim), {FontRole::small, AlignX::right});
  }
}

}  // namespace gemmscope::views
