#include <gtest/gtest.h>
#include <imgui.h>

#include "drawing/extra_glyphs.h"
#include "drawing/font_files.h"
#include "drawing/fonts.h"
#include "session/zoom.h"
#include "shell/offscreen.h"

namespace gemmscope::drawing {
namespace {

TEST(Fonts, ScaleOfPictures) {
  EXPECT_FLOAT_EQ(ui_scale_for_framebuffer(1280, 720), 1.0f);
  EXPECT_FLOAT_EQ(ui_scale_for_framebuffer(1920, 1080), 1.3f);
  EXPECT_FLOAT_EQ(ui_scale_for_framebuffer(3840, 2160), 2.6f);
  EXPECT_FLOAT_EQ(ui_scale_for_framebuffer(5120, 1440),
                  1.3f * 1440 / 1080);  // a wide screen counts by its height
  EXPECT_FLOAT_EQ(ui_scale_for_framebuffer(200, 100), 0.75f);
}

TEST(Fonts, AMissingFontNamesItsPackage) {
  const auto missing = find_font("A Font That Nobody Has", FontWeight::regular, "fonts-nobody");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("A Font That Nobody Has"), std::string::npos);
  EXPECT_NE(missing.error().message.find("fonts-nobody"), std::string::npos);
}

TEST(Fonts, BothFamiliesAreFoundInTheirWeights) {
  for (const FontWeight weight : {FontWeight::regular, FontWeight::medium, FontWeight::semibold}) {
    const auto inter = find_font("Inter", weight, "fonts-inter");
    ASSERT_TRUE(inter) << inter.error().message;
    EXPECT_NEAR(inter->line_height_per_em, 1.21, 0.05);
  }
  EXPECT_NE(find_font("Inter", FontWeight::regular, "")->path,
            find_font("Inter", FontWeight::semibold, "")->path);
}

TEST(Fonts, EveryRoleHasTheSymbolsInUse) {
  auto target = shell::Offscreen::create({.size = {64, 64}, .content_scale = 1.0f});
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_TRUE((*target)->warnings().empty());
  (*target)->begin_frame();
  for (int role = 0; role < kFontRoleCount; ++role) {
    for (const ImWchar symbol :
         {u'×', u'−', u'·', u'…', u'→', u'←', u'▶', u'α', u'β', u'Σ', u'≥', u'≤', u'≠', u'µ', u'é'}) {
      EXPECT_NE(font(static_cast<FontRole>(role))->FindGlyphNoFallback(symbol), nullptr)
          << role << ' ' << int(symbol);
    }
  }
  (*target)->end_frame();
}

// A character that no font of the program's has comes from the system, once a text has it. Cyrillic and
// Chinese are looked for where some font has them.
TEST(Fonts, OtherScriptsComeFromTheSystem) {
  auto target = shell::Offscreen::create({.size = {64, 64}, .content_scale = 1.0f});
  ASSERT_TRUE(target) << target.error().message;
  (*target)->begin_frame();
  (*target)->end_frame();
  int tried = 0;
  for (const auto& [text, character] :
       {std::pair("\u1E9E\u2603", 0x2603u), {"\u0436", 0x0436u}, {"\u77E9\u9635", 0x77E9u}}) {
    const uint32_t wanted[] = {character};
    if (find_fonts_of(wanted).empty()) continue;
    ++tried;
    want_glyphs(text);
    (*target)->begin_frame();
    for (const FontRole role : {FontRole::body, FontRole::mono})
      EXPECT_NE(font(role)->FindGlyphNoFallback(static_cast<ImWchar>(character)), nullptr) << text;
    (*target)->end_frame();
  }
  EXPECT_GT(tried, 0) << "no font of this computer has any of them";
}

TEST(Fonts, ACharacterThatNoFontHasIsGivenUp) {
  const uint32_t nowhere[] = {0xE1234, 0xE1235};
  EXPECT_TRUE(find_fonts_of(nowhere).empty());
}

TEST(Fonts, MonospacedIsMonospaced) {
  auto target = shell::Offscreen::create({.size = {64, 64}, .content_scale = 1.3f});
  ASSERT_TRUE(target) << target.error().message;
  (*target)->begin_frame();
  for (const FontRole role : {FontRole::mono, FontRole::mono_small, FontRole::mono_strong}) {
    EXPECT_EQ(text_width(role, "iiii.,:;"), text_width(role, "MMMMWW00"));
  }
  (*target)->end_frame();
}

TEST(Fonts, ZoomRebuildsTheFontsAtRunTime) {
  auto target = shell::Offscreen::create({.size = {64, 64}, .content_scale = 1.0f});
  ASSERT_TRUE(target) << target.error().message;
  const auto body_height = [&] {
    (*target)->begin_frame();
    const float height = line_height(FontRole::body);
    (*target)->end_frame();
    return height;
  };
  const float before = body_height();
  (*target)->set_zoom(2);
  EXPECT_NEAR(body_height(), 2 * before, 1);
  (*target)->set_zoom(1);
  EXPECT_EQ(body_height(), before);
  (*target)->set_zoom(1000);
  EXPECT_EQ((*target)->zoom(), session::kMaxZoom);
}

}  // namespace
}  // namespace gemmscope::drawing
