// The manual page, made from the tables of the command line.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace gemmscope::cli {

// Returns troff source with the macros of man(7): every command and every option that --help shows.
std::string manual_page(const CLI::App& app);

}  // namespace gemmscope::cli
