// The values of a region: what each instruction defines and who reads it, apart from the registers that hold
// them. The scheduler chooses registers again for two kinds of values: fragments, which one load writes and
// only free products read, and sums, which one free product hands to the next.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"
#include "schedule/region.h"

namespace gemmscope::schedule {

inline constexpr uint32_t kNone = ~0u;
inline constexpr int kRegisters = 255;  // R0 to R254
using RegisterSet = std::bitset<256>;

// Index in the region of the instruction that wrote a register last; kNone: it held its value before.
struct Source {
  uint32_t writer = kNone;
  uint8_t reg = 0;  // in the code as it was
  friend bool operator==(const Source&, const Source&) = default;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a comparison for a pointer.
  friend auto operator<=>(const Source&, const Source&) = default;
};

// A free product d = a · b + c of the region.
struct Product {
  uint32_t index = 0;             // in the region
  std::array<Source, 3> sources;  // of a, b, c, where these are registers
  std::array<bool, 3> is_register{};
  uint32_t before = kNone, after = kNone;  // products: whose sum it takes, who takes its sum and nobody else
  bool keeps_register = true;  // d must be in its register: read elsewhere, or needed behind the region
};

// A load from shared memory whose registers only free products of the region read.
struct Fragment {
  uint32_t index = 0;
  uint8_t reg = 0, words = 1;
  std::vector<uint32_t> readers;  // products
};

// One thing that is in a certain register from one instruction's issue to another's.
struct Pinned {
  uint8_t reg = 0;
  uint32_t writer = kNone;        // index in the region; kNone: it is there at the entry
  std::vector<uint32_t> readers;  // indices in the region
  bool needed_behind = false;
};

struct RegionValues {
  std::vector<Product> products;     // in the order of the code
  std::vector<uint32_t> product_at;  // by index in the region: its product, or kNone
  std::vector<Fragment> fragments;
  std::vector<uint32_t> fragment_at;  // by index in the region
  std::vector<Pinned> pinned;
};

RegionValues values_of(const std::vector<isa::Instruction>& instructions, Range region,
                       const RegisterSet& live_behind);

// By instruction: the vector registers that some path still reads behind it.
std::vector<RegisterSet> live_behind_each(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::schedule
