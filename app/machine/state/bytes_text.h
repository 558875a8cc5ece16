// "1 byte", "16 bytes", for the sentences about accesses.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "base/plural.h"

namespace gemmscope::machine {

inline std::string bytes_text(uint64_t bytes) { return fmt::format("{} byte{}", bytes, plural(bytes)); }

}  // namespace gemmscope::machine
