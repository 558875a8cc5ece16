// On a computer without any font the program shows every character of its own texts, in both languages, of
// the kernels and of the lessons that ship.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "drawing/extra_glyphs.h"
#include "drawing/font_files.h"
#include "drawing/fonts.h"
#include "shell/offscreen.h"

namespace gemmscope::drawing {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void add_characters(std::set<unsigned>& all, const std::string& utf8) {
  for (const char *at = utf8.data(), *end = at + utf8.size(); at < end;) {
    unsigned character = 0;
    at += std::max(1, ImTextCharFromUtf8(&character, at, end));
    if (character >= 0x20) all.insert(character);
  }
}

// Also those that the source writes as \\u00b7.
void add_escapes(std::set<unsigned>& all, const std::string& source) {
  for (size_t at = source.find("\\u"); at != std::string::npos; at = source.find("\\u", at + 2)) {
    const std::string digits = source.substr(at + 2, 4);
    if (digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos && digits.size() == 4)
      all.insert(static_cast<unsigned>(std::stoul(digits, nullptr, 16)));
  }
}

std::set<unsigned> characters_in_use() {
  std::set<unsigned> all;
  for (const char* folder : {"app", "kernels", "assets/devices", "assets/languages", "assets/lessons"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(GEMMSCOPE_SOURCE_DIR) / folder)) {
      const std::string type = entry.path().extension().string();
      if (type != ".cpp" && type != ".h" && type != ".def" && type != ".cu" && type != ".cuh" &&
          type != ".toml")
        continue;
      const std::string text = contents(entry.path());
      add_characters(all, text);
      add_escapes(all, text);
    }
  return all;
}

TEST(NoFonts, TheShippedOnesShowAllTextsOfTheProgram) {
  ASSERT_FALSE(find_font("Inter", FontWeight::regular, "fonts-inter"))
      << "this test hides the fonts of the system";
  auto target = shell::Offscreen::create({.size = {64, 64}, .content_scale = 1.0f});
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ((*target)->warnings().size(), 2u) << "the user is told which fonts to install";
  const std::set<unsigned> used = characters_in_use();
  ASSERT_TRUE(used.contains(0x2026)) << "\u2026 is in use";
  ASSERT_TRUE(used.contains(0xD7));
  ASSERT_TRUE(used.contains(0x7684)) << "Chinese is in use";
  std::string all;
  for (const unsigned character : used) {
    char text[5] = "";
    all += ImTextCharToUtf8(text, character);
  }
  want_glyphs(all);
  (*target)->begin_frame();
  for (int role = 0; role < kFontRoleCount; ++role)
    for (const unsigned character : used)
      EXPECT_NE(font(static_cast<FontRole>(role))->FindGlyphNoFallback(static_cast<ImWchar>(character)),
                nullptr)
          << "role " << role << " lacks U+" << std::hex << character;
  (*target)->end_frame();
}

#ifdef GEMMSCOPE_INTER_FILE
TEST(NoFonts, ThoseOfAnAddedFolderAreFound) {
  ASSERT_FALSE(find_font("Inter", FontWeight::regular, "fonts-inter"));
  std::string folder = (fs::temp_directory_path() / "gemmscope-fonts-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const fs::path file = fs::path(folder) / "Inter-Regular.otf";
  fs::copy_file(GEMMSCOPE_INTER_FILE, file);
  add_font_folder(fs::path(folder) / "absent");
  EXPECT_FALSE(find_font("Inter", FontWeight::regular, "fonts-inter"));
  add_font_folder(folder);
  const auto found = find_font("Inter", FontWeight::regular, "fonts-inter");
  fs::remove_all(folder);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->path, file);
}
#endif

}  // namespace
}  // namespace gemmscope::drawing

int main(int argc, char** argv) {
  const auto config = std::filesystem::temp_directory_path() / "gemmscope_no_fonts.conf";
  std::ofstream(config) << "<?xml version=\"1.0\"?><fontconfig></fontconfig>\n";
  setenv("FONTCONFIG_FILE", config.c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
