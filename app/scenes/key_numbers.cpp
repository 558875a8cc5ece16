#include "scenes/key_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/register_use.h"
#include "metrics/ncu_metrics.h"
#include "metrics/occupancy.h"
#include "scenes/occupancy_scene.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using experiment::CompiledKernel;
using metrics::InstructionTraffic;
using metrics::Traffic;

template <size_t N>
Traffic sum_of(const InstructionTraffic& traffic, const std::array<Traffic InstructionTraffic::*, N>& kinds) {
  Traffic sum;
  for (const auto kind : kinds) sum.add(traffic.*kind);
  return sum;
}

std::optional<metrics::Occupancy> occupancy_of(const CompiledKernel& compiled) {
  const metrics::OccupancyPoint point = occupancy_point_of(compiled);
  const metrics::SmLimits* const limits = metrics::sm_limits(point.compute_capability);
  if (limits == nullptr) return std::nullopt;
  return metrics::occupancy(*limits, point.needs);
}

std::optional<double> value_of(KeyNumber number, const KeyNumbers& numbers, const KeyCounts* counts) {
  const auto counted = [&](uint64_t KeyCounts::*member) -> std::optional<double> {
    if (counts == nullptr) return std::nullopt;
    return static_cast<double>(counts->*member);
  };
  switch (number) {
    case KeyNumber::warp_instructions:
      return counted(&KeyCounts::warp_instructions);
    case KeyNumber::flops:
      return counted(&KeyCounts::flops);
    case KeyNumber::global_sectors:
      return counted(&KeyCounts::global_sectors);
    case KeyNumber::excess_sectors:
      return counted(&KeyCounts::excess_sectors);
    case KeyNumber::wavefronts:
      return counted(&KeyCounts::wavefronts);
    case KeyNumber::excess_wavefronts:
      return counted(&KeyCounts::excess_wavefronts);
    case KeyNumber::port_cycles:
      return numbers.port_cycles_per_ffma;
    case KeyNumber::registers:
      return numbers.registers;
    case KeyNumber::spills:
      return static_cast<double>(numbers.spill_bytes);
    case KeyNumber::blocks_per_sm:
      return numbers.blocks_per_sm;
    case KeyNumber::time:
      return numbers.time ? std::optional(numbers.time->ms) : std::nullopt;
  }
  return std::nullopt;
}

// The counts of `before` that can be compared with those of `now`.
const KeyCounts* counts_beside(const KeyNumbers& now, const KeyNumbers& before) {
  if (now.grid) return before.grid ? &*before.grid : nullptr;
  return before.block ? &*before.block : nullptr;
}

// The first instruction with the largest value above 0.
template <typename Value>
std::optional<uint32_t> largest(size_t instructions, Value value) {
  std::optional<uint32_t> best;
  uint64_t most = 0;
  for (uint32_t i = 0; i < instructions; ++i)
    if (const uint64_t v = value(i); v > most) {
      most = v;
      best = i;
    }
  return best;
}

uint64_t flops_of(const isa::Instruction& instruction, const metrics::Counters& counters, uint32_t index) {
  metrics::Counters one(1);
  one.executed.warps[0] = counters.executed.warps[index];
  one.executed.threads[0] = counters.executed.threads[index];
  return metrics::summarize(one, {instruction}).flops();
}

uint64_t highest_register(const isa::Instruction& instruction) {
  uint64_t highest = 0;
  for (const isa::RegisterRange& range : isa::register_use(instruction).writes)
    highest = std::max<uint64_t>(highest, uint64_t{range.reg} + range.words);
  return highest;
}

// Memory that the number is about, instruction by instruction.
uint64_t moved(KeyNumber number, const InstructionTraffic& traffic) {
  metrics::CounterSummary summary;
  summary.traffic = traffic;
  const KeyCounts counts = key_counts(summary);
  switch (number) {
    case KeyNumber::global_sectors:
      return counts.global_sectors;
    case KeyNumber::excess_sectors:
      return counts.excess_sectors;
    case KeyNumber::wavefronts:
      return counts.wavefronts;
    default:
      return counts.excess_wavefronts;
  }
}

}  // namespace

KeyCounts key_counts(const metrics::CounterSummary& summary) {
  using T = InstructionTraffic;
  const Traffic global = sum_of<5>(summary.traffic, {&T::global_load, &T::global_store, &T::async_global,
                                                     &T::global_atomic, &T::global_reduce});
  const Traffic shared = sum_of<6>(summary.traffic, {&T::shared_load, &T::shared_store, &T::async_shared,
                                                     &T::matrix_load, &T::matrix_store, &T::shared_atomic});
  return {summary.warp_instructions,   summary.flops(),   global.sectors,
          global.excess_sectors(),     shared.wavefronts, shared.excess_wavefronts(),
          metrics::has_copies(summary)};
}

KeyNumbers numbers_of_code(const CompiledKernel& compiled) {
  KeyNumbers numbers;
  numbers.registers = compiled.resources.registers;
  numbers.spill_bytes = uint64_t{compiled.resources.spill_store_bytes} + compiled.resources.spill_load_bytes;
  if (const metrics::LoopPorts* const loop = compiled.ports.main_loop(); loop != nullptr && loop->math > 0)
    numbers.port_cycles_per_ffma = loop->port_cycles_per_ffma();
  if (const auto occupancy = occupancy_of(compiled)) numbers.blocks_per_sm = occupancy->blocks;
  return numbers;
}

KeyChange change_of(KeyNumber number, const KeyNumbers& now, const KeyNumbers* before) {
  KeyChange change{value_of(number, now, now.counts()), std::nullopt};
  const bool shared = number == KeyNumber::wavefronts || number == KeyNumber::excess_wavefronts;
  const auto is_least = [shared](const KeyCounts* counts) {
    return shared && counts != nullptr && counts->least_wavefronts;
  };
  change.now_is_least = is_least(now.counts());
  if (before == nullptr) return change;
  change.before_is_least = is_least(counts_beside(now, *before));
  if (number == KeyNumber::time && !(now.time && before->time && now.time->comparable(*before->time)))
    return change;
  change.before = value_of(number, *before, counts_beside(now, *before));
  return change;
}

std::string factor_text(const KeyChange& change) {
  if (!change.changed() || *change.now == 0 || *change.before == 0) return "";
  if (change.now_is_least || change.before_is_least) return "";
  const bool fewer = *change.now < *change.before;
  const double factor = fewer ? *change.before / *change.now : *change.now / *change.before;
  if (factor < 1.0005) return "";
  if (factor >= 9999.5) {  // "610k"
    std::string brief = short_number(factor);
    std::erase(brief, ' ');
    return (fewer ? "\u00f7" : "\u00d7") + brief;
  }
  const int decimals = factor < 1.0095 ? 3 : factor < 9.995 ? 2 : factor < 99.95 ? 1 : 0;
  std::string digits = fmt::format("{:.{}f}", factor, decimals);
  if (decimals > 0) {  // "16", not "16.0"
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (fewer ? "\u00f7" : "\u00d7") + digits;
}

int verdict_of(KeyNumber number, const KeyChange& change) {
  if (!change.changed() || number == KeyNumber::flops) return 0;
  if (change.now_is_least || change.before_is_least) return 0;
  const bool more = *change.now > *change.before;
  return more == (number == KeyNumber::blocks_per_sm) ? 1 : -1;
}

uint64_t contribution(KeyNumber number, const CompiledKernel& compiled, const metrics::Counters& counters,
                      uint32_t instruction) {
  switch (number) {
    case KeyNumber::warp_instructions:
      return counters.executed.warps[instruction];
    case KeyNumber::flops:
      return flops_of(compiled.instructions[instruction], counters, instruction);
    case KeyNumber::port_cycles:
      return counters.executed.warps[instruction] * compiled.ports.instructions[instruction].lost_cycles;
    case KeyNumber::global_sectors:
    case KeyNumber::excess_sectors:
    case KeyNumber::wavefronts:
    case KeyNumber::excess_wavefronts:
      return moved(number, counters.traffic[instruction]);
    case KeyNumber::spills: {
      const Traffic local = sum_of<2>(counters.traffic[instruction],
                                      {&InstructionTraffic::local_load, &InstructionTraffic::local_store});
      return local.requests;
    }
    case KeyNumber::registers:
    case KeyNumber::blocks_per_sm:
    case KeyNumber::time:
      break;
  }
  return 0;
}

std::optional<uint32_t> top_contributor(KeyNumber number, const CompiledKernel& compiled,
                                        const metrics::Counters& counters, const CodeCounts& counts) {
  const std::vector<isa::Instruction>& code = compiled.instructions;
  switch (number) {
    case KeyNumber::warp_instructions:
    case KeyNumber::flops:
    case KeyNumber::port_cycles:
    case KeyNumber::global_sectors:
    case KeyNumber::excess_sectors:
    case KeyNumber::wavefronts:
    case KeyNumber::excess_wavefronts:
    case KeyNumber::spills:
      return largest(code.size(), [&](uint32_t i) { return contribution(number, compiled, counters, i); });
    case KeyNumber::time:
      return largest(code.size(), [&](uint32_t i) { return counts.instructions[i][CodeColumn::stalled]; });
    case KeyNumber::blocks_per_sm: {
      const auto occupancy = occupancy_of(compiled);
      if (!occupancy || !occupancy->limited_by(metrics::OccupancyLimit::registers)) return std::nullopt;
      [[fallthrough]];
    }
    case KeyNumber::registers:
      return largest(code.size(), [&](uint32_t i) {
        return counters.executed.warps[i] == 0 ? 0 : highest_register(code[i]);
      });
  }
  return std::nullopt;
}

std::string no_contributor_text(KeyNumber number, const CompiledKernel& compiled) {
  switch (number) {
    case KeyNumber::warp_instructions:
      return "No instruction was executed.";
    case KeyNumber::flops:
      return "No instruction computes floating-point numbers.";
    case KeyNumber::port_cycles:
      return "No instruction waits for a register port.";
    case KeyNumber::global_sectors:
      return "No instruction accesses global memory.";
    case KeyNumber::excess_sectors:
      return "No access to global memory has excess sectors.";
    case KeyNumber::wavefronts:
      return "No instruction accesses shared memory.";
    case KeyNumber::excess_wavefronts:
      return "No access to shared memory has excess wavefronts.";
    case KeyNumber::registers:
      return "No instruction writes a register.";
    case KeyNumber::spills:
      return "No instruction accesses local memory.";
    case KeyNumber::time:
      return "No stalls are modelled for this kernel.";
    case KeyNumber::blocks_per_sm:
      break;
  }
  const auto occupancy = occupancy_of(compiled);
  if (!occupancy) return "The limits of this architecture's SM are not known.";
  for (int limit = 0; limit < metrics::kOccupancyLimits; ++limit)
    if (const auto which = static_cast<metrics::OccupancyLimit>(limit); occupancy->limited_by(which))
      return fmt::format("Blocks on an SM are limited by {}, not by an instruction.",
                         metrics::limit_name(which));
  return "No block fits on an SM.";
}

}  // namespace gemmscope::scenes
