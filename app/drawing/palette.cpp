#include "drawing/palette.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

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
    {Role::conflict, {0.645f, 0.215f, 22}, {0.520f, 0.205f, 25}},
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

// What a projector needs otherwise: surfaces near black and white, since its black is grey.
constexpr RoleDefinition kProjectorRoles[] = {
    {Role::background, {0.110f, 0.010f, kSlate}, {0.955f, 0.004f, kSlate}},
    {Role::panel, {0.155f, 0.012f, kSlate}, {1.000f, 0.000f, kSlate}},
    {Role::panel_raised, {0.200f, 0.014f, kSlate}, {0.985f, 0.002f, kSlate}},
    {Role::panel_border, {0.420f, 0.021f, kSlate}, {0.720f, 0.010f, kSlate}},
    {Role::control, {0.245f, 0.018f, kSlate}, {0.930f, 0.008f, kSlate}},
    {Role::control_hover, {0.320f, 0.025f, kSlate}, {0.880f, 0.012f, kSlate}},
    {Role::control_active, {0.390f, 0.030f, kSlate}, {0.820f, 0.018f, kSlate}},
    {Role::text, {0.965f, 0.006f, kSlate}, {0.220f, 0.022f, kSlate}},
    {Role::text_dim, {0.840f, 0.012f, kSlate}, {0.370f, 0.022f, kSlate}},
    {Role::text_strong, {1.000f, 0.000f, kSlate}, {0.120f, 0.022f, kSlate}},
    {Role::text_on_accent, {0.130f, 0.040f, 280}, {1.000f, 0.000f, 280}},
    {Role::measured, {0.860f, 0.120f, 165}, {0.330f, 0.080f, 165}},
    {Role::error, {0.720f, 0.170f, 22}, {0.340f, 0.140f, 25}},
    {Role::grid_strong, {0.520f, 0.022f, kSlate}, {0.640f, 0.012f, kSlate}},
};

// Roles that words are written in.
constexpr Role kWordRoles[] = {Role::accent, Role::conflict, Role::ok,       Role::warning,
                               Role::error,  Role::measured, Role::recorded, Role::modelled};

using RoleTable = std::array<Color, kRoleCount>;
using LaneTable = std::array<Color, kLaneCount>;
using BankTable = std::array<Color, kBankCount>;
constexpr int kHeatSteps = 256;
using HeatTable = std::array<Color, kHeatSteps>;

const Lch& lch_of(const RoleDefinition& definition, Theme theme) {
  return is_dark(theme) ? definition.dark : definition.light;
}

// Of the surfaces below words this one is nearest to them.
Role nearest_surface(Theme theme) { return is_dark(theme) ? Role::panel_raised : Role::background; }

// The colour with as much more lightness, or less, as the contrast with the surface needs.
Color with_contrast(Lch c, Color surface, Theme theme) {
  constexpr float kStep = 0.01f;
  const float step = is_dark(theme) ? kStep : -kStep;
  while (contrast_ratio(to_color(c), surface) < word_contrast(theme) && c.lightness > 0 && c.lightness < 1)
    c.lightness += step;
  return to_color(c);
}

void adapt_to_projector(RoleTable& table, Theme theme) {
  const auto at = [&table](Role role) -> Color& { return table[static_cast<size_t>(role)]; };
  for (const RoleDefinition& definition : kProjectorRoles)
    at(definition.role) = to_color(lch_of(definition, theme));
  const Color surface = at(nearest_surface(theme));
  for (const RoleDefinition& definition : kRoles) {
    const bool is_given = std::ranges::find(kProjectorRoles, definition.role, &RoleDefinition::role) !=
                          std::end(kProjectorRoles);
    if (!is_given && std::ranges::find(kWordRoles, definition.role) != std::end(kWordRoles))
      at(definition.role) = with_contrast(lch_of(definition, theme), surface, theme);
  }
}

RoleTable make_roles(Theme theme) {
  RoleTable table;
  for (const RoleDefinition& definition : kRoles)
    table[static_cast<size_t>(definition.role)] = to_color(lch_of(definition, theme));
  if (is_for_projector(theme)) adapt_to_projector(table, theme);
  return table;
}

// Four hues outside the reds, at least 45° apart, found by search: of all such choices they keep lanes of
// equal rank furthest apart. The distance is the least in OKLab over normal, deuteranope and protanope
// vision. The lightness of neighbouring quarters differs by a step or two, which separates them where hue
// does not.
LaneTable make_lanes(Theme theme) {
  struct Quarter {
    float first_hue, last_hue, lift;
  };
  constexpr Quarter kQuarters[] = {
      {264, 256, -0.06f}, {214, 206, 0.06f}, {72, 80, -0.06f}, {114, 122, 0.08f}};
  constexpr int kLanesPerQuarter = kLaneCount / 4;
  constexpr float kChroma = 0.12f, kRise = 0.34f;
  const float darkest = is_dark(theme) ? 0.50f : 0.43f;
  LaneTable table;
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const Quarter& quarter = kQuarters[lane / kLanesPerQuarter];
    const float t = static_cast<float>(lane % kLanesPerQuarter) / (kLanesPerQuarter - 1);
    table[lane] =
        oklch(darkest + quarter.lift + kRise * t, kChroma, std::lerp(quarter.first_hue, quarter.last_hue, t));
  }
  return table;
}

BankTable make_banks(Theme theme) {
  const float darkest = is_dark(theme) ? 0.34f : 0.60f;
  constexpr float kChroma = 0.085f, kRise = 0.30f, kFirstHue = 300, kLastHue = 100;
  BankTable table;
  for (int bank = 0; bank < kBankCount; ++bank) {
    const float t = static_cast<float>(bank) / (kBankCount - 1);
    table[bank] = oklch(darkest + kRise * t, kChroma, std::lerp(kFirstHue, kLastHue, t));
  }
  return table;
}

// Lightness changes linearly; hue goes from indigo through teal and green to pale yellow, and so past the
// reds.
HeatTable make_heat(Theme theme) {
  constexpr Lch kDark[] = {{0.270f, 0.045f, 270}, {0.405f, 0.110f, 262}, {0.540f, 0.100f, 225},
                           {0.675f, 0.120f, 180}, {0.810f, 0.150f, 138}, {0.945f, 0.090f, 106}};
  constexpr Lch kLight[] = {{0.955f, 0.020f, 100}, {0.845f, 0.120f, 118}, {0.735f, 0.120f, 160},
                            {0.600f, 0.095f, 205}, {0.460f, 0.130f, 258}, {0.320f, 0.130f, 290}};
  const auto& stops = is_dark(theme) ? kDark : kLight;
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

// Found by search outside the reds: even the two closest are 0.1 apart in OKLab for normal, deuteranope and
// protanope vision. The order puts contrasting colours first.
std::array<Color, kCategoryCount> make_categories(Theme theme) {
  constexpr Lch kDark[] = {{0.58f, 0.120f, 172},   {0.86f, 0.150f, 100}, {0.50f, 0.170f, 268},
                           {0.86f, 0.120f, 324},   {0.70f, 0.150f, 76},  {0.66f, 0.170f, 316},
                           {0.86f, 0.170f, 164},   {0.50f, 0.150f, 332}, {0.50f, 0.090f, 60},
                           {0.72f, 0.025f, kSlate}};
  constexpr Lch kLight[] = {{0.64f, 0.170f, 276},   {0.68f, 0.170f, 60},  {0.36f, 0.170f, 276},
                            {0.68f, 0.150f, 164},   {0.52f, 0.170f, 308}, {0.52f, 0.120f, 60},
                            {0.72f, 0.150f, 228},   {0.40f, 0.090f, 332}, {0.36f, 0.090f, 124},
                            {0.56f, 0.025f, kSlate}};
  static_assert(std::size(kDark) == kCategoryCount && std::size(kLight) == kCategoryCount);
  std::array<Color, kCategoryCount> table;
  std::transform(std::begin(kDark), std::end(kDark), table.begin(), to_color);
  if (!is_dark(theme)) std::transform(std::begin(kLight), std::end(kLight), table.begin(), to_color);
  return table;
}

struct Palette {
  explicit Palette(Theme theme)
      : roles(make_roles(theme)),
        lanes(make_lanes(theme)),
        banks(make_banks(theme)),
        heat(make_heat(theme)),
        categories(make_categories(theme)) {}
  RoleTable roles;
  LaneTable lanes;
  BankTable banks;
  HeatTable heat;
  std::array<Color, kCategoryCount> categories;
};

const Palette& palette(Theme theme) {
  static const Palette dark(Theme::dark), light(Theme::light), dark_projector(Theme::dark_projector),
      light_projector(Theme::light_projector);
  if (is_for_projector(theme)) return is_dark(theme) ? dark_projector : light_projector;
  return is_dark(theme) ? dark : light;
}

int modulo(int value, int count) { return ((value % count) + count) % count; }

std::atomic<Theme>& theme_setting() {
  static std::atomic<Theme> theme{Theme::dark};
  return theme;
}

bool is_readable(Color word, Theme theme) {
  return contrast_ratio(word, color(nearest_surface(theme), theme)) >= word_contrast(theme);
}

}  // namespace

bool looks_like_trouble(Color color) {
  constexpr float kLeastChroma = 0.04f;  // below it a colour reads as grey
  const Oklab lab = to_oklab(color);
  if (std::hypot(lab.a, lab.b) < kLeastChroma) return false;
  const float hue = std::atan2(lab.b, lab.a) * 180 / std::numbers::pi_v<float>;
  return hue >= kTroubleFirstHue - 360 && hue <= kTroubleLastHue;
}

Color color(Role role, Theme theme) { return palette(theme).roles[static_cast<int>(role)]; }
Color lane_color(int lane, Theme theme) { return palette(theme).lanes[modulo(lane, kLaneCount)]; }

Color bank_color(int bank, Theme theme) { return palette(theme).banks[modulo(bank, kBankCount)]; }

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

float word_contrast(Theme theme) { return is_for_projector(theme) ? 7.0f : 4.5f; }

Color word_color(Color tint, Theme theme) {
  constexpr int kSteps = 16;
  const Color strong = color(Role::text_strong, theme);
  for (int i = 0; i < kSteps; ++i)
    if (const Color word = mix(tint, strong, static_cast<float>(i) / kSteps); is_readable(word, theme))
      return word;
  return strong;
}

Color faint_text(Theme theme) {
  return word_color(mix(color(Role::text_dim, theme), color(Role::panel, theme), 0.3f), theme);
}

Theme current_theme() { return theme_setting().load(std::memory_order_relaxed); }
void set_current_theme(Theme theme) { theme_setting().store(theme, std::memory_order_relaxed); }

}  // namespace gemmscope::drawing
