// Encodes bytes as text by RFC 4648, section 4, with padding and without line breaks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope {

constexpr size_t base64_length(size_t bytes) { return (bytes + 2) / 3 * 4; }
std::string base64_encode(std::span<const std::byte> bytes);
// Returns nothing unless the text is exactly what base64_encode gives for some bytes.
std::optional<std::vector<std::byte>> base64_decode(std::string_view text);

}  // namespace gemmscope
