#include "drawing/canvas.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>

#include "drawing/extra_glyphs.h"
#include "drawing/focus.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"

namespace gemmscope::drawing {
namespace {

constexpr float kGridFromPixels = 6;

TruncatedTextListener truncated_text_listener = nullptr;

// Returns false, since Canvas::text returns whether the text was drawn whole.
bool report_truncated(std::string_view text) {
  if (truncated_text_listener != nullptr) truncated_text_listener(text);
  return false;
}

std::string_view shown(std::string_view text, const TextStyle& style) {
  return style.verbatim ? text : shown_text(text, style.font);
}

Point to_point(ImVec2 v) { return {v.x, v.y}; }

// Rounds to whole pixels, so that plain quads and nearest sampling agree on every edge.
Rect snapped(Rect r) {
  return {std::floor(r.left), std::floor(r.top), std::floor(r.right), std::floor(r.bottom)};
}

float measure(const ImFont& face, std::string_view text) {
  return face.CalcTextSizeA(face.FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

float aligned(float begin, float room, float length, int where) {
  return begin + (room - length) * static_cast<float>(where) / 2;
}

}  // namespace

void listen_to_truncated_text(TruncatedTextListener listener) { truncated_text_listener = listener; }

Canvas::Canvas(const char* id, Size size) : list_(ImGui::GetWindowDrawList()), scale_(ui_scale()) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 wanted(std::max(1.0f, size.width > 0 ? size.width : room.x),
                      std::max(1.0f, size.height > 0 ? size.height : room.y));
  screen_ = snapped(Rect::at(to_point(ImGui::GetCursorScreenPos()), {wanted.x, wanted.y}));
  ImGui::InvisibleButton(id, wanted, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  hovered_ = ImGui::IsItemHovered();
  held_ = ImGui::IsItemActive();
  clicked_ = hovered_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

Canvas::Canvas(Rect screen_area)
    : list_(ImGui::GetWindowDrawList()), screen_(snapped(screen_area)), scale_(ui_scale()) {
  hovered_ = ImGui::IsWindowHovered() && screen_.contains(to_point(ImGui::GetMousePos()));
  held_ = hovered_ && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  clicked_ = hovered_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

float Canvas::px(float points) const { return drawing::px(points, scale_); }

Point Canvas::mouse() const {
  const ImVec2 p = ImGui::GetMousePos();
  return {p.x - screen_.left, p.y - screen_.top};
}

bool Canvas::clicked() const { return clicked_; }

float Canvas::wheel() const {
  if (!hovered_) return 0;
  ImGui::SetItemUsingMouseWheel();
  return ImGui::GetIO().MouseWheel;
}

Canvas::SpotUse Canvas::spot(Rect place, std::string_view name, bool enabled) {
  const bool over = hovered_ && place.contains(mouse());
  const Point corner = screen_.top_left();
  const bool by_key = enabled && spot_stop({place.left + corner.x, place.top + corner.y,
                                            place.right + corner.x, place.bottom + corner.y},
                                           name);
  return {over, enabled && ((over && clicked_) || by_key)};
}

ImVec2 Canvas::to_screen(Point p) const { return {p.x + screen_.left, p.y + screen_.top}; }

bool Canvas::text(Rect rect, std::string_view text, Color color, TextStyle style) {
  text = shown(text, style);
  want_glyphs(text, style.font);
  ImFont* face = font(style.font);
  // A line box is taller than its letters, so a third of it may stick out of the rectangle unseen.
  if (text.empty()) return true;
  if (rect.empty() || rect.height() < face->FontSize * 0.66f) return report_truncated(text);
  const auto ruler = [&](std::string_view part) { return measure(*face, part); };
  float width = ruler(text);
  std::string shortened;
  const bool fits = width <= rect.width() || report_truncated(text);
  if (!fits) {
    shortened = fit_text(text, rect.width(), ruler);
    text = shortened;
    width = ruler(text);
  }
  const ImVec2 at = to_screen(
      {std::floor(aligned(rect.left, rect.width(), width, static_cast<int>(style.align_x))),
       std::round(aligned(rect.top, rect.height(), face->FontSize, static_cast<int>(style.align_y)))});
  list_->AddText(face, face->FontSize, at, packed(color), text.data(), text.data() + text.size());
  return fits;
}

namespace {

// Where the first line of the text ends.
std::size_t end_of_line(std::string_view text, FontRole role, float width) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = next_break(text, end);
    if (end > 0 && measure(*font(role), text.substr(0, next)) > width) break;
    end = next;
  }
  return end;
}

void remove_line(std::string_view& text, std::size_t end) {
  text.remove_prefix(end);
  while (text.starts_with(' ')) text.remove_prefix(1);
}

}  // namespace

float wrapped_line_height(FontRole role) {
  constexpr float kWrappedLine = 1.15f;  // in heights of letters
  return std::round(line_height(role) * kWrappedLine);
}

float text_wrapped_height(std::string_view text, FontRole role, float width) {
  int lines = 0;
  for (text = shown_text(text, role); !text.empty(); ++lines)
    remove_line(text, end_of_line(text, role, width));
  return static_cast<float>(lines) * wrapped_line_height(role);
}

void Canvas::text_wrapped(Rect rect, std::string_view text, Color color, FontRole role) {
  const float line = wrapped_line_height(role);
  text = shown_text(text, role);
  while (!text.empty() && rect.height() >= line) {
    const bool last = rect.height() < 2 * line;
    const std::size_t end = last ? text.size() : end_of_line(text, role, rect.width());
    this->text(rect.cut_top(line), text.substr(0, end), color, {.font = role, .verbatim = true});
    remove_line(text, end);
  }
  if (!text.empty()) report_truncated(text);
}

void Canvas::text_at(Point top_left, std::string_view text, Color color, FontRole role, bool verbatim) {
  if (!verbatim) text = shown_text(text, role);
  want_glyphs(text, role);
  ImFont* face = font(role);
  const ImVec2 at = to_screen({std::floor(top_left.x), std::floor(top_left.y)});
  list_->AddText(face, face->FontSize, at, packed(color), text.data(), text.data() + text.size());
}

float Canvas::text_width(std::string_view text, FontRole role) const {
  return drawing::text_width(role, text);
}
float Canvas::line_height(FontRole role) const { return font(role)->FontSize; }

void Canvas::cells(const CellTexture& texture, Rect rect, const CellView& view, int strong_every) {
  if (texture.empty() || rect.empty() || view.columns <= 0 || view.rows <= 0) return;
  rect = snapped(rect);
  const bool shrunk = view.columns > rect.width() || view.rows > rect.height();
  const auto columns = static_cast<double>(texture.columns()), rows = static_cast<double>(texture.rows());
  const ImVec2 from(static_cast<float>(view.column / columns), static_cast<float>(view.row / rows));
  const ImVec2 to(static_cast<float>((view.column + view.columns) / columns),
                  static_cast<float>((view.row + view.rows) / rows));
  const auto handle = static_cast<std::uintptr_t>(texture.texture(shrunk));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): Dear ImGui carries OpenGL names as pointers
  list_->AddImage(reinterpret_cast<ImTextureID>(handle), to_screen(rect.top_left()),
                  to_screen(rect.bottom_right()), from, to);
  grid_lines(rect, view, strong_every);
}

void Canvas::cells(const CellTexture& texture, Rect rect, int strong_every) {
  cells(texture, rect, {0, 0, static_cast<double>(texture.columns()), static_cast<double>(texture.rows())},
        strong_every);
}

// Grid lines take the panel's colour, so that cells look like tiles with gaps between them.
void Canvas::grid_lines(Rect rect, const CellView& view, int strong_every) {
  const float cell_pixels = rect.width() / static_cast<float>(view.columns);
  const bool every_cell = cell_pixels >= kGridFromPixels * scale_;
  const Color gap = with_opacity(color(Role::panel), 0.55f), strong_gap = color(Role::panel);
  const float strong_width = px(cell_pixels >= 2 * kGridFromPixels * scale_ ? 2 : 1);
  const bool strong_visible =
      strong_every > 0 && cell_pixels * static_cast<float>(strong_every) >= kGridFromPixels * scale_;
  const auto draw = [&](int index, bool vertical) {
    const bool strong = strong_visible && index % strong_every == 0;
    if (!strong && !every_cell) return;
    const float width = strong ? strong_width : px(1);
    if (vertical) {
      const float x = cell_edge_x(rect, view, index) - (strong ? std::floor(width / 2) : 0);
      fill_rect({x, rect.top, x + width, rect.bottom}, strong ? strong_gap : gap);
    } else {
      const float y = cell_edge_y(rect, view, index) - (strong ? std::floor(width / 2) : 0);
      fill_rect({rect.left, y, rect.right, y + width}, strong ? strong_gap : gap);
    }
  };
  if (!every_cell && !strong_visible) return;
  const int first_column = static_cast<int>(std::floor(view.column)) + 1;
  const int first_row = static_cast<int>(std::floor(view.row)) + 1;
  for (int column = first_column; column < view.column + view.columns; ++column) draw(column, true);
  for (int row = first_row; row < view.row + view.rows; ++row) draw(row, false);
}

void Canvas::push_clip(Rect rect) {
  list_->PushClipRect(to_screen(rect.top_left()), to_screen(rect.bottom_right()), true);
}

void Canvas::pop_clip() { list_->PopClipRect(); }

}  // namespace gemmscope::drawing
