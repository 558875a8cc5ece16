#include "scenes/occupancy_text.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "machine/state/row_file.h"
#include "metrics/sm_rates.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using metrics::BlockNeeds;
using metrics::Occupancy;
using metrics::OccupancyLimit;
using metrics::SmLimits;

std::string number(int value) { return grouped(static_cast<uint64_t>(value)); }
std::string bytes(int value) { return short_bytes(static_cast<uint64_t>(value)); }
// A boundary must not be rounded: "49 KB", "33,024 B".
std::string exact_bytes(int value) { return value % 1024 == 0 ? bytes(value) : number(value) + " B"; }
std::string counted(int count, const char* noun) {
  return fmt::format("{} {}{}", number(count), noun, plural(count));
}
std::string fit(int count) { return fmt::format("{} fit{}", number(count), count == 1 ? "s" : ""); }

std::string registers_detail(const SmLimits& sm, const BlockNeeds& needs, const Occupancy& o) {
  if (sm.registers_by_block)
    return fmt::format("a block takes {} of the SM's {} registers, in units of {}",
                       number(o.registers_per_block), number(sm.registers), sm.register_unit);
  const int per_warp = o.registers_per_block / o.warps_per_block;
  const int asked = machine::kWarpLanes * needs.registers;
  const std::string rounded = per_warp == asked
                                  ? number(asked)
                                  : fmt::format("{}, rounded up to {}", number(asked), number(per_warp));
  if (sm.compute_capability < 30)
    return fmt::format("a warp takes 32 × {} = {} registers, and the SM's {} hold {}", needs.registers,
                       rounded, number(sm.registers),
                       counted(sm.registers / per_warp / sm.sub_partitions * sm.sub_partitions, "warp"));
  const int warps = sm.registers / sm.sub_partitions / per_warp;
  return fmt::format(
      "a warp takes 32 × {} = {} registers, and each of the SM's {} sub-partitions has {} for {}",
      needs.registers, rounded, sm.sub_partitions, number(sm.registers / sm.sub_partitions),
      counted(warps, "warp"));
}

std::string shared_detail(const SmLimits& sm, const BlockNeeds& needs, const Occupancy& o) {
  const std::string reserved = sm.shared_reserved == 0
                                   ? ""
                                   : fmt::format(" ({} and the {} that the system reserves)",
                                                 bytes(needs.shared_bytes), bytes(sm.shared_reserved));
  return fmt::format("a block takes {}{} of the SM's {}", bytes(o.shared_per_block), reserved,
                     bytes(sm.shared_bytes));
}

std::string detail_of(OccupancyLimit limit, const SmLimits& sm, const BlockNeeds& needs, const Occupancy& o) {
  switch (limit) {
    case OccupancyLimit::warps:
      return fmt::format("a block takes {} of the SM's {} warp slots", o.warps_per_block, sm.warps);
    case OccupancyLimit::registers:
      return registers_detail(sm, needs, o);
    case OccupancyLimit::shared:
      return shared_detail(sm, needs, o);
    case OccupancyLimit::blocks:
      return fmt::format("an SM holds at most {} blocks, however small", sm.blocks);
    case OccupancyLimit::barriers:
      return fmt::format("a block takes {} of the SM's {} barriers", needs.barriers, sm.barriers);
  }
  return "";
}

std::string refusal_sentence(const SmLimits& sm, const BlockNeeds& needs, const Occupancy& o) {
  const std::string who = "capability " + capability_text(sm.compute_capability);
  switch (o.refusal) {
    case metrics::BlockRefusal::none:
      break;
    case metrics::BlockRefusal::threads:
      return fmt::format("No block fits: it has {} threads, and {} allows {} in a block.",
                         number(needs.threads), who, number(sm.threads_per_block));
    case metrics::BlockRefusal::registers_per_thread:
      return fmt::format("No block fits: a thread has {} registers, and {} allows {}.", needs.registers, who,
                         sm.registers_per_thread);
    case metrics::BlockRefusal::registers_per_block:
      return fmt::format("No block fits: it needs {} registers, and {} allows {} in a block.",
                         number(o.registers_per_block), who, number(sm.registers_per_block));
    case metrics::BlockRefusal::shared:
      return fmt::format("No block fits: it needs {} of shared memory, and {} allows {} in a block.",
                         bytes(needs.shared_bytes), who, bytes(sm.shared_per_block));
  }
  return fmt::format("No block fits: {}.", detail_of(OccupancyLimit::warps, sm, needs, o));
}

// Why the rule without allocation units gives another result.
std::string difference_text(const SmLimits& sm, const BlockNeeds& needs, const Occupancy& exact) {
  std::string reasons;
  const auto add = [&](const std::string& reason) { reasons += (reasons.empty() ? "" : "; ") + reason; };
  if (exact.refusal != metrics::BlockRefusal::none) {
    add("it knows no limit of a single thread or block");
    return reasons;
  }
  if (exact.limited_by(OccupancyLimit::registers))
    add(fmt::format("registers are allocated in units of {} per {}{}", sm.register_unit,
                    sm.registers_by_block ? "block" : "warp",
                    sm.compute_capability < 30
                        ? ""
                        : fmt::format(", from {} separate sub-partitions of the SM", sm.sub_partitions)));
  if (exact.limited_by(OccupancyLimit::shared))
    add(fmt::format("shared memory is allocated in units of {} B{}", sm.shared_unit,
                    sm.shared_reserved > 0
                        ? fmt::format(", and the system reserves {} in each block", bytes(sm.shared_reserved))
                        : ""));
  if (exact.limited_by(OccupancyLimit::warps) && needs.threads % machine::kWarpLanes != 0)
    add("a warp that is not full takes a whole slot");
  if (reasons.empty()) add("it ignores allocation units");
  return reasons;
}

std::string boundary_text(const metrics::RegisterBoundary& b, bool upwards) {
  return fmt::format("{} ({} → {})", b.registers, upwards ? b.blocks : b.blocks_above,
                     counted(upwards ? b.blocks_above : b.blocks, "block"));
}

// The nearest boundary at which more blocks would fit than now.
std::string next_boundary(const SmLimits& sm, const BlockNeeds& needs) {
  int next = 0;
  for (const metrics::RegisterBoundary& b : metrics::register_boundaries(sm, needs))
    if (b.registers < needs.registers) next = b.registers;
  return next == 0 ? "" : fmt::format("; the next one below is {}", next);
}

std::string crossing_text(const SmLimits& sm, const BlockNeeds& now, int before) {
  const auto crossed = metrics::crossed_boundaries(sm, now, before, now.registers);
  if (crossed.empty()) return "crosses no register boundary" + next_boundary(sm, now);
  const bool upwards = now.registers > before;
  std::string names;
  for (size_t i = 0; i < crossed.size(); ++i) {
    const metrics::RegisterBoundary& b = crossed[upwards ? i : crossed.size() - 1 - i];
    names += (names.empty() ? "" : ", ") + boundary_text(b, upwards);
  }
  return fmt::format("crosses the register {} {}", crossed.size() == 1 ? "boundary" : "boundaries", names);
}

}  // namespace

std::string capability_text(int compute_capability) {
  return fmt::format("{}.{}", compute_capability / 10, compute_capability % 10);
}

std::string capability_title(int compute_capability) {
  const metrics::SmRates* rates = metrics::sm_rates(compute_capability);
  if (rates == nullptr) return capability_text(compute_capability);
  return fmt::format("{} {} ({})", capability_text(compute_capability), rates->architecture, rates->example);
}

std::string limiter_names(const Occupancy& o) {
  std::string names;
  for (int i = 0; i < metrics::kOccupancyLimits; ++i) {
    const auto limit = static_cast<OccupancyLimit>(i);
    if (o.limited_by(limit)) names += (names.empty() ? "" : ", ") + std::string(metrics::limit_name(limit));
  }
  return names;
}

std::string limiter_sentence(const SmLimits& sm, const BlockNeeds& needs) {
  const Occupancy o = metrics::occupancy(sm, needs);
  if (o.blocks == 0) return refusal_sentence(sm, needs, o);
  std::string details;
  for (int i = 0; i < metrics::kOccupancyLimits; ++i)
    if (const auto limit = static_cast<OccupancyLimit>(i); o.limited_by(limit))
      details += (details.empty() ? "" : "; ") + detail_of(limit, sm, needs, o);
  const std::string full = o.warps == sm.warps ? "The SM is full. " : "";
  return fmt::format("{}Limited by {}: {}: {}.", full, limiter_names(o), details, fit(o.blocks));
}

std::string one_more_sentence(const SmLimits& sm, const BlockNeeds& needs) {
  const Occupancy o = metrics::occupancy(sm, needs);
  if (o.limited_by(OccupancyLimit::registers))
    if (const auto registers = metrics::registers_for_one_more(sm, needs))
      return fmt::format("One more block would fit with at most {} registers per thread, now {}.", *registers,
                         needs.registers);
  if (o.limited_by(OccupancyLimit::shared))
    if (const auto most = metrics::shared_for_one_more(sm, needs))
      return fmt::format("One more block would fit with at most {} of shared memory per block, now {}.",
                         exact_bytes(*most), exact_bytes(needs.shared_bytes));
  if (o.limited_by(OccupancyLimit::blocks) && o.warps < sm.warps)
    return fmt::format("All {} block slots are taken; larger blocks would fill more of the warp slots.",
                       sm.blocks);
  return "";
}

std::string textbook_sentence(const SmLimits& sm, const BlockNeeds& needs) {
  const Occupancy exact = metrics::occupancy(sm, needs), simple = metrics::simple_occupancy(sm, needs);
  if (simple.blocks == exact.blocks)
    return fmt::format("Plain division, as in textbooks, gives the same here: {}.",
                       counted(simple.blocks, "block"));
  return fmt::format("Plain division, as in textbooks, gives {}: {}.", counted(simple.blocks, "block"),
                     difference_text(sm, needs, exact));
}

std::string boundaries_sentence(const SmLimits& sm, const BlockNeeds& needs) {
  const auto boundaries = metrics::register_boundaries(sm, needs);
  if (boundaries.empty()) return "No number of registers per thread changes how many blocks fit.";
  std::string list;
  for (const metrics::RegisterBoundary& b : boundaries)
    list += list.empty() ? fmt::format("at most {}: {}", b.registers, counted(b.blocks, "block"))
                         : fmt::format(", {}: {}", b.registers, b.blocks);
  return fmt::format("Register boundaries: {}; above: {}.", list, boundaries.back().blocks_above);
}

std::string change_sentence(const metrics::OccupancyPoint& before, const metrics::OccupancyPoint& now) {
  const SmLimits* old_sm = metrics::sm_limits(before.compute_capability);
  const SmLimits* sm = metrics::sm_limits(now.compute_capability);
  if (old_sm == nullptr || sm == nullptr || before == now) return "";
  std::string what;
  const auto add = [&](const std::string& text) { what += (what.empty() ? "" : ", ") + text; };
  if (before.compute_capability != now.compute_capability)
    add(fmt::format("capability {} → {}", capability_text(before.compute_capability),
                    capability_text(now.compute_capability)));
  if (before.needs.threads != now.needs.threads)
    add(fmt::format("{} → {}", before.needs.threads, counted(now.needs.threads, "thread")));
  if (before.needs.registers != now.needs.registers)
    add(fmt::format("{} → {} registers", before.needs.registers, now.needs.registers));
  if (before.needs.shared_bytes != now.needs.shared_bytes)
    add(fmt::format("{} → {} of shared memory", bytes(before.needs.shared_bytes),
                    bytes(now.needs.shared_bytes)));
  if (what.empty()) return "";
  const int old_blocks = metrics::occupancy(*old_sm, before.needs).blocks;
  const int blocks = metrics::occupancy(*sm, now.needs).blocks;
  const std::string result = old_blocks == blocks
                                 ? fmt::format("{} as before", counted(blocks, "block"))
                                 : fmt::format("{} → {}", old_blocks, counted(blocks, "block"));
  const int old_simple = metrics::simple_occupancy(*old_sm, before.needs).blocks;
  const int simple = metrics::simple_occupancy(*sm, now.needs).blocks;
  const std::string textbook = old_simple == old_blocks && simple == blocks
                                   ? ""
                                   : fmt::format(" (by the textbook {} → {})", old_simple, simple);
  if (before.needs.registers == now.needs.registers || old_sm != sm)
    return fmt::format("Changed: {}: {}{}.", what, result, textbook);
  return fmt::format("Changed: {}: {}{}; it {}.", what, result, textbook,
                     crossing_text(*sm, now.needs, before.needs.registers));
}

}  // namespace gemmscope::scenes
