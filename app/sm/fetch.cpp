// Instruction fetch: a cache for each sub-core, one for the SM, L2 behind it. Lines of 128 bytes, eight
// instructions. Lines in sequence are fetched ahead, one after the other; a jump waits.
#include <algorithm>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

constexpr uint32_t kInstructionsPerLine = 128 / isa::kInstructionBytes;

CodeLines make_cache(double kib, double ways) {
  CodeLines cache;
  const auto lines = static_cast<uint32_t>(std::max(1.0, kib * 1024 / 128));
  cache.ways = std::clamp<uint32_t>(static_cast<uint32_t>(ways), 1, lines);
  cache.sets = std::max<uint32_t>(1, lines / cache.ways);
  cache.lines.resize(size_t{cache.sets} * cache.ways, kNone);
  return cache;
}

// Moves the line to the most recent place of its set; the least recent one may have to leave. Returns whether
// the line was there.
bool touch(CodeLines& cache, uint32_t line) {
  const auto first = cache.lines.begin() + static_cast<std::ptrdiff_t>(line % cache.sets * cache.ways);
  const auto last = first + cache.ways;
  auto found = std::find(first, last, line);
  const bool hit = found != last;
  if (!hit) --found;
  std::rotate(first, found, found + 1);
  *first = line;
  return hit;
}

}  // namespace

// A launch finds the code where the one before has left it (cold.txt).
void Simulator::fill_instruction_caches() {
  const auto lines = static_cast<uint32_t>(launch_.code.size() / kInstructionsPerLine + 1);
  state_.l1i = make_cache(config_.l1i_kib, config_.code_ways);
  for (SubCoreState& sub_core : state_.sub_cores) sub_core.l0 = make_cache(config_.l0_kib, config_.code_ways);
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
