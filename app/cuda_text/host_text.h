// What a compiler's preprocessor would make of a file, as far as that can be told without the toolkit's
// headers: the branches that are on, the files included from beside it, its macros where they hide how a
// kernel is launched or declared.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_text/source_outline.h"

namespace gemmscope::cuda_text {

// For which of nvcc's passes: __CUDA_ARCH__ is defined for the device only, and __CUDACC_RTC__ by NVRTC,
// which compiles the kernels here. The toolkit counts as version 12.0.
enum class Pass : uint8_t { host, device };

struct HostText {
  std::string text;  // comments, literals, preprocessor lines and branches that are off are blank
  std::vector<std::string> definitions;  // the #define lines that are on, each on one line
  std::vector<SourcePart> parts;
};

// `given`: macros of the command line and of the description. `undecided`: macros whose value may change,
// such as toggles; of a condition that names one, and of one that is not understood, both branches are on.
HostText host_text(std::string_view source, const std::vector<IncludedSource>& included, Pass pass,
                   const std::map<std::string, int64_t>& given, const std::set<std::string>& undecided);

}  // namespace gemmscope::cuda_text
