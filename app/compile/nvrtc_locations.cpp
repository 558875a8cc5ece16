#include <cstdlib>

#include "compile/nvrtc_library.h"

namespace gemmscope::compile {
namespace {

constexpr const char* kLibraryNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Lists the loader's own search path, then the toolkit of the build, then the usual folders of toolkits.
std::vector<std::filesystem::path> candidates() {
  std::vector<std::filesystem::path> folders = {""};
#ifdef GEMMSCOPE_CUDA_LIBRARY_FOLDER
  folders.emplace_back(GEMMSCOPE_CUDA_LIBRARY_FOLDER);
#endif
  if (const std::string home = environment("CUDA_HOME"); !home.empty())
    folders.push_back(std::filesystem::path(home) / "lib64");
  folders.emplace_back("/usr/local/cuda/lib64");
  std::vector<std::filesystem::path> paths;
  for (const auto& folder : folders)
    for (const char* name : kLibraryNames) paths.push_back(folder / name);
  return paths;
}

Result<NvrtcLibrary> load_library() {
  const std::string chosen = environment("GEMMSCOPE_NVRTC");
  if (chosen == "none") return fail("NVRTC is switched off (GEMMSCOPE_NVRTC=none)");
  if (!chosen.empty()) return NvrtcLibrary::load(std::vector<std::filesystem::path>{chosen});
  return NvrtcLibrary::load(candidates());
}

}  // namespace

const Result<NvrtcLibrary>& nvrtc_library() {
  static const Result<NvrtcLibrary> library = load_library();
  return library;
}

}  // namespace gemmscope::compile
