#include "sm/register_ports.h"

#include <algorithm>
#include <bit>

namespace gemmscope::sm {
namespace {

// Registers are read two cycles after issue.
constexpr uint64_t kIssueToRead = 2;
// An instruction that waits in the reading stage lets one more issue behind it.
constexpr uint64_t kIssuedBehind = 1;

void drop_past_cycles(RegisterState& registers, uint64_t first) {
  if (first <= registers.first_cycle) return;
  const uint64_t by = first - registers.first_cycle;
  for (uint64_t& busy : registers.busy) busy = by >= 64 ? 0 : busy >> by;
  registers.first_cycle = first;
}

using Reads = std::array<int, 2>;  // by bank

// The reads that the reuse cache does not serve.
Reads reads_of(RegisterState& registers, bool reuse_cache, const TimedInstruction& instruction,
               uint32_t warp) {
  Reads reads{};
  for (int k = 0; k < instruction.reads; ++k) {
    const RegisterRead& read = instruction.read[static_cast<size_t>(k)];
    const size_t bank = read.reg & 1;
    RegisterState::Kept& kept = registers.kept[read.slot][bank];
    if (!(reuse_cache && kept.warp == warp && kept.reg == read.reg)) ++reads[bank];
    kept = read.reuse ? RegisterState::Kept{warp, read.reg} : RegisterState::Kept{};
  }
  return reads;
}

// The bits of `cycles` cycles from `first` on.
uint64_t window(uint64_t first, int cycles) {
  return (cycles >= 64 ? ~uint64_t{0} : (uint64_t{1} << cycles) - 1) << first;
}

// The first delay after which each bank has enough free cycles within the window.
uint64_t first_fit(const RegisterState& registers, const Reads& reads, int window_cycles) {
  constexpr uint64_t kLongest = 40;
  for (uint64_t delay = 0; delay < kLongest; ++delay) {
    bool fits = true;
    for (size_t bank = 0; bank < 2 && fits; ++bank)
      fits = std::popcount(~registers.busy[bank] & window(delay, std::max(window_cycles, reads[bank]))) >=
             reads[bank];
    if (fits) return delay;
  }
  return kLongest;
}

void reserve(uint64_t& busy, int reads, uint64_t delay) {
  for (uint64_t cycle = delay; reads > 0 && cycle < 63; ++cycle) {
    if (((busy >> cycle) & 1) != 0) continue;
    busy |= uint64_t{1} << cycle;
    --reads;
  }
}

}  // namespace

uint64_t read_registers(RegisterState& registers, const SmConfig& config, const TimedInstruction& instruction,
                        uint32_t warp, uint64_t now) {
  const Reads reads = reads_of(registers, config.reuse_cache != 0, instruction, warp);
  const uint64_t earliest = std::max(now + kIssueToRead, registers.next);
  drop_past_cycles(registers, earliest);
  const uint64_t delay = first_fit(registers, reads, static_cast<int>(config.read_window_cycles));
  for (size_t bank = 0; bank < 2; ++bank) reserve(registers.busy[bank], reads[bank], delay);
  const uint64_t begin = earliest + delay;
  registers.next = begin + 1;
  return begin > now + kIssueToRead ? begin - kIssuedBehind : now + 1;
}

}  // namespace gemmscope::sm
