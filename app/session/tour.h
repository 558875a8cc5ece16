// The tour: shows in less than a minute what the program is for. A list of commands with a sentence each,
// timed like "Show me"; it can be paused, gone on with at once, and ended.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gemmscope::session {

class CommandTable;

struct TourStep {
  const char* commands;  // ids, divided by spaces; they run one a frame, each after the results of the last
  const char* sentence;
  double seconds;  // to read it and to look, once the commands have run
};
std::span<const TourStep> tour_steps();
double tour_seconds();  // of all steps, without the time that their results take

struct TourState {
  bool running = false, paused = false;
  size_t step = 0;          // the one that is shown
  size_t command = 0;       // of the step, the next one to run
  double left_seconds = 0;  // of the step
};

void start_tour(TourState& tour);
void end_tour(TourState& tour);
void next_tour_step(TourState& tour);      // at once; behind the last one the tour ends
void previous_tour_step(TourState& tour);  // starts the step before

// Lets time pass and returns the id of the command that is due; empty: none. While `waiting` for results, or
// paused, no time passes.
std::string advance_tour(TourState& tour, double seconds, bool waiting);
// 0 at its start, 1 at its end.
float tour_progress(const TourState& tour);

}  // namespace gemmscope::session
