#include "experiment/tune_search.h"

#include <algorithm>

namespace gemmscope::experiment {
namespace {

// Pairs whose single changes together promise to be slower than this are left out.
constexpr double kLeastPromise = 1.1;

bool is_faster(double ms, double than) { return ms > 0 && (than == 0 || ms < than); }

}  // namespace

TuneSearch::TuneSearch(const TuneSpace& space, const std::vector<TunePlace>& also)
    : space_(space), queue_{space.start()} {
  queue_.insert(queue_.end(), also.begin(), also.end());
  if (space.combinations() > kMostListed) return;
  legal_.emplace();
  for (TunePlace& place : space.places())
    if (is_legal(place)) legal_->push_back(std::move(place));
}

bool TuneSearch::is_legal(const TunePlace& place) {
  const auto [known, added] = legality_.try_emplace(place, false);
  if (added) {
    const std::string why = space_.why_illegal(place);
    known->second = why.empty();
    if (!why.empty()) ++illegal_[why];
  }
  return known->second;
}

std::optional<size_t> TuneSearch::legal() const {
  return legal_ ? std::optional(legal_->size()) : std::nullopt;
}

std::optional<size_t> TuneSearch::legal_left() const {
  return legal_ ? std::optional(legal_->size() - priced_) : std::nullopt;
}

void TuneSearch::note(const TunePlace& place, double milliseconds) {
  if (is_faster(milliseconds, best_ms_)) best_ = place, best_ms_ = milliseconds;
  if (is_faster(milliseconds, best_of_all_ms_)) best_of_all_ = place, best_of_all_ms_ = milliseconds;
}

void TuneSearch::give(const TunePlace& place, double milliseconds) {
  const auto [known, added] = looked_at_.insert_or_assign(place, milliseconds);
  priced_ += added ? 1 : 0;
  note(place, milliseconds);
}

std::vector<TunePlace> TuneSearch::next(size_t most) {
  std::vector<TunePlace> batch;
  if (stage_ == Stage::pairs && is_faster(best_ms_, centre_ms_)) queue_.clear();
  while (batch.empty()) {
    while (!queue_.empty() && batch.size() < most) {
      TunePlace place = std::move(queue_.front());
      queue_.pop_front();
      if (const auto known = looked_at_.find(place); known != looked_at_.end()) {
        note(place, known->second);
      } else if (is_legal(place)) {
        looked_at_.emplace(place, 0);
        ++priced_;
        batch.push_back(std::move(place));
      }
    }
    if (batch.empty() && !advance()) break;
  }
  return batch;
}

void TuneSearch::take_all() {
  stage_ = Stage::all;
  queue_.assign(legal_->begin(), legal_->end());
}

// Fills the queue after all of it was looked at. False: nothing is left.
bool TuneSearch::advance() {
  if (stage_ == Stage::all) return false;
  if (is_faster(best_ms_, centre_ms_)) {
    centre_ = best_;
    centre_ms_ = best_ms_;
    queue_singles();
    return true;
  }
  if (stage_ == Stage::singles) {
    queue_pairs();
    return true;
  }
  return restart();
}

void TuneSearch::queue_singles() {
  stage_ = Stage::singles;
  for (size_t axis = 0; axis < centre_.size(); ++axis)
    for (size_t value = 0; value < space_.axes[axis].values.size(); ++value) {
      TunePlace place = centre_;
      place[axis] = static_cast<uint8_t>(value);
      if (place != centre_) queue_.push_back(std::move(place));
    }
}

// A pair promises the product of what its single changes did. A single change without a time counts like no
// change, because the pair may make it legal.
void TuneSearch::queue_pairs() {
  stage_ = Stage::pairs;
  struct Change {
    size_t axis;
    uint8_t value;
    double ratio;
  };
  std::vector<Change> changes;
  for (size_t axis = 0; axis < centre_.size(); ++axis)
    for (size_t value = 0; value < space_.axes[axis].values.size(); ++value) {
      TunePlace single = centre_;
      single[axis] = static_cast<uint8_t>(value);
      if (single == centre_) continue;
      const auto known = looked_at_.find(single);
      const double ms = known == looked_at_.end() ? 0 : known->second;
      changes.push_back({axis, static_cast<uint8_t>(value), ms > 0 ? ms / centre_ms_ : 1});
    }
  std::vector<std::pair<double, TunePlace>> pairs;
  for (size_t a = 0; a < changes.size(); ++a)
    for (size_t b = a + 1; b < changes.size(); ++b) {
      const double promise = changes[a].ratio * changes[b].ratio;
      if (changes[a].axis == changes[b].axis || promise > kLeastPromise) continue;
      TunePlace place = centre_;
      place[changes[a].axis] = changes[a].value;
      place[changes[b].axis] = changes[b].value;
      pairs.emplace_back(promise, std::move(place));
    }
  std::ranges::sort(pairs);
  for (auto& [promise, place] : pairs) queue_.push_back(std::move(place));
}

TunePlace TuneSearch::anywhere() {
  TunePlace place;
  for (const TuneAxis& axis : space_.axes)
    place.push_back(static_cast<uint8_t>(random_() % axis.values.size()));
  return place;
}

// The best place with a quarter of its values drawn anew, three at least.
TunePlace TuneSearch::near_best() {
  TunePlace place = best_of_all_;
  for (size_t i = 0; i < std::max<size_t>(3, place.size() / 4); ++i) {
    const size_t axis = random_() % place.size();
    place[axis] = static_cast<uint8_t>(random_() % space_.axes[axis].values.size());
  }
  return place;
}

// A legal place with one value other than the start's, or with two.
std::optional<TunePlace> TuneSearch::near_start() {
  const TunePlace start = space_.start();
  std::vector<TunePlace> nearest;
  for (size_t axis = 0; axis < start.size(); ++axis)
    for (size_t value = 0; value < space_.axes[axis].values.size(); ++value) {
      nearest.push_back(start);
      nearest.back()[axis] = static_cast<uint8_t>(value);
    }
  const size_t singles = nearest.size();
  for (size_t a = 0; a < singles; ++a)
    for (size_t b = a + 1; b < singles; ++b) {
      TunePlace pair = nearest[a];
      for (size_t axis = 0; axis < start.size(); ++axis)
        if (nearest[b][axis] != start[axis]) pair[axis] = nearest[b][axis];
      nearest.push_back(std::move(pair));
    }
  for (TunePlace& place : nearest)
    if (looked_at_.count(place) == 0 && is_legal(place)) return std::move(place);
  return std::nullopt;
}

std::optional<TunePlace> TuneSearch::new_start() {
  if (legal_ && priced_ == legal_->size()) return std::nullopt;
  if (best_of_all_ms_ == 0)
    if (auto place = near_start()) return place;
  constexpr int kTries = 10'000;
  for (int i = 0; i < kTries; ++i) {
    TunePlace place = i % 2 == 0 && best_of_all_ms_ > 0 ? near_best() : anywhere();
    if (looked_at_.count(place) == 0 && is_legal(place)) return place;
  }
  if (legal_)
    for (const TunePlace& place : *legal_)
      if (looked_at_.count(place) == 0) return place;
  return std::nullopt;
}

bool TuneSearch::restart() {
  std::optional<TunePlace> start = new_start();
  if (!start) return false;
  ++restarts_;
  stage_ = Stage::start;
  centre_ms_ = best_ms_ = 0;
  queue_.push_back(*std::move(start));
  return true;
}

}  // namespace gemmscope::experiment
