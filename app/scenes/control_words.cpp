#include "scenes/control_words.h"

#include <fmt/format.h>

namespace gemmscope::scenes {
namespace {

constexpr int kScoreboards = 6;
constexpr uint8_t kNoScoreboard = 7;

char scoreboard_digit(uint8_t scoreboard) {
  return scoreboard == kNoScoreboard ? '-' : static_cast<char>('0' + scoreboard);
}

}  // namespace

std::string control_column(const isa::Control& control) {
  std::string waits;
  for (int k = 0; k < kScoreboards; ++k)
    waits += (control.wait_mask >> k & 1) != 0 ? static_cast<char>('0' + k) : '-';
  return fmt::format("B{} R{} W{} {} S{:02}", waits, scoreboard_digit(control.read_scoreboard),
                     scoreboard_digit(control.write_scoreboard), control.yield ? 'Y' : '-',
                     control.stall_cycles);
}

std::vector<std::string> control_sentences(const isa::Instruction& instruction) {
  const isa::Control& control = instruction.control;
  std::vector<std::string> sentences;
  if (control.wait_mask != 0) {
    std::string waits;
    for (int k = 0; k < kScoreboards; ++k)
      if ((control.wait_mask >> k & 1) != 0) waits += fmt::format("{}SB{}", waits.empty() ? "" : ", ", k);
    sentences.push_back(fmt::format("waits until {} is free", waits));
  }
  if (control.read_scoreboard != kNoScoreboard)
    sentences.push_back(
        fmt::format("holds scoreboard SB{} until its sources are read", control.read_scoreboard));
  if (control.write_scoreboard != kNoScoreboard)
    sentences.push_back(
        fmt::format("holds scoreboard SB{} until its result is written", control.write_scoreboard));
  if (control.yield) sentences.emplace_back("yield: another warp may go first");
  sentences.push_back(fmt::format("stall {}: its warp issues nothing for {} cycle{} after it",
                                  control.stall_cycles, control.stall_cycles,
                                  control.stall_cycles == 1 ? "" : "s"));
  if (control.reuse != 0)
    sentences.emplace_back("reuse: keeps a source register in the operand cache for the next instruction");
  return sentences;
}

}  // namespace gemmscope::scenes
