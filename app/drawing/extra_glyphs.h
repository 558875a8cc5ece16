// Characters that are drawn beyond those that the fonts are loaded with: each is loaded when a text first has
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "drawing/fonts.h"

namespace gemmscope::drawing {

// Takes note of the characters of a text that is about to be drawn; cheap for ASCII. The fonts have them from
// the next frame on.
void want_glyphs(std::string_view utf8, FontRole role);
void want_glyphs(std::string_view utf8);  // in every font
void want_glyphs(std::span<const uint32_t> characters, FontRole role);
// All that were wanted so far in a font, ascending.
const std::vector<uint32_t>& wanted_glyphs(FontRole role);
// Changes whenever a glyph is wanted for the first time.
size_t wanted_glyph_count();

}  // namespace gemmscope::drawing
