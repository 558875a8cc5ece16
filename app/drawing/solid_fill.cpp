#include "drawing/solid_fill.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gemmscope::drawing {
namespace {

// The rectangle is the command's clip rectangle and the pointer holds the colour itself, so that nothing has
// to stay alive until the frame is drawn.
void clear_clip_rect(const ImDrawList*, const ImDrawCmd* command) {
  const auto value = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(command->UserCallbackData));
  const auto channel = [value](int shift) { return static_cast<float>(value >> shift & 0xFF) / 255.0f; };
  const ImVec4 rect = command->ClipRect;
  const float height = ImGui::GetDrawData()->DisplaySize.y;
  const int left = static_cast<int>(rect.x), right = static_cast<int>(rect.z);
  const int bottom = static_cast<int>(height - rect.w), top = static_cast<int>(height - rect.y);
  if (right <= left || top <= bottom) return;
  glScissor(left, bottom, right - left, top - bottom);
  glClearColor(channel(0), channel(8), channel(16), 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void fill_solid(ImDrawList& list, Rect rect, Color color) {
  if (rect.empty()) return;
  list.PushClipRect({rect.left, rect.top}, {rect.right, rect.bottom}, true);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): see clear_clip_rect
  list.AddCallback(&clear_clip_rect, reinterpret_cast<void*>(static_cast<std::uintptr_t>(packed(color))));
  list.PopClipRect();
}

void fill_solid_rounded(ImDrawList& list, Rect rect, Color color, float radius) {
  const float r = std::ceil(std::min({radius, rect.width() / 2, rect.height() / 2}));
  const auto corner = [&](float x, float y, ImDrawFlags which) {
    list.AddRectFilled({x, y}, {x + r, y + r}, packed(with_opacity(color, 1)), r, which);
  };
  corner(rect.left, rect.top, ImDrawFlags_RoundCornersTopLeft);
  corner(rect.right - r, rect.top, ImDrawFlags_RoundCornersTopRight);
  corner(rect.left, rect.bottom - r, ImDrawFlags_RoundCornersBottomLeft);
  corner(rect.right - r, rect.bottom - r, ImDrawFlags_RoundCornersBottomRight);
  fill_solid(list, {rect.left + r, rect.top, rect.right - r, rect.top + r}, color);
  fill_solid(list, {rect.left + r, rect.bottom - r, rect.right - r, rect.bottom}, color);
  fill_solid(list, {rect.left, rect.top + r, rect.right, rect.bottom - r}, color);
}

std::optional<Color> solid_color(const ImDrawCmd& command) {
  if (command.UserCallback != &clear_clip_rect) return std::nullopt;
  const auto value = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(command.UserCallbackData));
  const auto channel = [value](int shift) { return static_cast<std::uint8_t>(value >> shift & 0xFF); };
  return Color{channel(0), channel(8), channel(16), 255};
}

}  // namespace gemmscope::drawing
