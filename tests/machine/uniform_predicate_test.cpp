// UP2UR and UR2UP move all uniform predicates to and from a byte of a uniform register. Compilers seldom emit
// them, so the words are from data/isa/own_vectors.csv, which nvdisasm decoded.
#include <gtest/gtest.h>

#include "machine/execute/grid.h"
#include "machine/lanes/lane_ops.h"
#include "machine/translate/translate.h"

namespace gemmscope::machine {
namespace {

constexpr uint64_t kControl = 0x003fde0000000000;

Program translate_one(uint64_t lo, uint64_t hi) {
  cubin::Cubin cubin;
  cubin.arch = isa::Arch::sm_90;
  cubin::KernelCode kernel;
  kernel.name = "kernel";
  kernel.words = {lo, hi | kControl};
  GlobalMemory memory;
  Result<Program> program = translate(cubin, kernel, {}, memory);
  EXPECT_TRUE(program.has_value());
  EXPECT_EQ(program->unsupported[0], "");
  return std::move(*program);
}

struct State {
  std::vector<uint32_t> storage;
  uint32_t* rows = nullptr;
  std::array<uint32_t, kPredicateCount> predicates{};

  explicit State(const Program& program) : storage((program.row_count() + 1) * kWarpLanes) {
    rows = reinterpret_cast<uint32_t*>((reinterpret_cast<uintptr_t>(storage.data()) + 63) / 64 * 64);
    for (const LaneRow& row : program.constants)
      std::copy(row.begin(), row.end(),
                rows + (kConstantRow + static_cast<size_t>(&row - program.constants.data())) * kWarpLanes);
  }
  uint32_t* uniform(int index) { return rows + static_cast<size_t>(kUniformRow + index) * kWarpLanes; }
};

TEST(UniformPredicates, UR2UPWritesTheBitsOfItsMask) {
  struct Case {
    uint64_t lo, hi;
    uint32_t mask;
    int shift;
  };
  for (const Case& c : {Case{0x000000ff3e007884, 0x0000000008003000, 0x7f, 24},    // UR2UP UPR, UR62.B3
                        Case{0x000000253e007884, 0x0000000008001000, 0x25, 8}}) {  // UR2UP UPR, UR62.B1, 0x25
    const Program program = translate_one(c.lo, c.hi);
    for (const uint32_t value : {0u, 0xffffffffu, 0x5a1234a5u, 0xa5edcb5au, 0x80008000u}) {
      State state(program);
      std::fill_n(state.uniform(62), kWarpLanes, value);
      for (size_t i = 0; i < kPredicateCount; ++i) state.predicates[i] = i % 3 == 0 ? kAllLanes : 0;
      const auto before = state.predicates;
      program.ops[0].lane(state.rows, state.predicates.data(), program.ops[0], kAllLanes);
      for (uint32_t i = 0; i < kPredicateCount; ++i) {
        const bool written = i >= kUniformPredicate && i < kUniformPredicate + 7u &&
                             (c.mask >> (i - kUniformPredicate) & 1u) != 0;
        const bool bit = written && (value >> (c.shift + static_cast<int>(i) - kUniformPredicate) & 1u) != 0;
        EXPECT_EQ(state.predicates[i], written ? (bit ? kAllLanes : 0u) : before[i])
            << "predicate " << i << " value " << value;
      }
    }
  }
}

TEST(UniformPredicates, UP2URGivesThemBack) {
  const Program up2ur =
      translate_one(0x000000ff3e3e7883, 0x0000000008003000);  // UP2UR.B3 UR62, UPR, UR62, 0xff
  State state(up2ur);
  std::fill_n(state.uniform(62), kWarpLanes, 0xdeadbeefu);
  for (uint32_t i = 0; i < 7; ++i)
    state.predicates[kUniformPredicate + i] = (0x5au >> i & 1u) != 0 ? kAllLanes : 0;
  up2ur.ops[0].lane(state.rows, state.predicates.data(), up2ur.ops[0], kAllLanes);
  EXPECT_EQ(state.uniform(62)[0] & 0x00ffffffu, 0x00adbeefu);
  EXPECT_EQ(state.uniform(62)[0] >> 24 & 0x7fu, 0x5au);
}

}  // namespace
}  // namespace gemmscope::machine
