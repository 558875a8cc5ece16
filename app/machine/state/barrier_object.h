// A barrier object (mbarrier): a word of 64 bits in shared memory that counts arrivals and the bytes of bulk
// copies. The kernel's own code makes the first word, so its layout is the hardware's: bits 1–20 hold minus
// the arrivals of a phase, 21–42 the bytes that are expected but not copied, 43–62 minus the arrivals that
// are missing, 63 the parity of the phase (machine/README.md, Barrier objects).
#pragma once

#include <cstdint>

namespace gemmscope::machine {

class BarrierObject {
 public:
  explicit BarrierObject(uint64_t word) : word_(word) {}
  uint64_t word() const { return word_; }

  bool is_initialised() const { return arrivals() != 0; }
  // Each phase waits for so many arrivals; this one, for so many more.
  uint32_t arrivals() const { return (kCounts - count_at(kArrivals)) % kCounts; }
  uint32_t missing() const { return (kCounts - count_at(kMissing)) % kCounts; }
  int32_t expected_bytes() const;  // below zero if bytes came before they were expected
  bool parity() const { return word_ >> kParity != 0; }

  // These return whether they complete the phase. `count` must not be more than missing().
  bool arrive(uint32_t count, int32_t expected_bytes = 0);
  bool copied(int32_t bytes);
  // Later phases wait for so many fewer.
  void drop(uint32_t count);

 private:
  static constexpr int kArrivals = 1, kBytes = 21, kMissing = 43, kParity = 63;
  static constexpr uint32_t kCounts = 1u << 20, kByteValues = 1u << 22;

  uint32_t count_at(int bit) const { return static_cast<uint32_t>(word_ >> bit) & (kCounts - 1); }
  void put(int bit, uint32_t mask, uint32_t value);
  void expect(int32_t bytes);
  bool complete();

  uint64_t word_ = 0;
};

}  // namespace gemmscope::machine
