// The stack of experiments for undo and redo. The time cursor is not part of it.
#pragma once

#include <vector>

#include "experiment/experiment.h"

namespace gemmscope::experiment {

class History {
 public:
  explicit History(Experiment first) : states_{std::move(first)} {}
  const Experiment& current() const { return states_[position_]; }
  // Makes `next` the current one and forgets what was undone. Pushing the current experiment changes nothing.
  void push(Experiment next);
  // Replaces the current one and forgets what was undone, so that a continuous change, such as dragging a
  // slider, is one step.
  void replace(Experiment next);
  bool can_undo() const { return position_ > 0; }
  bool can_redo() const { return position_ + 1 < states_.size(); }
  const Experiment& undo();
  const Experiment& redo();

 private:
  std::vector<Experiment> states_;
  size_t position_ = 0;
};

}  // namespace gemmscope::experiment
