#include "views/port_view.h"

#include <fmt/format.h>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/port_scene.h"
#include "views/code_text.h"
#include "views/figure_row.h"
#include "views/lane_chips.h"
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
using scenes::PortCellKind;

void draw_cell(Canvas& canvas, const scenes::PortCell& cell) {
  const drawing::Color bank = color(scenes::bank_role(cell.bank));
  drawing::Color ink = color(Role::text_strong);
  switch (cell.kind) {
    case PortCellKind::read:
    case PortCellKind::port:
      canvas.fill_round_rect(cell.rect, bank, canvas.px(2));
      ink = drawing::readable_on(bank);
      break;
    case PortCellKind::extra:  // the frame tells the later cycle without colour too
      canvas.fill_round_rect(cell.rect, with_opacity(bank, 0.45f), canvas.px(2));
      canvas.stroke_round_rect(cell.rect, color(Role::warning), canvas.px(2), canvas.px(2));
      break;
    case PortCellKind::cached:
      canvas.stroke_round_rect(cell.rect, bank, canvas.px(2), canvas.px(2));
      break;
    case PortCellKind::kept:
      canvas.fill_round_rect(cell.rect, with_opacity(bank, cell.serves ? 0.55f : 0.22f), canvas.px(2));
      if (cell.serves)
        canvas.stroke_round_rect(cell.rect, color(Role::text_strong), canvas.px(2), canvas.px(2));
      break;
    case PortCellKind::empty:
      ink = color(Role::text_dim);
      break;
  }
  // As much of ".reuse" as has room: an end that is cut would take the register's number along.
  const auto fits = [&](const std::string& text) {
    return canvas.text_width(text, kCodeFont) <= cell.rect.width();
  };
  std::string text = cell.text;
  if (cell.flagged) text += fits(text + ".reuse") ? ".reuse" : fits(text + ".r") ? ".r" : "";
  canvas.text(cell.rect, text, ink, {kCodeFont, AlignX::center, AlignY::center, true});
}

// In a narrow column the first word alone, which is worth more than half of the second; in a sliver nothing.
std::string fitted(const Canvas& canvas, const scenes::PortRow& row) {
  if (row.text_rect.width() < canvas.text_width("reuse", kCodeFont)) return "";
  const bool narrow = row.text_rect.width() < canvas.text_width("FFMA R12, R34", kCodeFont);
  return narrow ? row.text.substr(0, row.text.find(' ')) : row.text;
}

void draw_row(Canvas& canvas, const scenes::PortRow& row) {
  if (row.current) canvas.fill_rect(row.rect, color(Role::accent_subtle));
  if (row.cache) {
    canvas.fill_rect(row.rect, with_opacity(color(Role::panel_raised), 0.9f));
    canvas.text(row.text_rect, fitted(canvas, row), color(Role::text_dim),
                {FontRole::small, AlignX::right, AlignY::center});
    return;
  }
  canvas.text(row.text_rect, fitted(canvas, row), color(row.current ? Role::text_strong : Role::text),
              {kCodeFont, AlignX::left, AlignY::center, true});
  if (row.cycles.empty()) return;
  if (row.waits) canvas.fill_round_rect(row.cycles_rect.inset(1), color(Role::conflict), canvas.px(2));
  canvas.text(row.cycles_rect, row.cycles,
              row.waits ? drawing::readable_on(color(Role::conflict)) : color(Role::text_dim),
              {kCodeFont, AlignX::center, AlignY::center, true});
}

}  // namespace

void draw_ports_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("ports");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  const experiment::CompiledKernel& compiled = *state.block->compiled;
  Rect area = canvas.area();
  const Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  const scenes::PortScene scene =
      scenes::layout_ports(compiled, state.record().instruction, area, scene_metrics(canvas));
  std::vector<Figure> figures;
  for (const scenes::PortFigure& figure : scene.figures)
    figures.push_back(
        {figure.value, figure.label, figure.bad ? Role::conflict : Role::text_strong, figures.empty()});
  draw_figure_row(canvas, head, scene.title, "", false, figures);
  for (const scenes::PortHead& column : scene.heads)
    canvas.text(column.rect, column.text, color(Role::text_dim),
                {FontRole::small, AlignX::center, AlignY::center});
  for (const scenes::PortRow& row : scene.rows) draw_row(canvas, row);
  for (const scenes::PortCell& cell : scene.cells) draw_cell(canvas, cell);
  if (scene.sentence_rect.height() > 0)
    canvas.text_wrapped(scene.sentence_rect, scene.sentence, color(Role::text), FontRole::body);
  if (!canvas.hovered()) return;
  if (const scenes::PortRow* row = scenes::port_row_at(scene, canvas.mouse())) {
    requests.hover.instruction = row->instruction;
    drawing::tooltip(
        fmt::format("{}\n{}{}", row->text, scenes::port_text(compiled.ports.instructions[row->instruction]),
                    row->waits ? "\nNsight Compute samples such cycles as stall_dispatch." : ""));
  }
}

}  // namespace gemmscope::views
