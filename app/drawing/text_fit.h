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

// Where the text may go on in a new line: the end of the piece that begins at `at`. Western words end at
// spaces (a space before a piece belongs to it); Chinese may be broken beside any character, but not before
// closing punctuation, nor after an opening bracket.
std::size_t next_break(std::string_view text, std::size_t at);

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

// `text` with line breaks, so that no line is wider than max_width where its words allow it. A break takes
// the place of a space. Numbers such as 1,234 stay whole.
template <typename Measure>
std::string wrap_words(std::string_view text, float max_width, Measure measure) {
  std::string wrapped;
  std::size_t line = 0;  // where the line begins in `wrapped`
  while (!text.empty()) {
    if (text.front() == '\n') {
      wrapped.push_back('\n');
      line = wrapped.size();
      text.remove_prefix(1);
      continue;
    }
    std::string_view piece = text.substr(0, std::min(next_break(text, 0), text.find('\n')));
    text.remove_prefix(piece.size());
    const std::string joined = wrapped.substr(line).append(piece);
    if (wrapped.size() > line && measure(std::string_view(joined)) > max_width) {
      wrapped.push_back('\n');
      line = wrapped.size();
      if (piece.starts_with(' ')) piece.remove_prefix(1);
    }
    wrapped.append(piece);
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
