// Shortening text to a width. Pure: the caller brings the ruler.
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
// Offsets at which text may be cut, ascending, from 0 to text.size().
std::vector<std::size_t> utf8_boundaries(std::string_view text);

// `text` if it fits into max_width, else its longest beginning with "…" that does, else "".
// `measure(string_view)` gives a width in pixels that does not fall as text grows.
template <typename Measure>
std::string fit_text(std::string_view text, float max_width, Measure measure) {
  if (measure(text) <= max_width) return std::string(text);
  const std::vector<std::size_t> cuts = utf8_boundaries(text);
  const auto shortened = [&](std::size_t length) {
    std::string_view kept = text.substr(0, length);
    while (!kept.empty() && kept.back() == ' ') kept.remove_suffix(1);
    return std::string(kept).append(kEllipsis);
  };
  std::size_t fitting = 0, too_long = cuts.size() - 1;
  if (measure(std::string_view(kEllipsis)) > max_width) return {};
  while (too_long - fitting > 1) {
    const std::size_t middle = (fitting + too_long) / 2;
    (measure(std::string_view(shortened(cuts[middle]))) <= max_width ? fitting : too_long) = middle;
  }
  return shortened(cuts[fitting]);
}

// `text` if it fits, else with its first `head` bytes shortened and what follows them whole: what tells texts
// of the same beginning apart stays. Where that takes most of the width, as fit_text.
template <typename Measure>
std::string fit_head(std::string_view text, std::size_t head, float max_width, Measure measure) {
  if (measure(text) <= max_width) return std::string(text);
  const std::string_view tail = text.substr(std::min(head, text.size()));
  constexpr float kMostOfIt = 0.75f;
  if (tail.empty() || measure(tail) > kMostOfIt * max_width) return fit_text(text, max_width, measure);
  return fit_text(text.substr(0, head), max_width - measure(tail), measure).append(tail);
}

}  // namespace gemmscope::drawing
