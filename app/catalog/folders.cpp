#include <cstdlib>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

// Finds the folder that holds kernels/ and assets/. GEMMSCOPE_DATA overrides it.
fs::path data_folder() {
  if (const char* chosen = std::getenv("GEMMSCOPE_DATA"); chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path sources = GEMMSCOPE_DATA_BESIDE_SOURCES;
  if (fs::is_directory(sources / "kernels", error)) return sources;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "share" / "gemmscope";
}

}  // namespace

fs::path kernels_folder() { return data_folder() / "kernels"; }
fs::path assets_folder() { return data_folder() / "assets"; }
fs::path shaders_folder() { return data_folder() / "shaders"; }

}  // namespace gemmscope::catalog
