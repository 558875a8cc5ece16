// Instruction fetch: a cache for each sub-core, one for the SM, L2 behind it. Lines of 128 bytes, eight
// instructions. Lines in sequence are fetched ahead, one after the other; a jump waits.
#include <algorithm>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

constexpr uint32_t kInstructionsPerLine = 128 / isa::kInstructionBytes;

CodeLines make_cache(double kib, uint32_t lines) {
  CodeLines cache;
  cache.most = static_cast<uint32_t>(std::max(1.0, kib * 1024 / 128));
  cache.lines.resize(lines + 1);
  cache.ends = lines;
  cache.lines[lines] = {lines, lines};
  return cache;
}

void take_out(CodeLines& cache, uint32_t line) {
  auto& [before, after] = cache.lines[line];
  cache.lines[before].after = after;
  cache.lines[after].before = before;
  before = after = kNone;
  --cache.count;
}

// Moves the line to the most recent place; the least recent one may have to leave. Returns whether the line
// was there.
bool touch(CodeLines& cache, uint32_t line) {
  const bool hit = cache.lines[line].before != kNone;
  if (hit)
    take_out(cache, line);
  else if (cache.count >= cache.most)
    take_out(cache, cache.lines[cache.ends].after);
  const uint32_t last = cache.lines[cache.ends].before;
  cache.lines[line] = {last, cache.ends};
  cache.lines[last].after = cache.lines[cache.ends].before = line;
  ++cache.count;
  return hit;
}

}  // namespace

// A launch finds the code where the one before has left it (cold.txt).
void Simulator::fill_instruction_caches() {
  const auto lines = static_cast<uint32_t>(launch_.code.size() / kInstructionsPerLine + 1);
  state_.l1i = make_cache(config_.l1i_kib, lines);
  for (SubCoreState& sub_core : state_.sub_cores) sub_core.l0 = make_cache(config_.l0_kib, lines);
  for (uint32_t line = 0; line < lines; ++line) {
    touch(state_.l1i, line);
    for (SubCoreState& sub_core : state_.sub_cores) touch(sub_core.l0, line);
  }
}

// Cycles until the warp has the instruction; 0: it has it already.
uint64_t Simulator::fetch_cycles(SubCoreState& sub_core, WarpState& warp, uint32_t instruction, bool jumped) {
  const uint32_t line = instruction / kInstructionsPerLine;
  if (line == warp.fetched_line) return 0;
  warp.fetched_line = line;
  if (touch(sub_core.l0, line)) return 0;
  const bool near = touch(state_.l1i, line);
  const double now = static_cast<double>(state_.now);
  const double interval = near ? config_.l0_line_interval : config_.l1i_line_interval;
  double arrived = std::max(now, sub_core.fetched_to + interval);
  if (jumped) arrived = std::max(arrived, now + config_.l0_jump_cycles);
  sub_core.fetched_to = arrived;
  return static_cast<uint64_t>(arrived - now);
}

}  // namespace gemmscope::sm
