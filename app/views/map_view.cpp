#include "views/map_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/map_scene.h"
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

constexpr Role kMatrixRoles[] = {Role::matrix_a, Role::matrix_b, Role::matrix_c};

// Hashes everything that changes a texture's content into one number.
uint64_t content_version(const session::ViewState& state, const scenes::MatrixPane& pane) {
  uint64_t version = state.block_version;
  const auto add = [&version](uint64_t value) {
    version = (version ^ value) * 0x9e3779b97f4a7c15ull + (version >> 29);
  };
  add(pane.matrix);
  add(static_cast<uint64_t>(pane.region.first_row) << 32 | static_cast<uint64_t>(pane.region.first_column));
  add(static_cast<uint64_t>(drawing::current_theme()));
  add(static_cast<uint64_t>(pane.region.rows) << 32 | static_cast<uint64_t>(pane.region.columns));
  add(pane.matrix == metrics::kMatrixC ? state.playhead->fill_version() : state.cursor.record);
  return version;
}

void update_texture(drawing::CellTexture& texture, const session::ViewState& state,
                    const scenes::MatrixPane& pane) {
  const uint64_t version = content_version(state, pane);
  if (texture.is_current(pane.region.columns, pane.region.rows, version)) return;
  const std::vector<drawing::Color> colors =
      pane.matrix == metrics::kMatrixC ? scenes::owner_colors(*state.playhead, pane.region)
                                       : scenes::read_colors(*state.playhead, pane.matrix, pane.region);
  // This cannot fail, because a pane is at most as large as a texture may be.
  (void)texture.update(pane.region.columns, pane.region.rows, colors, version);
}

void draw_pane(Canvas& canvas, const scenes::MatrixPane& pane, const drawing::CellTexture& texture) {
  const drawing::Color role = color(kMatrixRoles[pane.matrix]);
  canvas.cells(texture, pane.rect, pane.view, pane.strong_every);
  canvas.stroke_rect(pane.rect.inset(-canvas.px(1)), role, canvas.px(1));
  canvas.text(pane.k_rect, pane.k_range, color(Role::text_dim),
              {FontRole::small, AlignX::right, AlignY::center});
  const float title_width = canvas.text_width(pane.title, FontRole::small);
  const AlignX align = pane.matrix == metrics::kMatrixA ? AlignX::right : AlignX::left;
  canvas.text(pane.title_rect, pane.title, drawing::word_color(role),
              {FontRole::small, align, AlignY::center});
  Rect range = pane.title_rect;
  range.left += title_width + canvas.px(10);
  if (align == AlignX::left && range.width() > canvas.text_width(pane.range, FontRole::small))
    canvas.text(range, pane.range, color(Role::text_dim), {FontRole::small, AlignX::right, AlignY::center});
}

void draw_words(const session::ViewState& state, Canvas& canvas, const scenes::MapScene& scene) {
  canvas.text(scene.headline_rect, scene.headline, color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  if (scene.instruction_rect.height() < 2 * canvas.line_height(FontRole::body)) {
    canvas.text(scene.instruction_rect, scene.instruction, color(Role::text_strong),
                {FontRole::mono_small, AlignX::left, AlignY::center});
  } else {
    canvas.text_wrapped(scene.instruction_rect, scene.instruction, color(Role::text_strong),
                        FontRole::mono_small);
  }
  // The story tells what the access does, which a page may ask for.
  if (!state.lesson.hides().pictures) canvas.text_wrapped(scene.story_rect, scene.story, color(Role::text));
}

// At the bottom of C's pane, over the lines that lead to the cells.
void draw_c_note(Canvas& canvas, const scenes::MapScene& scene) {
  Rect pane = scene.panes[metrics::kMatrixC].rect.inset(canvas.px(4));
  const float width = canvas.text_width(scene.c_note, FontRole::small) + canvas.px(8);
  const float height = canvas.line_height(FontRole::small) + canvas.px(4);
  if (scene.c_note.empty() || pane.width() < width || pane.height() < 2 * height) return;
  Rect plate = pane.cut_bottom(height);
  plate = plate.cut_left(width);
  canvas.fill_round_rect(plate, color(Role::panel), canvas.px(4));
  canvas.text(plate, scene.c_note, color(Role::text_dim), {FontRole::small, AlignX::center, AlignY::center});
}

void draw_overview(Canvas& canvas, const scenes::MapScene& scene) {
  if (scene.overview_label.empty()) return;
  canvas.text(scene.overview_label, "In the whole problem", color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::OverviewPart& part : scene.overview) {
    const drawing::Color role = color(part.role);
    canvas.fill_rect(part.matrix, with_opacity(role, 0.16f));
    canvas.fill_rect(part.block, with_opacity(role, 0.45f));
    canvas.fill_rect(part.window, role);
  }
}

void draw_lane_labels(Canvas& canvas, const scenes::MapScene& scene) {
  const auto is_marked = [&](const Rect& cell) {
    return std::ranges::any_of(
        scene.marks, [&](const scenes::CellMark& mark) { return !mark.label.empty() && mark.rect == cell; });
  };
  for (const scenes::LaneLabel& label : scene.lane_labels)
    if (!is_marked(label.rect))
      canvas.text(label.rect.inset(-canvas.px(3), 0), label.text, drawing::readable_on(label.cell),
                  {FontRole::small, AlignX::center, AlignY::center});
  for (const scenes::CellMark& mark : scene.marks)
    if (!mark.label.empty())
      canvas.text(mark.rect.inset(-canvas.px(3), 0), mark.label,
                  drawing::readable_on(drawing::lane_color(mark.first_lane)),
                  {FontRole::small, AlignX::center, AlignY::center});
}

void draw_marks(Canvas& canvas, const scenes::MapScene& scene) {
  const drawing::Color bright = color(Role::text_strong);
  for (const scenes::WarpCells& cells : scene.warp_owned)
    canvas.stroke_rect(cells.rect.inset(-canvas.px(1)), drawing::category_color(cells.warp), canvas.px(1));
  for (const scenes::WarpCells& cells : scene.warp_marks)
    canvas.fill_rect(cells.rect, drawing::category_color(cells.warp));
  for (const Rect& guide : scene.guides) canvas.fill_rect(guide, with_opacity(bright, 0.55f));
  for (const Rect& owned : scene.owned)
    canvas.stroke_rect(owned.inset(-canvas.px(1)), with_opacity(bright, 0.9f), canvas.px(1));
  for (const scenes::CellMark& mark : scene.marks)
    canvas.fill_rect(mark.rect, drawing::lane_color(mark.first_lane));
  draw_lane_labels(canvas, scene);
  for (const scenes::CellMark& mark : scene.marks)
    if (mark.highlighted) canvas.stroke_rect(mark.rect.inset(-canvas.px(2)), bright, canvas.px(2));
}

void point_at(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
              const scenes::MapScene& scene) {
  if (!canvas.hovered()) return;
  for (size_t i = 0; i < scene.overview.size(); ++i)
    if (scene.overview[i].matrix.contains(canvas.mouse()))
      drawing::tooltip(scenes::describe_overview(*state.block, scene, i));
  // A wheel that turns on at the end of its way asks for nothing, so that no message follows.
  const float wheel = canvas.wheel();
  if (wheel > 0 && state.map.zoom != scenes::MapZoom::thread) requests.command = "map.zoom_in";
  if (wheel < 0 && state.map.zoom != scenes::MapZoom::block) requests.command = "map.zoom_out";
  const std::optional<metrics::Element> element = scenes::element_at(scene, canvas.mouse());
  if (!element) return;
  requests.hover.element = element;
  for (const scenes::CellMark& mark : scene.marks)
    if (mark.element == *element) requests.hover.lane = mark.first_lane;
  drawing::tooltip(scenes::describe(*state.playhead, *element));
}

}  // namespace

void MapView::draw(const session::ViewState& state, session::Requests& requests) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  drawing::heading("Map");
  const Rect title{corner.x, corner.y, corner.x + width, ImGui::GetItemRectMax().y};
  draw_note(state, draw_picture(state, requests), title);
}

// At the title: what is shown of the matrices, or where the warp is if the picture has no room to say it.
void MapView::draw_note(const session::ViewState& state, const std::string& headline, Rect title) {
  constexpr const char* kParts[] = {"C = A \u00b7 B, the block's part", "C = A \u00b7 B, the warp's part",
                                    "C = A \u00b7 B, a thread's part"};
  if (state.block != nullptr && !state.block->layout.is_gemm()) return;
  const std::string part = kParts[static_cast<size_t>(state.map.zoom)];
  Canvas canvas(title);
  Rect row = canvas.area();
  row.cut_left(canvas.text_width("Map", FontRole::body_strong) + canvas.px(12));
  const bool fits = !headline.empty() && canvas.text_width(headline, FontRole::small) <= row.width();
  canvas.text(row, fits ? headline : part, color(Role::text_dim), {FontRole::small, AlignX::right});
}

std::string MapView::draw_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("map");
  // After a lab, what is still there of it has no map, but the next kernel may have one.
  const bool outdated = state.has_trace() && state.block->compiled != state.compiled;
  if (!state.has_trace() || (outdated && !state.block->layout.is_gemm())) {
    draw_empty(canvas, state.failure ? "Nothing to show yet." : "Compiling and executing\u2026");
    return "";
  }
  const scenes::MapScene scene =
      scenes::layout_map(*state.playhead, state.hover, canvas.area(), scene_metrics(canvas),
                         state.warp_places(), state.map.view());
  if (scene.empty) {
    draw_empty(canvas, scene.empty_text);
    return "";
  }
  draw_overview(canvas, scene);
  for (const scenes::MatrixPane& pane : scene.panes) {
    update_texture(textures_[pane.matrix], state, pane);
    draw_pane(canvas, pane, textures_[pane.matrix]);
  }
  draw_marks(canvas, scene);
  draw_c_note(canvas, scene);
  draw_words(state, canvas, scene);
  drag(state, requests, canvas, scene);
  point_at(state, requests, canvas, scene);
  return scene.headline_rect.empty() ? scene.headline : "";
}

// The element that was grabbed stays under the mouse.
void MapView::drag(const session::ViewState& state, session::Requests& requests, const Canvas& canvas,
                   const scenes::MapScene& scene) {
  const scenes::MatrixPane& c = scene.panes[metrics::kMatrixC];
  if (!canvas.held() || state.map.zoom == scenes::MapZoom::block) {
    grabbed_.reset();
    return;
  }
  const drawing::Point mouse = canvas.mouse();
  if (!grabbed_) grabbed_ = {mouse, state.map.view()};
  const float width = c.rect.width() / static_cast<float>(c.region.columns),
              height = c.rect.height() / static_cast<float>(c.region.rows);
  const auto elements = [](float from, float to, float cell) {
    return static_cast<int64_t>(std::lround((from - to) / std::max(cell, 1.0f)));
  };
  const scenes::MapView wanted =
      scenes::moved(*state.block, scene.record, grabbed_->view, elements(grabbed_->mouse.y, mouse.y, height),
                    elements(grabbed_->mouse.x, mouse.x, width));
  if (wanted != state.map.view()) requests.map = wanted;
}

}  // namespace gemmscope::views
