#include "drawing/screen_language.h"

#include "drawing/extra_glyphs.h"
#include "drawing/font_files.h"
#include "drawing/shipped_fonts.h"
#include "language/current_language.h"

namespace gemmscope::drawing {
namespace {

constexpr uint32_t kCommonCharacter = 0x7684;  // of Chinese

// In the fonts of most texts, so that the atlas is not made anew for each panel that opens. Headings take
// theirs when they are drawn first.
constexpr FontRole kTextRoles[] = {FontRole::body, FontRole::small};

}  // namespace

Result<void> show_language(Language language, const std::filesystem::path& assets) {
  if (language == Language::english) return language::set_language(language, assets);
  if (shipped_font(kChineseFamily).bytes.empty() && !has_font_of(kCommonCharacter))
    return fail(
        "No installed font has Chinese characters. Install the package fonts-noto-cjk or "
        "fonts-wqy-zenhei, start the program again and switch once more.");
  if (Result<void> set = language::set_language(language, assets); !set) return set;
  for (const FontRole role : kTextRoles) want_glyphs(language::current_table().characters(), role);
  return {};
}

}  // namespace gemmscope::drawing
