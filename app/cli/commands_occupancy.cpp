// occupancy: of a kernel or of needs set by hand; presets, throughput, comparison with a table.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/occupancy_golden.h"
#include "cli/output.h"
#include "cli/text_file.h"
#include "cli/with_compiled.h"
#include "metrics/occupancy_curve.h"
#include "metrics/occupancy_presets.h"
#include "metrics/sm_rates.h"
#include "scenes/occupancy_panel_scene.h"
#include "scenes/occupancy_text.h"
#include "scenes/text.h"

namespace gemmscope::cli {
namespace {

using metrics::Occupancy;
using metrics::OccupancyAxis;
using metrics::OccupancyPoint;
using metrics::SmLimits;
using nlohmann::json;

// What is asked, where it comes from, and the point before a change of registers.
struct Asked {
  OccupancyPoint point;
  std::string source;    // "by hand", or the kernel
  std::string question;  // of a preset
  std::optional<OccupancyPoint> before;
};

Result<int> parse_capability(const std::string& text) {
  std::string known;
  for (const SmLimits& sm : metrics::all_sm_limits()) {
    const std::string name = scenes::capability_text(sm.compute_capability);
    if (name == text) return sm.compute_capability;
    known += (known.empty() ? "" : ", ") + name;
  }
  return fail("--cc {}: expected one of {}", text, known);
}

json limits_json(const Occupancy& o) {
  constexpr const char* kNames[] = {"warps", "registers", "shared", "blocks", "barriers"};
  json limits;
  for (size_t i = 0; i < metrics::kOccupancyLimits; ++i)
    limits[kNames[i]] = o.limits[i] ? json(*o.limits[i]) : json(nullptr);
  return limits;
}

json limiters_json(const Occupancy& o) {
  json names = json::array();
  for (int i = 0; i < metrics::kOccupancyLimits; ++i)
    if (const auto limit = static_cast<metrics::OccupancyLimit>(i); o.limited_by(limit))
      names.push_back(metrics::limit_name(limit));
  return names;
}

json boundaries_json(const std::vector<metrics::RegisterBoundary>& boundaries) {
  json list = json::array();
  for (const metrics::RegisterBoundary& b : boundaries)
    list.push_back({{"registers", b.registers}, {"blocks", b.blocks}, {"blocks_above", b.blocks_above}});
  return list;
}

json curve_json(const SmLimits& sm, const metrics::BlockNeeds& needs, OccupancyAxis axis,
                metrics::OccupancyRule rule) {
  json steps = json::array();
  for (const metrics::OccupancyStep& s : metrics::occupancy_curve(sm, needs, axis, rule))
    steps.push_back({{"first", s.first}, {"last", s.last}, {"blocks", s.blocks}, {"warps", s.warps}});
  return steps;
}

json curves_json(const SmLimits& sm, const metrics::BlockNeeds& needs, metrics::OccupancyRule rule) {
  return {{"registers", curve_json(sm, needs, OccupancyAxis::registers, rule)},
          {"shared_bytes", curve_json(sm, needs, OccupancyAxis::shared, rule)},
          {"threads", curve_json(sm, needs, OccupancyAxis::threads, rule)}};
}

json rates_json(int capability) {
  json rates = {{"compute_capability", scenes::capability_text(capability)}};
  for (const scenes::RateText& rate : scenes::rate_texts(capability)) rates[rate.label] = rate.value;
  rates["note"] = metrics::rates_note(capability);
  return rates;
}

json answer_json(const SmLimits& sm, const Asked& asked) {
  const metrics::BlockNeeds& needs = asked.point.needs;
  const Occupancy o = metrics::occupancy(sm, needs), simple = metrics::simple_occupancy(sm, needs);
  json answer = {{"compute_capability", scenes::capability_text(sm.compute_capability)},
                 {"source", asked.source},
                 {"threads", needs.threads},
                 {"registers", needs.registers},
                 {"shared_bytes", needs.shared_bytes},
                 {"barriers", needs.barriers},
                 {"blocks", o.blocks},
                 {"warps", o.warps},
                 {"warp_slots", sm.warps},
                 {"occupancy_percent", 100.0 * o.warps / sm.warps},
                 {"warps_per_block", o.warps_per_block},
                 {"registers_per_block", o.registers_per_block},
                 {"shared_bytes_per_block", o.shared_per_block},
                 {"limits", limits_json(o)},
                 {"limited_by", limiters_json(o)},
                 {"sentence", scenes::limiter_sentence(sm, needs)},
                 {"one_more_block", scenes::one_more_sentence(sm, needs)},
                 {"textbook",
                  {{"blocks", simple.blocks},
                   {"limits", limits_json(simple)},
                   {"sentence", scenes::textbook_sentence(sm, needs)},
                   {"curves", curves_json(sm, needs, metrics::simple_occupancy)}}},
                 {"register_boundaries", boundaries_json(metrics::register_boundaries(sm, needs))},
                 {"curves", curves_json(sm, needs, metrics::occupancy)},
                 {"throughput_per_clock", rates_json(sm.compute_capability)}};
  if (!asked.question.empty()) answer["question"] = asked.question;
  if (asked.before) {
    answer["crossed_boundaries"] = boundaries_json(
        metrics::crossed_boundaries(sm, needs, asked.before->needs.registers, needs.registers));
    answer["change"] = scenes::change_sentence(*asked.before, asked.point);
  }
  return answer;
}

void print_limits(const OccupancyPoint& point) {
  fmt::print("\n{:<16}{:>22}{:>8}{:>10}\n", "blocks by", "a block takes", "exact", "textbook");
  for (const scenes::LimitShare& share : scenes::limit_shares(point))
    fmt::print("{:<16}{:>22}{:>8}{:>10}{}\n", share.name, share.amount, share.fits,
               share.textbook_fits ? std::to_string(*share.textbook_fits) : "",
               share.decides ? "  <- decides" : "");
}

// Draws a row of slots for each scheduler; a letter is a block, a dot an empty slot.
void print_slots(const OccupancyPoint& point) {
  const std::vector<scenes::WarpSlot> slots = scenes::layout_slots(point, {0, 0, 6400, 400}, 1);
  std::map<float, std::string> rows;
  for (const scenes::WarpSlot& slot : slots) {
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef";
    rows[slot.rect.top] += slot.block < 0 ? '.' : kLetters[static_cast<size_t>(slot.block) % kLetters.size()];
  }
  fmt::print("\n{}\n", scenes::slots_title(point.compute_capability));
  for (const auto& [top, row] : rows) fmt::print("  {}\n", row);
}

void print_rates(int capability) {
  fmt::print("\nan SM of {} per clock:", scenes::capability_title(capability));
  std::string text;
  for (const scenes::RateText& rate : scenes::rate_texts(capability))
    text += fmt::format("{} {} {}", text.empty() ? "" : ",", rate.value, rate.label);
  fmt::print("{}\n", text);
  if (const std::string_view note = metrics::rates_note(capability); !note.empty()) fmt::print("{}\n", note);
}

void print_answer(const SmLimits& sm, const Asked& asked) {
  const metrics::BlockNeeds& needs = asked.point.needs;
  const Occupancy o = metrics::occupancy(sm, needs);
  fmt::print(
      "compute capability {}, {}: {} threads a block, {} registers a thread, {} bytes of shared memory\n",
      scenes::capability_title(sm.compute_capability), asked.source, needs.threads, needs.registers,
      needs.shared_bytes);
  if (!asked.question.empty()) fmt::print("{}\n", asked.question);
  fmt::print("{:.1f} %: {} of {} warps, {} block{} of {} warp{}\n", 100.0 * o.warps / sm.warps, o.warps,
             sm.warps, o.blocks, o.blocks == 1 ? "" : "s", o.warps_per_block,
             o.warps_per_block == 1 ? "" : "s");
  fmt::print("{}\n", scenes::limiter_sentence(sm, needs));
  if (const std::string more = scenes::one_more_sentence(sm, needs); !more.empty()) fmt::print("{}\n", more);
  fmt::print("{}\n", scenes::textbook_sentence(sm, needs));
  fmt::print("{}\n", scenes::boundaries_sentence(sm, needs));
  if (asked.before)
    if (const std::string change = scenes::change_sentence(*asked.before, asked.point); !change.empty())
      fmt::print("{}\n", change);
  print_limits(asked.point);
  print_slots(asked.point);
  print_rates(sm.compute_capability);
}

int answer(Asked asked, const OccupancyOptions& given, bool as_json) {
  metrics::BlockNeeds& needs = asked.point.needs;
  if (given.threads >= 0) needs.threads = given.threads;
  if (given.registers >= 0) needs.registers = given.registers;
  if (given.shared_bytes >= 0) needs.shared_bytes = given.shared_bytes;
  if (given.from_registers >= 0) {
    asked.before = asked.point;
    asked.before->needs.registers = given.from_registers;
  }
  if (!given.capability.empty()) {
    const Result<int> capability = parse_capability(given.capability);
    if (!capability) return print_error(capability.error().message), kBadUse;
    asked.point.compute_capability = *capability;
    if (asked.before) asked.before->compute_capability = *capability;
  }
  const SmLimits* sm = metrics::sm_limits(asked.point.compute_capability);
  if (sm == nullptr)
    return print_error(fmt::format("the limits of an SM of compute capability {} are not known",
                                   scenes::capability_text(asked.point.compute_capability)));
  if (as_json)
    print_json(answer_json(*sm, asked));
  else
    print_answer(*sm, asked);
  return 0;
}

int list_presets(bool as_json) {
  json list = json::array();
  std::string_view group;
  for (const metrics::OccupancyPreset& preset : metrics::occupancy_presets()) {
    const SmLimits& sm = *metrics::sm_limits(preset.point.compute_capability);
    const Asked asked{preset.point, std::string(preset.name), std::string(preset.question), {}};
    if (as_json) {
      json entry = answer_json(sm, asked);
      entry["id"] = preset.id;
      list.push_back(std::move(entry));
      continue;
    }
    if (std::exchange(group, preset.group) != preset.group) fmt::print("{}\n", preset.group);
    const Occupancy o = metrics::occupancy(sm, preset.point.needs);
    const Occupancy simple = metrics::simple_occupancy(sm, preset.point.needs);
    fmt::print("  {:<14} {:<44} {:>2} blocks, {:>5.1f} %, by {}; textbook {}\n", preset.id, preset.name,
               o.blocks, 100.0 * o.warps / sm.warps, scenes::limiter_names(o), simple.blocks);
  }
  if (as_json) print_json(list);
  return 0;
}

int list_throughput(bool as_json) {
  json list = json::array();
  bool head = false;
  for (const SmLimits& sm : metrics::all_sm_limits()) {
    if (as_json) {
      list.push_back(rates_json(sm.compute_capability));
      continue;
    }
    const std::vector<scenes::RateText> rates = scenes::rate_texts(sm.compute_capability);
    std::string names, line;
    for (const scenes::RateText& rate : rates) {
      names += fmt::format("{:>19}", rate.label);
      line += fmt::format("{:>19}", rate.value);
    }
    if (!std::exchange(head, true)) fmt::print("{:<42}{}\n", "per clock and SM", names);
    fmt::print("{:<42}{}\n", scenes::capability_title(sm.compute_capability), line);
  }
  if (as_json) print_json(list);
  return 0;
}

int compare_golden(const std::string& path, bool as_json) {
  const Result<std::string> text = read_text_file(path);
  if (!text) return print_error(text.error().message);
  const Result<GoldenComparison> compared = compare_with_golden(*text, path);
  if (!compared) return print_error(compared.error().message);
  json differences = json::array();
  for (const GoldenDifference& d : compared->differences) {
    differences.push_back({{"line", d.line},
                           {"column", d.column},
                           {"expected", d.expected},
                           {"found", d.found},
                           {"row", d.row}});
    if (!as_json)
      fmt::print("{}:{}: {}: {} in the file, {} here: {}\n", path, d.line, d.column, d.expected, d.found,
                 d.row);
  }
  if (as_json) {
    print_json({{"file", path},
                {"rows", compared->rows},
                {"values", compared->values},
                {"different_rows", compared->different_rows},
                {"beyond_chip", compared->beyond_chip},
                {"compared_columns", compared->compared},
                {"ignored_columns", compared->ignored},
                {"differences", differences}});
  } else {
    fmt::print("{} rows, {} values: {} {}\n", scenes::grouped(compared->rows),
               scenes::grouped(compared->values), scenes::grouped(compared->different_rows),
               compared->different_rows == 1 ? "row differs" : "rows differ");
    if (compared->beyond_chip > 0)
      fmt::print(
          "{} of them ask 3.0 for more than its 63 registers per thread; the vendor's calculator lets that "
          "pass, so they are compared without that limit\n",
          scenes::grouped(compared->beyond_chip));
    for (const std::string& column : compared->ignored) fmt::print("column {} is not compared\n", column);
  }
  return compared->different_rows == 0 ? 0 : kFailed;
}

// An option that describes a kernel is an error without one: it would have no effect.
const char* stray_option(const ExperimentOptions& options) {
  if (!options.toggles.empty()) return "--toggle";
  if (!options.inputs.empty()) return "--input";
  if (!options.defines.empty()) return "--define";
  if (!options.block_dim.empty()) return "--block-dim";
  if (!options.shared.empty()) return "--shared";
  return nullptr;
}

int answer_by_hand(const ExperimentOptions& options, const OccupancyOptions& given) {
  if (const char* stray = stray_option(options))
    return print_error(fmt::format("{} needs a KERNEL; without one the needs are set by hand", stray)),
           kBadUse;
  const std::optional<isa::Arch> arch = isa::arch_from_name(options.arch);
  if (!arch)
    return print_error(fmt::format("--arch {}: expected sm_75, sm_80, sm_86, sm_89 or sm_90; --cc takes any",
                                   options.arch)),
           kBadUse;
  Asked asked{{isa::sm_number(*arch), {256, 32, 0}}, "by hand", "", {}};
  if (!given.preset.empty()) {
    const metrics::OccupancyPreset* preset = metrics::find_occupancy_preset(given.preset);
    if (preset == nullptr)
      return print_error(fmt::format("--preset {}: there is none; --presets lists them", given.preset)),
             kBadUse;
    asked.point = preset->point;
    asked.source = preset->name;
    asked.question = preset->question;
  }
  return answer(std::move(asked), given, options.json);
}

}  // namespace

int report_occupancy(const ExperimentOptions& options, const OccupancyOptions& given) {
  if (!given.golden_file.empty()) return compare_golden(given.golden_file, options.json);
  if (given.list_presets) return list_presets(options.json);
  if (given.list_throughput) return list_throughput(options.json);
  if (options.kernel.empty()) return answer_by_hand(options, given);
  if (!given.preset.empty())
    return print_error("--preset and KERNEL exclude each other: a preset has needs of its own"), kBadUse;
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    return answer({scenes::occupancy_point_of(*compiled), chosen.kernel.id, "", {}}, given, options.json);
  });
}

}  // namespace gemmscope::cli
