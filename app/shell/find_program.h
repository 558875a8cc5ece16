// Programs of the system that are used where they are installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gemmscope::shell {

// The first executable file of that name in the folders of PATH.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace gemmscope::shell
