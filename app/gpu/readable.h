// Makes foreign text safe to show in messages.
#pragma once

#include <string>
#include <string_view>

namespace gemmscope::gpu {

// Keeps printable ASCII, turns line breaks and tabs into spaces and everything else into "?". Text longer
// than `longest` bytes is truncated and gets "…".
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
