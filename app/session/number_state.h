// The numbers to watch, now and before the last change (scenes/key_numbers.h).
#pragma once

#include <memory>
#include <optional>

#include "experiment/results.h"
#include "scenes/key_numbers.h"

namespace gemmscope::session {

struct ViewState;

struct NumberState {
  std::optional<scenes::KeyNumbers> now;     // nothing before the first block
  std::optional<scenes::KeyNumbers> before;  // nothing after the first one, or when they were forgotten

  // ---- what `now` was made of
  std::shared_ptr<const experiment::BlockResult> block;
  std::shared_ptr<const experiment::GridResult> grid;
};

// Notes new results, also those of the pinned experiment: a block of another experiment, or of other machine
// code, makes `now` the state before.
void note_numbers(ViewState& state);
// What the numbers are compared with: those of the pinned experiment, else those before the last change; null
// where there is neither.
const scenes::KeyNumbers* numbers_before(const ViewState& state);

// The id of the command that goes to the instruction which contributes most.
const char* number_command(scenes::KeyNumber number);

}  // namespace gemmscope::session
