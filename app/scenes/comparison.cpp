#include "scenes/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/plural.h"
#include "catalog/product.h"
#include "experiment/timing_choice.h"
#include "metrics/occupancy.h"
#include "metrics/roofline.h"
#include "scenes/access_role.h"
#include "scenes/number_strip_scene.h"
#include "scenes/occupancy_scene.h"
#include "scenes/text.h"
#include "sm/bound.h"
#include "sm/figures.h"

namespace gemmscope::scenes {
namespace {

using experiment::BlockResult;
using experiment::Provenance;
using Pair = std::array<std::optional<double>, 2>;  // of A and of B
using Text = std::string (*)(double);

constexpr const char* kUnknown = "\u2013";
constexpr size_t kMostStalls = 3;

bool same_size(const BlockResult& a, const BlockResult& b) {
  const catalog::Problem &x = a.experiment.problem, &y = b.experiment.problem;
  return x.m == y.m && x.n == y.n && x.k == y.k;
}
bool both_products(const BlockResult& a, const BlockResult& b) {
  return catalog::is_product(a.compiled->kernel) && catalog::is_product(b.compiled->kernel);
}
// They compute the same, so that times and totals can be compared.
bool same_work(const BlockResult& a, const BlockResult& b) {
  return same_size(a, b) &&
         catalog::is_product(a.compiled->kernel) == catalog::is_product(b.compiled->kernel);
}

// ---- what is counted

struct Basis {
  bool grid = false;      // counts of the whole grid; else of one block each
  bool per_flop = false;  // for 1,000 FLOPs, since the totals are of different work
  bool known = true;      // false: not even that, since one of the two has no FLOPs
  double scale_a = 1, scale_b = 1;
};

double flops_in(const ComparedSide& side, bool grid) {
  const metrics::CounterSummary summary =
      grid ? side.grid->summary
           : metrics::summarize(side.block->counters, side.block->compiled->instructions);
  return static_cast<double>(summary.flops());
}

Basis basis_of(const ComparedSide& a, const ComparedSide& b) {
  Basis basis;
  basis.grid = a.grid != nullptr && b.grid != nullptr;
  const bool same_grid = a.block->compiled->launch.grid == b.block->compiled->launch.grid;
  if (same_work(*a.block, *b.block) && (basis.grid || same_grid)) return basis;
  const double flops_a = flops_in(a, basis.grid), flops_b = flops_in(b, basis.grid);
  basis.known = flops_a > 0 && flops_b > 0;
  if (!basis.known) return basis;
  basis.per_flop = true;
  basis.scale_a = 1e3 / flops_a;
  basis.scale_b = 1e3 / flops_b;
  return basis;
}

std::string basis_text(const Basis& basis) {
  if (basis.per_flop)
    return basis.grid ? "whole grid, exact, for 1,000 FLOPs" : "one block each, exact, for 1,000 FLOPs";
  return basis.grid ? "whole grid, exact" : "one block each, exact";
}

std::string caution_text(const Basis& basis, const BlockResult& a, const BlockResult& b) {
  if (!basis.known) return "The two do different work, and one has no FLOPs: totals have no factors.";
  if (!basis.per_flop) return "";
  return same_size(a, b) ? "The blocks do different shares of the work: counts are for 1,000 FLOPs."
                         : "The sizes differ: counts are for 1,000 FLOPs.";
}

// A variant that computes something else may well be faster.
std::string wrong_text(const ComparedSide& side, const char* letter) {
  if (side.grid == nullptr || !side.grid->verification.checked() || side.grid->verification.right())
    return "";
  return fmt::format("{}'s result is wrong in {} element{}, so the two do not do the same.", letter,
                     grouped(side.grid->verification.wrong_elements),
                     plural(side.grid->verification.wrong_elements));
}

// ---- rows

std::string count_text(double value) { return grouped(static_cast<uint64_t>(std::llround(value))); }
std::string rate_text(double value) { return fmt::format("{:.3g}", value); }
std::string bytes_text(double value) { return short_bytes(static_cast<uint64_t>(std::llround(value))); }
std::string percent_text(double value) { return fmt::format("{:.0f} %", value); }
std::string ports_text(double value) { return fmt::format("{:.3f}", value); }
std::string flops_text(double value) { return short_number(value); }
std::string cycles_text(double value) { return fmt::format("{:.2f}", value); }
std::string tflops_text(double value) { return fmt::format("{:.3g} TFLOP/s", value); }

struct RowNames {
  CompareGroup group;
  const char *id, *name;
  Text text;
};

CompareRow row_of(const RowNames& names, KeyChange change, int verdict, std::string note = {}) {
  CompareRow row{names.group, names.id, names.name, change, kUnknown, kUnknown, {}, verdict, std::move(note)};
  const auto text = [&](const std::optional<double>& value, bool least) {
    return value ? (least ? "\u2265" : "") + names.text(*value) : std::string(kUnknown);
  };
  row.a = text(change.before, change.before_is_least);
  row.b = text(change.now, change.now_is_least);
  row.factor = factor_text(change);
  if (row.a == row.b) row.factor.clear(), row.verdict = 0;  // digits that are not shown are no change
  return row;
}
CompareRow row_of(const RowNames& names, const Pair& values, bool more_is_better = false,
                  std::string note = {}) {
  const KeyChange change{values[1], values[0]};
  const int sign = !change.changed() ? 0 : (*change.now > *change.before) == more_is_better ? 1 : -1;
  return row_of(names, change, sign, std::move(note));
}

struct NumberRow {
  KeyNumber number;
  RowNames names;
};
constexpr NumberRow kCounted[] = {
    {KeyNumber::warp_instructions,
     {CompareGroup::counters, "warp_instructions", "Warp instructions", count_text}},
    {KeyNumber::flops, {CompareGroup::counters, "flops", "FLOPs", flops_text}},
    {KeyNumber::global_sectors, {CompareGroup::counters, "global_sectors", "Global sectors", count_text}},
    {KeyNumber::excess_sectors, {CompareGroup::counters, "excess_sectors", "Excess sectors", count_text}},
    {KeyNumber::wavefronts, {CompareGroup::counters, "shared_wavefronts", "Shared wavefronts", count_text}},
    {KeyNumber::excess_wavefronts, {CompareGroup::counters, "bank_conflicts", "Bank conflicts", count_text}}};
constexpr NumberRow kResources[] = {
    {KeyNumber::registers, {CompareGroup::resources, "registers", "Registers a thread", count_text}},
    {KeyNumber::spills, {CompareGroup::resources, "spilled_bytes", "Spilled a thread", bytes_text}},
    {KeyNumber::blocks_per_sm, {CompareGroup::resources, "blocks_per_sm", "Blocks an SM", count_text}}};

KeyNumbers numbers_of(const ComparedSide& side) {
  KeyNumbers numbers = numbers_of_code(*side.block->compiled);
  numbers.block = key_counts(metrics::summarize(side.block->counters, side.block->compiled->instructions));
  if (side.grid != nullptr) numbers.grid = key_counts(side.grid->summary);
  return numbers;
}

void add_counters(std::vector<CompareRow>& rows, const KeyNumbers& a, const KeyNumbers& b,
                  const Basis& basis) {
  KeyNumbers now = b;
  if (!basis.grid) now.grid.reset();  // `before` is then taken of the block, too
  for (const NumberRow& number : kCounted) {
    KeyChange change = change_of(number.number, now, &a);
    RowNames names = number.names;
    if (basis.per_flop) {
      if (number.number == KeyNumber::flops) continue;
      if (change.now) *change.now *= basis.scale_b;
      if (change.before) *change.before *= basis.scale_a;
      names.text = rate_text;
    }
    rows.push_back(row_of(names, change, basis.known ? verdict_of(number.number, change) : 0));
    if (!basis.known) rows.back().factor.clear();
  }
}

std::optional<metrics::Occupancy> occupancy_of(const ComparedSide& side, int& warps) {
  const metrics::OccupancyPoint point = occupancy_point_of(*side.block->compiled);
  const metrics::SmLimits* const limits = metrics::sm_limits(point.compute_capability);
  if (limits == nullptr) return std::nullopt;
  warps = limits->warps;
  return metrics::occupancy(*limits, point.needs);
}

void add_resources(std::vector<CompareRow>& rows, const ComparedSide& a, const ComparedSide& b,
                   const KeyNumbers& numbers_a, const KeyNumbers& numbers_b) {
  for (const NumberRow& number : kResources) {
    const KeyChange change = change_of(number.number, numbers_b, &numbers_a);
    rows.push_back(row_of(number.names, change, verdict_of(number.number, change)));
  }
  Pair shared, occupancy;
  std::string limits;
  for (const ComparedSide* side : {&a, &b}) {
    const size_t i = side == &a ? 0 : 1;
    const experiment::Resources& r = side->block->compiled->resources;
    shared[i] = r.static_shared_bytes + r.dynamic_shared_bytes;
    int warps = 0;
    if (const auto found = occupancy_of(*side, warps); found && warps > 0)
      occupancy[i] = 100.0 * found->warps / warps;
  }
  rows.push_back(
      row_of({CompareGroup::resources, "shared_bytes", "Shared memory a block", bytes_text}, shared));
  rows.push_back(row_of({CompareGroup::resources, "occupancy_percent", "Occupancy", percent_text}, occupancy,
                        true, "warps of those that an SM holds"));
}

// ---- conflicts, by what the accesses do

struct RoleTraffic {
  uint64_t requests = 0, wavefronts = 0, excess = 0;
};
using RoleTable = std::vector<std::pair<std::string, RoleTraffic>>;  // in the order of the code

metrics::Traffic shared_traffic(const metrics::InstructionTraffic& traffic) {
  metrics::Traffic sum;
  for (const metrics::TrafficKind& kind : metrics::kTrafficKinds)
    if (kind.shared) sum.add(traffic.*kind.member);
  return sum;
}

std::string role_name(const BlockResult& block, uint32_t instruction) {
  std::string name = role_text(block, role_of(block, instruction));
  if (name.empty()) return "other accesses to shared memory";
  name.front() = 't';  // "The load of A's tile"
  return name;
}

RoleTable conflicts_of(const ComparedSide& side, bool grid) {
  const metrics::Counters& counters = grid ? side.grid->counters : side.block->counters;
  RoleTable table;
  for (uint32_t i = 0; i < counters.traffic.size(); ++i) {
    const metrics::Traffic traffic = shared_traffic(counters.traffic[i]);
    if (traffic.requests == 0) continue;
    const std::string name = role_name(*side.block, i);
    auto found = std::ranges::find(table, name, &RoleTable::value_type::first);
    if (found == table.end()) found = table.insert(table.end(), {name, {}});
    found->second.requests += traffic.requests;
    found->second.wavefronts += traffic.wavefronts;
    found->second.excess += traffic.excess_wavefronts();
  }
  return table;
}

std::string each_text(const RoleTraffic& traffic) {
  return traffic.requests == 0 ? kUnknown
                               : fmt::format("{:.3g}", static_cast<double>(traffic.wavefronts) /
                                                           static_cast<double>(traffic.requests));
}

// The roles with conflicts on one side at least; what the other one does not have counts as 0.
void add_conflicts(std::vector<CompareRow>& rows, const ComparedSide& a, const ComparedSide& b,
                   const Basis& basis) {
  const RoleTable before = conflicts_of(a, basis.grid);
  const RoleTable now = conflicts_of(b, basis.grid);
  const auto of = [](const RoleTable& table, const std::string& name) {
    const auto found = std::ranges::find(table, name, &RoleTable::value_type::first);
    return found == table.end() ? RoleTraffic{} : found->second;
  };
  std::vector<std::string> names;
  for (const RoleTable* table : {&now, &before})
    for (const auto& [name, traffic] : *table)
      if (traffic.excess > 0 && std::ranges::find(names, name) == names.end()) names.push_back(name);
  for (const std::string& name : names) {
    const RoleTraffic x = of(before, name), y = of(now, name);
    CompareRow row = row_of(
        {CompareGroup::conflicts, "", "", basis.per_flop ? rate_text : count_text},
        Pair{static_cast<double>(x.excess) * basis.scale_a, static_cast<double>(y.excess) * basis.scale_b});
    row.id = name;
    row.name = "Conflicts: " + name;
    row.note = fmt::format("wavefronts a request {} \u2192 {}", each_text(x), each_text(y));
    if (!basis.known) row.factor.clear(), row.verdict = 0;
    rows.push_back(std::move(row));
  }
}

// The register ports of the main loops, where both have one.
void add_ports(std::vector<CompareRow>& rows, const ComparedSide& a, const ComparedSide& b) {
  Pair cycles, lost;
  for (const ComparedSide* side : {&a, &b}) {
    const metrics::LoopPorts* loop = side->block->compiled->ports.main_loop();
    if (loop == nullptr || loop->ffma == 0) return;
    const size_t i = side == &a ? 0 : 1;
    cycles[i] = loop->port_cycles_per_ffma();
    lost[i] = loop->lost_cycles_per_ffma();
  }
  const std::string note = "main loop, from the machine code";
  rows.push_back(
      row_of({CompareGroup::resources, "port_cycles_per_ffma", "Register ports, cycles a FFMA", ports_text},
             cycles, false, note));
  rows.push_back(row_of({CompareGroup::resources, "lost_port_cycles_per_ffma",
                         "Lost to register ports, cycles a FFMA", ports_text},
                        lost, false, note));
}

// ---- times and stalls

const sm::LaunchTime* shown_time(const ComparedSide& side) {
  if (side.modelled == nullptr || side.sample == nullptr || side.device == nullptr) return nullptr;
  return &side.modelled->launches[side.sample->shown_launch];
}
std::optional<sm::LaunchFigures> figures_of(const ComparedSide& side) {
  const sm::LaunchTime* const time = shown_time(side);
  if (time == nullptr) return std::nullopt;
  const size_t shown = side.sample->shown_launch;
  sm::LaunchFigures figures = sm::figures_of(side.sample->launches[shown], *time, *side.device);
  int warps = 0;
  const auto occupancy = occupancy_of(side, warps);
  figures.registers = side.block->compiled->resources.registers;
  figures.most_warps = warps;
  for (int limit = 0; occupancy && limit < metrics::kOccupancyLimits; ++limit)
    if (const auto which = static_cast<metrics::OccupancyLimit>(limit);
        figures.occupancy_limit.empty() && which != metrics::OccupancyLimit::warps &&
        occupancy->limited_by(which))
      figures.occupancy_limit = metrics::limit_name(which);
  return figures;
}

std::string source_of(const KeyTime& time) {
  std::string text = fmt::format("{}, {}", experiment::provenance_name(time.provenance), time.device);
  return time.date.empty() ? text : fmt::format("{}, {}", text, time.date);
}

struct TimePair {
  std::optional<KeyTime> a, b;
  bool both() const { return a && b; }
  bool comparable() const { return both() && a->comparable(*b); }
};

TimePair modelled_pair(const ComparedSide& a, const ComparedSide& b) {
  const auto time = [](const ComparedSide& side) -> std::optional<KeyTime> {
    if (side.modelled == nullptr) return std::nullopt;
    return KeyTime{side.modelled->milliseconds, Provenance::modelled, side.modelled->device, ""};
  };
  return {time(a), time(b)};
}

// Times of one GPU and one day where both have one; else the best of each.
TimePair timed_pair(const ComparedSide& a, const ComparedSide& b) {
  for (const KeyTime& y : b.timed)
    for (const KeyTime& x : a.timed)
      if (x.comparable(y)) return {x, y};
  const auto first = [](const std::vector<KeyTime>& times) {
    return times.empty() ? std::optional<KeyTime>() : times.front();
  };
  return {first(a.timed), first(b.timed)};
}

std::string note_of(const TimePair& times) {
  if (times.comparable() || (times.both() && source_of(*times.a) == source_of(*times.b)))
    return source_of(*times.b);
  if (times.both()) return fmt::format("{} \u2192 {}", source_of(*times.a), source_of(*times.b));
  return times.a ? "A " + source_of(*times.a) : times.b ? "B " + source_of(*times.b) : "";
}

std::optional<double> tflops_of(const std::optional<KeyTime>& time, const BlockResult& block) {
  if (!time) return std::nullopt;
  return metrics::tflops(experiment::flops(block.experiment.problem), time->ms);
}

// Different sizes of a product are compared by their rate; other different work has times without a factor.
void add_times(std::vector<CompareRow>& rows, const TimePair& times, const ComparedSide& a,
               const ComparedSide& b, const char* id, const char* name) {
  const std::string note = note_of(times);
  const auto ms = [](const std::optional<KeyTime>& time) {
    return time ? std::optional(time->ms) : std::nullopt;
  };
  rows.push_back(
      row_of({CompareGroup::time, id, name, time_text}, Pair{ms(times.a), ms(times.b)}, false, note));
  if (same_work(*a.block, *b.block)) return;
  rows.back().factor.clear();
  rows.back().verdict = 0;
  if (!both_products(*a.block, *b.block)) return;
  CompareRow rate = row_of({CompareGroup::time, "", "Rate", tflops_text},
                           Pair{tflops_of(times.a, *a.block), tflops_of(times.b, *b.block)}, true, note);
  rate.id = fmt::format("{}_tflops", times.b ? experiment::provenance_name(times.b->provenance) : id);
  rows.push_back(std::move(rate));
}

std::string why_not_modelled(const ComparedSide& a, const ComparedSide& b) {
  if (a.modelled == nullptr && !a.no_model.empty()) return "A is not modelled: " + a.no_model;
  if (b.modelled == nullptr && !b.no_model.empty()) return "B is not modelled: " + b.no_model;
  return "";
}

// The largest reasons on either side, without "selected", which is no stall.
void add_stalls(std::vector<CompareRow>& rows, const std::optional<sm::LaunchFigures>& a,
                const std::optional<sm::LaunchFigures>& b) {
  if (!a && !b) return;
  const auto of = [](const std::optional<sm::LaunchFigures>& figures, size_t reason) {
    return figures ? std::optional(figures->stalls[reason]) : std::nullopt;
  };
  std::array<size_t, sm::kStalls - 1> order{};
  std::iota(order.begin(), order.end(), 1);
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t reason) {
    return std::max(of(a, reason).value_or(0), of(b, reason).value_or(0));
  });
  for (const size_t reason : std::span(order).first(kMostStalls)) {
    CompareRow row =
        row_of({CompareGroup::stalls, sm::kStallNames[reason], "", cycles_text},
               Pair{of(a, reason), of(b, reason)}, false, "warp cycles an issued instruction, modelled");
    row.name = fmt::format("Stall: {}", sm::kStallNames[reason]);
    rows.push_back(std::move(row));
  }
}

// ---- sentences

std::string faster_text(const TimePair& times) {
  const double ratio = times.a->ms / times.b->ms;
  // Where there are two devices, the names of A and B and the row of the time say so.
  const std::string source = experiment::provenance_name(times.b->provenance);
  if (std::abs(ratio - 1) < 0.005) return fmt::format("A and B take the same time ({})", source);
  if (ratio >= 2) return fmt::format("B is {:.3g} times as fast as A ({})", ratio, source);
  if (ratio > 1) return fmt::format("B takes {:.1f} % less time than A ({})", 100 * (1 - 1 / ratio), source);
  if (ratio > 0.5)
    return fmt::format("B takes {:.1f} % more time than A ({})", 100 * (1 / ratio - 1), source);
  return fmt::format("B takes {:.3g} times as long as A ({})", 1 / ratio, source);
}

// Times that were measured or recorded come before modelled ones. Without a time on both sides the first
// figure that is better or worse speaks.
std::string headline_of(const Comparison& comparison, const BlockResult& a, const BlockResult& b,
                        const TimePair& timed, const TimePair& modelled) {
  if (same_work(a, b)) {
    if (timed.comparable()) return faster_text(timed);
    if (modelled.both()) return faster_text(modelled);
  } else if (!both_products(a, b)) {
    return "A and B do different work";
  }
  for (const CompareRow& row : comparison.rows)
    if (row.verdict != 0) return fmt::format("{}: {} \u2192 {}", row.name, row.a, row.b);
  return "";
}

// ---- names

// "Floats in a row of the tile: 33, Read the tile by columns: 0": the values that differ, or for another
// kernel those that are not the defaults.
std::string toggles_text(const BlockResult& of, const BlockResult& other, bool same_kernel) {
  std::string text;
  const catalog::Kernel& kernel = of.compiled->kernel;
  const auto add = [&](const std::string& title, const std::string& value) {
    const char* const is = title.find(':') == std::string::npos ? ":" : " =";  // "Block tile: k = 16"
    text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", title, is, value);
  };
  for (const catalog::Toggle& toggle : kernel.toggles) {
    const auto value_in = [&](const experiment::Experiment& e) {
      const auto found = e.toggles.find(toggle.name);
      return found == e.toggles.end() ? toggle.default_value : found->second;
    };
    const int64_t value = value_in(of.experiment);
    if (value != (same_kernel ? value_in(other.experiment) : toggle.default_value))
      add(toggle.title, toggle.label_of(value));
  }
  for (const catalog::Input& input : kernel.inputs) {
    const auto value_in = [&](const experiment::Experiment& e) {
      const auto found = e.inputs.find(input.name);
      return found == e.inputs.end() ? input.default_value : found->second;
    };
    const std::string value = value_in(of.experiment);
    if (value != (same_kernel ? value_in(other.experiment) : input.default_value)) add(input.title, value);
  }
  return text;
}

std::string name_of(const BlockResult& of, const BlockResult& other) {
  std::vector<std::string> parts;
  const bool same_kernel = of.compiled->kernel.id == other.compiled->kernel.id;
  if (!same_kernel) parts.push_back(of.compiled->kernel.id);
  if (std::string toggles = toggles_text(of, other, same_kernel); !toggles.empty())
    parts.push_back(std::move(toggles));
  if (!same_size(of, other)) parts.push_back(experiment::size_text(of.experiment.problem));
  if (of.experiment.arch != other.experiment.arch) parts.emplace_back(isa::arch_name(of.experiment.arch));
  if (of.compiled->shown_part != other.compiled->shown_part && same_kernel)
    parts.push_back(of.compiled->parts[of.compiled->shown_part].title);
  const std::string changes = experiment::changes_text(of.experiment.changes);
  if (const bool differ = !(of.experiment.changes == other.experiment.changes); differ)
    parts.push_back(changes.empty() ? "the compiler's machine code" : changes);
  if (parts.empty() && of.experiment.block != other.experiment.block)
    parts.push_back(fmt::format("block ({}, {}, {})", of.experiment.block[0], of.experiment.block[1],
                                of.experiment.block[2]));
  if (parts.empty()) parts.push_back(of.compiled->kernel.id);
  std::string name;
  for (const std::string& part : parts) name += (name.empty() ? "" : " \u00b7 ") + part;
  return name;
}

}  // namespace

const char* compare_group_name(CompareGroup group) {
  static constexpr const char* kNames[kCompareGroups] = {"Time", "Counted", "Bank conflicts by access",
                                                         "Resources", "Largest stalls"};
  return kNames[static_cast<size_t>(group)];
}

std::pair<std::string, std::string> compared_names(const BlockResult& a, const BlockResult& b) {
  std::pair<std::string, std::string> names{name_of(a, b), name_of(b, a)};
  if (names.first == names.second && a.compiled->kernel.source != b.compiled->kernel.source) {
    names.first += " \u00b7 the file as it was";
    names.second += " \u00b7 the file as it is";
  }
  return names;
}

Comparison compare(const ComparedSide& a, const ComparedSide& b) {
  Comparison result;
  std::tie(result.a, result.b) = compared_names(*a.block, *b.block);
  if (a.device != nullptr && b.device != nullptr && a.device->name != b.device->name) {
    result.a += " \u00b7 " + a.device->name;
    result.b += " \u00b7 " + b.device->name;
  }
  const Basis basis = basis_of(a, b);
  result.basis = basis_text(basis);
  std::vector<std::string> cautions = {wrong_text(a, "A"), wrong_text(b, "B"),
                                       caution_text(basis, *a.block, *b.block)};
  std::erase(cautions, "");
  result.caution = fmt::format("{}", fmt::join(cautions, " "));
  const TimePair timed = timed_pair(a, b), modelled = modelled_pair(a, b);
  if (timed.a || timed.b) add_times(result.rows, timed, a, b, "timed_ms", "Time on a GPU");
  add_times(result.rows, modelled, a, b, "modelled_ms", "Time, modelled");
  if (!modelled.both()) result.rows.back().note = why_not_modelled(a, b);
  const KeyNumbers numbers_a = numbers_of(a), numbers_b = numbers_of(b);
  add_counters(result.rows, numbers_a, numbers_b, basis);
  add_conflicts(result.rows, a, b, basis);
  add_ports(result.rows, a, b);
  add_resources(result.rows, a, b, numbers_a, numbers_b);
  const auto figures_a = figures_of(a), figures_b = figures_of(b);
  add_stalls(result.rows, figures_a, figures_b);
  if (a.block->compiled == b.block->compiled && result.a == result.b) {
    result.headline = "A is pinned, and B is still the same";
    result.reason = "Change a toggle, the kernel, the size or the architecture: B shows it beside A.";
    return result;
  }
  result.headline = headline_of(result, *a.block, *b.block, timed, modelled);
  if (figures_a && figures_b && modelled.comparable() && same_work(*a.block, *b.block) &&
      result.a != result.b)
    // Below a headline that was measured or recorded it must not pass for that.
    result.reason =
        (timed.comparable() ? "In the model: " : "") + sm::explain_difference("B", *figures_a, *figures_b);
  return result;
}

}  // namespace gemmscope::scenes
