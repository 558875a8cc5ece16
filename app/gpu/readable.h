// Foreign text in messages.
#pragma once

#include <string>
#include <string_view>

namespace gemmscope::gpu {

// Printable ASCII stays, line breaks and tabs become spaces, all else "?". Longer text is cut and gets "…".
inline std::string readable(std::string_view text, size_t longest) {
  std::string shown(text.substr(0, longest));
  for (char& c : shown) {
    const bool space = c == '\n' || c == '\r' || c == '\t';
    if (space) c = ' ';
    if (c < ' ' || c > '~') c = '?';
  }
  return shown + (text.size() > longest ? "…" : "");
}

}  // namespace gemmscope::gpu
