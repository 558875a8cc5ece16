// Inter and JetBrains Mono at the sizes the program uses, rasterized by FreeType for one UI scale.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct ImFont;
struct ImFontAtlas;

namespace gemmscope::drawing {

enum class FontRole : unsigned char {
  body,
  body_strong,
  small,
  title,
  display,
  mono,
  mono_small,
  mono_strong,
  count
};
inline constexpr int kFontRoleCount = static_cast<int>(FontRole::count);

// Clears the atlas and fills it with all roles, in the order of the enum, at sizes × ui_scale. A font that
// fontconfig does not find is replaced by the one that ships with the program; then the returned sentences
// say which package is missing. `extra` gives the characters of a role beyond those that are always loaded,
// such as Chinese ones: they come from the fonts of the system that have them. No role is smaller than
// `least_em` × ui_scale pixels, nor than kLeastEmPixels. The caller uploads the atlas afterwards.
using ExtraGlyphs = const std::vector<uint32_t>& (*)(FontRole role);
std::vector<std::string> load_fonts(ImFontAtlas& atlas, float ui_scale, ExtraGlyphs extra = nullptr,
                                    float least_em = 0);
inline constexpr float kLeastEmPixels = 12;  // smaller letters are hard to read on any screen
// The least size of letters on a projector's screen. At 1080 lines, where presenting enlarges all to 2.08
// pixels a point, these are 28 pixels: 36 mm on a screen of 2.5 m.
inline constexpr float kProjectorLeastEm = 13.5f;
// The character is loaded without being named in `extra`.
bool is_loaded_always(uint32_t character);

// The font for this role in the current Dear ImGui context.
ImFont* font(FontRole role);
float em_pixels(FontRole role);  // the size of its letters as loaded, in whole pixels
FontRole font_in_use();          // of Dear ImGui's text
float line_height(FontRole role);
// In the language of the screen (shown_text).
float text_width(FontRole role, std::string_view text);
float verbatim_width(FontRole role, std::string_view text);  // of a text that is not translated

// The text as it is drawn in this font: translated, but for the monospaced fonts, which are for code.
std::string_view shown_text(std::string_view text, FontRole role);

class ScopedFont {
 public:
  explicit ScopedFont(FontRole role);
  ~ScopedFont();
  ScopedFont(const ScopedFont&) = delete;
  ScopedFont& operator=(const ScopedFont&) = delete;
};

// The content scale of a picture of this size without a monitor: 1.0 for 1280×720, 1.3 for 1920×1080. Larger
// sizes scale in proportion, so that 4K shows what 1080p shows, but sharper.
float ui_scale_for_framebuffer(int width, int height);
// The scale with which letters on a projector's screen are as large at any resolution as 1.3 makes them at
// 1920×1080.
float ui_scale_on_a_wall(int width, int height);

}  // namespace gemmscope::drawing
