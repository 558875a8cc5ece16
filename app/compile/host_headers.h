// NVRTC knows no host headers. Files that hold a kernel beside a host program include them all the same; they
// get stand-ins: empty, or with the few names that device code takes from them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gemmscope::compile {

// Name and text of a stand-in for each of `missing` (as written in #include) that is a host header or one of
// the runtime's, whose device part NVRTC knows by itself. Others are left to the compiler.
std::vector<std::pair<std::string, std::string>> stand_ins(const std::vector<std::string>& missing);

// Name and text of a header to include before a user's file. nvcc includes the host's <sys/types.h> by
// itself, so that many kernels say uint without another word; NVRTC does not.
const std::pair<std::string, std::string>& implicit_types();

// What to do about an error of the compiler's where it speaks of a header or of host code; else empty.
std::string header_advice(std::string_view message);

}  // namespace gemmscope::compile
