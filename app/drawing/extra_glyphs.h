// Characters that are drawn beyond those that the fonts are loaded with: each is loaded when a text first has
// it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gemmscope::drawing {

// Takes note of the characters of a text that is about to be drawn; cheap for ASCII. The fonts have them from
// the next frame on.
void want_glyphs(std::string_view utf8);
// All that were wanted so far, ascending.
const std::vector<uint32_t>& wanted_glyphs();

}  // namespace gemmscope::drawing
