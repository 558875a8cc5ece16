// What a class predicts, and whether it was right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/figure_values.h"
#include "scenes/key_numbers.h"

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
  bool percent =
      false;  // typed as "84 %", which is right for 0.84 and, where the answer is in percent, for 84
  size_t choice = 0;
  std::vector<size_t> order;
  bool on_point = false;  // the cursor was at the instruction asked for
  friend bool operator==(const Guess&, const Guess&) = default;
};
bool is_right(const Question& question, const Guess& guess, const Truth& truth);

// The number to watch that a question for a point names: "excess_wavefronts". Nothing: there is none.
std::optional<scenes::KeyNumber> key_number(std::string_view name);
// The names that it knows: those of what an instruction contributes to.
std::vector<std::string> key_number_names();
// Whether a question for a point may name it: a number to watch, or "opcode.STG".
bool is_point(std::string_view name);
// "FFMA" of "@P0 FFMA.FTZ R1, R2, R3, R4 ;".
std::string_view instruction_name(std::string_view text);
// The instruction that such a question asks for, in the code of `block`: that which contributes most; of an
// opcode, that which is executed most. Nothing where none does.
std::optional<uint32_t> point_of(const Question& question, const experiment::BlockResult& block);
// Whether the instruction contributes nearly as much; a little less will do in the same source line.
bool is_on_point(const Question& question, const experiment::BlockResult& block, uint32_t instruction);

// A number as people type it: "1,024", "84 %" or "84%" (0.84), "6.3k", "4M". Nothing: it is none.
std::optional<double> parse_number(std::string_view text);

// Guesses for a number as a lecturer types those of a class: "16 32x4 84 %", divided by spaces or semicolons;
// "32x4" are four of them. Empty: something in it is no number.
struct CountedNumber {
  double number = 0;
  bool percent = false;
  int count = 1;
};
std::vector<CountedNumber> parse_numbers(std::string_view text);

}  // namespace gemmscope::lessons
