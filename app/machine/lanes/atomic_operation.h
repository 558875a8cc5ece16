// What an atomic operation makes of the value in memory: pure arithmetic on one element.
#pragma once

#include <cstdint>

namespace gemmscope::machine {

enum class AtomicKind : uint8_t {
  add,
  minimum,
  maximum,
  increment,  // old >= operand ? 0 : old + 1
  decrement,  // old == 0 || old > operand ? operand : old - 1
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_swap,
};
enum class AtomicType : uint8_t { u32, s32, u64, s64, b128, f32, f32_flush, f64, f16_pair, bf16_pair };

// Of one element. A vector of float32 or of half pairs is several elements, each atomic by itself.
uint32_t element_bytes(AtomicType type);

// `operand` is what is stored if the value equals `compare`, for compare_swap. 128-bit types are not taken.
// Floats: round to nearest even; a NaN result is the canonical one, as everywhere on the GPU; f32_flush
// replaces denormals by zeroes before and after (PTX manual, atom: what .f32 does in global memory).
uint64_t apply_atomic(AtomicKind kind, AtomicType type, uint64_t old, uint64_t operand, uint64_t compare);

}  // namespace gemmscope::machine
