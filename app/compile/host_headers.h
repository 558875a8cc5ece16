// NVRTC has no host headers, but a file with a kernel and a host program includes them. It gets stand-ins,
// which are empty or hold the few names that device code uses.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gemmscope::compile {

// Returns the name and text of a stand-in for each header of `missing` (as written in #include) that belongs
// to the host or to the CUDA runtime, whose device part is built into NVRTC. Other headers are left to the
// compiler.
std::vector<std::pair<std::string, std::string>> stand_ins(const std::vector<std::string>& missing);

// Name and text of a header to include before a user's file. nvcc includes the host's <sys/types.h> by
// itself, so many kernels use uint without an #include; NVRTC does not.
const std::pair<std::string, std::string>& implicit_types();

// Advice about a compiler error that concerns a header or host code; empty for other errors.
std::string header_advice(std::string_view message);

}  // namespace gemmscope::compile
