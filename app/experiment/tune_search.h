// In which order a search looks at the places of a space (tune_space.h). It computes no time: the caller
// prices the places that it names and gives the times back.
//
// It descends: from a place it looks at every single change, moves to the fastest and begins again; where no
// single change helps it tries pairs of changes, the most promising first. Where no pair helps either it
// starts anew, near the best place or anywhere. Where the first place is not legal, it begins at the nearest
// that is. The order depends on the space and the times alone, so a
// search that was interrupted takes the same way when its times are known.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "experiment/tune_space.h"

namespace gemmscope::experiment {

class TuneSearch {
 public:
  // Spaces of no more combinations are listed at the beginning, so that all of their legal places are known.
  static constexpr double kMostListed = 20'000;
  // `also`: places to look at first beside the space's start; the descent begins at the fastest of them.
  explicit TuneSearch(const TuneSpace& space, const std::vector<TunePlace>& also = {});

  // The next places to price, `most` at most and none twice. Give all their times before the next call.
  // Empty: there is nothing more to look at.
  std::vector<TunePlace> next(size_t most);
  // `milliseconds`: 0 where the place has no time. Also for places that are known from before.
  void give(const TunePlace& place, double milliseconds);
  // From now on takes all places of a listed space in order.
  void take_all();

  bool listed() const { return legal_.has_value(); }
  std::optional<size_t> legal_left() const;  // legal places that were not looked at; nothing: not listed
  std::optional<size_t> legal() const;       // legal places; nothing: not listed
  size_t restarts() const { return restarts_; }
  // Places that no launch allows, by the sentence of the rule; of a space that is not listed, those that the
  // search came upon.
  const std::map<std::string, size_t>& illegal() const { return illegal_; }

 private:
  enum class Stage { start, singles, pairs, all };
  void note(const TunePlace& place, double milliseconds);
  bool is_legal(const TunePlace& place);
  bool advance();
  void queue_singles();
  void queue_pairs();
  bool restart();
  std::optional<TunePlace> new_start();
  std::optional<TunePlace> near_start();
  TunePlace anywhere();
  TunePlace near_best();

  const TuneSpace& space_;
  std::optional<std::vector<TunePlace>> legal_;
  std::map<TunePlace, double> looked_at_;  // ms; 0: has none
  std::map<TunePlace, bool> legality_;
  std::map<std::string, size_t> illegal_;
  std::deque<TunePlace> queue_;
  Stage stage_ = Stage::start;
  TunePlace centre_, best_, best_of_all_;
  double centre_ms_ = 0, best_ms_ = 0, best_of_all_ms_ = 0;  // 0: there is none; best_: since the last move
  size_t priced_ = 0, restarts_ = 0;
  std::mt19937 random_{1};
};

}  // namespace gemmscope::experiment
