// liblzma's LZMA2 without a container, for parts of a file that names their sizes and checksums itself.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gemmscope::compile {

// `dictionary`: bytes that are likely to occur in `bytes`; unpacking needs the same ones. Throws
// std::bad_alloc without memory.
std::vector<std::byte> pack_bytes(std::span<const std::byte> bytes,
                                  std::span<const std::byte> dictionary = {});

// Returns nothing if the bytes are damaged or do not unpack to exactly `size` bytes.
std::optional<std::vector<std::byte>> unpack_bytes(std::span<const std::byte> packed, size_t size,
                                                   std::span<const std::byte> dictionary = {});

}  // namespace gemmscope::compile
