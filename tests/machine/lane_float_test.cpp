// Checks 32-bit floating point: IEEE in four rounding modes, the hardware's single NaN, .FTZ, .FMZ and .SAT.
#include <cmath>
#include <limits>

#include "lane_bench.h"
#include "rounding_reference.h"

namespace gemmscope::machine {
namespace {

constexpr uint32_t kCanonicalNan = 0x7fffffff;

float as_float(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t as_bits(float value) { return std::bit_cast<uint32_t>(value); }
bool is_denormal(uint32_t bits) { return (bits & 0x7f800000) == 0 && (bits & 0x7fffffff) != 0; }
uint32_t flushed(uint32_t bits) { return is_denormal(bits) ? bits & 0x80000000 : bits; }

uint32_t finished(float value, uint8_t flags) {
  if (std::isnan(value)) return (flags & kSaturate) != 0 ? 0 : kCanonicalNan;
  uint32_t bits = as_bits(value);
  if ((flags & kFlushDenormals) != 0) bits = flushed(bits);
  if ((flags & kSaturate) != 0) bits = as_float(bits) <= 0 ? 0 : as_bits(std::min(as_float(bits), 1.0f));
  return bits;
}
float input(uint32_t bits, uint8_t flags) {
  return as_float((flags & kFlushDenormals) != 0 ? flushed(bits) : bits);
}

// Returns operands whose sums and products land near ties, cancel, overflow and underflow.
uint32_t hard_float(LaneRandom& random, uint32_t other) {
  switch (random.below(8)) {
    case 0:
      return other ^ 0x80000000;
    case 1:
      return (other ^ 0x80000000) + random.below(5) - 2;
    case 2:
      return random.pick({0u, 0x80000000u, 1u, 0x80000001u, 0x7f7fffffu, 0xff7fffffu, 0x7f800000u,
                          0xff800000u, 0x7fc00000u});
    case 3:
      return (random.word() & 0x807fffff) | random.below(40) << 23;  // tiny
    case 4:
      return (random.word() & 0x807fffff) | (210 + random.below(45)) << 23;  // huge
    case 5:
      return (random.word() & 0x80700000) | (120 + random.below(16)) << 23;  // few bits: ties
    case 6:
      return (random.word() & 0x807fffff) | (100 + random.below(50)) << 23;
    default:
      return random.word();
  }
}

using Reference = uint32_t (*)(const MicroOp&, uint32_t a, uint32_t b, uint32_t c);

void check(LaneOp lane_op, Reference reference) {
  for (const LaneOps* table : usable_lane_ops()) {
    LaneRandom random(21);
    for (int i = 0; i < 6000; ++i) {
      MicroOp op;
      op.destination = kTestDestination;
      op.source = {0, 1, 2, kTestZero};
      choose_variant(lane_op, op, random);
      LaneState state;
      for (size_t l = 0; l < kWarpLanes; ++l) {
        uint32_t* const rows = state.rows.data() + l;
        rows[0] = hard_float(random, random.word());
        rows[kWarpLanes] = hard_float(random, rows[0]);
        // The addend is often the product's negative, or close to it.
        rows[2 * kWarpLanes] = hard_float(random, as_bits(as_float(rows[0]) * as_float(rows[kWarpLanes])));
      }
      state.execute(*table, lane_op, op, kAllLanes);
      for (int l = 0; l < kWarpLanes; ++l) {
        const uint32_t a = state.at(0, l), b = state.at(1, l), c = state.at(2, l);
        ASSERT_EQ(state.at(kTestDestination, l), reference(op, a, b, c))
            << table->name << " " << name_of(lane_op) << std::hex << " a " << a << " b " << b << " c " << c
            << " mode " << int{op.mode} << " flags " << int{op.flags} << " immediate " << op.immediate;
      }
    }
  }
}

// .FMZ: zero times anything is +0.
bool zero_wins(const MicroOp& op, uint32_t a, uint32_t b) {
  return (op.flags & kZeroWins) != 0 && (input(a, op.flags) == 0 || input(b, op.flags) == 0);
}

TEST(LaneFloat, Ffma) {
  check(LaneOp::ffma, [](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c) {
    if (zero_wins(op, a, b))
      return finished(rounded_add(0.0f, input(c, op.flags), static_cast<Rounding>(op.mode)), op.flags);
    return finished(rounded_multiply_add(input(a, op.flags), input(b, op.flags), input(c, op.flags),
                                         static_cast<Rounding>(op.mode)),
                    op.flags);
  });
}
TEST(LaneFloat, Fadd) {
  check(LaneOp::fadd, [](const MicroOp& op, uint32_t a, uint32_t b, uint32_t) {
    return finished(rounded_add(input(a, op.flags), input(b, op.flags), static_cast<Rounding>(op.mode)),
                    op.flags);
  });
}
TEST(LaneFloat, Fmul) {
  check(LaneOp::fmul, [](const MicroOp& op, uint32_t a, uint32_t b, uint32_t) {
    const float scale = op.immediate == 0 ? 1.0f : as_float(op.immediate);
    if (zero_wins(op, a, b)) return 0u;
    return finished(
        rounded_multiply(input(a, op.flags) * scale, input(b, op.flags), static_cast<Rounding>(op.mode)),
        op.flags);
  });
}

TEST(LaneFloat, MinimumAndMaximum) {
  LaneRandom random(22);
  for (int i = 0; i < 4000; ++i) {
    MicroOp op = random.operands();
    choose_variant(LaneOp::fminmax, op, random);
    const LaneState before = random.state();
    LaneState after = before;
    after.execute(lane_ops(), LaneOp::fminmax, op, kAllLanes);
    for (int l = 0; l < kWarpLanes; ++l) {
      uint32_t a = as_bits(input(source_of(before, op, 0, l), op.flags)),
               b = as_bits(input(source_of(before, op, 1, l), op.flags));
      const uint32_t sign = (a ^ b) & 0x80000000;
      const bool xor_sign = (op.flags & kWide) != 0, minimum = predicate_of(before, op, 0, l);
      if (xor_sign) a &= 0x7fffffff, b &= 0x7fffffff;
      const bool a_nan = std::isnan(as_float(a)), b_nan = std::isnan(as_float(b));
      uint32_t wanted = 0;
      if ((a_nan && b_nan) || ((a_nan || b_nan) && (op.flags & kHigh) != 0)) {
        wanted = kCanonicalNan;
      } else if (a_nan || b_nan) {
        wanted = a_nan ? b : a;
      } else {
        // Bits read as sign and magnitude order the floats, −0 below +0.
        const auto order = [](uint32_t x) {
          return (x >> 31) != 0 ? -static_cast<int64_t>(x & 0x7fffffff) - 1 : static_cast<int64_t>(x);
        };
        wanted = (order(a) < order(b)) == minimum ? a : b;
      }
      if (xor_sign && wanted != kCanonicalNan) wanted = (wanted & 0x7fffffff) | sign;
      ASSERT_EQ(after.at(op.destination, l), wanted)
          << std::hex << a << " " << b << " flags " << int{op.flags};
    }
  }
}

// The codes are F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T.
bool float_truth(uint32_t code, float a, float b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (code == 0 || code == 15) return code == 15;
  if (code == 7 || code == 8) return unordered == (code == 8);
  if (unordered) return code > 8;
  const bool table[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b};
  return table[code % 8];
}

TEST(LaneFloat, Comparisons) {
  LaneRandom random(23);
  for (const LaneOp lane_op : {LaneOp::fsetp, LaneOp::fset})
    for (int i = 0; i < 4000; ++i) {
      MicroOp op = random.operands();
      choose_variant(lane_op, op, random);
      op.predicate_out = {2, 5};
      const LaneState before = random.state();
      LaneState after = before;
      after.execute(lane_ops(), lane_op, op, kAllLanes);
      for (int l = 0; l < kWarpLanes; ++l) {
        const float a = input(source_of(before, op, 0, l), op.flags),
                    b = input(source_of(before, op, 1, l), op.flags);
        const bool result = float_truth(op.mode, a, b), q = predicate_of(before, op, 0, l);
        const auto combined = [&](bool x) {
          return op.combine == 0 ? x && q : op.combine == 1 ? x || q : x != q;
        };
        if (lane_op == LaneOp::fset) {
          ASSERT_EQ(after.at(op.destination, l), combined(result) ? 0x3f800000u : 0u);
        } else {
          ASSERT_EQ((after.predicates[2] >> l & 1u) != 0, combined(result))
              << a << " " << b << " code " << int{op.mode};
          ASSERT_EQ((after.predicates[5] >> l & 1u) != 0, combined(!result))
              << a << " " << b << " code " << int{op.mode};
        }
      }
    }
}

// MUFU's results are near the functions that they approximate; mufu_test checks the bits. The error of SIN
// and COS comes from truncating their argument to 2^-25 of a full circle; TANH's bound is from the PTX ISA.
TEST(LaneFloat, TranscendentalFunctions) {
  struct Function {
    MufuFunction function;
    long double (*exact)(long double);
    double error = 0x1p-22;  // absolute, or relative beyond 1
  };
  const Function functions[] = {
      {MufuFunction::rcp, [](long double x) { return 1 / x; }},
      {MufuFunction::rsq, [](long double x) { return 1 / std::sqrt(x); }},
      {MufuFunction::sqrt, [](long double x) { return std::sqrt(x); }},
      {MufuFunction::ex2, [](long double x) { return std::exp2(x); }},
      {MufuFunction::lg2, [](long double x) { return std::log2(x); }},
      {MufuFunction::sin, [](long double x) { return std::sin(x * 6.283185307179586476925L); }, 0x1p-21},
      {MufuFunction::cos, [](long double x) { return std::cos(x * 6.283185307179586476925L); }, 0x1p-21},
      {MufuFunction::tanh, [](long double x) { return std::tanh(x); }, 0x1p-11}};
  LaneRandom random(24);
  for (const Function& f : functions)
    for (int i = 0; i < 200; ++i) {
      MicroOp op;
      op.destination = kTestDestination;
      op.source[0] = 0;
      op.mode = static_cast<uint8_t>(f.function);
      LaneState state;
      for (size_t l = 0; l < kWarpLanes; ++l)
        state.rows[l] = as_bits(0.001f + 8.0f * static_cast<float>(random.below(1 << 20)) / (1 << 20));
      state.execute(lane_ops(), LaneOp::mufu, op, kAllLanes);
      for (int l = 0; l < kWarpLanes; ++l) {
        const long double exact = f.exact(as_float(state.at(0, l))),
                          got = as_float(state.at(kTestDestination, l));
        ASSERT_NEAR(static_cast<double>(got), static_cast<double>(exact),
                    static_cast<double>(std::max(1.0L, std::abs(exact))) * f.error);
      }
    }
}
TEST(LaneFloat, TranscendentalFunctionsAtTheEdges) {
  struct Case {
    MufuFunction function;
    uint32_t in, out;
  };
  const uint32_t kInf = 0x7f800000, kMinusInf = 0xff800000;
  for (const Case& c : {Case{MufuFunction::rcp, 0, kInf},
                        {MufuFunction::rcp, 0x80000000, kMinusInf},
                        {MufuFunction::rcp, kInf, 0},
                        {MufuFunction::rcp, 1, kInf},
                        {MufuFunction::rcp, 0x7f000000, 0},
                        {MufuFunction::rsq, 0xbf800000, kCanonicalNan},
                        {MufuFunction::rsq, 0x80000000, kMinusInf},
                        {MufuFunction::sqrt, 0xbf800000, kCanonicalNan},
                        {MufuFunction::ex2, kMinusInf, 0},
                        {MufuFunction::ex2, kInf, kInf},
                        {MufuFunction::lg2, 0, kMinusInf},
                        {MufuFunction::lg2, 0xbf800000, kCanonicalNan},
                        {MufuFunction::sin, kInf, kCanonicalNan},
                        {MufuFunction::rcp, 0x7fc00001, kCanonicalNan},
                        {MufuFunction::tanh, kInf, 0x3f800000},
                        {MufuFunction::rcp64h, 0x3ff00000, 0x3ff00000},
                        {MufuFunction::rsq64h, 0x40100000, 0x3fe00000}}) {
    MicroOp op;
    op.destination = kTestDestination;
    op.source[0] = 0;
    op.mode = static_cast<uint8_t>(c.function);
    LaneState state;
    state.rows.fill(c.in);
    state.execute(lane_ops(), LaneOp::mufu, op, kAllLanes);
    EXPECT_EQ(state.at(kTestDestination, 17), c.out)
        << static_cast<int>(c.function) << std::hex << " of " << c.in;
  }
}

}  // namespace
}  // namespace gemmscope::machine
