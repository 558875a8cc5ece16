// Instructions by what they are for.
#pragma once

#include <array>
#include <cstdint>

#include "isa/instruction.h"

namespace gemmscope::metrics {

// Coarser than Nsight Compute's statistics by instruction type, after which the kinds are named: its types of
// FP16, FP32, FP64 and matrix instructions are one kind here, and a conversion or a move is `other`.
enum class InstructionKind : uint8_t {
  floating_point,  // FFMA, FADD, MUFU, HMMA …
  integer,         // integers, logic, comparisons of them, predicates, and so all addresses and loop counters
  load_store,      // of any memory, with atomics, matrices (LDSM) and constants (LDC)
  control,         // branches, calls, EXIT, and where lanes join again
  barrier,         // BAR, and what waits for memory or copies: DEPBAR, MEMBAR
  other,           // moves, special registers, shuffles, conversions, NOP
};
inline constexpr int kInstructionKinds = 6;
using InstructionMix = std::array<uint64_t, kInstructionKinds>;  // warp instructions by kind

struct InstructionKindName {
  const char *key, *name;  // of JSON and lessons; on the screen
};
inline constexpr std::array<InstructionKindName, kInstructionKinds> kInstructionKindNames = {
    {{"floating_point", "Floating point"},
     {"integer", "Integer, address"},
     {"load_store", "Load, store"},
     {"control", "Control"},
     {"barrier", "Barrier"},
     {"other", "Other"}}};

InstructionKind instruction_kind(isa::Opcode opcode);

uint64_t total(const InstructionMix& mix);
// The kind's part of all instructions, from 0 to 1; 0 where there are none.
double share(const InstructionMix& mix, InstructionKind kind);

}  // namespace gemmscope::metrics
