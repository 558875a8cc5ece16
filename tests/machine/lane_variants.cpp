// Which modes, flags and immediates each lane function knows (the comments in app/machine/lanes).
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
      break;
    case LaneOp::fminmax:
      flags(op, random, {kFlushDenormals, kHigh, kWide});
      break;
    case LaneOp::fsetp:
    case LaneOp::fset:
      comparison(op, random, 16);
      flags(op, random, {kFlushDenormals});
      break;
    case LaneOp::mufu:
      mode(op, random, 10);
      break;
    case LaneOp::i2f:
      op.immediate = random.pick({8u, 16u, 32u, 64u});
      op.combine = op.immediate == 8    ? random.pick<uint8_t>({0, 8, 16, 24})
                   : op.immediate == 16 ? random.pick<uint8_t>({0, 16})
                                        : uint8_t{0};
      mode(op, random, 4);
      flags(op, random, {kSigned});
      break;
    case LaneOp::f2i:
      op.immediate = random.pick({8u, 16u, 32u, 64u});
      mode(op, random, 4);
      flags(op, random, {kSigned, kFlushDenormals});
      break;
    case LaneOp::hfma2:
      op.immediate = random.below(1u << 12);
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

}  // namespace

void choose_variant(LaneOp lane_op, MicroOp& op, LaneRandom& random) {
  integer_variant(lane_op, op, random);
  float_variant(lane_op, op, random);
  matrix_variant(lane_op, op, random);
  if (lane_op == LaneOp::vote) {
    mode(op, random, 3);
    flags(op, random, {kWide});
  }
  if (lane_op == LaneOp::shfl) mode(op, random, 4);
}

}  // namespace gemmscope::machine
