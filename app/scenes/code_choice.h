// What the user has chosen in the picture of the code. Commands and the view change it; the scene reads it.
#pragma once

#include <cstdint>
#include <optional>

#include "scenes/code_counts.h"

namespace gemmscope::scenes {

enum class Arrangement : uint8_t { automatic, stacked, side_by_side };

struct CodeChoice {
  CountScope scope = CountScope::automatic;
  CodeColumn rank_by = CodeColumn::excess_wavefronts;  // the column by which instructions are "worst"
  bool sorted = false;                                 // true: instructions by rank_by; false: in code order
  bool control_codes = false;
  Arrangement arrangement = Arrangement::automatic;
  float split = 0.5f;                // the source's share of the room
  std::optional<uint32_t> selected;  // an instruction
  int mark = -1;                     // the mark that was jumped to last
  uint32_t reveals = 0;              // counts jumps: a change makes the view scroll there
  int reveal_line = 0;               // the line to reveal for a mark without an instruction
};

}  // namespace gemmscope::scenes
