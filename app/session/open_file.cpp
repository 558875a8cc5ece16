#include "session/open_file.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "own_kernel/open_kernel.h"
#include "session/scene_store.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRecent = 10;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path list_path() {
  if (const std::string state = environment("XDG_STATE_HOME"); !state.empty())
    return fs::path(state) / "gemmscope" / "recent";
  if (const std::string home = environment("HOME"); !home.empty())
    return fs::path(home) / ".local" / "state" / "gemmscope" / "recent";
  return {};
}

}  // namespace

fs::path path_from_typed(const std::string& typed) {
  const std::string home = environment("HOME");
  if (typed == "~") return home;
  return typed.starts_with("~/") && !home.empty() ? fs::path(home) / typed.substr(2) : fs::path(typed);
}

std::vector<std::string> complete_path(const std::string& typed, size_t most) {
  const size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string begun = slash == std::string::npos ? typed : typed.substr(slash + 1);
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : path_from_typed(folder), error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begun) || (begun.empty() && name[0] == '.')) continue;
    std::error_code ignored;
    const bool is_folder = entry->is_directory(ignored);
    if (is_folder || own_kernel::is_kernel_file(entry->path()) ||
        entry->path().extension() == kSceneExtension)
      found.push_back(folder + name + (is_folder ? "/" : ""));
  }
  std::sort(found.begin(), found.end());
  if (found.size() > most) found.resize(most);
  return found;
}

std::string common_start(const std::vector<std::string>& completions) {
  if (completions.empty()) return {};
  std::string start = completions[0];
  for (const std::string& other : completions) {
    const auto differs = std::mismatch(start.begin(), start.end(), other.begin(), other.end());
    start.erase(differs.first, start.end());
  }
  return start;
}

std::vector<std::string> recent_files() {
  std::vector<std::string> files;
  std::ifstream list(list_path());
  std::error_code error;
  for (std::string line; std::getline(list, line) && files.size() < kMostRecent;)
    if (fs::is_regular_file(line, error)) files.push_back(line);
  return files;
}

void remember_file(const fs::path& path) {
  std::error_code error;
  const std::string absolute = fs::absolute(path, error).lexically_normal().string();
  std::vector<std::string> files = recent_files();
  std::erase(files, absolute);
  files.insert(files.begin(), absolute);
  const fs::path list = list_path();
  if (error || list.empty()) return;
  fs::create_directories(list.parent_path(), error);
  std::ofstream out(list);
  for (size_t i = 0; i < std::min(files.size(), kMostRecent); ++i) out << files[i] << "\n";
}

}  // namespace gemmscope::session
