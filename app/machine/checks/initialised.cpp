#include "machine/checks/initialised.h"

#include <atomic>

namespace gemmscope::machine {
namespace {

constexpr uint32_t kFourSet = 0x01010101u;

// Returns four flags at once: accesses are aligned.
std::atomic_ref<uint32_t> four_flags(GlobalMemory::Buffer& buffer, size_t offset) {
  return std::atomic_ref<uint32_t>(reinterpret_cast<uint32_t*>(buffer.initialised.data())[offset / 4]);
}

// The mask of an access narrower than a word, within the four flags around `offset`.
uint32_t few_flags(size_t offset, uint32_t width) {
  return (width == 1 ? 0x01u : 0x0101u) << 8 * (offset % 4);
}

}  // namespace

bool is_initialised(GlobalMemory::Buffer& buffer, size_t offset, uint32_t width) {
  if (width < 4) {
    const uint32_t few = few_flags(offset, width);
    return (four_flags(buffer, offset).load(std::memory_order_relaxed) & few) == few;
  }
  for (uint32_t i = 0; i < width; i += 4)
    if (four_flags(buffer, offset + i).load(std::memory_order_relaxed) != kFourSet) return false;
  return true;
}

void mark_initialised(GlobalMemory::Buffer& buffer, size_t offset, uint32_t width) {
  if (width < 4) {
    four_flags(buffer, offset).fetch_or(few_flags(offset, width), std::memory_order_relaxed);
    return;
  }
  for (uint32_t i = 0; i < width; i += 4)
    four_flags(buffer, offset + i).store(kFourSet, std::memory_order_relaxed);
}

}  // namespace gemmscope::machine
