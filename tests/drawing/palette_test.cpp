// In both themes text is readable, marks are visible, and colours that stand side by side in a picture are
// distinguishable, also for deuteranopes and protanopes.
#include "drawing/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace gemmscope::drawing {

const char* name_of(Theme theme) {
  constexpr const char* kNames[] = {"dark", "light", "dark_projector", "light_projector"};
  return kNames[static_cast<size_t>(theme)];
}
void PrintTo(Theme theme, std::ostream* out) { *out << name_of(theme); }

namespace {

// Returns the least distance over normal, deuteranope and protanope vision.
float worst_distance(Color a, Color b) {
  return std::min({color_distance(a, b), color_distance(simulate_deuteranopia(a), simulate_deuteranopia(b)),
                   color_distance(simulate_protanopia(a), simulate_protanopia(b))});
}

class PaletteTest : public testing::TestWithParam<Theme> {
 protected:
  static Color of(Role role) { return color(role, GetParam()); }

  static void expect_apart(std::initializer_list<Role> roles, float floor) {
    for (const Role* a = roles.begin(); a != roles.end(); ++a) {
      for (const Role* b = a + 1; b != roles.end(); ++b) {
        EXPECT_GE(worst_distance(of(*a), of(*b)), floor) << "roles " << int(*a) << " and " << int(*b);
      }
    }
  }
};

constexpr Role kSurfaces[] = {Role::background, Role::panel, Role::panel_raised};

// WCAG 2.1, 1.4.3, asks for a contrast of 4.5 for text; 1.4.6 for 7, which the themes for a projector have.
TEST_P(PaletteTest, TextContrast) {
  const float least = is_for_projector(GetParam()) ? 7.0f : 4.5f;
  EXPECT_EQ(word_contrast(GetParam()), least);
  for (const Role surface : {Role::background, Role::panel, Role::panel_raised, Role::control,
                             Role::control_hover, Role::control_active, Role::accent_subtle}) {
    EXPECT_GE(contrast_ratio(of(Role::text), of(surface)), least) << int(surface);
    EXPECT_GE(contrast_ratio(of(Role::text_strong), of(surface)), least) << int(surface);
  }
  for (const Role surface : kSurfaces)
    EXPECT_GE(contrast_ratio(of(Role::text_dim), of(surface)), least) << int(surface);
  // Also on buttons where it must be read from the last row.
  EXPECT_GE(contrast_ratio(of(Role::text_dim), of(Role::control)), is_for_projector(GetParam()) ? 7 : 4.5f);
  EXPECT_GE(contrast_ratio(of(Role::text_on_accent), of(Role::accent)), least);
}

TEST_P(PaletteTest, ColoredWordsAreReadable) {
  for (const Role role :
       {Role::accent, Role::ok, Role::warning, Role::error, Role::measured, Role::recorded, Role::modelled}) {
    EXPECT_GE(contrast_ratio(of(role), of(Role::panel)), word_contrast(GetParam())) << int(role);
    const Tinted chip = tinted(of(role), GetParam());
    for (const Role surface : kSurfaces) {
      EXPECT_GE(contrast_ratio(chip.text, composite(chip.fill, of(surface))), 4.5f)
          << int(role) << ' ' << int(surface);
    }
  }
}

// Words are also written in the colours of marks: "A 128 x 32", "S2R", "+31", a lane's colour.
TEST_P(PaletteTest, WordsInAnyColorAreReadable) {
  const auto expect_readable = [](Color word, const char* what, int index) {
    for (const Role surface : kSurfaces)
      EXPECT_GE(contrast_ratio(word, of(surface)), word_contrast(GetParam())) << what << ' ' << index;
  };
  for (int role = 0; role < kRoleCount; ++role)
    expect_readable(word_color(of(static_cast<Role>(role)), GetParam()), "role", role);
  for (int lane = 0; lane < kLaneCount; ++lane)
    expect_readable(word_color(lane_color(lane, GetParam()), GetParam()), "lane", lane);
  for (int i = 0; i < kCategoryCount; ++i)
    expect_readable(word_color(category_color(i, GetParam()), GetParam()), "category", i);
  expect_readable(faint_text(GetParam()), "faint", 0);
  EXPECT_EQ(word_color(of(Role::text), GetParam()), of(Role::text)) << "a readable colour stays";
}

// WCAG 2.1, 1.4.11, asks for a contrast of 3 for graphics.
TEST_P(PaletteTest, MarksStandOutFromThePanel) {
  for (const Role role :
       {Role::matrix_a, Role::matrix_b, Role::matrix_c, Role::read, Role::conflict, Role::broadcast,
        Role::math, Role::memory, Role::control_flow, Role::selection, Role::hover}) {
    EXPECT_GE(contrast_ratio(of(role), of(Role::panel)), 3.0f) << int(role);
  }
}

TEST_P(PaletteTest, SurfacesAreOrderedAndCalm) {
  EXPECT_GE(color_distance(of(Role::background), of(Role::panel)), 0.03f);
  EXPECT_GE(color_distance(of(Role::panel), of(Role::panel_border)), 0.08f);
  EXPECT_GE(color_distance(of(Role::panel), of(Role::control)), 0.04f);
  EXPECT_GE(color_distance(of(Role::control), of(Role::control_hover)), 0.03f);
  // Deep, not black; a projector's black is grey already.
  EXPECT_GT(to_oklab(of(Role::background)).lightness, is_for_projector(GetParam()) ? 0.05f : 0.15f);
}

TEST_P(PaletteTest, RolesOfOnePictureAreDistinguishable) {
  constexpr float kFloor = 0.075f;
  expect_apart({Role::matrix_a, Role::matrix_b, Role::matrix_c}, kFloor);
  expect_apart({Role::read, Role::write, Role::conflict, Role::broadcast, Role::idle}, kFloor);
  expect_apart({Role::math, Role::memory, Role::control_flow, Role::wait, Role::idle}, kFloor);
  expect_apart({Role::measured, Role::recorded, Role::modelled}, kFloor);
  expect_apart({Role::ok, Role::warning, Role::error}, kFloor);
}

TEST_P(PaletteTest, LanesRiseWithinTheirQuarter) {
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if (lane % 8 == 7) continue;
    const Color here = lane_color(lane, GetParam()), next = lane_color(lane + 1, GetParam());
    EXPECT_GT(to_oklab(next).lightness, to_oklab(here).lightness + 0.03f) << lane;
    EXPECT_GE(worst_distance(here, next), 0.035f) << lane;
  }
}

TEST_P(PaletteTest, QuarterWarpsAreDistinguishable) {
  for (int lane = 0; lane < kLaneCount; ++lane) {
    for (int other = lane + 8; other < kLaneCount; other += 8) {
      EXPECT_GE(worst_distance(lane_color(lane, GetParam()), lane_color(other, GetParam())), 0.075f)
          << lane << ' ' << other;
    }
  }
}

TEST_P(PaletteTest, NoTwoLanesAreAlike) {
  for (int lane = 0; lane < kLaneCount; ++lane) {
    for (int other = lane + 1; other < kLaneCount; ++other) {
      EXPECT_NE(lane_color(lane, GetParam()), lane_color(other, GetParam()));
    }
  }
}

// A jump from bank 31 to bank 0 shows where a row begins; in between the steps are even.
TEST_P(PaletteTest, BanksRiseSteadilyAndJumpOnce) {
  for (int bank = 0; bank + 1 < kBankCount; ++bank)
    EXPECT_GT(to_oklab(bank_color(bank + 1, GetParam())).lightness,
              to_oklab(bank_color(bank, GetParam())).lightness);
  EXPECT_GE(worst_distance(bank_color(31, GetParam()), bank_color(32, GetParam())), 0.2f);
}

TEST_P(PaletteTest, LaneIsTakenModulo32) {
  EXPECT_EQ(lane_color(32, GetParam()), lane_color(0, GetParam()));
  EXPECT_EQ(lane_color(-1, GetParam()), lane_color(31, GetParam()));
}

TEST_P(PaletteTest, HeatIsMonotoneInLightness) {
  const float sign = is_dark(GetParam()) ? 1.0f : -1.0f;
  float before = to_oklab(heat_color(0, GetParam())).lightness;
  for (int i = 1; i <= 64; ++i) {
    const float here = to_oklab(heat_color(static_cast<float>(i) / 64, GetParam())).lightness;
    EXPECT_GT((here - before) * sign, 0) << i;
    before = here;
  }
}

TEST_P(PaletteTest, HeatClampsAndSurvivesNan) {
  EXPECT_EQ(heat_color(-3, GetParam()), heat_color(0, GetParam()));
  EXPECT_EQ(heat_color(7, GetParam()), heat_color(1, GetParam()));
  EXPECT_EQ(heat_color(std::numeric_limits<float>::quiet_NaN(), GetParam()), heat_color(0, GetParam()));
}

TEST_P(PaletteTest, CategoriesAreDistinguishable) {
  for (int a = 0; a < kCategoryCount; ++a) {
    for (int b = a + 1; b < kCategoryCount; ++b) {
      EXPECT_GE(worst_distance(category_color(a, GetParam()), category_color(b, GetParam())), 0.1f)
          << a << ' ' << b;
    }
  }
}

// Red means trouble alone: else a lane of the third quarter reads as a conflict.
TEST_P(PaletteTest, OnlyTroubleIsRed) {
  const auto expect_calm = [](Color tint, const char* what, int index) {
    EXPECT_FALSE(looks_like_trouble(tint)) << what << ' ' << index;
  };
  for (int role = 0; role < kRoleCount; ++role) {
    const auto r = static_cast<Role>(role);
    if (r != Role::conflict && r != Role::error) expect_calm(of(r), "role", role);
  }
  for (int lane = 0; lane < kLaneCount; ++lane) expect_calm(lane_color(lane, GetParam()), "lane", lane);
  for (int bank = 0; bank < kBankCount; ++bank) expect_calm(bank_color(bank, GetParam()), "bank", bank);
  for (int i = 0; i < kCategoryCount; ++i) expect_calm(category_color(i, GetParam()), "category", i);
  for (int i = 0; i <= 64; ++i) expect_calm(heat_color(static_cast<float>(i) / 64, GetParam()), "heat", i);
  EXPECT_TRUE(looks_like_trouble(of(Role::conflict)));
  EXPECT_TRUE(looks_like_trouble(of(Role::error)));
}

// A conflict's bar and number are read in a grey print too, where only luminance is left.
TEST_P(PaletteTest, TroubleIsSeenInGreyPrint) {
  for (const Role surface : kSurfaces) EXPECT_GE(contrast_ratio(of(Role::conflict), of(surface)), 3.0f);
  EXPECT_GE(contrast_ratio(of(Role::error), of(Role::panel)), 4.5f);
}

INSTANTIATE_TEST_SUITE_P(Themes, PaletteTest,
                         testing::Values(Theme::dark, Theme::light, Theme::dark_projector,
                                         Theme::light_projector),
                         [](const auto& theme) { return name_of(theme.param); });

TEST(Palette, CurrentThemeIsUsedByTheShortForms) {
  set_current_theme(Theme::light);
  EXPECT_EQ(color(Role::panel), color(Role::panel, Theme::light));
  set_current_theme(Theme::dark);
  EXPECT_EQ(color(Role::panel), color(Role::panel, Theme::dark));
}

}  // namespace
}  // namespace gemmscope::drawing
