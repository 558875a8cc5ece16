// The keys of a kernel's description.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace gemmscope::catalog {

inline constexpr std::string_view kDescriptionHint = "kernels/README.md describes the format";

// Fills `kernel` from TOML text whose lines are those of its file, as read_description.
Result<void> read_keys(const std::string& description, Kernel& kernel, bool complete);

}  // namespace gemmscope::catalog
