// The device board: variants of the experiment modelled on two devices, of which the first can be changed.
#pragma once

#include <string>
#include <vector>

#include "experiment/board.h"
#include "experiment/live_model.h"
#include "scenes/board_scene.h"

namespace gemmscope::session {

struct BoardChoice {
  std::string device;  // id of the device whose knobs turn; empty: by the architecture
  std::string other;   // id of the device beside it; empty: the first one as it is
  experiment::KnobFactors factors = experiment::unchanged_knobs();
  bool lesson = false;  // the preset of the tile that wins on one device and loses on another
  friend bool operator==(const BoardChoice&, const BoardChoice&) = default;
};

// The variants on one device, in the order in which they are modelled.
struct BoardSide {
  bool known = false;
  experiment::BoardDevice device;  // changed by the factors
  std::vector<experiment::ModelledVariant> variants;
  size_t fresh = 0;  // the first so many are of `device`; the others still of an earlier one
  bool busy = false;
};

struct BoardState {
  bool wide = false;  // shown over everything but the experiment
  BoardChoice choice;
  experiment::BoardDevice first;  // as its file has it
  BoardSide left, right;          // the device with the knobs, and the other
  scenes::BoardTexts texts;       // what was published, beside what is modelled
};

// Sets the preset: two devices, a naive and a tiled kernel.
BoardChoice lesson_choice();

}  // namespace gemmscope::session
