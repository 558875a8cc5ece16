#include "drawing/color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gemmscope::drawing {
namespace {

struct LinearRgb {
  float r = 0, g = 0, b = 0;
};

// IEC 61966-2-1.
float to_linear(std::uint8_t value) {
  const float s = static_cast<float>(value) / 255.0f;
  return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
}

std::uint8_t to_srgb(float linear) {
  const float clamped = std::clamp(linear, 0.0f, 1.0f);
  const float s = clamped <= 0.0031308f ? clamped * 12.92f : 1.055f * std::pow(clamped, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(s * 255.0f));
}

LinearRgb to_linear(Color c) { return {to_linear(c.r), to_linear(c.g), to_linear(c.b)}; }

Color to_srgb(LinearRgb c, std::uint8_t alpha) { return {to_srgb(c.r), to_srgb(c.g), to_srgb(c.b), alpha}; }

LinearRgb oklab_to_linear(Oklab lab) {
  const float l_root = lab.lightness + 0.3963377774f * lab.a + 0.2158037573f * lab.b;
  const float m_root = lab.lightness - 0.1055613458f * lab.a - 0.0638541728f * lab.b;
  const float s_root = lab.lightness - 0.0894841775f * lab.a - 1.2914855480f * lab.b;
  const float l = l_root * l_root * l_root, m = m_root * m_root * m_root, s = s_root * s_root * s_root;
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

bool inside_srgb(LinearRgb c) {
  constexpr float kSlack = 1e-4f;
  const auto [low, high] = std::minmax({c.r, c.g, c.b});
  return low >= -kSlack && high <= 1 + kSlack;
}

// WCAG 2.1, "relative luminance".
float relative_luminance(Color c) {
  const LinearRgb rgb = to_linear(c);
  return 0.2126f * rgb.r + 0.7152f * rgb.g + 0.0722f * rgb.b;
}

using Matrix3 = std::array<std::array<float, 3>, 3>;
// Machado et al. 2009, table of the supplementary material, severity 1.0.
constexpr Matrix3 kDeuteranopia = {{{0.367322f, 0.860646f, -0.227968f},
                                    {0.280085f, 0.672501f, 0.047413f},
                                    {-0.011820f, 0.042940f, 0.968881f}}};
constexpr Matrix3 kProtanopia = {{{0.152286f, 1.052583f, -0.204868f},
                                  {0.114503f, 0.786281f, 0.099216f},
                                  {-0.003882f, -0.048116f, 1.051998f}}};

Color simulate(Color color, const Matrix3& matrix) {
  const LinearRgb in = to_linear(color);
  const auto row = [&](int i) { return matrix[i][0] * in.r + matrix[i][1] * in.g + matrix[i][2] * in.b; };
  return to_srgb({row(0), row(1), row(2)}, color.a);
}

std::uint8_t blend(std::uint8_t from, std::uint8_t to, float t) {
  return static_cast<std::uint8_t>(
      std::lround(static_cast<float>(from) * (1 - t) + static_cast<float>(to) * t));
}

}  // namespace

Oklab to_oklab(Color color) {
  const LinearRgb c = to_linear(color);
  const float l = std::cbrt(0.4122214708f * c.r + 0.5363325363f * c.g + 0.0514459929f * c.b);
  const float m = std::cbrt(0.2119034982f * c.r + 0.6806995451f * c.g + 0.1073969566f * c.b);
  const float s = std::cbrt(0.0883024619f * c.r + 0.2817188376f * c.g + 0.6299787005f * c.b);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

Color from_oklab(Oklab lab, std::uint8_t alpha) { return to_srgb(oklab_to_linear(lab), alpha); }

Color oklch(float lightness, float chroma, float hue_degrees) {
  const float hue = hue_degrees * std::numbers::pi_v<float> / 180.0f;
  const auto at = [&](float c) { return Oklab{lightness, c * std::cos(hue), c * std::sin(hue)}; };
  if (inside_srgb(oklab_to_linear(at(chroma)))) return from_oklab(at(chroma));
  float inside = 0, outside = chroma;
  for (int step = 0; step < 16; ++step) {
    const float middle = (inside + outside) / 2;
    (inside_srgb(oklab_to_linear(at(middle))) ? inside : outside) = middle;
  }
  return from_oklab(at(inside));
}

Color mix(Color from, Color to, float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  const Oklab p = to_oklab(from), q = to_oklab(to);
  return from_oklab({std::lerp(p.lightness, q.lightness, t), std::lerp(p.a, q.a, t), std::lerp(p.b, q.b, t)},
                    blend(from.a, to.a, t));
}

Color composite(Color over, Color under) {
  const float opacity = static_cast<float>(over.a) / 255.0f;
  return {blend(under.r, over.r, opacity), blend(under.g, over.g, opacity), blend(under.b, over.b, opacity),
          255};
}

float color_distance(Color a, Color b) {
  const Oklab p = to_oklab(a), q = to_oklab(b);
  return std::hypot(p.lightness - q.lightness, p.a - q.a, p.b - q.b);
}

float contrast_ratio(Color a, Color b) {
  const auto [low, high] = std::minmax({relative_luminance(a), relative_luminance(b)});
  return (high + 0.05f) / (low + 0.05f);
}

Color simulate_deuteranopia(Color color) { return simulate(color, kDeuteranopia); }
Color simulate_protanopia(Color color) { return simulate(color, kProtanopia); }

Color readable_on(Color background) {
  constexpr Color kInk{16, 20, 27, 255}, kPaper{248, 250, 252, 255};
  return contrast_ratio(kInk, background) >= contrast_ratio(kPaper, background) ? kInk : kPaper;
}

}  // namespace gemmscope::drawing
