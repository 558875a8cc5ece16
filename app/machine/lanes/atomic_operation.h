// The arithmetic of atomic operations: the new value of one element in memory.
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

// The size of one element. A vector of float32 or of half pairs is several elements, each atomic by itself.
uint32_t element_bytes(AtomicType type);

// Returns the new value. compare_swap stores `operand` if the old value equals `compare`. 128-bit types are
// not supported. Floats round to nearest even, and a NaN result is the canonical NaN, as everywhere on the
// GPU. f32_flush flushes denormals to zero before and after (PTX ISA, atom: what .f32 does in global memory).
uint64_t apply_atomic(AtomicKind kind, AtomicType type, uint64_t old, uint64_t operand, uint64_t compare);

}  // namespace gemmscope::machine
