// Integer operations, moves, predicates, votes and shuffles against plain code that looks at one lane at a
// time. Meanings: app/machine/README.md, Arithmetic.
#include <functional>
#include <numeric>

#include "lane_bench.h"

namespace gemmscope::machine {
namespace {

using Wide = unsigned __int128;

// The values that one lane must have afterwards. An absent value is unchanged.
struct LaneResult {
  std::optional<uint32_t> low, high;
  std::optional<bool> predicate[2];
};
struct LaneInput {
  uint32_t a, b, c, c_high;
  bool p, q, r;  // source predicates, negation applied
};
using Model = std::function<LaneResult(const MicroOp&, const LaneInput&)>;

LaneInput input_of(const LaneState& state, const MicroOp& op, int lane) {
  return {source_of(state, op, 0, lane),   source_of(state, op, 1, lane),    source_of(state, op, 2, lane),
          source_of(state, op, 3, lane),   predicate_of(state, op, 0, lane), predicate_of(state, op, 1, lane),
          predicate_of(state, op, 2, lane)};
}

void check_lane(const LaneState& after, const MicroOp& op, int lane, const LaneResult& wanted) {
  EXPECT_EQ(after.at(op.destination, lane), wanted.low.value_or(after.at(op.destination, lane)));
  const uint32_t high = after.at(static_cast<Row>(op.destination + 1), lane);
  EXPECT_EQ(high, wanted.high.value_or(high)) << "upper word";
  for (size_t i = 0; i < 2; ++i) {
    if (!wanted.predicate[i] || op.predicate_out[i] == kTrashPredicate) continue;
    EXPECT_EQ((after.predicates[op.predicate_out[i]] >> lane & 1u) != 0, *wanted.predicate[i])
        << "predicate " << i;
  }
}

void check(LaneOp lane_op, const Model& model) {
  for (const LaneOps* table : usable_lane_ops()) {
    LaneRandom random(7);
    for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
      MicroOp op = random.operands();
      choose_variant(lane_op, op, random);
      const uint32_t mask = random.mask();
      const LaneState before = random.state();
      LaneState after = before;
      after.execute(*table, lane_op, op, mask);
      for (int l = 0; l < kWarpLanes; ++l) {
        if ((mask >> l & 1u) == 0) continue;
        const LaneInput in = input_of(before, op, l);
        SCOPED_TRACE(testing::Message()
                     << table->name << " " << name_of(lane_op) << " lane " << l << std::hex << " a " << in.a
                     << " b " << in.b << " c " << in.c << ":" << in.c_high << " mode " << int{op.mode}
                     << " flags " << int{op.flags} << " immediate " << op.immediate);
        check_lane(after, op, l, model(op, in));
      }
    }
  }
}

bool flag(const MicroOp& op, uint8_t bit) { return (op.flags & bit) != 0; }
int32_t as_signed(uint32_t x) { return static_cast<int32_t>(x); }
bool combined(uint8_t how, bool a, bool b) { return how == 0 ? a && b : how == 1 ? a || b : a != b; }

TEST(LaneInteger, Moves) {
  check(LaneOp::mov, [](const MicroOp&, const LaneInput& in) { return LaneResult{in.a, {}, {}}; });
  check(LaneOp::sel, [](const MicroOp&, const LaneInput& in) {
    return LaneResult{in.p ? in.a : in.b, {}, {}};
  });
  check(LaneOp::cs2r, [](const MicroOp&, const LaneInput& in) { return LaneResult{in.a, in.b, {}}; });
}

TEST(LaneInteger, Iadd3) {
  check(LaneOp::iadd3, [](const MicroOp& op, const LaneInput& in) {
    Wide sum = Wide{in.a} + in.b + in.c + op.immediate;
    if (flag(op, kCarryIn)) sum += (in.p ? 1u : 0u) + (in.q ? 1u : 0u);
    return LaneResult{static_cast<uint32_t>(sum), {}, {sum >= Wide{1} << 32, sum >= Wide{1} << 33}};
  });
}

TEST(LaneInteger, AdditionsOfAddresses) {
  check(LaneOp::iadd3_plain, [](const MicroOp&, const LaneInput& in) {
    return LaneResult{in.a + in.b + in.c, {}, {}};
  });
  check(LaneOp::iadd3_low, [](const MicroOp&, const LaneInput& in) {
    return LaneResult{in.a + in.b, {}, {(Wide{in.a} + in.b) >> 32 != 0}};
  });
  check(LaneOp::iadd3_high, [](const MicroOp&, const LaneInput& in) {
    return LaneResult{in.a + in.b + (in.p ? 1u : 0u), {}, {}};
  });
}

TEST(LaneInteger, Lea) {
  check(LaneOp::lea, [](const MicroOp& op, const LaneInput& in) {
    const uint32_t upper = flag(op, kSigned) ? (as_signed(in.a) < 0 ? 0xffffffffu : 0u) : in.c;
    const Wide pair = (Wide{upper} << 32 | in.a) << op.immediate;
    auto shifted = static_cast<uint32_t>(flag(op, kHigh) ? pair >> 32 : pair);
    if ((op.mode & 1) != 0) shifted = ~shifted;
    uint64_t sum = uint64_t{shifted} + in.b;
    if ((op.mode & 2) != 0) ++sum;
    if ((op.mode & 4) != 0) ++sum;
    if (flag(op, kCarryIn) && in.p) ++sum;
    return LaneResult{static_cast<uint32_t>(sum), {}, {sum >= uint64_t{1} << 32, {}}};
  });
}

TEST(LaneInteger, Lop3) {
  check(LaneOp::lop3, [](const MicroOp& op, const LaneInput& in) {
    uint32_t result = 0;
    for (int bit = 0; bit < 32; ++bit) {
      const uint32_t index = (in.a >> bit & 1u) * 4 + (in.b >> bit & 1u) * 2 + (in.c >> bit & 1u);
      result |= (static_cast<uint32_t>(op.mode) >> index & 1u) << bit;
    }
    return LaneResult{result, {}, {flag(op, kWide) ? result != 0 && in.p : result != 0 || in.p, {}}};
  });
}

TEST(LaneInteger, Shf) {
  check(LaneOp::shf, [](const MicroOp& op, const LaneInput& in) {
    const auto type = static_cast<ShiftType>(op.mode);
    const uint32_t width = type == ShiftType::s64 || type == ShiftType::u64 ? 64 : 32;
    const uint32_t count = flag(op, kWrap) ? in.b % width : std::min(in.b, width);
    const bool sign =
        flag(op, kRight) && (type == ShiftType::s64 || type == ShiftType::s32) && as_signed(in.c) < 0;
    uint64_t x = uint64_t{in.c} << 32 | in.a;
    for (uint32_t i = 0; i < count; ++i)
      x = flag(op, kRight) ? x >> 1 | (sign ? uint64_t{1} << 63 : 0) : x << 1;
    return LaneResult{static_cast<uint32_t>(flag(op, kHigh) ? x >> 32 : x), {}, {}};
  });
}

LaneResult multiply_add(const MicroOp& op, const LaneInput& in, bool only_high) {
  uint64_t product = 0;  // by shifting and adding; a signed factor's top bit counts −2^31
  for (int bit = 0; bit < 32; ++bit) {
    if ((in.b >> bit & 1u) == 0) continue;
    const uint64_t a =
        flag(op, kSigned) ? static_cast<uint64_t>(static_cast<int64_t>(as_signed(in.a))) : in.a;
    product += flag(op, kSigned) && bit == 31 ? 0 - (a << 31) : a << bit;
  }
  uint64_t addend = uint64_t{in.c_high} << 32 | in.c;
  if (op.mode == 1) addend = ~addend + 1;
  if (op.mode == 2) addend = ~addend;
  const Wide sum = Wide{product} + addend + (flag(op, kCarryIn) && in.p ? 1u : 0u);
  const auto low = static_cast<uint32_t>(sum), high = static_cast<uint32_t>(sum >> 32);
  return only_high ? LaneResult{high, {}, {(sum >> 64) != 0, {}}}
                   : LaneResult{low, high, {(sum >> 64) != 0, {}}};
}

TEST(LaneInteger, Imad) {
  check(LaneOp::imad, [](const MicroOp& op, const LaneInput& in) {
    return LaneResult{
        static_cast<uint32_t>(uint64_t{in.a} * in.b + in.c + (flag(op, kCarryIn) && in.p ? 1u : 0u)), {}, {}};
  });
  check(LaneOp::imad_wide,
        [](const MicroOp& op, const LaneInput& in) { return multiply_add(op, in, false); });
  check(LaneOp::imad_hi, [](const MicroOp& op, const LaneInput& in) { return multiply_add(op, in, true); });
}

template <typename T>
bool truth(IntegerCompare how, T a, T b) {
  const bool table[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b, true};
  return table[static_cast<size_t>(how)];
}

// With .EX the operands are the upper words of a 64-bit comparison, and source predicate 1 is the result of
// the lower words. The expected result is the comparison of 64-bit numbers whose lower words compare that
// way.
bool extended_truth(IntegerCompare how, bool is_signed, uint32_t a, uint32_t b, bool low) {
  const bool with_equality =
      how == IntegerCompare::le || how == IntegerCompare::ge || how == IntegerCompare::eq;
  for (const uint32_t low_a : {0u, 1u, 2u}) {
    if (truth<uint32_t>(how, low_a, 1u) != low) continue;
    if (low_a == 1 && !with_equality && how != IntegerCompare::ne && low) continue;
    const uint64_t x = uint64_t{a} << 32 | low_a, y = uint64_t{b} << 32 | 1u;
    return is_signed ? truth(how, static_cast<int64_t>(x), static_cast<int64_t>(y)) : truth(how, x, y);
  }
  return how == IntegerCompare::always;
}

TEST(LaneInteger, Isetp) {
  check(LaneOp::isetp, [](const MicroOp& op, const LaneInput& in) {
    const auto how = static_cast<IntegerCompare>(op.mode);
    const bool is_signed = flag(op, kSigned);
    const bool result = flag(op, kCarryIn) ? extended_truth(how, is_signed, in.a, in.b, in.q)
                        : is_signed        ? truth(how, as_signed(in.a), as_signed(in.b))
                                           : truth(how, in.a, in.b);
    return LaneResult{{}, {}, {combined(op.combine, result, in.p), combined(op.combine, !result, in.p)}};
  });
}

TEST(LaneInteger, MinimumMaximumAbsolute) {
  check(LaneOp::iminmax, [](const MicroOp& op, const LaneInput& in) {
    const int64_t a = flag(op, kSigned) ? as_signed(in.a) : int64_t{in.a},
                  b = flag(op, kSigned) ? as_signed(in.b) : int64_t{in.b};
    return LaneResult{static_cast<uint32_t>(in.p ? std::min(a, b) : std::max(a, b)), {}, {}};
  });
  check(LaneOp::iabs, [](const MicroOp&, const LaneInput& in) {
    return LaneResult{static_cast<uint32_t>(std::abs(int64_t{as_signed(in.a)})), {}, {}};
  });
}

TEST(LaneInteger, Prmt) {
  check(LaneOp::prmt, [](const MicroOp& op, const LaneInput& in) {
    uint8_t bytes[8];
    for (int i = 0; i < 4; ++i)
      bytes[i] = static_cast<uint8_t>(in.a >> 8 * i), bytes[4 + i] = static_cast<uint8_t>(in.c >> 8 * i);
    // From the PTX manual, prmt: the bytes 3 2 1 0 for each mode and each value of the selector's low two
    // bits.
    static constexpr int kTable[6][4][4] = {{{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}},
                                            {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}},
                                            {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},
                                            {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}},
                                            {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}},
                                            {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}};
    uint32_t result = 0;
    for (int i = 0; i < 4; ++i) {
      uint8_t byte = 0;
      if (static_cast<ByteMode>(op.mode) == ByteMode::index) {
        const uint32_t nibble = in.b >> 4 * i & 15;
        byte = bytes[nibble & 7];
        if (nibble >= 8) byte = byte >= 0x80 ? 0xff : 0;
      } else {
        byte = bytes[kTable[op.mode - 1][in.b & 3][3 - i]];
      }
      result |= uint32_t{byte} << 8 * i;
    }
    return LaneResult{result, {}, {}};
  });
}

TEST(LaneInteger, BitCounting) {
  check(LaneOp::popc, [](const MicroOp&, const LaneInput& in) {
    uint32_t count = 0;
    for (int bit = 0; bit < 32; ++bit) count += in.a >> bit & 1u;
    return LaneResult{count, {}, {}};
  });
  check(LaneOp::flo, [](const MicroOp& op, const LaneInput& in) {
    const uint32_t x = flag(op, kSigned) && as_signed(in.a) < 0 ? ~in.a : in.a;
    uint32_t found = 0xffffffff;
    for (uint32_t bit = 0; bit < 32; ++bit)
      if ((x >> bit & 1u) != 0) found = flag(op, kHigh) ? 31 - bit : bit;
    return LaneResult{found, {}, {}};
  });
  check(LaneOp::brev, [](const MicroOp&, const LaneInput& in) {
    uint32_t result = 0;
    for (int bit = 0; bit < 32; ++bit) result |= (in.a >> bit & 1u) << (31 - bit);
    return LaneResult{result, {}, {}};
  });
}

TEST(LaneInteger, BitFields) {
  check(LaneOp::sgxt, [](const MicroOp& op, const LaneInput& in) {
    const uint32_t n = flag(op, kWrap) ? in.b % 32 : in.b;
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < 32; ++bit) {
      const uint32_t from = bit < n ? bit : n - 1;  // the field's top bit fills the rest
      const bool set = n > 0 && (bit < n || flag(op, kSigned)) && (in.a >> from & 1u) != 0;
      result |= static_cast<uint32_t>(set) << bit;
    }
    return LaneResult{result, {}, {}};
  });
  check(LaneOp::bmsk, [](const MicroOp& op, const LaneInput& in) {
    const uint64_t position = flag(op, kWrap) ? in.a % 32 : in.a, count = flag(op, kWrap) ? in.b % 32 : in.b;
    uint32_t result = 0;
    for (uint64_t bit = 0; bit < 32; ++bit)
      if (bit >= position && bit < position + count) result |= 1u << bit;
    return LaneResult{result, {}, {}};
  });
}

TEST(LaneInteger, PredicateLogic) {
  check(LaneOp::plop3, [](const MicroOp& op, const LaneInput& in) {
    const uint32_t index = (in.p ? 4u : 0u) + (in.q ? 2u : 0u) + (in.r ? 1u : 0u);
    return LaneResult{{}, {}, {(op.mode >> index & 1u) != 0, (op.immediate >> index & 1u) != 0}};
  });
}

TEST(LaneInteger, PredicatesToRegisterAndBack) {
  LaneRandom random(9);
  for (int i = 0; i < 2000; ++i) {
    const LaneState before = random.state();
    const uint32_t mask = random.mask();
    MicroOp op = random.operands();
    choose_variant(LaneOp::p2r, op, random);
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::p2r, op, mask);
    for (int l = 0; l < kWarpLanes; ++l) {
      if ((mask >> l & 1u) == 0) continue;
      uint32_t file = 0;
      for (uint32_t p = 0; p < 7; ++p) file |= (before.predicates[p] >> l & 1u) << p;
      const uint32_t select = source_of(before, op, 1, l) << op.mode;
      ASSERT_EQ(after.at(op.destination, l),
                (source_of(before, op, 0, l) & ~select) | (file << op.mode & select));
    }
    op = random.operands();
    choose_variant(LaneOp::r2p, op, random);
    after = before;
    after.execute(lane_ops(), LaneOp::r2p, op, mask);
    for (uint32_t p = 0; p < 7; ++p)
      for (int l = 0; l < kWarpLanes; ++l) {
        const bool written = (op.immediate >> p & 1u) != 0 && (mask >> l & 1u) != 0;
        const uint32_t wanted =
            written ? source_of(before, op, 0, l) >> (op.mode + p) & 1u : before.predicates[p] >> l & 1u;
        ASSERT_EQ(after.predicates[p] >> l & 1u, wanted);
      }
  }
}

// ---- between lanes

TEST(LaneInteger, Vote) {
  LaneRandom random(10);
  for (int i = 0; i < 2000; ++i) {
    const LaneState before = random.state();
    const uint32_t mask = random.mask();
    MicroOp op = random.operands();
    choose_variant(LaneOp::vote, op, random);
    op.predicate_out = {3, kTrashPredicate};
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::vote, op, mask);
    int yes = 0, lanes = 0;
    uint32_t ballot = 0;
    for (int l = 0; l < kWarpLanes; ++l) {
      if ((mask >> l & 1u) == 0) continue;
      ++lanes;
      if (predicate_of(before, op, 0, l)) ++yes, ballot |= 1u << l;
    }
    const bool result = op.mode == 0 ? yes == lanes : op.mode == 1 ? yes > 0 : yes == 0 || yes == lanes;
    for (int l = 0; l < kWarpLanes; ++l) {
      if ((mask >> l & 1u) == 0 && !flag(op, kWide)) continue;
      ASSERT_EQ(after.at(op.destination, l), ballot);
      ASSERT_EQ((after.predicates[3] >> l & 1u) != 0, result);
    }
  }
}

// This is the PTX manual's pseudocode of shfl. A source lane that is not active gives 0.
TEST(LaneInteger, Shfl) {
  LaneRandom random(12);
  for (int i = 0; i < 4000; ++i) {
    const LaneState before = random.state();
    const uint32_t mask = random.mask();
    MicroOp op = random.operands();
    choose_variant(LaneOp::shfl, op, random);
    op.predicate_out = {3, kTrashPredicate};
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::shfl, op, mask);
    for (int l = 0; l < kWarpLanes; ++l) {
      if ((mask >> l & 1u) == 0) continue;
      const int b = static_cast<int>(source_of(before, op, 1, l) & 31);
      const uint32_t c = source_of(before, op, 2, l);
      const int segment = static_cast<int>(c >> 8 & 31), clamp = static_cast<int>(c & 31);
      const int most = (l & segment) | (clamp & ~segment), least = l & segment;
      int from = 0;
      bool in_range = false;
      if (op.mode == 0) from = least | (b & ~segment), in_range = from <= most;
      if (op.mode == 1) from = l - b, in_range = from >= most;
      if (op.mode == 2) from = l + b, in_range = from <= most;
      if (op.mode == 3) from = l ^ b, in_range = from <= most;
      if (!in_range) from = l;
      const uint32_t wanted = (mask >> from & 1u) != 0 ? source_of(before, op, 0, from) : 0;
      ASSERT_EQ(after.at(op.destination, l), wanted) << "mode " << int{op.mode} << " lane " << l;
      ASSERT_EQ((after.predicates[3] >> l & 1u) != 0, in_range) << "mode " << int{op.mode} << " lane " << l;
    }
  }
}

TEST(LaneInteger, ReadFirstLane) {
  LaneRandom random(13);
  for (int i = 0; i < 500; ++i) {
    const LaneState before = random.state();
    const uint32_t mask = random.mask();
    const MicroOp op = random.operands();
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::read_first_lane, op, mask);
    for (int l = 0; l < kWarpLanes; ++l)
      ASSERT_EQ(after.at(op.destination, l), source_of(before, op, 0, std::countr_zero(mask)));
  }
}

}  // namespace
}  // namespace gemmscope::machine
