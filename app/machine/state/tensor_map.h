// What a tensor map (CUtensorMap) describes: a tensor in global memory and the box of it that one bulk copy
// brings to shared memory. The driver's 128 bytes are not documented; the machine has bytes of its own, which
// only it reads (machine/README.md, Asynchronous copies).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace gemmscope::machine {

struct TensorMap {
  static constexpr size_t kBytes = 128;
  static constexpr int kMostDimensions = 5;

  uint64_t address = 0;
  uint8_t dimensions = 1, element_bytes = 4;
  // 0, or in what stretch of shared memory the pieces of 16 bytes change places: 32, 64 or 128 bytes.
  uint8_t swizzle_bytes = 0;
  // By dimension, the first is that of neighbouring elements.
  std::array<uint32_t, kMostDimensions> size{1, 1, 1, 1, 1};
  std::array<uint32_t, kMostDimensions> box{1, 1, 1, 1, 1};
  std::array<uint64_t, kMostDimensions> stride_bytes{};

  uint32_t row_bytes() const { return box[0] * element_bytes; }
  uint32_t rows() const { return box[1] * box[2] * box[3] * box[4]; }
  uint32_t box_bytes() const { return row_bytes() * rows(); }
};

// That of a row-major matrix: boxes of 128 bytes by `box_rows` rows, swizzled over 128 bytes.
TensorMap matrix_map(uint64_t address, uint32_t element_bytes, uint32_t rows, uint32_t columns,
                     uint64_t pitch_bytes, uint32_t box_rows);

std::array<std::byte, TensorMap::kBytes> tensor_map_bytes(const TensorMap& map);
// Nothing if the bytes are not a map of this machine.
std::optional<TensorMap> read_tensor_map(std::span<const std::byte> bytes);

// Where a byte of a box lies whose place would be `address` without swizzling.
inline uint32_t swizzled(uint32_t address, uint32_t swizzle_bytes) {
  return swizzle_bytes == 0 ? address : address ^ ((address >> 3) & (swizzle_bytes - 16));
}

}  // namespace gemmscope::machine
