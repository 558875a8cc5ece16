#include "shell/find_program.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace gemmscope::shell {

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
  std::error_code ignored;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path program = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (std::filesystem::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0)
      return program;
  }
  return std::nullopt;
}

}  // namespace gemmscope::shell
