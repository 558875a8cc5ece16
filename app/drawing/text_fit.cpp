#include "drawing/text_fit.h"

#include <algorithm>

namespace gemmscope::drawing {

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t wanted = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  std::size_t length = 1;
  while (length < wanted && at + length < text.size() &&
         (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80) {
    ++length;
  }
  return length;
}

std::vector<std::size_t> utf8_boundaries(std::string_view text) {
  std::vector<std::size_t> boundaries{0};
  for (std::size_t at = 0; at < text.size();) {
    at += utf8_length(text, at);
    boundaries.push_back(at);
  }
  return boundaries;
}

}  // namespace gemmscope::drawing
