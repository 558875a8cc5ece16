// The modes, flags and immediates that each lane function accepts (see the comments in app/machine/lanes).
#include "lane_bench.h"

namespace gemmscope::machine {
namespace {

void flags(MicroOp& op, LaneRandom& random, std::initializer_list<uint8_t> bits) {
  for (const uint8_t bit : bits)
    if (random.coin()) op.flags |= bit;
}
void mode(MicroOp& op, LaneRandom& random, uint32_t count) {
  op.mode = static_cast<uint8_t>(random.below(count));
}
void comparison(MicroOp& op, LaneRandom& random, uint32_t modes) {
  mode(op, random, modes);
  op.combine = static_cast<uint8_t>(random.below(3));
}

void integer_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  switch (lane_op) {
    case LaneOp::iadd3:
      op.immediate = random.below(3);  // two of three sources at most are negated
      flags(op, random, {kCarryIn});
      break;
    case LaneOp::iadd3_plain:
    case LaneOp::iadd3_low:
    case LaneOp::iadd3_high:
      op.modifier = {};
      op.predicate_out[1] = kTrashPredicate;
      break;
    case LaneOp::iadd3_wide:
      mode(op, random, 8);
      op.modifier = {};
      break;
    case LaneOp::lea:
      op.immediate = random.below(32);
      mode(op, random, 8);
      if ((op.mode & 2) != 0) op.mode |= 1;
      op.modifier[0] = SourceModifier::none;
      flags(op, random, {kHigh, kSigned, kCarryIn});
      op.predicate_out[1] = kTrashPredicate;
      break;
    case LaneOp::lop3:
      op.mode =
          random.coin() ? static_cast<uint8_t>(random.below(256)) : random.pick<uint8_t>({0xc0, 0xfc, 0x3c});
      flags(op, random, {kWide});
      op.predicate_out[1] = kTrashPredicate;
      break;
    case LaneOp::shf:
      mode(op, random, 4);
      flags(op, random, {kRight, kWrap, kHigh});
      break;
    case LaneOp::imad:
      flags(op, random, {kCarryIn});
      break;
    case LaneOp::imad_wide:
    case LaneOp::imad_hi:
      mode(op, random, 3);
      op.modifier[2] = op.modifier[3] = SourceModifier::none;
      flags(op, random, {kSigned, kCarryIn});
      op.predicate_out[1] = kTrashPredicate;
      break;
    case LaneOp::isetp:
      comparison(op, random, 8);
      flags(op, random, {kSigned, kCarryIn});
      break;
    case LaneOp::iminmax:
      flags(op, random, {kSigned});
      break;
    case LaneOp::prmt:
      mode(op, random, 7);
      break;
    case LaneOp::flo:
      flags(op, random, {kSigned, kHigh});
      break;
    case LaneOp::sgxt:
      flags(op, random, {kSigned, kWrap});
      break;
    case LaneOp::bmsk:
      flags(op, random, {kWrap});
      break;
    case LaneOp::p2r:
      op.mode = random.pick<uint8_t>({0, 8, 16, 24});
      break;
    case LaneOp::r2p:
      op.mode = random.pick<uint8_t>({0, 8, 16, 24});
      op.immediate = random.below(128);
      break;
    case LaneOp::plop3:
      op.mode = static_cast<uint8_t>(random.below(256));
      op.immediate = random.below(256);
      break;
    default:
      break;
  }
}

void packed_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  switch (lane_op) {
    case LaneOp::vadd2:
      flags(op, random, {kRight});
      break;
    case LaneOp::vminmax:
      mode(op, random, 4);
      flags(op, random, {kSaturate, kRight});
      op.flags |= random.pick<uint8_t>({0, kWide, kHigh});
      if ((op.mode & 1) == 0) op.flags &= static_cast<uint8_t>(~kSaturate);
      break;
    case LaneOp::vabsdiff:
      flags(op, random, {kSigned});
      break;
    case LaneOp::vabsdiff4:
      flags(op, random, {kSigned, kWide});
      break;
    case LaneOp::idp4a:
    case LaneOp::idp2a:
      mode(op, random, 4);
      flags(op, random, {kHigh});
      break;
    case LaneOp::plop3_sign:
      op.mode = static_cast<uint8_t>(random.below(256));
      op.immediate = random.below(256);
      break;
    case LaneOp::match:
      flags(op, random, {kWide, kHigh});
      break;
    case LaneOp::redux:
      mode(op, random, 6);
      flags(op, random, {kSigned});
      break;
    default:
      break;
  }
}

void float_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  switch (lane_op) {
    case LaneOp::fmul:
      op.immediate = random.pick(
          {0u, 0u, 0u, 0x3e000000u, 0x3e800000u, 0x3f000000u, 0x40000000u, 0x40800000u, 0x41000000u});
      [[fallthrough]];
    case LaneOp::fadd:
    case LaneOp::ffma:
      if (random.coin()) mode(op, random, 4);
      if (random.coin()) flags(op, random, {kFlushDenormals, kSaturate});
      if (lane_op != LaneOp::fadd && (op.flags & kFlushDenormals) != 0) flags(op, random, {kZeroWins});
      break;
    case LaneOp::fminmax:
      flags(op, random, {kFlushDenormals, kHigh, kWide});
      break;
    case LaneOp::fsetp:
    case LaneOp::fset:
      comparison(op, random, 16);
      flags(op, random, {kFlushDenormals});
      break;
    default:
      break;
  }
}

uint32_t formats(FloatFormat source, FloatFormat target) {
  return static_cast<uint32_t>(source) << kConvertSourceBits | static_cast<uint32_t>(target)
                                                                   << kConvertTargetBits;
}
FloatFormat number_format(LaneRandom& random) {
  return random.pick({FloatFormat::f32, FloatFormat::f64, FloatFormat::f16, FloatFormat::bf16});
}
// The positions that a 16-bit source may have in its register.
void source_position(MicroOp& op, LaneRandom& random) {
  const auto source = static_cast<FloatFormat>(op.immediate >> kConvertSourceBits & 15);
  const bool half = source == FloatFormat::f16 || source == FloatFormat::bf16;
  op.combine = half ? random.pick<uint8_t>({0, 16}) : uint8_t{0};
}
void packing(MicroOp& op, LaneRandom& random) {
  using enum FloatFormat;
  struct Packing {
    FloatFormat source, target;
    uint32_t flags;
  };
  const Packing packings[] = {{f32, f16, kPackTwo},
                              {f32, bf16, kPackTwo},
                              {f32, f16, kPackMerge},
                              {f32, bf16, kPackMerge | kPackMergeHigh},
                              {f32, e4m3, kPackTwo | kPackMerge | kPackFinite},
                              {f32, e5m2, kPackTwo | kPackMerge | kPackFinite},
                              {e4m3, f16, kPackTwo | kPackFromPair},
                              {e5m2, f16, kPackTwo | kPackFromPair | kPackFromHigh},
                              {f16, e4m3, kPackTwo | kPackFromPair | kPackMerge | kPackFinite},
                              {f16, e5m2, kPackTwo | kPackFromPair | kPackMerge | kPackFinite},
                              {f32, tf32, 0}};
  const Packing& chosen = packings[random.below(static_cast<uint32_t>(std::size(packings)))];
  op.immediate = formats(chosen.source, chosen.target) | chosen.flags;
  if (random.coin()) op.immediate |= kPackRelu;
  if (random.coin()) op.mode = static_cast<uint8_t>(Rounding::zero);
}

void convert_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  switch (lane_op) {
    case LaneOp::mufu: {
      mode(op, random, 10);
      const auto format = random.pick({FloatFormat::f32, FloatFormat::f16, FloatFormat::bf16});
      op.immediate = formats(format, FloatFormat::f32);
      source_position(op, random);
      break;
    }
    case LaneOp::f2f:
      op.immediate = formats(number_format(random), number_format(random));
      source_position(op, random);
      mode(op, random, 4);
      flags(op, random, {kFlushDenormals});
      break;
    case LaneOp::frnd:
      op.immediate = formats(number_format(random), FloatFormat::f32);
      source_position(op, random);
      mode(op, random, 4);
      flags(op, random, {kFlushDenormals});
      break;
    case LaneOp::i2f:
      op.immediate = random.pick({8u, 16u, 32u, 64u});
      op.combine = op.immediate == 8    ? random.pick<uint8_t>({0, 8, 16, 24})
                   : op.immediate == 16 ? random.pick<uint8_t>({0, 16})
                                        : uint8_t{0};
      op.immediate |= formats(FloatFormat::f32, number_format(random));
      mode(op, random, 4);
      flags(op, random, {kSigned});
      break;
    case LaneOp::f2i:
      op.immediate = random.pick({8u, 16u, 32u, 64u}) | formats(number_format(random), FloatFormat::f32);
      source_position(op, random);
      mode(op, random, 4);
      flags(op, random, {kSigned, kFlushDenormals});
      break;
    case LaneOp::i2i:
      op.immediate = random.pick({8u, 16u});
      flags(op, random, {kSigned});
      break;
    case LaneOp::f2fp:
      packing(op, random);
      break;
    default:
      break;
  }
}

void matrix_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  if (lane_op == LaneOp::hmma) {
    mode(op, random, 3);
    const bool tf32 = static_cast<HalfType>(op.mode) == HalfType::tf32;
    op.immediate = tf32 ? random.pick({4u, 8u}) : random.pick({8u, 16u});
    flags(op, random, {kWide});
    if (static_cast<HalfType>(op.mode) != HalfType::f16) op.flags |= kWide;
  }
  if (lane_op == LaneOp::imma) {
    flags(op, random, {kWide, kSigned, kRight, kWrap, kSaturate});
    op.immediate = (op.flags & kWrap) != 0 ? random.pick({32u, 64u}) : random.pick({16u, 32u});
  }
  if (lane_op == LaneOp::dmma) {
    op.immediate = random.pick({4u, 8u, 16u});
    flags(op, random, {kWide});
  }
}

void double_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  switch (lane_op) {
    case LaneOp::dadd:
    case LaneOp::dmul:
    case LaneOp::dfma:
      if (random.coin()) mode(op, random, 4);
      break;
    case LaneOp::dsetp:
      comparison(op, random, 16);
      break;
    default:
      break;
  }
}

void half_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  const bool half = lane_op == LaneOp::hfma2 || lane_op == LaneOp::hadd2_f32 || lane_op == LaneOp::hminmax2 ||
                    lane_op == LaneOp::hset2 || lane_op == LaneOp::hsetp2;
  if (!half) return;
  op.immediate = random.below(1u << 12);
  if (random.coin()) op.immediate |= kHalfBrain;
  flags(op, random, {kFlushDenormals});
  if (lane_op == LaneOp::hfma2) {
    if (random.coin()) op.immediate |= kHalfRelu;
    flags(op, random, {kSaturate, kZeroWins});
  }
  if (lane_op == LaneOp::hadd2_f32) flags(op, random, {kSaturate});
  if (lane_op == LaneOp::hminmax2) flags(op, random, {kHigh, kWide});
  if (lane_op == LaneOp::hset2 || lane_op == LaneOp::hsetp2) {
    comparison(op, random, 16);
    flags(op, random, {kWide});
  }
}

}  // namespace

void choose_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  integer_variant(lane_op, op, random);
  packed_variant(lane_op, op, random);
  float_variant(lane_op, op, random);
  matrix_variant(lane_op, op, random);
  double_variant(lane_op, op, random);
  convert_variant(lane_op, op, random);
  half_variant(lane_op, op, random);
  if (lane_op == LaneOp::vote) {
    mode(op, random, 3);
    flags(op, random, {kWide});
  }
  if (lane_op == LaneOp::shfl) mode(op, random, 4);
}

}  // namespace gemmscope::machine
