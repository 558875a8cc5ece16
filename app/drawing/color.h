// One colour and the arithmetic that a palette needs: OKLab (Björn Ottosson, 2020), contrast (WCAG 2.1) and
// simulated colour-blindness (Machado, Oliveira and Fernandes, 2009). Pure; knows no window system.
#pragma once

#include <cmath>
#include <cstdint>

namespace gemmscope::drawing {

// sRGB with straight alpha. The bytes are in the order of GL_RGBA/GL_UNSIGNED_BYTE.
struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(Color, Color) = default;
};
static_assert(sizeof(Color) == 4);

// Puts red into the lowest byte, which is Dear ImGui's order.
constexpr std::uint32_t packed(Color c) {
  return std::uint32_t{c.r} | std::uint32_t{c.g} << 8 | std::uint32_t{c.b} << 16 | std::uint32_t{c.a} << 24;
}

// `opacity`, 0..1, replaces the colour's own.
inline Color with_opacity(Color c, float opacity) {
  c.a = static_cast<std::uint8_t>(std::lround(opacity * 255.0f));
  return c;
}

struct Oklab {
  float lightness = 0;  // 0 black .. 1 white
  float a = 0, b = 0;   // green-red, blue-yellow
};

Oklab to_oklab(Color color);
Color from_oklab(Oklab lab, std::uint8_t alpha = 255);
// Lightness 0..1, chroma 0..about 0.3, hue in degrees. Outside sRGB the chroma is reduced; lightness and hue
// stay.
Color oklch(float lightness, float chroma, float hue_degrees);

// Interpolates linearly in OKLab; t is clamped to 0..1.
Color mix(Color from, Color to, float t);
// Blends `over` by its alpha onto an opaque `under`, as the screen shows it.
Color composite(Color over, Color under);
// Euclidean distance in OKLab. About 0.02 is just noticeable between neighbouring patches.
float color_distance(Color a, Color b);
// The contrast of two opaque colours, 1..21.
float contrast_ratio(Color a, Color b);

// Simulates severity 1.0 in linear RGB.
Color simulate_deuteranopia(Color color);
Color simulate_protanopia(Color color);

// Near-black or near-white, whichever contrasts more: for labels inside filled cells.
Color readable_on(Color background);

}  // namespace gemmscope::drawing
