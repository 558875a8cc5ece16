#include "session/scene_store.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace gemmscope::session {

Result<SavedScene> read_scene(const std::string& path_or_link) {
  if (is_scene_link(path_or_link)) return parse_scene_link(path_or_link);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_or_link, error))
    return fail("{}: there is no such scene.", path_or_link);
  // A file that is larger than any scene is not read at all.
  if (std::filesystem::file_size(path_or_link, error) > kMostSceneBytes || error)
    return fail("{}: the scene is larger than {} MiB.", path_or_link, kMostSceneBytes >> 20);
  std::ifstream file(path_or_link, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("{}: the scene cannot be read; check its permissions.", path_or_link);
  return parse_scene(text.str(), path_or_link);
}

std::filesystem::path fresh_path(const std::filesystem::path& folder, const std::string& name,
                                 std::string_view end) {
  std::error_code ignored;
  std::filesystem::path path;
  for (int n = 1; path.empty() || std::filesystem::exists(path, ignored); ++n)
    path = folder / fmt::format("{}{}{}", name, n == 1 ? "" : fmt::format(" {}", n), end);
  return path;
}

Result<std::filesystem::path> save_scene(const SavedScene& scene, const std::filesystem::path& folder) {
  const std::string name = std::filesystem::path(scene.experiment.kernel).filename().string();
  const std::filesystem::path path = fresh_path(folder, name, kSceneExtension);
  std::ofstream file(path, std::ios::binary);
  file << scene_text(scene);
  file.close();
  if (!file) return fail("{} cannot be written; check the permissions of the folder.", path.string());
  return path;
}

}  // namespace gemmscope::session
