#include "machine/state/tensor_map.h"

#include <cstring>
#include <type_traits>

namespace gemmscope::machine {
namespace {

constexpr uint64_t kMark = 0x70616d'726f736e'65;  // "ensormap"

struct Stored {
  uint64_t mark = kMark;
  TensorMap map;
};
static_assert(sizeof(Stored) <= TensorMap::kBytes && std::is_trivially_copyable_v<Stored>);

}  // namespace

TensorMap matrix_map(uint64_t address, uint32_t element_bytes, uint32_t rows, uint32_t columns,
                     uint64_t pitch_bytes, uint32_t box_rows) {
  constexpr uint32_t kRowBytes = 128;
  TensorMap map;
  map.address = address;
  map.dimensions = 2;
  map.element_bytes = static_cast<uint8_t>(element_bytes);
  map.swizzle_bytes = kRowBytes;
  map.size = {columns, rows, 1, 1, 1};
  map.box = {kRowBytes / element_bytes, box_rows, 1, 1, 1};
  map.stride_bytes = {element_bytes, pitch_bytes};
  return map;
}

std::array<std::byte, TensorMap::kBytes> tensor_map_bytes(const TensorMap& map) {
  std::array<std::byte, TensorMap::kBytes> bytes{};
  const Stored stored{kMark, map};
  std::memcpy(bytes.data(), &stored, sizeof stored);
  return bytes;
}

std::optional<TensorMap> read_tensor_map(std::span<const std::byte> bytes) {
  Stored stored;
  if (bytes.size() < TensorMap::kBytes) return std::nullopt;
  std::memcpy(&stored, bytes.data(), sizeof stored);
  if (stored.mark != kMark) return std::nullopt;
  return stored.map;
}

}  // namespace gemmscope::machine
