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

const Experiment& History::undo() {
  if (can_undo()) --position_;
  return current();
}
const Experiment& History::redo() {
  if (can_redo()) ++position_;
  return current();
}

}  // namespace gemmscope::experiment
