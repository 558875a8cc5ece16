#include "session/tour.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace gemmscope::session {
namespace {

// The sentences name no number: the pictures show them.
constexpr TourStep kSteps[] = {
    {"kernel.01_naive_rows time.to_start",
     "One GPU multiplies two matrices. Left and above lie A and B, between them the block's part of C.", 5},
    {"time.next_k_tile",
     "The machine code that runs is executed here, lane by lane: the bright cells are what a warp reads now.",
     6},
    {"time.next_uncoalesced",
     "Each lane asks for an address. This load scatters them, so it fetches many sectors for few bytes.", 5},
    {"kernel.03_shared_tile time.next_shared",
     "The next steps of the ladder keep tiles in shared memory, and the counters above fall.", 5},
    {"kernel.07_register_tile numbers.flops",
     "Beside the picture stands the code: each line of the source with the instructions it became.", 5},
    {"start.bank_conflict",
     "Now one effect alone. A column of this tile lies in a single bank of shared memory.", 5},
    {"numbers.excess",
     "All lanes of this load wait for the same bank, one after the other: a bank conflict, marked red.", 6},
    {"toggles.next toggles.next",
     "The rows of the tile are as long as there are banks. What if a row had one float more?", 5},
    {"toggles.next_value",
     "Every lane now meets a bank of its own, and the conflict is gone. Try the toggles yourself.", 7},
};

}  // namespace

std::span<const TourStep> tour_steps() { return kSteps; }

double tour_seconds() {
  return std::accumulate(std::begin(kSteps), std::end(kSteps), 0.0,
                         [](double sum, const TourStep& step) { return sum + step.seconds; });
}

namespace {

void begin_step(TourState& tour, size_t step) {
  tour.step = step;
  tour.command = 0;
  tour.left_seconds = kSteps[step].seconds;
}

// The nth of the words divided by spaces; empty behind the last.
std::string_view word_of(std::string_view words, size_t n) {
  for (; n > 0 && !words.empty(); --n) {
    const size_t space = words.find(' ');
    words = space == std::string_view::npos ? "" : words.substr(space + 1);
  }
  return words.substr(0, words.find(' '));
}

}  // namespace

void start_tour(TourState& tour) {
  tour = {};
  tour.running = true;
  begin_step(tour, 0);
}

void end_tour(TourState& tour) { tour = {}; }

void next_tour_step(TourState& tour) {
  if (!tour.running) return;
  if (tour.step + 1 == std::size(kSteps)) return end_tour(tour);
  begin_step(tour, tour.step + 1);
}

void previous_tour_step(TourState& tour) {
  if (tour.running) begin_step(tour, tour.step > 0 ? tour.step - 1 : 0);
}

std::string advance_tour(TourState& tour, double seconds, bool waiting) {
  if (!tour.running || tour.paused || waiting) return "";
  if (const std::string_view id = word_of(kSteps[tour.step].commands, tour.command); !id.empty()) {
    ++tour.command;
    return std::string(id);
  }
  // A slow frame must not skip what there is to see.
  tour.left_seconds -= std::min(seconds, 0.25);
  if (tour.left_seconds <= 0) next_tour_step(tour);
  return "";
}

float tour_progress(const TourState& tour) {
  if (!tour.running) return 0;
  double gone = kSteps[tour.step].seconds - tour.left_seconds;
  for (size_t i = 0; i < tour.step; ++i) gone += kSteps[i].seconds;
  return static_cast<float>(std::clamp(gone / tour_seconds(), 0.0, 1.0));
}

}  // namespace gemmscope::session
