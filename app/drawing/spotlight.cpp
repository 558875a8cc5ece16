#include "drawing/spotlight.h"

#include <imgui.h>

#include <cmath>
#include <numbers>

namespace gemmscope::drawing {
namespace {

bool hidden_tooltips = false;
constexpr int kSegments = 72;
constexpr float kSoftEdge = 1.12f;  // the circle's radius where it is dimmed wholly, over its own

}  // namespace

// Three rings of vertices, without Dear ImGui's anti-aliasing: that would leave a seam between each two
// translucent triangles.
void draw_spotlight(ImDrawList& list, Point center, float radius, float reach, Color dim) {
  struct Ring {
    float radius;
    ImU32 color;
  };
  const Ring rings[] = {
      {radius, packed(with_opacity(dim, 0))}, {radius * kSoftEdge, packed(dim)}, {reach, packed(dim)}};
  constexpr int kRings = static_cast<int>(std::size(rings));
  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  list.PrimReserve((kRings - 1) * kSegments * 6, kRings * kSegments);
  const auto first = static_cast<ImDrawIdx>(list._VtxCurrentIdx);
  const auto index = [first](int ring, int segment) {
    return static_cast<ImDrawIdx>(first + ring * kSegments + segment % kSegments);
  };
  for (int ring = 0; ring + 1 < kRings; ++ring)
    for (int i = 0; i < kSegments; ++i)
      for (const ImDrawIdx corner : {index(ring, i), index(ring + 1, i), index(ring + 1, i + 1),
                                     index(ring, i), index(ring + 1, i + 1), index(ring, i + 1)})
        list.PrimWriteIdx(corner);
  for (const Ring& ring : rings)
    for (int i = 0; i < kSegments; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kSegments;
      list.PrimWriteVtx({center.x + ring.radius * std::cos(angle), center.y + ring.radius * std::sin(angle)},
                        uv, ring.color);
    }
}

void hide_tooltips(bool hide) { hidden_tooltips = hide; }
bool tooltips_hidden() { return hidden_tooltips; }

}  // namespace gemmscope::drawing
