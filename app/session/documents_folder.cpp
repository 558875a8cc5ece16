#include "session/documents_folder.h"

#include <fstream>
#include <string>
#include <string_view>

#include "session/user_folders.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "XDG_DOCUMENTS_DIR";

// What stands between the quotes of a line of user-dirs.dirs: a path, or one that starts with "$HOME". Others
// are not allowed there. A backslash stands before a quote, a dollar or a backslash of the path itself.
fs::path path_of_value(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return {};
  value = value.substr(1, value.size() - 2);
  std::string path;
  if (value.starts_with("$HOME")) {
    path = environment("HOME");
    value.remove_prefix(5);
    if (path.empty() || (!value.empty() && value[0] != '/')) return {};
  }
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) ++i;
    path += value[i];
  }
  return path;
}

// Of the file of xdg-user-dirs: the last line that names it, as for the shell that reads the file.
fs::path configured() {
  fs::path found;
  std::ifstream file(user_folder("XDG_CONFIG_HOME", ".config") / "user-dirs.dirs");
  for (std::string line; std::getline(file, line);) {
    const size_t start = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t\r");
    if (start == std::string::npos) continue;
    const std::string_view text = std::string_view(line).substr(start, end - start + 1);
    if (text.starts_with(kName) && text.substr(std::string_view(kName).size()).starts_with('='))
      found = path_of_value(text.substr(std::string_view(kName).size() + 1));
  }
  return found;
}

}  // namespace

fs::path documents_folder() {
  std::error_code error;
  for (const fs::path& folder : {configured(), fs::path(environment(kName)), fs::path(environment("HOME"))})
    if (folder.is_absolute() && fs::is_directory(folder, error)) return folder;
  return fs::current_path(error);
}

}  // namespace gemmscope::session
