#include "drawing/color.h"

#include <gtest/gtest.h>

namespace gemmscope::drawing {
namespace {

constexpr Color kBlack{0, 0, 0}, kWhite{255, 255, 255}, kRed{255, 0, 0};

// The coordinates are published (Ottosson 2020): in OKLab white is (1, 0, 0), sRGB red is (0.628, 0.225,
// 0.126).
TEST(Color, OklabOfKnownColors) {
  EXPECT_NEAR(to_oklab(kWhite).lightness, 1.0, 1e-3);
  EXPECT_NEAR(to_oklab(kWhite).a, 0.0, 1e-3);
  EXPECT_NEAR(to_oklab(kBlack).lightness, 0.0, 1e-3);
  const Oklab red = to_oklab(kRed);
  EXPECT_NEAR(red.lightness, 0.628, 1e-3);
  EXPECT_NEAR(red.a, 0.225, 1e-3);
  EXPECT_NEAR(red.b, 0.126, 1e-3);
}

TEST(Color, OklabThereAndBack) {
  for (int r = 0; r < 256; r += 51) {
    for (int g = 0; g < 256; g += 51) {
      for (int b = 0; b < 256; b += 51) {
        const Color c{static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                      static_cast<std::uint8_t>(b), 77};
        EXPECT_EQ(from_oklab(to_oklab(c), 77), c) << r << ' ' << g << ' ' << b;
      }
    }
  }
}

TEST(Color, OklchOutsideSrgbKeepsLightnessAndHue) {
  const Oklab wanted = to_oklab(oklch(0.7f, 0.05f, 150)), reduced = to_oklab(oklch(0.7f, 0.9f, 150));
  EXPECT_NEAR(reduced.lightness, 0.7, 0.005);
  EXPECT_NEAR(reduced.a / reduced.b, wanted.a / wanted.b, 0.1);
}

// By WCAG 2.1 black on white has contrast 21, and #767676 is the lightest grey that reaches 4.5 on white.
TEST(Color, ContrastOfKnownPairs) {
  EXPECT_NEAR(contrast_ratio(kBlack, kWhite), 21.0, 1e-3);
  EXPECT_NEAR(contrast_ratio({0x76, 0x76, 0x76}, kWhite), 4.54, 0.01);
  EXPECT_LT(contrast_ratio({0x77, 0x77, 0x77}, kWhite), 4.5);
}

TEST(Color, DichromatsSeeGreysUnchangedAndMixUpRedAndGreen) {
  const Color grey{128, 128, 128};
  EXPECT_LT(color_distance(simulate_deuteranopia(grey), grey), 0.01);
  EXPECT_LT(color_distance(simulate_protanopia(grey), grey), 0.01);
  // Normal eyes distinguish these hues at once, at the same lightness.
  const Color red = oklch(0.6f, 0.12f, 40), green = oklch(0.6f, 0.12f, 120);
  EXPECT_LT(color_distance(simulate_deuteranopia(red), simulate_deuteranopia(green)),
            0.5f * color_distance(red, green));
}

TEST(Color, MixAndComposite) {
  EXPECT_EQ(mix(kBlack, kWhite, -1), kBlack);
  EXPECT_EQ(mix(kBlack, kWhite, 2), kWhite);
  EXPECT_NEAR(to_oklab(mix(kBlack, kWhite, 0.5f)).lightness, 0.5, 0.005);
  EXPECT_EQ(composite(with_opacity(kWhite, 0), kRed), kRed);
  EXPECT_EQ(composite(with_opacity(kWhite, 0.5f), kBlack), (Color{128, 128, 128}));
}

TEST(Color, ReadableOnPicksTheBetterInk) {
  for (const Color background : {kBlack, kWhite, kRed, Color{0, 90, 200}, Color{250, 220, 90}}) {
    EXPECT_GE(contrast_ratio(readable_on(background), background), 4.5f);
  }
}

TEST(Color, PackedIsRedFirstInMemory) { EXPECT_EQ(packed({1, 2, 3, 4}), 0x04030201u); }

}  // namespace
}  // namespace gemmscope::drawing
