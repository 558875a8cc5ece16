#include "views/pipeline_parts.h"

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "scenes/cursor.h"
#include "scenes/pipeline_colors.h"
#include "scenes/pipeline_story.h"
#include "scenes/text.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Point;
using drawing::Rect;
using drawing::Role;
using experiment::TileStage;

const drawing::TextStyle kLabel{FontRole::small, AlignX::right, AlignY::center};
const drawing::TextStyle kLeft{FontRole::small, AlignX::left, AlignY::center};
const drawing::TextStyle kMiddle{FontRole::small, AlignX::center, AlignY::center};

std::string cycle_text(double cycle) { return scenes::grouped(static_cast<uint64_t>(cycle)); }

// A line over the axis and the rows of each band, but not over the bands' titles.
void draw_time_line(Canvas& canvas, const scenes::PipelineScene& scene, float x, float width,
                    drawing::Color ink) {
  canvas.fill_rect({x, scene.axis.top, x + width, scene.axis.bottom}, ink);
  for (const auto band :
       {scenes::PipelineBand::stages, scenes::PipelineBand::warps, scenes::PipelineBand::pipes}) {
    float top = 1e9f, bottom = -1e9f;
    for (const scenes::PipelineRow& row : scene.rows)
      if (row.band == band) top = std::min(top, row.rect.top), bottom = std::max(bottom, row.rect.bottom);
    if (bottom > top) canvas.fill_rect({x, top, x + width, bottom}, ink);
  }
}

void draw_row_labels(Canvas& canvas, const scenes::PipelineScene& scene, const scenes::PipelineBars& bars) {
  float last_bottom = -1e9f, last_middle = -1e9f;
  int last_sub_core = -1;
  for (const scenes::PipelineRow& row : scene.rows) {
    canvas.fill_rect(row.rect, with_opacity(color(row.followed ? Role::accent_subtle : Role::idle),
                                            row.followed ? 0.7f : 0.22f));
    const float line = canvas.line_height(FontRole::small);
    Rect label = row.label;
    std::string text = row.text;
    drawing::Color ink = color(row.followed ? Role::text_strong : Role::text_dim);
    if (row.band == scenes::PipelineBand::warps) {
      // Rows too low for a label each are named by their sub-core.
      const bool new_group = row.sub_core != last_sub_core;
      const bool low = row.rect.height() < line * 0.8f;
      if (low || !row.followed) last_sub_core = row.sub_core;
      if (low && !row.pinned) {
        if (!new_group) continue;
        text = fmt::format("sub-core {}", row.sub_core);
        label.bottom = label.top + line;
      }
    }
    // Buffers too low for a label each are named together.
    if (row.slot >= 0 && row.rect.height() < line * 0.8f) text = row.slot == 0 ? "buffers" : "";
    if (row.band == scenes::PipelineBand::pipes)
      for (const auto& [pipe, share] : bars.pipe_use)
        if (pipe == row.pipe) text += fmt::format(" {:.0f} %", 100 * share);
    if (label.height() < line * 0.7f) {
      const float middle = (label.top + label.bottom) / 2;
      label.top = middle - line / 2;
      label.bottom = middle + line / 2;
    }
    // Chinese letters fill nearly all of a line.
    if (text.empty() || label.top < last_bottom - 1 || label.center().y < last_middle + line * 0.85f)
      continue;
    last_bottom = label.bottom;
    last_middle = label.center().y;
    canvas.text(label, text, ink, kLabel);
  }
}

// The colours of issued instructions, from the right, as far as there is room.
void draw_kinds(Canvas& canvas, Rect line, std::string_view title) {
  line.left += canvas.text_width(title, FontRole::small) + canvas.px(16);
  for (int k = sm::kIssueKinds - 1; k >= 0; --k) {
    const auto kind = static_cast<sm::IssueKind>(k);
    const float width = canvas.text_width(scenes::issue_kind_name(kind), FontRole::small);
    if (line.width() < width + canvas.px(28)) return;
    canvas.text(line.cut_right(width), scenes::issue_kind_name(kind), color(Role::text_dim), kLabel);
    line.cut_right(canvas.px(5));
    const Rect box = line.cut_right(canvas.px(9));
    const float middle = box.center().y;
    canvas.fill_rect({box.left, middle - canvas.px(4), box.right, middle + canvas.px(4)},
                     color(scenes::issue_role(kind)));
    line.cut_right(canvas.px(14));
  }
}

drawing::Color tile_color(const scenes::TileRect& tile) {
  drawing::Color fill = color(scenes::stage_role(tile.stage));
  if (tile.group >= 0) {  // one colour: strong while it is in flight, pale once it has landed
    fill = color(scenes::stage_role(TileStage::global_load));
    if (tile.stage != TileStage::global_load) return drawing::mix(fill, color(Role::panel), 0.66f);
  }
  // Neighbouring tiles differ a little.
  if (tile.tile % 2 != 0) fill = drawing::mix(fill, color(Role::panel), 0.28f);
  return tile.pinned ? with_opacity(fill, 0.5f) : fill;
}

}  // namespace

void draw_pipeline_frame(Canvas& canvas, const scenes::PipelineScene& scene, const scenes::PipelineBars& bars,
                         double cycle) {
  const float tag = scene.visible.contains(cycle) ? scene.x_of(cycle) : -1e9f;
  const float tag_half = canvas.text_width(cycle_text(cycle), FontRole::small) / 2 + canvas.px(8);
  for (size_t i = 0; i < scene.titles.size(); ++i) {
    canvas.text(scene.titles[i], scene.title_texts[i], color(Role::text_strong), kLeft);
    if (i == 1) draw_kinds(canvas, scene.titles[i], scene.title_texts[i]);
  }
  draw_row_labels(canvas, scene, bars);
  for (const scenes::TimeTick& tick : scene.ticks) {
    for (const scenes::PipelineRow& row : scene.rows)
      canvas.fill_rect({tick.x, row.rect.top, tick.x + 1, row.rect.bottom},
                       with_opacity(color(Role::grid_strong), 0.4f));
    const float half = canvas.text_width(tick.text, FontRole::small) / 2 + 2;
    if (tick.x - half < scene.axis.left || tick.x + half > scene.axis.right) continue;
    if (std::abs(tick.x - tag) < half + tag_half) continue;  // the cursor's figure is there
    canvas.text({tick.x - half, scene.axis.top, tick.x + half, scene.axis.bottom}, tick.text,
                color(Role::text_dim), kMiddle);
  }
  Rect unit = scene.axis;
  unit.right = unit.left - canvas.px(6);
  unit.left = canvas.area().left;
  canvas.text(unit, "cycle", color(Role::text_dim), kLabel);
}

void draw_pipeline_stages(Canvas& canvas, const scenes::PipelineScene& scene,
                          const scenes::PipelineBars& bars, int marked_tile) {
  (void)scene;
  for (const scenes::TileRect& tile : bars.tiles) {
    const drawing::Color fill = tile_color(tile);
    canvas.fill_rect(tile.rect, fill);
    if (tile.slot && tile.stage == TileStage::store_shared) continue;
    // The red of idle pipes takes the lower part of a load's bar.
    Rect place = tile.place.inset(canvas.px(3), 0);
    if (tile.hidden >= 0 && place.height() > 1.7f * canvas.line_height(FontRole::small))
      place.bottom = place.top + place.height() * 0.62f;
    if (!tile.label.empty())
      canvas.text(place, tile.label, drawing::readable_on(drawing::composite(fill, color(Role::panel))),
                  kMiddle);
  }
  const drawing::Color red = color(Role::conflict);
  for (const Rect& rect : bars.exposed) canvas.fill_rect(rect, red);
  canvas.fill_rects(bars.waits);
  for (const scenes::TileRect& tile : bars.tiles) {
    const bool next = tile.tile == marked_tile + 1 && tile.stage == TileStage::global_load;
    const bool waits = tile.stage == TileStage::barrier || tile.stage == TileStage::object_wait;
    const bool same = tile.tile == marked_tile && !waits;
    if (marked_tile >= 0 && !tile.pinned && tile.stage != TileStage::epilogue && (same || next))
      canvas.stroke_rect(tile.rect, color(Role::selection), canvas.px(next ? 1 : 2));
  }
}

namespace {

void draw_arrow(Canvas& canvas, const scenes::StepArrow& arrow) {
  const drawing::Color ink = color(arrow.effect ? Role::accent : Role::selection);
  const float bend = std::clamp(std::abs(arrow.to.x - arrow.from.x) * 0.3f, canvas.px(10), canvas.px(80));
  const float lift = arrow.from.y != arrow.to.y ? 0 : arrow.below ? -canvas.px(18) : canvas.px(18);
  const Point tip{arrow.to.x, arrow.to.y};
  canvas.curve(arrow.from, {arrow.from.x + bend, arrow.from.y - lift}, {tip.x - bend, tip.y - lift}, tip, ink,
               canvas.px(2));
  const float head = canvas.px(6);
  canvas.fill_triangle(tip, {tip.x - head, tip.y - head * 0.6f}, {tip.x - head, tip.y + head * 0.6f}, ink);
  canvas.fill_circle(arrow.from, canvas.px(3), ink);
}

void draw_measure(Canvas& canvas, const session::ViewState& state, const scenes::PipelineScene& scene) {
  if (!state.pipeline.measure) return;
  const scenes::CycleRange range = *state.pipeline.measure;
  Rect area{scene.x_of(range.from), scene.plot.top, scene.x_of(range.to), scene.plot.bottom};
  area = area.intersected(scene.plot);
  if (area.right < area.left) return;
  canvas.fill_rect(area, with_opacity(color(Role::accent), 0.16f));
  canvas.fill_rect({area.left, area.top, area.left + 1, area.bottom}, color(Role::accent));
  canvas.fill_rect({area.right - 1, area.top, area.right, area.bottom}, color(Role::accent));
  const std::string text =
      fmt::format("{:.0f} cycle{}, {:.3f} \u00b5s (modelled)", range.length(),
                  plural(std::round(range.length())), scenes::microseconds(*state.model, range.length()));
  const float width = canvas.text_width(text, FontRole::small) + canvas.px(10);
  const float left = std::clamp(area.center().x - width / 2, scene.plot.left, scene.plot.right - width);
  const Rect tag{left, scene.plot.top, left + width,
                 scene.plot.top + canvas.line_height(FontRole::small) + canvas.px(4)};
  canvas.fill_rect(tag, color(Role::accent));
  canvas.text(tag, text, color(Role::text_on_accent), kMiddle);
}

void draw_overview_frame(Canvas& canvas, const session::ViewState& state,
                         const scenes::PipelineScene& scene) {
  if (scene.overview.empty()) return;
  const double whole = scenes::whole_range(*state.model).to;
  const auto x_of = [&](double cycle) {
    return scene.overview.left + static_cast<float>(cycle / whole) * scene.overview.width();
  };
  const Rect window{x_of(scene.visible.from), scene.overview.top,
                    std::max(x_of(scene.visible.to), x_of(scene.visible.from) + canvas.px(4)),
                    scene.overview.bottom};
  canvas.fill_rect(window, with_opacity(color(Role::accent), 0.22f));
  canvas.stroke_rect(window, color(Role::accent), canvas.px(2));
  const float x = x_of(state.pipeline.cycle);
  canvas.fill_rect({x, scene.overview.top, x + canvas.px(1), scene.overview.bottom},
                   color(Role::text_strong));
  Rect label = scene.overview;
  label.right = label.left - canvas.px(6);
  label.left = canvas.area().left;
  canvas.text(label, "the wave", color(Role::text_dim), kLabel);
}

}  // namespace

void draw_pipeline_marks(Canvas& canvas, const session::ViewState& state, const scenes::PipelineInput& input,
                         const scenes::PipelineScene& scene) {
  draw_overview_frame(canvas, state, scene);
  for (const double mark : state.pipeline.bookmarks)
    if (scene.visible.contains(mark)) {
      const float x = scene.x_of(mark);
      draw_time_line(canvas, scene, x, canvas.px(2), with_opacity(color(Role::warning), 0.8f));
      // Below the axis, where the cursor's tag does not cover it.
      const float top = scene.axis.bottom;
      canvas.fill_triangle({x, top}, {x + canvas.px(10), top + canvas.px(5)}, {x, top + canvas.px(10)},
                           color(Role::warning));
    }
  draw_measure(canvas, state, scene);
  if (scene.visible.contains(input.cycle)) {
    const float x = scene.x_of(input.cycle);
    draw_time_line(canvas, scene, x, canvas.px(2), color(Role::text_strong));
    const std::string text = cycle_text(input.cycle);
    const float half = canvas.text_width(text, FontRole::small) / 2 + canvas.px(4);
    // Right of the word "cycle".
    const float left = std::max(scene.axis.left, x - half);
    const Rect tag{left, scene.axis.top, left + 2 * half, scene.axis.bottom};
    canvas.fill_rect(tag, color(Role::text_strong));
    canvas.text(tag, text, color(Role::panel), kMiddle);
  }
  if (!input.step) return;
  if (const Rect rect = scenes::step_rect(input, scene, *input.step); rect.width() > 0)
    canvas.stroke_rect(rect.inset(-canvas.px(1)), color(Role::selection), canvas.px(2));
  for (const scenes::StepArrow& arrow : scenes::layout_step_arrows(input, scene)) draw_arrow(canvas, arrow);
}

}  // namespace gemmscope::views
