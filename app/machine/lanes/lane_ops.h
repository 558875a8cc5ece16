// The arithmetic of the machine: one function per operation, compiled three times (baseline x86-64, AVX2 with
// FMA, AVX-512) from one source, lane_ops.inc and the files that it includes. All give the same bits.
#pragma once

#include <cstddef>
#include <span>

#include "machine/lanes/matrix_mode.h"
#include "machine/state/lane_memory.h"
#include "machine/state/micro_op.h"

namespace gemmscope::machine {

// X-macros that list every operation once, by the file in lanes/ that defines it. The comment above each
// function there says what it computes.
// clang-format off
#define GEMMSCOPE_COMMON_LANE_OPS(X) X(nothing) X(mov) X(sel)
#define GEMMSCOPE_INTEGER_ADD_LANE_OPS(X) X(iadd3) X(iadd3_plain) X(iadd3_low) X(iadd3_high) X(iadd3_wide)
#define GEMMSCOPE_INTEGER_LANE_OPS(X)                                                                      \
  X(lea) X(lop3) X(shf) X(imad) X(imad_wide) X(imad_hi) X(isetp) X(iminmax) X(iabs) X(prmt)       \
  X(popc) X(flo) X(brev) X(sgxt) X(bmsk)
#define GEMMSCOPE_PREDICATE_LANE_OPS(X) X(p2r) X(r2p) X(plop3) X(cs2r)
#define GEMMSCOPE_FLOAT_LANE_OPS(X) X(fadd) X(fmul) X(ffma) X(fminmax) X(fsetp) X(fset) X(fchk)
#define GEMMSCOPE_DOUBLE_LANE_OPS(X) X(dadd) X(dmul) X(dfma) X(dsetp)
#define GEMMSCOPE_MUFU_LANE_OPS(X) X(mufu)
#define GEMMSCOPE_CONVERT_LANE_OPS(X) X(f2f) X(frnd) X(i2f) X(f2i) X(i2i) X(f2fp)
#define GEMMSCOPE_HALF_LANE_OPS(X) X(hfma2) X(hadd2_f32) X(hminmax2) X(hset2) X(hsetp2)
#define GEMMSCOPE_WARP_LANE_OPS(X) X(vote) X(shfl) X(read_first_lane)
#define GEMMSCOPE_MATRIX_LANE_OPS(X) X(hmma) X(imma) X(dmma) X(movm)
#define GEMMSCOPE_INTEGER_PACKED_LANE_OPS(X)                                                               \
  X(vadd2) X(vminmax) X(vabsdiff) X(vabsdiff4) X(idp4a) X(idp2a) X(plop3_sign)
#define GEMMSCOPE_WARP_REDUCE_LANE_OPS(X) X(match) X(redux) X(elect)
#define GEMMSCOPE_LANE_OPS(X)                                                                              \
  GEMMSCOPE_COMMON_LANE_OPS(X) GEMMSCOPE_INTEGER_ADD_LANE_OPS(X) GEMMSCOPE_INTEGER_LANE_OPS(X)             \
  GEMMSCOPE_PREDICATE_LANE_OPS(X)                                                                          \
  GEMMSCOPE_FLOAT_LANE_OPS(X) GEMMSCOPE_DOUBLE_LANE_OPS(X) GEMMSCOPE_MUFU_LANE_OPS(X)                      \
  GEMMSCOPE_CONVERT_LANE_OPS(X) GEMMSCOPE_HALF_LANE_OPS(X) GEMMSCOPE_WARP_LANE_OPS(X)                      \
  GEMMSCOPE_MATRIX_LANE_OPS(X) GEMMSCOPE_INTEGER_PACKED_LANE_OPS(X) GEMMSCOPE_WARP_REDUCE_LANE_OPS(X)
// clang-format on

enum class LaneOp : uint16_t {
#define X(name) name,
  GEMMSCOPE_LANE_OPS(X)
#undef X
      count
};

struct LaneOps {
  LaneFunction functions[static_cast<size_t>(LaneOp::count)];
  const char* name;  // "AVX-512", "AVX2 and FMA", "baseline x86-64"
  LaneMemory memory;
  LaneFunction operator[](LaneOp op) const { return functions[static_cast<size_t>(op)]; }
};

const LaneOps& baseline_lane_ops();
const LaneOps& avx2_lane_ops();    // AVX2 and FMA
const LaneOps& avx512_lane_ops();  // AVX-512 F, BW, DQ and VL
// The variants that this CPU can execute, the fastest last.
std::span<const LaneOps* const> usable_lane_ops();
// The fastest variant. In the environment, GEMMSCOPE_BASELINE=1 forces the baseline, and
// GEMMSCOPE_BASELINE=avx2 forces AVX2 where the CPU has it.
const LaneOps& lane_ops();

// Encodings of MicroOp::mode.
enum class IntegerCompare : uint8_t { never, lt, eq, le, gt, ne, ge, always };
enum class Combine : uint8_t { logic_and, logic_or, logic_xor };
enum class ShiftType : uint8_t { s64, u64, s32, u32 };
enum class Rounding : uint8_t { nearest, down, up, zero };
enum class ByteMode : uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class VoteMode : uint8_t { all, any, equal };
enum class ShuffleMode : uint8_t { index, up, down, butterfly };
enum class ReduceMode : uint8_t { bit_and, bit_or, bit_xor, sum, minimum, maximum };
// How a lane arrives at a barrier object: with or without the register of SYNCS.ARRIVE, which is a number of
// bytes or of arrivals.
enum class ArriveKind : uint8_t { once, many, once_and_expect_bytes, expect_bytes, copied_bytes };
enum class BarrierReduction : uint8_t { none, count, all_true, any_true };
// A half-pair operation has 4 bits of MicroOp::immediate for each source: which halves it gives, and their
// sign.
enum class HalfPick : uint8_t { both, low_twice, high_twice, float32 };
inline constexpr uint32_t kHalfNegate = 4, kHalfAbsolute = 8, kHalfBits = 4;
inline constexpr uint32_t kHalfBrain = 1 << 12, kHalfRelu = 1 << 13;  // bfloat16; negative results become 0
inline constexpr uint8_t kZeroWins = kWrap;                           // ".FMZ": zero times anything is +0
enum class FloatFormat : uint8_t { f32, f64, f16, bf16, e4m3, e5m2, tf32 };
// MicroOp::immediate of a conversion: bits 0–7 hold the size of the integer in bits; then come 4 bits for
// each FloatFormat and the flags of F2FP's packing.
inline constexpr int kConvertSourceBits = 8, kConvertTargetBits = 12;
inline constexpr uint32_t kPackTwo = 1 << 16, kPackMerge = 1 << 17, kPackMergeHigh = 1 << 18,
                          kPackFromPair = 1 << 19, kPackFromHigh = 1 << 20, kPackRelu = 1 << 21,
                          kPackFinite = 1 << 22;
enum class MufuFunction : uint8_t { cos, sin, ex2, lg2, rcp, rsq, rcp64h, rsq64h, sqrt, tanh };

}  // namespace gemmscope::machine
