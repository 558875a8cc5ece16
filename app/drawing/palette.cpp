#include "drawing/palette.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace gemmscope::drawing {
namespace {

struct Lch {
  float lightness, chroma, hue;
};

Color to_color(Lch c) { return oklch(c.lightness, c.chroma, c.hue); }

// One blue-grey hue for every surface keeps the pictures the only strong colour on the screen.
constexpr float kSlate = 260;

struct RoleDefinition {
  Role role;
  Lch dark, light;
};

constexpr RoleDefinition kRoles[] = {
    {Role::background, {0.195f, 0.015f, kSlate}, {0.950f, 0.005f, kSlate}},
    {Role::panel, {0.230f, 0.017f, kSlate}, {0.990f, 0.002f, kSlate}},
    {Role::panel_raised, {0.268f, 0.019f, kSlate}, {0.970f, 0.004f, kSlate}},
    {Role::panel_border, {0.325f, 0.021f, kSlate}, {0.870f, 0.010f, kSlate}},
    {Role::control, {0.295f, 0.021f, kSlate}, {0.935f, 0.008f, kSlate}},
    {Role::control_hover, {0.345f, 0.025f, kSlate}, {0.900f, 0.012f, kSlate}},
    {Role::control_active, {0.390f, 0.030f, kSlate}, {0.860f, 0.018f, kSlate}},
    {Role::text, {0.890f, 0.010f, kSlate}, {0.330f, 0.022f, kSlate}},
    {Role::text_dim, {0.680f, 0.020f, kSlate}, {0.510f, 0.022f, kSlate}},
    {Role::text_strong, {0.975f, 0.004f, kSlate}, {0.200f, 0.022f, kSlate}},
    {Role::text_on_accent, {0.170f, 0.040f, 280}, {0.990f, 0.004f, 280}},
    {Role::accent, {0.720f, 0.135f, 282}, {0.500f, 0.190f, 278}},
    {Role::accent_subtle, {0.345f, 0.065f, 280}, {0.900f, 0.045f, 280}},
    {Role::matrix_a, {0.740f, 0.130f, 240}, {0.560f, 0.150f, 245}},
    {Role::matrix_b, {0.780f, 0.145f, 66}, {0.660f, 0.150f, 58}},
    {Role::matrix_c, {0.860f, 0.105f, 165}, {0.520f, 0.105f, 165}},
    {Role::read, {0.700f, 0.125f, 235}, {0.560f, 0.140f, 242}},
    {Role::write, {0.830f, 0.135f, 85}, {0.700f, 0.145f, 75}},
    {Role::conflict, {0.630f, 0.215f, 22}, {0.520f, 0.205f, 25}},
    {Role::broadcast, {0.880f, 0.090f, 175}, {0.480f, 0.090f, 180}},
    {Role::idle, {0.300f, 0.014f, kSlate}, {0.905f, 0.006f, kSlate}},
    {Role::math, {0.820f, 0.110f, 170}, {0.600f, 0.110f, 170}},
    {Role::memory, {0.700f, 0.125f, 245}, {0.520f, 0.150f, 250}},
    {Role::control_flow, {0.600f, 0.150f, 335}, {0.420f, 0.160f, 335}},
    {Role::wait, {0.460f, 0.020f, kSlate}, {0.760f, 0.014f, kSlate}},
    {Role::measured, {0.860f, 0.120f, 165}, {0.430f, 0.100f, 165}},
    {Role::recorded, {0.760f, 0.110f, 240}, {0.500f, 0.140f, 245}},
    {Role::modelled, {0.820f, 0.120f, 80}, {0.545f, 0.118f, 65}},
    {Role::ok, {0.810f, 0.120f, 175}, {0.500f, 0.105f, 175}},
    {Role::warning, {0.830f, 0.150f, 82}, {0.555f, 0.120f, 70}},
    {Role::error, {0.680f, 0.185f, 22}, {0.455f, 0.185f, 25}},
    {Role::grid, {0.300f, 0.018f, kSlate}, {0.890f, 0.008f, kSlate}},
    {Role::grid_strong, {0.420f, 0.022f, kSlate}, {0.780f, 0.012f, kSlate}},
    {Role::selection, {0.970f, 0.030f, 100}, {0.220f, 0.060f, 280}},
    {Role::hover, {0.880f, 0.060f, 285}, {0.420f, 0.120f, 280}},
};
static_assert(std::size(kRoles) == kRoleCount);

using RoleTable = std::array<Color, kRoleCount>;
using LaneTable = std::array<Color, kLaneCount>;
constexpr int kHeatSteps = 256;
using HeatTable = std::array<Color, kHeatSteps>;

RoleTable make_roles(Theme theme) {
  RoleTable table;
  for (const RoleDefinition& definition : kRoles) {
    table[static_cast<int>(definition.role)] =
        to_color(theme == Theme::dark ? definition.dark : definition.light);
  }
  return table;
}

// These four hues keep lanes of equal rank furthest apart among all choices in steps of 10°. The distance is
// the least in OKLab over normal, deuteranope and protanope vision. Two hues are a step lighter, which
// separates them from their neighbours where hue does not.
LaneTable make_lanes(Theme theme) {
  struct Quarter {
    float first_hue, last_hue, lift;
  };
  constexpr Quarter kQuarters[] = {{284, 264, 0}, {198, 186, 0.06f}, {14, 28, 0}, {74, 90, 0.06f}};
  constexpr int kLanesPerQuarter = kLaneCount / 4;
  constexpr float kChroma = 0.12f, kRise = 0.34f;
  const float darkest = theme == Theme::dark ? 0.50f : 0.43f;
  LaneTable table;
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const Quarter& quarter = kQuarters[lane / kLanesPerQuarter];
    const float t = static_cast<float>(lane % kLanesPerQuarter) / (kLanesPerQuarter - 1);
    table[lane] =
        oklch(darkest + quarter.lift + kRise * t, kChroma, std::lerp(quarter.first_hue, quarter.last_hue, t));
  }
  return table;
}

// Lightness changes linearly; hue goes from indigo through magenta and orange to pale yellow.
HeatTable make_heat(Theme theme) {
  constexpr Lch kDark[] = {{0.270f, 0.045f, 270}, {0.405f, 0.130f, 290}, {0.540f, 0.180f, 340},
                           {0.675f, 0.175f, 30},  {0.810f, 0.155f, 72},  {0.945f, 0.090f, 102}};
  constexpr Lch kLight[] = {{0.955f, 0.020f, 100}, {0.845f, 0.110f, 78},  {0.735f, 0.155f, 48},
                            {0.600f, 0.190f, 20},  {0.460f, 0.165f, 345}, {0.320f, 0.130f, 300}};
  const auto& stops = theme == Theme::dark ? kDark : kLight;
  constexpr int kSegments = static_cast<int>(std::size(kDark)) - 1;
  HeatTable table;
  for (int i = 0; i < kHeatSteps; ++i) {
    const float position = static_cast<float>(i) / (kHeatSteps - 1) * kSegments;
    const int segment = std::min(static_cast<int>(position), kSegments - 1);
    table[i] =
        mix(to_color(stops[segment]), to_color(stops[segment + 1]), position - static_cast<float>(segment));
  }
  return table;
}

// Found by search: even the two closest are 0.1 apart in OKLab for normal, deuteranope and protanope vision.
// The order puts contrasting colours first.
std::array<Color, kCategoryCount> make_categories(Theme theme) {
  constexpr Lch kDark[] = {{0.66f, 0.150f, 264},   {0.88f, 0.130f, 96},  {0.54f, 0.150f, 36},
                           {0.88f, 0.100f, 168},   {0.54f, 0.150f, 284}, {0.66f, 0.130f, 84},
                           {0.82f, 0.100f, 228},   {0.54f, 0.090f, 192}, {0.78f, 0.100f, 70},
                           {0.72f, 0.025f, kSlate}};
  constexpr Lch kLight[] = {{0.60f, 0.150f, 252},   {0.74f, 0.145f, 75},  {0.38f, 0.130f, 12},
                            {0.70f, 0.120f, 168},   {0.38f, 0.100f, 288}, {0.50f, 0.150f, 36},
                            {0.74f, 0.110f, 228},   {0.62f, 0.150f, 52},  {0.48f, 0.150f, 264},
                            {0.56f, 0.025f, kSlate}};
  static_assert(std::size(kDark) == kCategoryCount && std::size(kLight) == kCategoryCount);
  std::array<Color, kCategoryCount> table;
  std::transform(std::begin(kDark), std::end(kDark), table.begin(), to_color);
  if (theme == Theme::light) std::transform(std::begin(kLight), std::end(kLight), table.begin(), to_color);
  return table;
}

struct Palette {
  explicit Palette(Theme theme)
      : roles(make_roles(theme)),
        lanes(make_lanes(theme)),
        heat(make_heat(theme)),
        categories(make_categories(theme)) {}
  RoleTable roles;
  LaneTable lanes;
  HeatTable heat;
  std::array<Color, kCategoryCount> categories;
};

const Palette& palette(Theme theme) {
  static const Palette dark(Theme::dark), light(Theme::light);
  return theme == Theme::dark ? dark : light;
}

int modulo(int value, int count) { return ((value % count) + count) % count; }

std::atomic<Theme>& theme_setting() {
  static std::atomic<Theme> theme{Theme::dark};
  return theme;
}

}  // namespace

Color color(Role role, Theme theme) { return palette(theme).roles[static_cast<int>(role)]; }
Color lane_color(int lane, Theme theme) { return palette(theme).lanes[modulo(lane, kLaneCount)]; }

Color heat_color(float t, Theme theme) {
  const float clamped = t > 0 ? std::min(t, 1.0f) : 0.0f;  // also takes NaN to 0
  return palette(theme).heat[static_cast<std::size_t>(std::lround(clamped * (kHeatSteps - 1)))];
}

Color category_color(int index, Theme theme) {
  return palette(theme).categories[modulo(index, kCategoryCount)];
}

Tinted tinted(Color tint, Theme theme) {
  return {with_opacity(tint, 0.16f), mix(tint, color(Role::text_strong, theme), 0.22f)};
}

Theme current_theme() { return theme_setting().load(std::memory_order_relaxed); }
void set_current_theme(Theme theme) { theme_setting().store(theme, std::memory_order_relaxed); }

}  // namespace gemmscope::drawing
