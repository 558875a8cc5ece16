// Reads the keys of a kernel's description.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace gemmscope::catalog {

inline constexpr std::string_view kDescriptionHint = "kernels/README.md describes the format";

// Fills `kernel` as read_description does, from TOML text with the line numbers of the kernel's file.
Result<void> read_keys(const std::string& description, Kernel& kernel, bool complete);

}  // namespace gemmscope::catalog
