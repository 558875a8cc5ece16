// Preprocesses a file as a compiler would, as far as that is possible without the toolkit's headers. It
// follows the branches that are on and the files included from beside the source, and replaces macros that
// hide how a kernel is launched or declared.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_text/source_outline.h"

namespace gemmscope::cuda_text {

// Which of nvcc's passes to imitate. __CUDA_ARCH__ is defined for the device only, and so is __CUDACC_RTC__,
// because NVRTC compiles the kernels here. The toolkit counts as version 12.0.
enum class Pass : uint8_t { host, device };

struct HostText {
  std::string text;  // with comments, literals, directives and branches that are off blanked
  std::vector<std::string> definitions;  // the active #define directives, each on one line
  std::vector<SourcePart> parts;
};

// `given` has the macros of the command line and of the description. `undecided` names macros whose value
// may change, such as toggles. If a condition names one of these, or is not understood, both of its branches
// are on.
HostText host_text(std::string_view source, const std::vector<IncludedSource>& included, Pass pass,
                   const std::map<std::string, int64_t>& given, const std::set<std::string>& undecided);

}  // namespace gemmscope::cuda_text
