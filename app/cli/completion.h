// Shell completion: the shell passes the words of the command line, and the program answers from CLI11's
// tables and its catalogue. So the scripts know no option by name.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "base/error.h"

namespace gemmscope::cli {

// The word that asks for candidates: gemmscope complete -- WORD…
inline constexpr const char* kCompleteWord = "complete";

struct Candidate {
  std::string word, help;
};
// What the last of `words` may become; the words before it are complete. `words` leaves out the program.
std::vector<Candidate> completions(const CLI::App& app, const std::vector<std::string>& words);
// Prints one candidate a line: the word, a tab, its help.
int print_completions(const CLI::App& app, const std::vector<std::string>& words);

// The script for bash, zsh or fish. Errors: another shell.
Result<std::string> completion_script(const std::string& shell);

}  // namespace gemmscope::cli
