#include "metrics/dependency_distance.h"

#include <algorithm>
#include <array>
#include <limits>

#include "isa/register_use.h"

namespace gemmscope::metrics {
namespace {

constexpr size_t kRegisters = 256;
constexpr size_t kScoreboards = 6;
constexpr size_t kNone = std::numeric_limits<size_t>::max();

// What the registers of one instruction are to the chain of FFMAs.
struct FfmaUse {
  bool is_ffma = false;
  isa::RegisterUse use;
};
std::vector<FfmaUse> uses_of(const std::vector<isa::Instruction>& instructions) {
  std::vector<FfmaUse> uses;
  uses.reserve(instructions.size());
  for (const isa::Instruction& instruction : instructions)
    uses.push_back({instruction.opcode == isa::Opcode::ffma, isa::register_use(instruction)});
  return uses;
}

}  // namespace

std::vector<Dependency> ffma_dependencies(const TracedWarp& warp) {
  const std::vector<FfmaUse> uses = uses_of(warp.instructions);
  std::vector<Dependency> found;
  std::array<size_t, kRegisters> made;  // by register: the step of the FFMA whose result is there, unread
  made.fill(kNone);
  for (size_t step = 0; step < warp.records.size(); ++step) {
    const machine::TraceRecord& record = warp.trace.records[warp.records[step]];
    if (record.executed == 0) continue;
    const FfmaUse& at = uses[record.instruction];
    if (at.is_ffma)
      for (const isa::RegisterRead& read : at.use.reads)
        if (size_t& from = made[read.reg]; from != kNone) {
          found.push_back({from, step});
          from = kNone;
        }
    for (const isa::RegisterRange& written : at.use.writes)
      for (size_t word = 0; word < written.words && written.reg + word < kRegisters; ++word)
        made[written.reg + word] = at.is_ffma ? step : kNone;
  }
  return found;
}

// The loop runs backwards, so that each load finds the next wait.
std::vector<Dependency> load_waits(const TracedWarp& warp) {
  std::vector<Dependency> found;
  std::array<size_t, kScoreboards> next_wait;
  next_wait.fill(kNone);
  for (size_t step = warp.records.size(); step-- > 0;) {
    const machine::TraceRecord& record = warp.trace.records[warp.records[step]];
    const isa::Instruction& instruction = warp.instructions[record.instruction];
    const size_t scoreboard = instruction.control.write_scoreboard;
    if (instruction.opcode == isa::Opcode::ldg && record.executed != 0 && scoreboard < kScoreboards &&
        next_wait[scoreboard] != kNone)
      found.push_back({step, next_wait[scoreboard]});
    for (size_t s = 0; s < kScoreboards; ++s)
      if ((instruction.control.wait_mask >> s & 1u) != 0) next_wait[s] = step;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

void DistanceCounts::add(const std::vector<Dependency>& dependencies) {
  for (const Dependency& dependency : dependencies) {
    const size_t distance = dependency.distance();
    if (distance >= times_.size()) times_.resize(distance + 1);
    ++times_[distance];
  }
}

DistanceSummary DistanceCounts::summary() const {
  DistanceSummary result;
  double sum = 0;
  for (size_t distance = 0; distance < times_.size(); ++distance) {
    if (times_[distance] != 0 && result.count == 0) result.least = distance;
    result.count += times_[distance];
    sum += static_cast<double>(distance) * static_cast<double>(times_[distance]);
  }
  if (result.count == 0) return result;
  result.mean = sum / static_cast<double>(result.count);
  // The middle one, or the mean of the two in the middle.
  const auto at = [&](uint64_t rank) {
    size_t distance = 0;
    for (uint64_t before = times_[0]; before <= rank; before += times_[distance]) ++distance;
    return static_cast<double>(distance);
  };
  result.median = (at((result.count - 1) / 2) + at(result.count / 2)) / 2;
  return result;
}

}  // namespace gemmscope::metrics
