#include "session/user_folders.h"

#include <cstdlib>

namespace gemmscope::session {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::filesystem::path user_folder(const char* variable, const char* below_home) {
  if (const std::string folder = environment(variable); !folder.empty()) return folder;
  const std::string home = environment("HOME");
  return home.empty() ? std::filesystem::path() : std::filesystem::path(home) / below_home;
}

}  // namespace gemmscope::session
