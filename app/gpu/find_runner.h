// Finds the runner: the command line from the settings, else the program itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gemmscope::gpu {

inline constexpr const char* kRunnerProgram = "gemmscope-gpu-runner";

// Splits a command line into words. '…' and "…" keep spaces. A backslash keeps the character after it, but
// inside '…' it is an ordinary character. Nothing is expanded. Errors: an unclosed quote.
Result<std::vector<std::string>> split_command(std::string_view line);

// Returns the setting if it is not empty, else the variable GEMMSCOPE_GPU_RUNNER, else the runner in this
// program's own folder, else the one in PATH. "ssh lab-gpu gemmscope-gpu-runner" uses a remote GPU.
Result<std::vector<std::string>> runner_command(std::string_view setting);
// This overload is given the program's folder, and in place of PATH folders separated by colons.
Result<std::vector<std::string>> runner_command(std::string_view setting,
                                                const std::filesystem::path& program_folder,
                                                std::string_view search_path);

}  // namespace gemmscope::gpu
