// The row file of a warp: every value that an instruction can read or write is one row of 32 lanes.
// Registers, uniform registers (32 equal lanes), special registers and the kernel's constants and immediates
// are all rows, so that one lane function serves every form of an instruction.
#pragma once

#include <cstdint>

namespace gemmscope::machine {

inline constexpr int kWarpLanes = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

using Row = uint16_t;  // index of a row

inline constexpr Row kZeroRow = 255;  // RZ and URZ: four rows, since a pair or quad of RZ reads zeroes too
inline constexpr Row kUniformRow = 260;
inline constexpr Row kTrashRow = 324;  // takes what is written to RZ: eight rows, kMostResultRows

// Special registers, filled when a block starts.
inline constexpr Row kTidX = 332, kTidY = 333, kTidZ = 334, kTidPacked = 335;
inline constexpr Row kCtaIdX = 336, kCtaIdY = 337, kCtaIdZ = 338, kLaneId = 339;
inline constexpr Row kVirtualId = 340;    // the warp's number starts at bit 8
inline constexpr Row kConstantRow = 341;  // constants and immediates of the program follow
inline constexpr Row kRegisterRows = 255;

// Predicates are lane masks: P0–P6 and PT, then UP0–UP6 and UPT (all lanes equal), then one that takes what
// is written to PT.
inline constexpr uint8_t kUniformPredicate = 8;
inline constexpr uint8_t kTrashPredicate = 16;
inline constexpr int kPredicateCount = 17;

}  // namespace gemmscope::machine
