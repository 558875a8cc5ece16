// Instruction fetch: a cache for each sub-core, one for the SM, L2 behind it. Lines of 128 bytes, eight
// instructions; the line after the present one is fetched ahead.
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

// Cycles until the warp has the instruction; 0: it has it already.
uint64_t Simulator::fetch_cycles(SubCoreState& sub_core, WarpState& warp, uint32_t instruction, bool jumped) {
  const uint32_t line = instruction / kInstructionsPerLine;
  if (line == warp.fetched_line) return 0;
  warp.fetched_line = line;
  if (touch(sub_core.l0, line, config_.l0_kib)) return 0;
  if (!touch(state_.l1i, line, config_.l1i_kib)) return static_cast<uint64_t>(config_.l1i_miss_cycles);
  return static_cast<uint64_t>(jumped ? config_.l0_jump_cycles : config_.l0_miss_cycles);
}

}  // namespace gemmscope::sm
