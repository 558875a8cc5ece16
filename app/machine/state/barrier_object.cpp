#include "machine/state/barrier_object.h"

namespace gemmscope::machine {

int32_t BarrierObject::expected_bytes() const {
  const auto bytes = static_cast<int32_t>(static_cast<uint32_t>(word_ >> kBytes) & (kByteValues - 1));
  return bytes < static_cast<int32_t>(kByteValues / 2) ? bytes : bytes - static_cast<int32_t>(kByteValues);
}

void BarrierObject::put(int bit, uint32_t mask, uint32_t value) {
  word_ = (word_ & ~(uint64_t{mask} << bit)) | uint64_t{value & mask} << bit;
}

void BarrierObject::expect(int32_t bytes) {
  put(kBytes, kByteValues - 1, static_cast<uint32_t>(expected_bytes() + bytes));
}

// The next phase starts as soon as nothing is missing.
bool BarrierObject::complete() {
  if (missing() != 0 || expected_bytes() != 0) return false;
  put(kMissing, kCounts - 1, count_at(kArrivals));
  word_ ^= uint64_t{1} << kParity;
  return true;
}

bool BarrierObject::arrive(uint32_t count, int32_t expected_bytes) {
  expect(expected_bytes);
  put(kMissing, kCounts - 1, kCounts - (missing() - count));
  return complete();
}

bool BarrierObject::copied(int32_t bytes) {
  expect(-bytes);
  return complete();
}

void BarrierObject::drop(uint32_t count) { put(kArrivals, kCounts - 1, kCounts - (arrivals() - count)); }

}  // namespace gemmscope::machine
