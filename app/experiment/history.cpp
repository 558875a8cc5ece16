#include "experiment/history.h"

namespace gemmscope::experiment {

namespace {
constexpr size_t kMostStates = 1000;
}

void History::push(Experiment next) {
  if (next == current()) return;
  states_.resize(position_ + 1);
  states_.push_back(std::move(next));
  if (states_.size() > kMostStates) states_.erase(states_.begin());
  position_ = states_.size() - 1;
}

void History::replace(Experiment next) {
  states_.resize(position_ + 1);
  states_[position_] = std::move(next);
}

// A drag may end where it began, so steps that change nothing are skipped.
const Experiment& History::undo() {
  const size_t before = position_;
  while (can_undo() && states_[position_] == states_[before]) --position_;
  return current();
}
const Experiment& History::redo() {
  const size_t before = position_;
  while (can_redo() && states_[position_] == states_[before]) ++position_;
  return current();
}

}  // namespace gemmscope::experiment
