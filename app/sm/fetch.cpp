// Instruction fetch: a cache for each sub-core, one for the SM, L2 behind it. Lines of 128 bytes, eight
// instructions. Lines in sequence are fetched ahead, one after the other; a jump waits.
#include <algorithm>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

constexpr uint32_t kInstructionsPerLine = 128 / isa::kInstructionBytes;

// Moves the line to the most recent place. Returns whether it was there.
bool touch(std::vector<uint32_t>& lines, uint32_t line, double kib) {
  const auto found = std::ranges::find(lines, line);
  const bool hit = found != lines.end();
  if (hit) {
    std::rotate(found, found + 1, lines.end());
  } else {
    if (lines.size() >= std::max<size_t>(1, static_cast<size_t>(kib * 1024 / 128)))
      lines.erase(lines.begin());
    lines.push_back(line);
  }
  return hit;
}

}  // namespace

// A launch finds the code where the one before has left it (cold.txt).
void Simulator::fill_instruction_caches() {
  const auto lines = static_cast<uint32_t>(launch_.code.size() / kInstructionsPerLine + 1);
  for (uint32_t line = 0; line < lines; ++line) {
    touch(state_.l1i, line, config_.l1i_kib);
    for (SubCoreState& sub_core : state_.sub_cores) touch(sub_core.l0, line, config_.l0_kib);
  }
}

// Cycles until the warp has the instruction; 0: it has it already.
uint64_t Simulator::fetch_cycles(SubCoreState& sub_core, WarpState& warp, uint32_t instruction, bool jumped) {
  const uint32_t line = instruction / kInstructionsPerLine;
  if (line == warp.fetched_line) return 0;
  warp.fetched_line = line;
  if (touch(sub_core.l0, line, config_.l0_kib)) return 0;
  const bool near = touch(state_.l1i, line, config_.l1i_kib);
  const double now = static_cast<double>(state_.now);
  const double interval = near ? config_.l0_line_interval : config_.l1i_line_interval;
  double arrived = std::max(now, sub_core.fetched_to + interval);
  if (jumped) arrived = std::max(arrived, now + config_.l0_jump_cycles);
  sub_core.fetched_to = arrived;
  return static_cast<uint64_t>(arrived - now);
}

}  // namespace gemmscope::sm
