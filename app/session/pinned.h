// The pinned experiment, A, beside which the live one, B, is shown.
#pragma once

#include <memory>
#include <string>

#include "scenes/paired_cursor.h"

namespace gemmscope::session {

struct ViewState;

// The code of both, aligned. Automatic: the source where it differs, else the machine code.
enum class DiffSide : uint8_t { automatic, source, sass };

struct CompareChoice {
  scenes::Pairing pairing = scenes::Pairing::access;  // what moves A's cursor along with B's
  bool map = false;                                   // both maps, in place of both pictures
  bool diff = true;                                   // the code as a diff; else B's alone, with its counts
  DiffSide side = DiffSide::automatic;
  bool all_lines = false;  // of the diff; else those around differences
};

struct PinnedState {
  // A's results and cursor, as the views read B's; null: nothing is pinned. The results are immutable: they
  // stay when the kernel, its file, the size or the architecture changes.
  std::shared_ptr<ViewState> side;
  CompareChoice choice;
  std::string note;  // what B's cursor shows and A does not have, a sentence
};

// Why the cursors cannot be paired by cycle, a sentence; empty: they can.
std::string why_no_cycles(const ViewState& state);
// The pairing as chosen or, where one side has no timeline, by access.
scenes::Pairing pairing_of(const ViewState& state);
// Some line of the source differs, or names a macro that does. compares() holds.
bool source_differs(const ViewState& state);
// The cycle of the pinned timeline that lies under the live one's cursor.
double pinned_cycle(const ViewState& state);

}  // namespace gemmscope::session
