// The user's folders by the XDG Base Directory Specification.
#pragma once

#include <filesystem>
#include <string>

namespace gemmscope::session {

// Empty where the variable is not set.
std::string environment(const char* name);

// The folder that the variable names, such as XDG_CONFIG_HOME; else `below_home` in the home folder, such as
// ".config". Empty where neither is known.
std::filesystem::path user_folder(const char* variable, const char* below_home);

}  // namespace gemmscope::session
