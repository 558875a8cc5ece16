// The version of the project, which CMake holds (project(… VERSION …)).
#pragma once

#include <string_view>

namespace gemmscope::cli {

std::string_view version();  // "0.1.0"

}  // namespace gemmscope::cli
