// Searches command titles fuzzily, for the palette. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "session/command_table.h"

namespace gemmscope::session {

// Scores how well the letters of `pattern` appear, in order, in `text`; nothing where they do not. Higher is
// better: beginnings of words and runs of letters count more, gaps less. An empty pattern matches everything
// with 0.
struct FuzzyMatch {
  int score = 0;
  std::vector<std::size_t> positions;  // bytes of text that were matched
};
std::optional<FuzzyMatch> fuzzy_match(std::string_view pattern, std::string_view text);

struct CommandMatch {
  const Command* command = nullptr;
  FuzzyMatch title_match;
};
// Commands of the palette whose "Category title" matches, best first. Ties stay in table order, and disabled
// commands come last.
std::vector<CommandMatch> search_commands(const CommandTable& table, std::string_view pattern);

}  // namespace gemmscope::session
