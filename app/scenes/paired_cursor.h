// The cursor of one experiment in another one's trace, so that two pictures show the same place.
#pragma once

#include <optional>

#include "scenes/access_anchor.h"
#include "scenes/pipeline_place.h"

namespace gemmscope::scenes {

enum class Pairing : uint8_t {
  access,  // the same access (scenes/access_anchor.h)
  pass,    // the same work in the same pass of the main loop
  cycle,   // the same cycle of both modelled timelines
};
inline constexpr int kPairings = 3;

struct PairingInput {
  const experiment::BlockResult *from = nullptr, *to = nullptr;  // with records
  Cursor cursor;                                                 // in `from`
  int followed = kAllWarps;
  // Only for Pairing::cycle. Without a timeline on both sides the access is paired.
  const PipelinePlaces* to_places = nullptr;
  double to_cycle = 0;
};
Anchored paired_cursor(Pairing pairing, const PairingInput& input);

// Where only the machine code was changed after the compiler, the same instruction of the compiler's code,
// wherever it stands in `to`, and in it the same execution by the warp; else nothing. Both have records.
std::optional<Anchored> same_instruction(const experiment::BlockResult& from,
                                         const experiment::BlockResult& to, Cursor cursor, int followed);

// How many cycles later `pinned` starts when its first block, or the pass that is shown at `cycle`, begins
// where that of the model's `block` does.
double timeline_shift(const experiment::ModelResult& model, uint32_t block, double cycle,
                      const experiment::ModelResult& pinned, bool at_pass);

}  // namespace gemmscope::scenes
