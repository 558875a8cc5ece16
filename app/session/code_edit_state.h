// The state of the machine code's changes: the pass over the main loop and edits by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "experiment/results.h"

namespace gemmscope::session {

struct ViewState;

struct CodeEditState {
  bool open = false;  // the strip with the edits' buttons, also where nothing is changed
  // C of changed code beside C of the compiler's; of the code that `compiled` in it points at.
  std::shared_ptr<const experiment::BitsCompared> bits;
  std::string refused;              // why the last change was not made, a sentence; until the next one
  std::optional<uint32_t> selects;  // the instruction to select once the edited code is there
  bool pins = false;                // the original is pinned once the scheduled code is there
};

// The instruction that edits change: the selected one, else the cursor's. Nothing while code is on its way.
std::optional<uint32_t> edited_instruction(const ViewState& state);
// The shown code is that of the experiment.
bool code_is_settled(const ViewState& state);

}  // namespace gemmscope::session
