// Finds the letters of a query in a text, for the palette. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace gemmscope::session {

// Scores how well the letters of `pattern` appear, in order, in `text`; nothing where they do not. Higher is
// better: beginnings of words and runs of letters count more, gaps less. An empty pattern matches everything
// with 0. Spaces of the pattern are left out; upper and lower case are alike.
struct FuzzyMatch {
  int score = 0;
  std::vector<std::size_t> positions;  // bytes of text that were matched
};
std::optional<FuzzyMatch> fuzzy_match(std::string_view pattern, std::string_view text);
// The same without the letter of `pattern` that fits worst, which finds a word with one letter wrong, too
// many or in another's place. Nothing for a short pattern.
std::optional<FuzzyMatch> misspelt_match(std::string_view pattern, std::string_view text);

}  // namespace gemmscope::session
