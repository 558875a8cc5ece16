// The picture of the instruction mix: what the warp instructions of one pass of the main loop, of the warp
// and of the grid are for, each a bar from nothing to all of them.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "drawing/palette.h"
#include "metrics/instruction_mix.h"
#include "scenes/cursor.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// Warp instructions by kind, and how many of them are FFMA.
struct CountedMix {
  metrics::InstructionMix mix{};
  uint64_t ffma = 0;
};
// One pass of the warp's main loop: the cursor's, or one in the middle where the cursor's is the first or the
// last, which have more around them. All zeros without such a loop.
CountedMix mix_of_loop(const experiment::BlockResult& block, int warp, size_t record);
CountedMix mix_of_warp(const experiment::BlockResult& block, int warp);
CountedMix mix_of(const metrics::CounterSummary& summary);

drawing::Role kind_role(metrics::InstructionKind kind);

struct MixPart {
  drawing::Rect rect;
  metrics::InstructionKind kind = metrics::InstructionKind::other;
  uint64_t count = 0;
  std::string text;  // "38 %"; empty where it has no room
};
struct MixBar {
  drawing::Rect name_rect, text_rect;
  std::string name, text;  // "one pass of the loop", "27 instructions, 6.8 for each FFMA"
  std::vector<MixPart> parts;
};
struct MixKey {
  drawing::Rect rect, name_rect;
  metrics::InstructionKind kind = metrics::InstructionKind::other;
};
struct MixScene {
  std::vector<MixBar> bars;
  std::vector<MixKey> keys;  // what the colours mean; only of kinds that there are
};
// `grid` is null until it has been executed; then the block stands in its place.
MixScene layout_mix(const experiment::BlockResult& block, const metrics::CounterSummary* grid, Cursor cursor,
                    drawing::Rect area, const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
