// What CLI11's tables say of an option, in the words of the manual page and of shell completion.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace gemmscope::cli {

std::vector<std::string> option_names(const CLI::Option& option);  // "-o", "--output"; empty: positional
std::string value_word(const CLI::Option& option);                 // "TEXT"; empty: takes no value
bool takes_value(const CLI::Option& option);
// Those that --help shows, in the order in which they were added.
std::vector<const CLI::App*> shown_commands(const CLI::App& app);
std::vector<const CLI::Option*> shown_options(const CLI::App& command);  // without positionals
std::vector<const CLI::Option*> shown_positionals(const CLI::App& command);

}  // namespace gemmscope::cli
