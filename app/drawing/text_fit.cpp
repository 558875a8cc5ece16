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

namespace {

constexpr std::string_view kOpening = "（《「“‘【([{";
constexpr std::string_view kClosing = "，。；：、！？）》」”’】…)]},.;:!?%";

bool is_one_of(std::string_view character, std::string_view set) {
  for (std::size_t at = 0; at < set.size(); at += utf8_length(set, at))
    if (set.substr(at, utf8_length(set, at)) == character) return true;
  return false;
}

// Of Chinese: three bytes, from U+3000 on; quotation marks and "…" are of both scripts.
bool is_ideographic(std::string_view character) {
  return character.size() >= 3 && static_cast<unsigned char>(character.front()) >= 0xE3;
}

bool may_break(std::string_view before, std::string_view after) {
  if (!is_ideographic(before) && !is_ideographic(after)) return false;
  return !is_one_of(after, kClosing) && !is_one_of(before, kOpening) && before != " ";
}

}  // namespace

std::size_t next_break(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] == ' ') ++end;
  while (end < text.size()) {
    const std::string_view before = text.substr(end, utf8_length(text, end));
    end += before.size();
    if (end >= text.size() || text[end] == '\n') break;
    if (text[end] == ' ') {
      if (text.substr(end).starts_with(" %")) continue;  // "40 %" is not torn
      break;
    }
    if (may_break(before, text.substr(end, utf8_length(text, end)))) break;
  }
  return end;
}

}  // namespace gemmscope::drawing
