// Where the runner is: its command line as the settings give it, else the program itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gemmscope::gpu {

inline constexpr const char* kRunnerProgram = "gemmscope-gpu-runner";

// Words of a command line; '…' and "…" keep spaces, a backslash keeps the character after it (in '…' it is
// one like any other). Nothing is expanded. Errors: a quote that does not end.
Result<std::vector<std::string>> split_command(std::string_view line);

// The setting if it is not empty, else the variable GEMMSCOPE_GPU_RUNNER; else the runner in this program's
// own folder, else in PATH. "ssh lab-gpu gemmscope-gpu-runner" is a GPU of another computer.
Result<std::vector<std::string>> runner_command(std::string_view setting);
// The same with the places given: the folder, and folders separated by colons.
Result<std::vector<std::string>> runner_command(std::string_view setting,
                                                const std::filesystem::path& program_folder,
                                                std::string_view search_path);

}  // namespace gemmscope::gpu
