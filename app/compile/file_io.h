// Reads and writes whole files, for the cache and the pack.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gemmscope::compile {

// Returns nothing if the file is absent, is not a regular file or cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

// Writes to a temporary name in the same folder and renames it, so that readers see either the old file or
// the complete new one.
Result<void> write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

inline std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace gemmscope::compile
