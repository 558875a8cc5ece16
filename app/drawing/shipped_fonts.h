// The regular Inter and JetBrains Mono, and Droid Sans Fallback for Chinese, built into the program from the
// fonts that the build needs (packages.txt), for computers on which fontconfig finds none.
#pragma once

#include <span>
#include <string_view>

namespace gemmscope::drawing {

inline constexpr const char* kChineseFamily = "Droid Sans Fallback";

struct ShippedFont {
  std::span<const unsigned char> bytes;  // empty: the build did not find the font
  float line_height_per_em = 1.2f;
};
ShippedFont shipped_font(std::string_view family);

}  // namespace gemmscope::drawing
