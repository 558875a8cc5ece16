// The sentences that the kernels of the catalogue say of themselves.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gemmscope::claims {

// changed, why, look_at, the toggles' help and the illegal rules' reasons, by kernel and place.
std::map<std::string, std::string> kernel_texts(std::string_view folder);

}  // namespace gemmscope::claims
