// Checks 64-bit floating point against the CPU's, in four rounding modes, with the hardware's NaNs.
#include <cmath>

#include "lane_bench.h"
#include "rounding_reference.h"

namespace gemmscope::machine {
namespace {

constexpr uint64_t kSign = 1ull << 63, kInfinity = 0x7ffull << 52, kQuiet = 1ull << 51;

double as_double(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t as_bits(double value) { return std::bit_cast<uint64_t>(value); }
bool is_nan(uint64_t bits) { return (bits & ~kSign) > kInfinity; }

uint64_t word64(LaneRandom& random) { return uint64_t{random.word()} << 32 | random.word(); }
uint64_t with_exponent(LaneRandom& random, uint32_t first, uint32_t count, uint64_t mantissa = ~0ull) {
  return (word64(random) & (kSign | (mantissa & ((1ull << 52) - 1)))) |
         static_cast<uint64_t>(first + random.below(count)) << 52;
}
// Returns operands whose sums and products land near ties, cancel, overflow and underflow.
uint64_t hard_double(LaneRandom& random, uint64_t other) {
  switch (random.below(8)) {
    case 0:
      return other ^ kSign;
    case 1:
      return (other ^ kSign) + random.below(5) - 2;
    case 2:
      return random.pick<uint64_t>({0, kSign, 1, kSign | 1, kInfinity - 1, kSign | (kInfinity - 1), kInfinity,
                                    kSign | kInfinity, kInfinity | kQuiet | 5, kInfinity | 9});
    case 3:
      return with_exponent(random, 0, 60);
    case 4:
      return with_exponent(random, 1960, 87);
    case 5:
      return with_exponent(random, 1010, 30, 7ull << 49);  // few bits: ties
    case 6:
      return with_exponent(random, 960, 120);
    default:
      return word64(random);
  }
}

struct Operands {
  uint64_t a, b, c;
};
// Returns the quieted NaN of b, else of c, else of a, or the NaN that invalid operations give.
uint64_t finished(double result, const Operands& x, bool uses_c, bool uses_b) {
  if (!std::isnan(result)) return as_bits(result);
  if (uses_b && is_nan(x.b)) return x.b | kQuiet;
  if (uses_c && is_nan(x.c)) return x.c | kQuiet;
  if (is_nan(x.a)) return x.a | kQuiet;
  return kSign | kInfinity | kQuiet;
}

void put(LaneState& state, Row row, size_t lane, uint64_t bits) {
  state.rows[size_t{row} * kWarpLanes + lane] = static_cast<uint32_t>(bits);
  state.rows[size_t{row + 1u} * kWarpLanes + lane] = static_cast<uint32_t>(bits >> 32);
}
uint64_t pair_at(const LaneState& state, Row row, int lane) {
  return uint64_t{state.at(static_cast<Row>(row + 1), lane)} << 32 | state.at(row, lane);
}
uint64_t with_sign(uint64_t bits, SourceModifier modifier) {
  switch (modifier) {
    case SourceModifier::float_negate:
      return bits ^ kSign;
    case SourceModifier::float_absolute:
      return bits & ~kSign;
    case SourceModifier::float_negative_absolute:
      return bits | kSign;
    default:
      return bits;
  }
}
// Arithmetic propagates a NaN without the operand's modifiers.
uint64_t operand(uint64_t bits, SourceModifier modifier) {
  return is_nan(bits) ? bits : with_sign(bits, modifier);
}
SourceModifier sign_modifier(LaneRandom& random) {
  return random.pick({SourceModifier::none, SourceModifier::none, SourceModifier::float_negate,
                      SourceModifier::float_absolute, SourceModifier::float_negative_absolute});
}

using Reference = uint64_t (*)(const Operands&, Rounding);

void check(LaneOp lane_op, Reference reference) {
  for (const LaneOps* table : usable_lane_ops()) {
    LaneRandom random(41);
    for (int i = 0; i < 4000; ++i) {
      MicroOp op;
      op.destination = kTestDestination;
      op.source = {0, 2, 4, kTestZero};
      for (size_t k = 0; k < 3; ++k) op.modifier[k] = sign_modifier(random);
      op.mode = static_cast<uint8_t>(random.below(4));
      LaneState state;
      std::array<Operands, kWarpLanes> operands{};
      for (size_t l = 0; l < kWarpLanes; ++l) {
        Operands& x = operands[l];
        x.a = hard_double(random, word64(random));
        x.b = hard_double(random, x.a);
        x.c = hard_double(random, as_bits(as_double(x.a) * as_double(x.b)));
        put(state, 0, l, x.a);
        put(state, 2, l, x.b);
        put(state, 4, l, x.c);
        x = {operand(x.a, op.modifier[0]), operand(x.b, op.modifier[1]), operand(x.c, op.modifier[2])};
      }
      state.execute(*table, lane_op, op, kAllLanes);
      for (int l = 0; l < kWarpLanes; ++l) {
        const Operands& x = operands[static_cast<size_t>(l)];
        ASSERT_EQ(pair_at(state, kTestDestination, l), reference(x, static_cast<Rounding>(op.mode)))
            << table->name << " " << name_of(lane_op) << std::hex << " a " << x.a << " b " << x.b << " c "
            << x.c << " mode " << int{op.mode};
      }
    }
  }
}

TEST(LaneDouble, Dadd) {
  check(LaneOp::dadd, [](const Operands& x, Rounding mode) {
    return finished(rounded_add(as_double(x.a), as_double(x.b), mode), x, false, true);
  });
}
TEST(LaneDouble, Dmul) {
  check(LaneOp::dmul, [](const Operands& x, Rounding mode) {
    return finished(rounded_multiply(as_double(x.a), as_double(x.b), mode), x, false, true);
  });
}
TEST(LaneDouble, Dfma) {
  check(LaneOp::dfma, [](const Operands& x, Rounding mode) {
    return finished(rounded_multiply_add(as_double(x.a), as_double(x.b), as_double(x.c), mode), x, true,
                    true);
  });
}

bool truth(uint32_t code, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (code == 7 || code == 8) return unordered == (code == 8);
  if (unordered) return code > 8;
  const bool table[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b};
  return table[code % 8];
}

TEST(LaneDouble, Comparisons) {
  LaneRandom random(42);
  for (int i = 0; i < 6000; ++i) {
    MicroOp op = random.operands();
    op.source = {0, 2, kTestZero, kTestZero};
    op.modifier[0] = sign_modifier(random);
    op.modifier[1] = sign_modifier(random);
    choose_variant(LaneOp::dsetp, op, random);
    op.predicate_out = {2, 5};
    LaneState before = random.state();
    for (size_t l = 0; l < kWarpLanes; ++l) {
      const uint64_t a = hard_double(random, word64(random));
      put(before, 0, l, a);
      put(before, 2, l, random.coin() ? a ^ (random.coin() ? kSign : 0) : hard_double(random, a));
    }
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::dsetp, op, kAllLanes);
    for (int l = 0; l < kWarpLanes; ++l) {
      const double a = as_double(with_sign(pair_at(before, 0, l), op.modifier[0])),
                   b = as_double(with_sign(pair_at(before, 2, l), op.modifier[1]));
      const bool q = predicate_of(before, op, 0, l), minimum = op.mode == 0,
                 selects = minimum || op.mode == 15;
      // −0 is less than +0, and a number wins against a NaN.
      const bool less = a < b || (a == b && std::signbit(a) && !std::signbit(b)),
                 greater = a > b || (a == b && !std::signbit(a) && std::signbit(b));
      const bool tie = !less && !greater && !std::isnan(a) && !std::isnan(b);
      const bool takes_a = std::isnan(b) ? !std::isnan(a) : minimum ? less : greater;
      const bool first = selects ? takes_a : truth(op.mode, a, b),
                 second = selects ? std::isnan(a) && std::isnan(b) : !first;
      const auto combined = [&](bool x) {
        return op.combine == 0 ? x && q : op.combine == 1 ? x || q : x != q;
      };
      if (!(selects && tie)) {  // either may be taken
        ASSERT_EQ((after.predicates[2] >> l & 1u) != 0, combined(first))
            << a << " " << b << " " << int{op.mode};
      }
      ASSERT_EQ((after.predicates[5] >> l & 1u) != 0, combined(second))
          << a << " " << b << " " << int{op.mode};
    }
  }
}

}  // namespace
}  // namespace gemmscope::machine
