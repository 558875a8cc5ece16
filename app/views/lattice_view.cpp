#include "views/lattice_view.h"

#include <imgui.h>

#include <cmath>
#include <vector>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "views/command_hint.h"
#include "views/panel_tabs.h"
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

session::LatticeChoice& asked(const session::ViewState& state, session::Requests& requests) {
  if (!requests.lattice) requests.lattice = state.lattice.choice;
  return *requests.lattice;
}

void draw_toolbar(const session::ViewState& state, session::Requests& requests) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  Canvas canvas(Rect{from.x, from.y - 1, to.x, to.y + 1});
  Rect row = canvas.area();
  row.cut_left(tabs_width(canvas));
  const session::LatticeState& l = state.lattice;
  const bool singles = l.choice.order.singles_only;
  struct Word {
    const char *text, *command, *hint;
    bool on, shown;
  };
  const Word words[] = {
      {l.wide ? "narrow" : "wide", "lattice.wide", "Show the lattice over everything but the experiment.",
       l.wide, true},
      {singles ? "singles" : "pairs", "lattice.singles",
       "Show the variants with one change only, or those with two as well.", singles, true},
      {l.choice.map ? "table" : "map", "lattice.map",
       "Show the pairs as a map: a row and a column for each change.", l.choice.map, l.lattice != nullptr},
      {"take the best", "lattice.best", "Make the best variant the experiment.", false, l.lattice != nullptr},
      {"go on", "lattice.go_on", "Spend another minute on the points that were not reached.", false,
       command_enabled(state, "lattice.go_on")}};
  for (const Word& word : words)
    if (word.shown && word_button(canvas, row, word.text, color(word.on ? Role::text_strong : Role::text),
                                  word.on, word.hint, command_key(state, word.command)))
      requests.command = word.command;
}

void draw_heading(Canvas& canvas, const scenes::LatticeScene& scene, const experiment::Lattice& lattice) {
  if (!scene.badge.empty()) {
    const drawing::Color tint = color(Role::modelled);
    const Rect plate = scene.badge.inset(0, canvas.px(2));
    canvas.fill_round_rect(plate, tint, canvas.px(5));
    canvas.text(plate, "MODELLED", drawing::readable_on(tint), {FontRole::body_strong, AlignX::center});
    canvas.text(scene.title, scene.title_text, color(Role::text_strong), {FontRole::body_strong});
  }
  if (!scene.sentence.empty())
    canvas.text_wrapped(scene.sentence, scene.sentence_text, color(Role::text), FontRole::small);
  if (scene.coverage.empty()) return;
  canvas.text_wrapped(scene.coverage, scene.coverage_text,
                      color(lattice.out_of_time ? Role::warning : Role::text_dim), FontRole::small);
  if (lattice.finished) return;
  Rect bar = scene.progress;
  canvas.fill_rect(bar, color(Role::control));
  bar.right = bar.left + bar.width() * static_cast<float>(scene.done);
  canvas.fill_rect(bar, color(Role::accent));
}

void draw_heads(Canvas& canvas, const session::ViewState& state, session::Requests& requests,
                const scenes::LatticeScene& scene) {
  const experiment::LatticeOrder& order = state.lattice.choice.order;
  for (const scenes::LatticeHead& head : scene.heads) {
    const bool pointed = canvas.hovered() && head.rect.contains(canvas.mouse());
    Rect place = head.rect;
    if (head.align == AlignX::right) place.right -= canvas.px(4);
    canvas.text(place, head.text, color(head.sorted || pointed ? Role::text_strong : Role::text_dim),
                {FontRole::small, head.align});
    if (head.sorted) {
      const float width = std::ceil(canvas.text_width(head.text, FontRole::small));
      const float left = head.align == AlignX::right ? place.right - width : place.left;
      const float y = order.descending ? place.top : place.bottom - canvas.px(2);
      canvas.fill_rect({left, y, left + width, y + canvas.px(2)}, color(Role::accent));
    }
    if (pointed) drawing::tooltip(head.hint, command_key(state, "lattice.next_column"));
    if (canvas.spot(head.rect, head.text).pressed) {
      asked(state, requests).order = scenes::order_after_click(order, head.column);
      asked(state, requests).first_row = 0;
    }
  }
}

void draw_row(Canvas& canvas, const scenes::LatticeRow& row, bool pointed) {
  if (row.chosen || row.best || pointed)
    canvas.fill_rect(row.rect, color(row.chosen ? Role::accent_subtle : Role::control));
  if (!row.bar.empty()) canvas.fill_rect(row.bar, mix(color(Role::panel), color(Role::modelled), 0.6f));
  const bool strong = row.chosen || row.best;
  canvas.text(row.name_rect, row.name, color(strong ? Role::text_strong : Role::text), {FontRole::small});
  if (!row.trouble.empty()) {
    canvas.text({row.cells.front().left, row.rect.top, row.rect.right, row.rect.bottom}, row.trouble,
                color(Role::text_dim), {FontRole::small});
    return;
  }
  for (size_t i = 0; i < row.cells.size(); ++i)
    canvas.text(row.cells[i], row.figures[i], color(strong ? Role::text_strong : Role::text),
                {FontRole::mono_small, AlignX::right});
}

// Tells about the variant under the mouse; a click makes it the experiment.
void point_at(const session::ViewState& state, session::Requests& requests, const Canvas& canvas,
              const experiment::Lattice& lattice, size_t entry) {
  const experiment::LatticePoint& point = lattice.entries[entry].point;
  const std::string why_not = session::why_not_at(state, point);
  if (const catalog::Kernel* kernel = state.catalog->find(lattice.kernel))
    drawing::tooltip(scenes::describe_point(*kernel, lattice, entry) +
                     (why_not.empty() ? "" : "\n" + why_not));
  if (canvas.clicked() && why_not.empty()) requests.experiment = session::experiment_at(state, point);
}

// Faster than the chosen variant is one colour, slower another, each by how much.
drawing::Color cell_color(const scenes::LatticeMapCell& cell) {
  if (!cell.computed) return color(Role::control);
  if (!cell.known) return with_opacity(color(Role::idle), 0.5f);
  constexpr float kLeast = 0.12f;
  const float strength = kLeast + (1 - kLeast) * std::abs(cell.change);
  return mix(color(Role::panel_raised), color(cell.change < 0 ? Role::ok : Role::modelled), strength);
}

void draw_legend(Canvas& canvas, Rect row) {
  struct End {
    const char* text;
    float change;
  };
  for (const End& end :
       {End{"half the time", -1}, End{"the chosen variant's time", 0}, End{"twice the time", 1}}) {
    const float side = canvas.px(10);
    if (row.width() < canvas.text_width(end.text, FontRole::small) + 2 * side) return;
    Rect box = row.cut_left(side);
    const float middle = box.center().y;
    scenes::LatticeMapCell cell;
    cell.known = cell.computed = true;
    cell.change = end.change;
    canvas.fill_rect({box.left, middle - side / 2, box.right, middle + side / 2}, cell_color(cell));
    row.cut_left(canvas.px(5));
    canvas.text(row.cut_left(canvas.text_width(end.text, FontRole::small) + 1), end.text,
                color(Role::text_dim), {FontRole::small});
    row.cut_left(canvas.px(16));
  }
}

}  // namespace

void LatticeView::update(const session::ViewState& state, const Canvas& canvas) {
  const session::LatticeState& l = state.lattice;
  Rect area = canvas.area();
  area.cut_top(canvas.px(4));
  const scenes::SceneMetrics metrics = scene_metrics(canvas);
  if (version_ == l.version && choice_.order == l.choice.order && choice_.first_row == l.choice.first_row &&
      choice_.map == l.choice.map && area_ == area && line_height_ == metrics.line_height &&
      !scene_.heads.empty())
    return;
  version_ = l.version;
  choice_ = l.choice;
  area_ = area;
  line_height_ = metrics.line_height;
  scene_ = scenes::layout_lattice(*l.lattice, l.choice.order, l.choice.first_row, area, metrics);
  map_ = {};
  if (const catalog::Kernel* kernel = state.catalog->find(l.lattice->kernel);
      kernel != nullptr && l.choice.map)
    map_ = scenes::layout_lattice_map(*l.lattice, *kernel, scene_.body, metrics);
}

void LatticeView::draw_map(const session::ViewState& state, session::Requests& requests, Canvas& canvas) {
  const experiment::Lattice& lattice = *state.lattice.lattice;
  for (const scenes::LatticeMapLabel& label : map_.labels)
    canvas.text(label.rect, label.text, color(label.toggle ? Role::text : Role::text_dim),
                {FontRole::small, label.toggle ? AlignX::left : AlignX::right});
  std::vector<drawing::ColoredRect> rects;
  for (const scenes::LatticeMapCell& cell : map_.cells)
    rects.push_back({cell.rect.inset(0.5f), cell_color(cell)});
  canvas.fill_rects(rects);
  for (const scenes::LatticeMapCell& cell : map_.cells)
    if (cell.best || cell.single)
      canvas.stroke_rect(cell.rect, color(cell.best ? Role::selection : Role::grid_strong),
                         canvas.px(cell.best ? 2 : 1));
  draw_legend(canvas, map_.legend);
  if (!canvas.hovered()) return;
  if (const scenes::LatticeMapCell* cell = scenes::lattice_cell_at(map_, canvas.mouse())) {
    canvas.stroke_rect(cell->rect.inset(-1), color(Role::hover), canvas.px(2));
    point_at(state, requests, canvas, lattice, cell->entry);
  }
}

void LatticeView::draw_table(const session::ViewState& state, session::Requests& requests, Canvas& canvas) {
  draw_heads(canvas, state, requests, scene_);
  const int pointed = canvas.hovered() ? scenes::lattice_row_at(scene_, canvas.mouse()) : -1;
  for (size_t i = 0; i < scene_.rows.size(); ++i)
    draw_row(canvas, scene_.rows[i], static_cast<int>(i) == pointed);
  canvas.text(scene_.more, scene_.more_text, color(Role::text_dim), {FontRole::small, AlignX::right});
  if (const auto wheel = static_cast<int>(canvas.wheel()); wheel != 0 && canvas.hovered())
    asked(state, requests).first_row = scene_.first_row - 3 * wheel;
  if (pointed >= 0)
    point_at(state, requests, canvas, *state.lattice.lattice,
             scene_.rows[static_cast<size_t>(pointed)].entry);
}

void LatticeView::draw(const session::ViewState& state, session::Requests& requests) {
  draw_tabs(state, requests);
  draw_toolbar(state, requests);
  Canvas canvas("lattice");
  const session::LatticeState& l = state.lattice;
  if (l.lattice == nullptr)
    return draw_empty(canvas, l.none.empty() ? "Listing the variants around this one\u2026" : l.none);
  update(state, canvas);
  draw_heading(canvas, scene_, *l.lattice);
  l.choice.map ? draw_map(state, requests, canvas) : draw_table(state, requests, canvas);
}

}  // namespace gemmscope::views
