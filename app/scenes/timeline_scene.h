// The strip under the scrubber shows which kinds of instructions are issued when.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "drawing/palette.h"
#include "scenes/cursor.h"

namespace gemmscope::scenes {

enum class WorkKind : unsigned char { math, shared, global, other, wait };
inline constexpr int kWorkKinds = 5;
const char* work_kind_name(WorkKind kind);
drawing::Role work_kind_role(WorkKind kind);
WorkKind work_kind(const isa::Instruction& instruction);

// counts[bucket * kWorkKinds + kind]: instructions of that kind in that part of the steps of the warp (or of
// all warps).
struct Timeline {
  int buckets = 0;
  std::vector<uint32_t> counts;
  std::vector<float> k_tile_starts;  // as fractions of the steps, for tick marks
};
Timeline make_timeline(const experiment::BlockResult& block, int warp, int buckets);

}  // namespace gemmscope::scenes
