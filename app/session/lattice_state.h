// The state that the ablation lattice is drawn from (experiment/lattice.h).
#pragma once

#include <memory>
#include <string>

#include "experiment/lattice.h"

namespace gemmscope::session {

struct LatticeChoice {
  experiment::LatticeOrder order;
  int first_row = 0;  // the first shown row
  bool map = false;   // the heat map of pairs in place of the table
};

struct LatticeState {
  bool visible = false;  // shown in place of the code
  bool wide = false;     // shown over everything but the experiment
  LatticeChoice choice;
  // Of the chosen variant and no other; null until the first points are there.
  std::shared_ptr<const experiment::Lattice> lattice;
  std::string none;  // why there is no lattice, a sentence; else empty
  bool running = false;
  int rounds = 0;        // how often the user asked to go on
  uint64_t version = 0;  // changes with `lattice`
};

}  // namespace gemmscope::session
