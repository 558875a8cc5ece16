// Fuzzy search through command titles, as the palette does it. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "session/command_table.h"

namespace gemmscope::session {

// How well the letters of `pattern` appear, in order, in `text`: higher is better; nothing where they do not.
// Beginnings of words and runs of letters count more, gaps less. An empty pattern fits everything with 0.
struct FuzzyMatch {
  int score = 0;
  std::vector<std::size_t> positions;  // bytes of text that were matched
};
std::optional<FuzzyMatch> fuzzy_match(std::string_view pattern, std::string_view text);

struct CommandMatch {
  const Command* command = nullptr;
  FuzzyMatch title_match;
};
// Commands of the palette whose "Category title" fits, best first; ties stay in table order, disabled ones
// come last.
std::vector<CommandMatch> search_commands(const CommandTable& table, std::string_view pattern);

}  // namespace gemmscope::session
