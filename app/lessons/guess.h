// What a class predicts, and whether it was right.
#pragma once

#include <cstdint>
#include <vector>

#include "lessons/figure_values.h"

namespace gemmscope::lessons {

// The answer to a question, from the figures of its page.
struct Truth {
  double number = 0;  // of a number
  Origin origin = Origin::exact;
  size_t choice = 0;          // of a choice
  std::vector<size_t> order;  // of an order: indices of the question's choices
};
// A question for a point has no truth here: the picture has it. Errors: those of the figures; a choice of
// which not exactly one is right; an order in which two are equal.
Result<Truth> truth_of(const Question& question, const FigureValues& values);

struct Guess {
  double number = 0;
  size_t choice = 0;
  std::vector<size_t> order;
  bool on_point = false;  // the cursor was at the instruction asked for
};
bool is_right(const Question& question, const Guess& guess, const Truth& truth);

// A number as people type it: "1,024", "84 %" or "84%" (0.84), "6.3k", "4M". Nothing: it is none.
std::optional<double> parse_number(std::string_view text);

}  // namespace gemmscope::lessons
