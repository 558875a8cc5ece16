// The program's colours, by what they mean. Scenes name a Role; views ask for its colour in the current
// theme. Pure: scenes may include this header (Dear ImGui's own style is set in theme.h).
#pragma once

#include <array>
#include <cstdint>

#include "drawing/color.h"

namespace gemmscope::drawing {

// The themes for a projector have high contrast and no small letters: they are read from the last row.
enum class Theme : std::uint8_t { dark, light, dark_projector, light_projector };

constexpr bool is_dark(Theme theme) { return theme == Theme::dark || theme == Theme::dark_projector; }
constexpr bool is_for_projector(Theme theme) {
  return theme == Theme::dark_projector || theme == Theme::light_projector;
}
constexpr Theme theme_of(bool dark, bool projector) {
  if (projector) return dark ? Theme::dark_projector : Theme::light_projector;
  return dark ? Theme::dark : Theme::light;
}

enum class Role : std::uint8_t {
  // surfaces, from the back to the front
  background,
  panel,
  panel_raised,  // popups, tooltips, table headers
  panel_border,
  control,  // buttons, fields
  control_hover,
  control_active,
  // text
  text,
  text_dim,
  text_strong,
  text_on_accent,
  accent,
  accent_subtle,  // a fill behind text of a chosen item
  // the operands of C = A·B
  matrix_a,
  matrix_b,
  matrix_c,
  // what an access did
  read,
  write,
  conflict,
  broadcast,
  idle,  // a lane, bank or cell that takes no part
  // what an instruction is for
  math,
  memory,
  control_flow,
  wait,
  // where a number comes from
  measured,
  recorded,
  modelled,
  // verdicts
  ok,
  warning,
  error,
  // marks
  grid,
  grid_strong,
  selection,
  hover,
  count
};

// Hues near red mean trouble (Role::conflict, Role::error) and nothing else: no other role and no tint of a
// lane, a warp or a pipe has one. Degrees of OKLCH; the band goes through 0.
inline constexpr float kTroubleFirstHue = 345, kTroubleLastHue = 50;
bool looks_like_trouble(Color color);

inline constexpr int kRoleCount = static_cast<int>(Role::count);
inline constexpr int kLaneCount = 32;
inline constexpr int kCategoryCount = 10;

Color color(Role role, Theme theme);
// One colour per lane of a warp: each quarter-warp has its own hue, and within it lightness rises from lane
// to lane, so that the order can be read with any kind of colour vision. `lane` is taken modulo 32.
Color lane_color(int lane, Theme theme);
inline constexpr int kBankCount = 32;
// One colour per bank of shared memory, modulo 32: hue and lightness change steadily from bank 0 to 31 and
// jump behind it, so that rows that are shifted against each other are seen as such, in grey print too.
Color bank_color(int bank, Theme theme);
// Maps t in 0..1 (clamped) from "nothing", close to the panel's colour, to "most"; lightness is strictly
// monotone.
Color heat_color(float t, Theme theme);
// Colours unordered categories (stall reasons, kernels of a chart); `index` is taken modulo kCategoryCount.
Color category_color(int index, Theme theme);

// The colours of a word on a tint of its own colour (a chip, a marked line). `fill` is translucent and suits
// any surface.
struct Tinted {
  Color fill, text;
};
Tinted tinted(Color tint, Theme theme);

// The contrast that words have with the panel: 4.5, and 7 in the themes for a projector (WCAG 2.1, 1.4.3 and
// 1.4.6).
float word_contrast(Theme theme);
// The colour of a word about something drawn in `tint`: the tint itself where it has the contrast of words
// with the panels, else one nearer to the text's.
Color word_color(Color tint, Theme theme);
// For what is read last, such as the numbers of lines: as dim as words may be.
Color faint_text(Theme theme);

// The theme in use, a process-wide setting; any thread may read it.
Theme current_theme();
void set_current_theme(Theme theme);

inline Color color(Role role) { return color(role, current_theme()); }
inline Color lane_color(int lane) { return lane_color(lane, current_theme()); }
inline Color bank_color(int bank) { return bank_color(bank, current_theme()); }
inline Color heat_color(float t) { return heat_color(t, current_theme()); }
inline Tinted tinted(Color tint) { return tinted(tint, current_theme()); }
inline Color word_color(Color tint) { return word_color(tint, current_theme()); }
inline Color faint_text() { return faint_text(current_theme()); }
inline Color word_color(Role role) { return word_color(color(role)); }
inline Color category_color(int index) { return category_color(index, current_theme()); }

}  // namespace gemmscope::drawing
