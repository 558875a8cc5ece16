// Truncates text to a width. Pure: the caller passes the function that measures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::drawing {

inline constexpr std::string_view kEllipsis = "…";

// The byte length of the UTF-8 sequence that starts at text[at]; 1 for a malformed byte.
std::size_t utf8_length(std::string_view text, std::size_t at);
// Offsets between the characters of text, ascending, from 0 to text.size().
std::vector<std::size_t> utf8_boundaries(std::string_view text);

// Returns `text` if it fits into max_width, else the longest prefix that fits together with "…", else "".
// `measure(string_view)` gives a width in pixels that does not fall as text grows.
template <typename Measure>
std::string fit_text(std::string_view text, float max_width, Measure measure) {
  if (measure(text) <= max_width) return std::string(text);
  const std::vector<std::size_t> ends = utf8_boundaries(text);
  const auto shortened = [&](std::size_t length) {
    std::string_view kept = text.substr(0, length);
    while (!kept.empty() && kept.back() == ' ') kept.remove_suffix(1);
    return std::string(kept).append(kEllipsis);
  };
  std::size_t fitting = 0, too_long = ends.size() - 1;
  if (measure(std::string_view(kEllipsis)) > max_width) return {};
  while (too_long - fitting > 1) {
    const std::size_t middle = (fitting + too_long) / 2;
    (measure(std::string_view(shortened(ends[middle]))) <= max_width ? fitting : too_long) = middle;
  }
  return shortened(ends[fitting]);
}

// `text` with line breaks in place of spaces, so that no line is wider than max_width where its words allow
// it. Numbers such as 1,234 stay whole.
template <typename Measure>
std::string wrap_words(std::string_view text, float max_width, Measure measure) {
  std::string wrapped;
  std::size_t line = 0;  // where the line begins in `wrapped`
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::size_t before = wrapped.size();
    wrapped.append(text.substr(0, end));
    const std::size_t space = wrapped.find_last_of(' ', before == 0 ? 0 : before - 1);
    const bool has_break = before > line && space == before - 1;
    if (has_break && measure(std::string_view(wrapped).substr(line)) > max_width) {
      wrapped[before - 1] = '\n';
      line = before;
    }
    if (end < text.size()) wrapped.push_back(text[end]);
    if (end < text.size() && text[end] == '\n') line = wrapped.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped;
}

// Returns `text` if it fits. Else it truncates the first `head` bytes and keeps the rest whole, so that texts
// with the same beginning stay distinguishable. Where the rest takes most of the width, it truncates as
// fit_text does.
template <typename Measure>
std::string fit_head(std::string_view text, std::size_t head, float max_width, Measure measure) {
  if (measure(text) <= max_width) return std::string(text);
  const std::string_view tail = text.substr(std::min(head, text.size()));
  constexpr float kMostForTail = 0.75f;
  if (tail.empty() || measure(tail) > kMostForTail * max_width) return fit_text(text, max_width, measure);
  return fit_text(text.substr(0, head), max_width - measure(tail), measure).append(tail);
}

}  // namespace gemmscope::drawing
