// A cubin and its log as a block of the pack holds them: long runs of zeros are left out, because a large
// part of a packed cubin is zeros (cubin/blank_debug_text.h).
//   u32 bytes of the cubin; u32 bytes of the log; u32 runs; of each run u32 offset and u32 length; the bytes
//   of the cubin outside the runs; the log. Integers are little-endian.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::compile {

struct StoredCubin {
  std::vector<std::byte> cubin;
  std::string log;
};

std::vector<std::byte> store_cubin(std::span<const std::byte> cubin, std::string_view log);

// Reads the one with this number, from 0, of a block of them. Nothing: the block is damaged or has fewer.
std::optional<StoredCubin> take_cubin(std::span<const std::byte> block, size_t number);

}  // namespace gemmscope::compile
