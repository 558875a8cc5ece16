#include "views/occupancy_panel.h"

#include <algorithm>
#include <cmath>

#include "drawing/widgets.h"
#include "views/lane_chips.h"
#include "views/occupancy_view.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

// The plate catches the eye first: how full the SM is.
void draw_head(Canvas& canvas, const scenes::OccupancyPanelScene& scene) {
  const drawing::Color plate = color(scene.blocks == 0 ? Role::error : Role::accent);
  canvas.fill_round_rect(scene.plate.rect, plate, canvas.px(6));
  canvas.text(scene.plate.rect, scene.plate.text, drawing::readable_on(plate),
              {FontRole::title, AlignX::center});
  canvas.text(scene.headline.rect, scene.headline.text, color(Role::text_strong),
              {canvas.text_width(scene.headline.text, FontRole::title) <= scene.headline.rect.width()
                   ? FontRole::title
                   : FontRole::body_strong});
  canvas.text_wrapped(scene.limiter.rect, scene.limiter.text, color(Role::text));
  canvas.text_wrapped(scene.change.rect, scene.change.text, color(Role::warning), FontRole::small);
  canvas.text_wrapped(scene.remark.rect, scene.remark.text, color(Role::text), FontRole::small);
}

void draw_limit(Canvas& canvas, const scenes::LimitRow& row) {
  const drawing::Color ink = color(row.decides ? Role::warning : Role::text);
  if (row.decides) canvas.fill_round_rect(row.row, with_opacity(color(Role::warning), 0.12f), canvas.px(3));
  canvas.text(row.name.inset(canvas.px(6), 0), row.name_text, ink,
              {row.decides ? FontRole::body_strong : FontRole::body});
  canvas.fill_rect(row.bar, color(Role::control));
  const drawing::Color fill = color(row.decides ? Role::warning : Role::accent);
  for (size_t i = 0; i < row.blocks.size(); ++i) {
    Rect block = row.blocks[i];
    if (block.width() > canvas.px(3)) block.right -= canvas.px(1);
    canvas.fill_rect(block, with_opacity(fill, i % 2 == 0 ? 1.0f : 0.62f));
  }
  canvas.text(row.amount, row.amount_text, color(Role::text_dim), {FontRole::small, AlignX::right});
  canvas.text(row.exact, row.exact_text, ink,
              {row.decides ? FontRole::mono_strong : FontRole::mono, AlignX::right});
  canvas.text(row.textbook, row.textbook_text, color(row.textbook_decides ? Role::text : Role::text_dim),
              {FontRole::mono, AlignX::right});
}

void draw_limits(Canvas& canvas, const scenes::OccupancyPanelScene& scene) {
  canvas.text(scene.exact_head, "exact", color(Role::text_dim), {FontRole::small, AlignX::right});
  canvas.text(scene.amount_head, "a block takes", color(Role::text_dim), {FontRole::small, AlignX::right});
  canvas.text(scene.textbook_head, "textbook", color(Role::text_dim), {FontRole::small, AlignX::right});
  for (const scenes::LimitRow& row : scene.limits) draw_limit(canvas, row);
  const scenes::LimitRow& total = scene.total;
  canvas.line({total.row.left, total.row.top}, {total.row.right, total.row.top}, color(Role::grid_strong));
  canvas.text(total.name.inset(canvas.px(6), 0), total.name_text, color(Role::text_strong),
              {FontRole::body_strong});
  canvas.text(total.exact, total.exact_text, color(Role::text_strong), {FontRole::title, AlignX::right});
  canvas.text(total.textbook, total.textbook_text, color(Role::text), {FontRole::title, AlignX::right});
  canvas.text_wrapped(scene.textbook.rect, scene.textbook.text, color(Role::text_dim), FontRole::small);
}

void draw_rates(Canvas& canvas, const scenes::OccupancyPanelScene& scene) {
  canvas.text(scene.rates_title.rect, scene.rates_title.text, color(Role::text_dim), {FontRole::small});
  canvas.text(scene.rates_note.rect, scene.rates_note.text, color(Role::text_dim),
              {FontRole::small, AlignX::right});
  for (const scenes::RateCell& cell : scene.rates) {
    canvas.text(cell.value, cell.value_text, color(cell.known ? Role::text_strong : Role::text_dim),
                {cell.known ? FontRole::body_strong : FontRole::body});
    canvas.text(cell.label, cell.label_text, color(Role::text_dim), {FontRole::small});
  }
}

}  // namespace

void OccupancyPanel::draw(const session::ViewState& state, session::Requests& requests) {
  draw_controls(state, requests);
  drawing::gap(4);
  Canvas canvas("occupancy panel");
  const auto point = session::occupancy_point(state);
  if (!point) return draw_waiting(canvas, state.failure.has_value());
  const session::OccupancyState& occupancy = state.occupancy;
  scenes::OccupancyQuestion question{*point, occupancy.before, ""};
  if (const metrics::OccupancyPreset* preset =
          occupancy.choice.by_hand ? metrics::find_occupancy_preset(occupancy.choice.preset) : nullptr)
    question.remark = preset->question;
  const scenes::OccupancyPanelScene scene = scenes::layout_occupancy_panel(
      question, canvas.area(), scene_metrics(canvas), [&canvas](std::string_view text, bool small) {
        return canvas.text_width(text, small ? FontRole::small : FontRole::body);
      });
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  draw_head(canvas, scene);
  canvas.text(scene.slots_title.rect, scene.slots_title.text, color(Role::text_dim), {FontRole::small});
  draw_warp_slots(canvas, scene.slots);
  draw_limits(canvas, scene);
  draw_charts(canvas, state, requests, scene);
  draw_rates(canvas, scene);
}

}  // namespace gemmscope::views
