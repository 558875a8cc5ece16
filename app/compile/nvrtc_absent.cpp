// Replaces nvrtc_library.cpp in a build without the CUDA Toolkit's header.
#include "compile/nvrtc_library.h"

namespace gemmscope::compile {

struct NvrtcLibrary::Functions {};

Result<NvrtcLibrary> NvrtcLibrary::load(std::span<const std::filesystem::path>) {
  return fail("there is no NVRTC in this build; build GEMMscope where the CUDA Toolkit is installed");
}

Result<NvrtcOutput> NvrtcLibrary::compile(const NvrtcProgram&) const {
  return fail("there is no NVRTC in this build");
}

}  // namespace gemmscope::compile
