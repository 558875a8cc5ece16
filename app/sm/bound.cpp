#include "sm/bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/plural.h"

namespace gemmscope::sm {
namespace {

// The pipe counts as the reason for full issue slots from this share of them on.
constexpr double kPipeOfIssue = 0.75;
// Warps that the SM could hold and does not hold: fewer than this share are resident.
constexpr double kFewWarps = 0.5;

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

struct Candidate {
  Bound bound;
  double share;
  std::string resource;     // "the FMA pipe"
  const char* detail = "";  // after the share
};

Candidate busiest_pipe(const LaunchFigures& f) {
  constexpr std::array kPipes = {Unit::fma, Unit::alu, Unit::fp64, Unit::xu, Unit::tensor, Unit::uniform};
  const Unit unit =
      *std::ranges::max_element(kPipes, {}, [&](Unit pipe) { return f.pipes[static_cast<size_t>(pipe)]; });
  return {Bound::compute, f.pipes[static_cast<size_t>(unit)], fmt::format("the {} pipe", unit_name(unit))};
}

// Both kinds of access take turns in one unit: the one with more of it gives the name.
Candidate shared_unit(double global, double shared, const char* unit) {
  if (shared > global) return {Bound::shared_memory, global + shared, unit, ", mostly with shared memory"};
  return {Bound::memory, global + shared, unit, ", mostly with global memory"};
}

std::vector<Candidate> candidates(const LaunchFigures& f) {
  std::vector<Candidate> list = {
      busiest_pipe(f),
      shared_unit(f.global_data, f.shared_data, "the data stage of L1 and shared memory"),
      shared_unit(f.global_lsu, f.shared_lsu, "the load-store unit"),
      {Bound::memory, f.l2, "the way from L2 to an SM"},
      {Bound::memory, f.stores, "the way of stores from an SM to L2"},
      {Bound::memory, f.dram, "DRAM"},
      {Bound::memory, f.atomics, "the word of L2 that most atomics update"},
      {Bound::issue, f.issue, "the issue slot of a sub-core"},
  };
  // An instruction of the pipe needs an issue slot: where most slots are its own, the pipe is the reason.
  if (list[0].share > 0.5 && list[0].share >= kPipeOfIssue * f.issue) list.pop_back();
  return list;
}

Stall largest_stall(const LaunchFigures& f) {
  size_t largest = static_cast<size_t>(Stall::wait);
  for (size_t k = static_cast<size_t>(Stall::wait); k < kStalls; ++k)
    if (f.stalls[k] > f.stalls[largest]) largest = k;
  return static_cast<Stall>(largest);
}

std::string waiting_text(const LaunchFigures& f) {
  const Stall stall = largest_stall(f);
  return fmt::format(
      "{} of the issue slots are empty, and the largest stall is {} ({:.1f} cycles an instruction)",
      percent(1 - f.issue), stall_name(stall), f.stalls[static_cast<size_t>(stall)]);
}

BoundReport waiting(const LaunchFigures& f, const Candidate& busiest) {
  const int warps = f.blocks_per_sm * f.warps_per_block;
  if (f.most_warps > 0 && warps < kFewWarps * f.most_warps && !f.occupancy_limit.empty())
    return {Bound::occupancy, 1 - f.issue,
            fmt::format("Bound by occupancy: {} of {} warps fit on an SM ({} allow{} {} block{}); {}.", warps,
                        f.most_warps, f.occupancy_limit, f.occupancy_limit.ends_with('s') ? "" : "s",
                        f.blocks_per_sm, f.blocks_per_sm == 1 ? "" : "s", waiting_text(f))};
  return {Bound::latency, 1 - f.issue,
          fmt::format("Bound by latency: even {} is busy in only {} of the cycles; {}.", busiest.resource,
                      percent(busiest.share), waiting_text(f))};
}

}  // namespace

const char* bound_name(Bound bound) {
  constexpr std::array<const char*, kBounds> kNames = {"memory",        "compute", "latency", "occupancy",
                                                       "shared memory", "issue",   "tail"};
  return kNames[static_cast<size_t>(bound)];
}

BoundReport bound_of(const LaunchFigures& f) {
  if (f.idle_share() > kTailShare)
    return {
        Bound::tail, f.idle_share(),
        fmt::format("Bound by the tail: {} block{} on {} SM{}, of which the busiest gets {}: {} of the SMs' "
                    "time is idle.",
                    f.blocks, plural(f.blocks), f.sms, plural(f.sms), f.blocks_of_busiest_sm,
                    percent(f.idle_share()))};
  const std::vector<Candidate> list = candidates(f);
  const Candidate& first = *std::ranges::max_element(list, {}, &Candidate::share);
  if (first.share < kBusyShare) return waiting(f, first);
  const double share = std::min(1.0, first.share);
  std::string sentence = fmt::format("Bound by {}: {} is busy in {} of the cycles{}", bound_name(first.bound),
                                     first.resource, percent(share), first.detail);
  if (first.bound != Bound::issue) sentence += fmt::format("; issue slots in {}", percent(f.issue));
  return {first.bound, share, sentence + "."};
}

namespace {

// A figure that changed. `ratio` is after / before, as its influence on the time: above 1 it costs.
struct Change {
  double ratio;
  std::string text;
  double weight() const { return std::abs(std::log(ratio)); }
};

constexpr double kSmallChange = 1.05;  // of counts; less is not worth a word
constexpr double kSmallStall = 0.1;    // warp cycles an instruction

void add_count(std::vector<Change>& changes, double before, double after, const char* what) {
  if (before <= 0 && after <= 0) return;
  const double ratio = std::max(after, 1.0) / std::max(before, 1.0);
  if (std::max(ratio, 1 / ratio) < kSmallChange) return;
  const auto number = [](double n) {
    return n >= 9.995e5 ? fmt::format("{:.2f} M", n / 1e6)
           : n >= 1e4   ? fmt::format("{:.0f} k", n / 1e3)
                        : fmt::format("{:.0f}", n);
  };
  changes.push_back({ratio, fmt::format("{} → {} {}", number(before), number(after), what)});
}

// Fewer resident warps hide less; what took the room stands before them.
void add_occupancy(std::vector<Change>& changes, const LaunchFigures& before, const LaunchFigures& after) {
  const int from = before.blocks_per_sm * before.warps_per_block;
  const int to = after.blocks_per_sm * after.warps_per_block;
  if (from == to || from == 0 || to == 0) return;
  std::string text;
  if (before.registers != after.registers && (after.registers > before.registers) == (to < from))
    text += fmt::format("{} → {} registers, ", before.registers, after.registers);
  if (before.shared_bytes != after.shared_bytes &&
      (after.occupancy_limit.starts_with("shared") || before.occupancy_limit.starts_with("shared")))
    text += fmt::format("{:.1f} → {:.1f} KiB of shared memory, ", before.shared_bytes / 1024.0,
                        after.shared_bytes / 1024.0);
  if (before.warps_per_block == after.warps_per_block)
    text += fmt::format("{} → {} block{} an SM", before.blocks_per_sm, after.blocks_per_sm,
                        plural(after.blocks_per_sm));
  else
    text += fmt::format("{} → {} warp{} an SM", from, to, plural(to));
  changes.push_back({static_cast<double>(from) / to, text});
}

void add_stall(std::vector<Change>& changes, const LaunchFigures& before, const LaunchFigures& after) {
  // Warp cycles of one warp, so that more warps with the same wait do not count as more of it.
  const auto of_warp = [](const LaunchFigures& f, size_t k) {
    return f.achieved_warps > 0 ? f.stalls[k] * f.instructions / f.achieved_warps : 0;
  };
  size_t largest = kStalls;
  double most = 0;
  for (size_t k = static_cast<size_t>(Stall::wait); k < kStalls; ++k) {
    const double change = std::abs(of_warp(after, k) - of_warp(before, k));
    if (change > most && std::abs(after.stalls[k] - before.stalls[k]) >= kSmallStall) {
      most = change;
      largest = k;
    }
  }
  if (largest == kStalls) return;
  const double cycles = std::max(before.cycles, after.cycles);
  const double difference = of_warp(after, largest) - of_warp(before, largest);
  changes.push_back({std::exp(difference / cycles),
                     fmt::format("{:.1f} → {:.1f} cycles of {} an instruction", before.stalls[largest],
                                 after.stalls[largest], stall_name(static_cast<Stall>(largest)))});
}

std::vector<Change> changes_between(const LaunchFigures& before, const LaunchFigures& after) {
  std::vector<Change> changes;
  add_occupancy(changes, before, after);
  add_count(changes, before.instructions, after.instructions, "warp instructions of the busiest SM");
  add_count(changes, before.shared_wavefronts, after.shared_wavefronts,
            "wavefronts of shared memory of the busiest SM");
  add_count(changes, before.l2_load_sectors, after.l2_load_sectors, "sectors from L2 to the busiest SM");
  add_stall(changes, before, after);
  const double busy_before = 1 - before.idle_share(), busy_after = 1 - after.idle_share();
  if (busy_before > 0 && busy_after > 0 && std::abs(busy_before - busy_after) > 0.05)
    changes.push_back(
        {busy_before / busy_after, fmt::format("{} → {} of the SMs' time without a block",
                                               percent(1 - busy_before), percent(1 - busy_after))});
  std::ranges::stable_sort(changes, std::greater<>(), &Change::weight);
  return changes;
}

std::string effect_text(double ratio) {
  if (ratio > 1.5) return fmt::format("costs {:.2f}x the time", ratio);
  if (ratio > 1.005) return fmt::format("costs {:.1f} %", 100 * (ratio - 1));
  if (ratio < 1 / 1.5) return fmt::format("is {:.2f}x as fast", 1 / ratio);
  if (ratio < 0.995) return fmt::format("saves {:.1f} %", 100 * (1 - ratio));
  return "changes next to nothing";
}

}  // namespace

std::string explain_difference(const std::string& title, const LaunchFigures& before,
                               const LaunchFigures& after) {
  constexpr size_t kMostReasons = 3;
  const double ratio = before.milliseconds > 0 ? after.milliseconds / before.milliseconds : 1;
  std::string sentence = title + " " + effect_text(ratio) + " here", against;
  size_t reasons = 0;
  for (const Change& change : changes_between(before, after)) {
    if ((change.ratio > 1) == (ratio > 1)) {
      if (reasons < kMostReasons) sentence += (reasons++ == 0 ? ": " : ", ") + change.text;
    } else if (against.empty()) {
      against = change.text;
    }
  }
  if (!against.empty()) sentence += (reasons == 0 ? ", with " : ", against ") + against;
  const Bound from = bound_of(before).bound, to = bound_of(after).bound;
  if (from == to) return sentence + fmt::format("; bound by {} before and after.", bound_name(to));
  return sentence + fmt::format("; bound by {} before, by {} after.", bound_name(from), bound_name(to));
}

}  // namespace gemmscope::sm
