// What is said of changed machine code above its rows: that it is not the compiler's, what the change did to
// the ports and to the modelled time, whether C has the same bits, or what is broken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/palette.h"
#include "experiment/results.h"

namespace gemmscope::scenes {

struct ChangedFact {
  std::string text;
  drawing::Role role = drawing::Role::text;
  std::string hint;  // for the mouse; may be empty
};
struct ChangedCodeScene {
  std::string name;  // "scheduled machine code with 2 edits by hand"; empty: the compiler's code
  bool broken = false;
  std::vector<ChangedFact> facts;  // the most important first
};

struct ChangedCodeInput {
  const experiment::CompiledKernel* compiled = nullptr;
  const experiment::BitsCompared* bits = nullptr;           // of that code, or null
  std::optional<double> modelled_before_ms, modelled_ms{};  // of the compiler's code and of this one
};
ChangedCodeScene changed_code_scene(const ChangedCodeInput& input);

}  // namespace gemmscope::scenes
