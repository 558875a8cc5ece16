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
