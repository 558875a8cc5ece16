// Where the elements of matrix instructions lie, against the machine's own products: one element of A is 1,
// and D must be a row of B.
#include "metrics/mma_fragments.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "machine/lanes/lane_ops.h"
#include "metrics/fragments.h"

namespace gemmscope::metrics {
namespace {

using machine::HalfType;
using machine::kWarpLanes;
using machine::Row;

constexpr Row kA = 0, kB = 4, kZero = 8, kD = 16, kRows = 32;

struct Case {
  const char* name;
  HalfType type;
  MmaShape shape;
};
const Case kCases[] = {{"HMMA.16816.F32.BF16", HalfType::bf16, {16, 8, 16, 16, 32}},
                       {"HMMA.16816.F32", HalfType::f16, {16, 8, 16, 16, 32}},
                       {"HMMA.16816.F16", HalfType::f16, {16, 8, 16, 16, 16}},
                       {"HMMA.1688.F32.BF16", HalfType::bf16, {16, 8, 8, 16, 32}},
                       {"HMMA.1688.F16", HalfType::f16, {16, 8, 8, 16, 16}},
                       {"HMMA.1688.F32.TF32", HalfType::tf32, {16, 8, 8, 32, 32}},
                       {"HMMA.1684.F32.TF32", HalfType::tf32, {16, 8, 4, 32, 32}}};

// Small integers are exact in every type.
uint32_t encoded(HalfType type, int value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == HalfType::tf32) return bits;
  if (type == HalfType::bf16) return bits >> 16;
  return value == 0 ? 0 : (bits >> 13 & 0x3ffu) | ((bits >> 23) - 127 + 15) << 10;
}
int decoded_half(uint32_t half) {
  if ((half & 0x7fff) == 0) return 0;
  const uint32_t bits = (half & 0x3ffu) << 13 | ((half >> 10 & 31u) - 15 + 127) << 23;
  return static_cast<int>(std::bit_cast<float>(bits));
}

struct Warp {
  alignas(64) std::array<uint32_t, kRows* static_cast<size_t>(kWarpLanes)> rows{};
  std::array<uint32_t, machine::kPredicateCount> predicates{};

  uint32_t& at(Row first, const FragmentPlace& place) {
    return rows[(static_cast<size_t>(first) + static_cast<size_t>(place.word)) * kWarpLanes +
                static_cast<size_t>(place.lane)];
  }
  void set(Row first, const FragmentPlace& place, uint32_t bits) {
    at(first, place) |= bits << (16 * place.half);
  }
};

int element_of_d(Warp& warp, const Case& c, int row, int column) {
  const FragmentPlace place = fragment_place(c.shape, MmaMatrix::c, row, column);
  const uint32_t word = warp.at(kD, place);
  if (c.shape.accumulator_bits == 32) return static_cast<int>(std::bit_cast<float>(word));
  return decoded_half(word >> (16 * place.half) & 0xffffu);
}

TEST(MmaFragments, AgreeWithTheMachinesProducts) {
  for (const Case& c : kCases)
    for (int row = 0; row < c.shape.m; ++row)
      for (int k = 0; k < c.shape.k; ++k) {
        Warp warp;
        warp.predicates[7] = machine::kAllLanes;
        warp.set(kA, fragment_place(c.shape, MmaMatrix::a, row, k), encoded(c.type, 1));
        for (int i = 0; i < c.shape.k; ++i)
          for (int column = 0; column < c.shape.n; ++column)
            warp.set(kB, fragment_place(c.shape, MmaMatrix::b, i, column),
                     encoded(c.type, 8 * i + column + 1));
        machine::MicroOp op;
        op.destination = kD;
        op.source[0] = kA, op.source[1] = kB, op.source[2] = kZero;
        op.immediate = static_cast<uint32_t>(c.shape.k);
        op.flags = c.shape.accumulator_bits == 32 ? machine::kWide : 0;
        op.mode = static_cast<uint8_t>(c.type);
        machine::lane_ops()[machine::LaneOp::hmma](warp.rows.data(), warp.predicates.data(), op,
                                                   machine::kAllLanes);
        for (int r = 0; r < c.shape.m; ++r)
          for (int column = 0; column < c.shape.n; ++column)
            ASSERT_EQ(element_of_d(warp, c, r, column), r == row ? 8 * k + column + 1 : 0)
                << c.name << ", A(" << row << ", " << k << ") is 1, D(" << r << ", " << column << ")";
      }
}

// Every register half of every lane holds exactly one element.
TEST(MmaFragments, EachPlaceHoldsOneElement) {
  for (const Case& c : kCases) {
    const auto expect_whole = [&](MmaMatrix matrix, int rows, int columns, int bits) {
      std::set<std::tuple<int, int, int>> places;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
          const FragmentPlace p = fragment_place(c.shape, matrix, row, column);
          EXPECT_TRUE(p.lane >= 0 && p.lane < kWarpLanes && p.word < rows * columns * bits / 1024) << c.name;
          EXPECT_TRUE(places.insert({p.lane, p.word, p.half}).second) << c.name;
        }
    };
    expect_whole(MmaMatrix::a, c.shape.m, c.shape.k, c.shape.factor_bits);
    expect_whole(MmaMatrix::b, c.shape.k, c.shape.n, c.shape.factor_bits);
    expect_whole(MmaMatrix::c, c.shape.m, c.shape.n, c.shape.accumulator_bits);
  }
}

// As the machine moves them: for_matrix_words is what the data flow of executed kernels is followed by.
TEST(MmaFragments, LdsmAgreesWithTheWordsThatTheMachineMoves) {
  static machine::LaneDistances rows{};
  for (size_t lane = 0; lane < kWarpLanes; ++lane) rows[lane] = 256 * lane;
  machine::TraceAccess access;
  access.mask = 0xffffffff;
  access.path = machine::Path::matrix;
  access.addresses = {0, rows};
  for (const bool transposed : {false, true}) {
    int visited = 0;
    for_matrix_words(access, transposed, [&](const MatrixWord& word) {
      for (const int half : {0, 1}) {
        const uint64_t address = half == 0 ? word.low : word.high;
        const int row = static_cast<int>(address / 256) - 8 * static_cast<int>(word.word);
        const int column = static_cast<int>(address % 256 / 2);
        const FragmentPlace place = ldsm_place(transposed, row, column);
        EXPECT_EQ(place, (FragmentPlace{static_cast<int>(word.lane), 0, half}));
        ++visited;
      }
    });
    EXPECT_EQ(visited, 4 * 64);
  }
}

}  // namespace
}  // namespace gemmscope::metrics
