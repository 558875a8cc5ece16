#include "catalog/folders.h"

#include <cstdlib>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

std::string_view chosen_folder() {
  const char* const chosen = std::getenv("GEMMSCOPE_DATA");
  return chosen == nullptr ? "" : chosen;
}

// Follows the links of a build folder, so that messages and the window name the file that one edits.
fs::path data_folder(const char* name) {
  std::error_code error;
  const std::string_view chosen = chosen_folder();
  const fs::path folder = find_data_folder(chosen, fs::read_symlink("/proc/self/exe", error)) / name;
  if (!chosen.empty()) return folder;
  fs::path real = fs::canonical(folder, error);
  return error ? folder : real;
}

}  // namespace

fs::path find_data_folder(std::string_view chosen, const fs::path& program) {
  if (!chosen.empty()) return chosen;
  const fs::path folder = program.parent_path();
  const fs::path built = folder / "share" / "gemmscope";
  std::error_code error;
  if (fs::is_directory(built / "kernels", error)) return built;
  return folder.parent_path() / "share" / "gemmscope";
}

fs::path fonts_folder() { return data_folder("fonts"); }
fs::path kernels_folder() { return data_folder("kernels"); }
fs::path assets_folder() { return data_folder("assets"); }
fs::path shaders_folder() { return data_folder("shaders"); }

}  // namespace gemmscope::catalog
