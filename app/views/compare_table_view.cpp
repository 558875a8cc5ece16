// The table of what changed.
#include <imgui.h>

#include <cmath>

#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "scenes/compare_table_scene.h"
#include "session/compared.h"
#include "views/compare_parts.h"
#include "views/compare_view.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

const drawing::TextStyle kSmall{FontRole::small, AlignX::left, AlignY::center};
const drawing::TextStyle kValue{FontRole::body, AlignX::right, AlignY::center};

// A tick for the better, a cross for the worse: a mark that a grey print keeps.
void draw_verdict(Canvas& canvas, Rect place, int verdict, drawing::Color ink) {
  if (verdict == 0) return;
  const float r = std::min(place.width(), place.height()) * 0.28f, thick = canvas.px(2);
  const drawing::Point c = place.center();
  if (verdict > 0) {
    const drawing::Point tick[] = {
        {c.x - r, c.y}, {c.x - r * 0.2f, c.y + r * 0.8f}, {c.x + r, c.y - r * 0.8f}};
    canvas.polyline(tick, ink, thick);
  } else {
    canvas.line({c.x - r * 0.8f, c.y - r * 0.8f}, {c.x + r * 0.8f, c.y + r * 0.8f}, ink, thick);
    canvas.line({c.x - r * 0.8f, c.y + r * 0.8f}, {c.x + r * 0.8f, c.y - r * 0.8f}, ink, thick);
  }
}

// In smaller type where it is long; the tooltip has what is still left out.
void draw_name(Canvas& canvas, Rect place, const std::string& name) {
  const FontRole face =
      canvas.text_width(name, FontRole::body) <= place.width() ? FontRole::body : FontRole::small;
  const auto width = [&](std::string_view part) { return canvas.text_width(part, face); };
  canvas.text(place, drawing::fit_text(drawing::shown_text(name, face), place.width(), width),
              color(Role::text), {face, AlignX::left, AlignY::center});
}

void draw_line(Canvas& canvas, const scenes::CompareRow& row, const scenes::CompareLine& line) {
  draw_name(canvas, line.name, row.name);
  canvas.text(line.a, row.a, color(Role::text_dim), kValue);
  canvas.text(line.b, row.b, color(Role::text_strong), kValue);
  canvas.text(line.factor, row.factor, color(line.role),
              {FontRole::body_strong, AlignX::right, AlignY::center});
  draw_verdict(canvas, line.mark, row.verdict, color(line.role));
  if (!line.note.empty() && canvas.text_width(row.note, FontRole::small) <= line.note.width())
    canvas.text(line.note, row.note, color(Role::text_dim), kSmall);
}

std::string hint_of(const scenes::CompareRow& row) {
  std::string hint = row.name + ": " + row.a + " \u2192 " + row.b;
  if (!row.note.empty()) hint += "\n" + row.note;
  return hint;
}

}  // namespace

void CompareTable::draw(const session::ViewState& state) {
  if (const ComparedResults now = results_of(state); !(now == of_)) {
    of_ = now;
    comparison_ = session::compare_pinned(state);
  }
  const float width = ImGui::GetContentRegionAvail().x, room = ImGui::GetContentRegionAvail().y;
  const std::string below =
      comparison_.caution.empty() ? comparison_.reason : comparison_.caution + " " + comparison_.reason;
  const std::string same = scenes::same_text(comparison_);
  const auto height_of = [&](const std::string& text) {
    return text.empty() ? 0 : drawing::text_wrapped_height(text, FontRole::small, width) + drawing::px(4);
  };
  const scenes::CompareTableMetrics metrics{{drawing::px(100) / 100, drawing::line_height(FontRole::body),
                                             drawing::line_height(FontRole::small), 0, 0, 0},
                                            drawing::line_height(FontRole::title),
                                            height_of(below),
                                            height_of(same),
                                            drawing::text_width(FontRole::body, "0")};
  const scenes::CompareTableScene scene =
      scenes::layout_compare_table(comparison_, {0, 0, width, room}, metrics);
  Canvas canvas("what changed", {width, std::max(room, scene.height)});
  canvas.text(scene.headline, comparison_.headline, color(Role::text_strong),
              {FontRole::title, AlignX::left, AlignY::center});
  if (!below.empty()) canvas.text_wrapped(scene.reason, below, color(Role::text), FontRole::small);
  canvas.text(scene.basis, comparison_.basis, color(Role::text_dim), kSmall);
  for (const auto& [rect, pinned] : {std::pair(scene.head_a, true), std::pair(scene.head_b, false)}) {
    Rect box = rect;
    draw_letter(canvas, box.cut_right(box.height()), pinned);
  }
  canvas.fill_rects(scene.rules, color(Role::panel_border));
  for (const scenes::CompareLine& line : scene.lines) {
    if (canvas.hovered() && line.rect.contains(canvas.mouse())) {
      canvas.fill_rect(line.rect, color(Role::control_hover));
      drawing::tooltip(hint_of(comparison_.rows[line.row]));
    }
    draw_line(canvas, comparison_.rows[line.row], line);
  }
  if (!same.empty()) canvas.text_wrapped(scene.same, same, color(Role::text_dim), FontRole::small);
}

}  // namespace gemmscope::views
