// The texts in the descriptions of the catalogue's kernels.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gemmscope::claims {

// Returns changed, why, look_at, the toggles' help and the illegal rules' reasons, by kernel and key.
std::map<std::string, std::string> kernel_texts(std::string_view folder);

}  // namespace gemmscope::claims
