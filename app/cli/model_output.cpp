#include "cli/model_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "metrics/roofline.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"
#include "sm/predict.h"
#include "sm/timeline_index.h"

namespace gemmscope::cli {

using nlohmann::json;
using scenes::short_number;

namespace {

// The text table lists as many instructions and lines.
constexpr size_t kMostRows = 20;

std::string ms_text(double ms) { return fmt::format("{:.{}f}", ms, ms < 10 ? 4 : 3); }
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string tflops_text(const ModelReport& report, double ms) {
  if (report.tflops <= 0) return "";
  return fmt::format("{:>9.3f} TFLOP/s", report.tflops * report.milliseconds() / ms);
}

std::string launch_text(const sm::LaunchFigures& f) {
  return fmt::format(
      "{:.0f} cycles of the busiest SM with {} of {} blocks, {:.2f} waves of {} block{} an SM, {:.1f} of {} "
      "warps "
      "active",
      f.cycles, f.blocks_of_busiest_sm, f.blocks, f.waves, f.blocks_per_sm, f.blocks_per_sm == 1 ? "" : "s",
      f.achieved_warps, f.most_warps);
}

json figures_json(const sm::LaunchFigures& f) {
  json pipes = json::object();
  for (size_t k = 0; k < sm::kUnits; ++k)
    if (f.pipes[k] > 0) pipes[sm::unit_name(static_cast<sm::Unit>(k))] = f.pipes[k];
  json stalls = json::object();
  for (size_t k = 0; k < sm::kStalls; ++k) stalls[sm::kStallNames[k]] = f.stalls[k];
  return {{"milliseconds", f.milliseconds},
          {"cycles", f.cycles},
          {"warp_instructions", f.instructions},
          {"blocks", f.blocks},
          {"sms", f.sms},
          {"blocks_of_busiest_sm", f.blocks_of_busiest_sm},
          {"waves", f.waves},
          {"blocks_per_sm", f.blocks_per_sm},
          {"warps_per_block", f.warps_per_block},
          {"registers", f.registers},
          {"shared_bytes", f.shared_bytes},
          {"occupancy_limit", f.occupancy_limit},
          {"achieved_occupancy", f.most_warps > 0 ? f.achieved_warps / f.most_warps : 0},
          {"achieved_warps", f.achieved_warps},
          {"issue_slot_use", f.issue},
          {"pipe_use", pipes},
          {"data_stage_use", f.global_data + f.shared_data},
          {"load_store_unit_use", f.global_lsu + f.shared_lsu},
          {"l2_use", f.l2},
          {"store_use", f.stores},
          {"dram_use", f.dram},
          {"l1_hit_rate", f.l1_hit_rate()},
          {"l2_hit_rate", f.l2_hit_rate()},
          {"dram_read_bytes", f.dram_read_bytes},
          {"dram_written_bytes", f.dram_written_bytes},
          {"l2_load_sectors", f.l2_load_sectors},
          {"store_sectors", f.store_sectors},
          {"shared_wavefronts", f.shared_wavefronts},
          {"warp_cycles_per_instruction", stalls}};
}

json bound_json(const sm::BoundReport& bound) {
  return {{"name", sm::bound_name(bound.bound)}, {"share", bound.share}, {"sentence", bound.sentence}};
}

}  // namespace

std::string error_text(double modelled, double recorded) {
  return fmt::format("{:+.1f} %", 100 * (modelled / recorded - 1));
}

void print_time(const ModelReport& report, const std::optional<RecordedTime>& recorded, bool changed) {
  const double ms = report.milliseconds();
  fmt::print("modelled  {:>9} ms {}  on {}{}\n", ms_text(ms), tflops_text(report, ms), report.device.name,
             changed ? ", changed" : "");
  if (recorded)
    fmt::print("recorded  {:>9} ms {}  on {}, {}: the model is {} off\n", ms_text(recorded->milliseconds),
               tflops_text(report, recorded->milliseconds), recorded->device,
               recorded->date.empty() ? "published" : recorded->date, error_text(ms, recorded->milliseconds));
  else if (changed)
    fmt::print("recorded          –  no recording is of a device that --set has changed\n");
  else
    fmt::print("recorded          –  no recording of {} has this kernel, size and toggles\n",
               report.device.name);
  for (const experiment::ModelledLaunch& launch : report.launches) {
    if (report.launches.size() > 1)
      fmt::print("{}: {} ms, ", launch.title, ms_text(launch.figures.milliseconds));
    fmt::print("{}\n", launch_text(launch.figures));
  }
  fmt::print("{}\n", report.longest().bound.sentence);
}

json time_json(const ModelReport& report, const std::optional<RecordedTime>& recorded) {
  json launches = json::array();
  for (const experiment::ModelledLaunch& launch : report.launches)
    launches.push_back({{"title", launch.title},
                        {"figures", figures_json(launch.figures)},
                        {"bound", bound_json(launch.bound)}});
  uint64_t simulated = 0;
  for (const sm::LaunchTime& launch : report.time->launches) simulated += launch.simulated;
  json result = {{"modelled",
                  {{"milliseconds", report.milliseconds()},
                   {"tflops", report.tflops > 0 ? json(report.tflops) : json(nullptr)},
                   {"cycles", report.longest().figures.cycles},
                   {"execute_ms", report.sample->trace_ms},
                   {"model_ms", report.time->model_ms},
                   {"simulated_instructions", simulated}}},
                 {"recorded", nullptr},
                 {"bound", bound_json(report.longest().bound)},
                 {"launches", launches}};
  if (recorded)
    result["recorded"] = {{"milliseconds", recorded->milliseconds},
                          {"device", recorded->device},
                          {"date", recorded->date},
                          {"file", recorded->file},
                          {"error", report.milliseconds() / recorded->milliseconds - 1}};
  return result;
}

namespace {

// The stalls of an instruction, or of all instructions of a source line.
struct StallRow {
  std::string place, text;
  uint64_t address = 0;
  sm::StallCycles cycles{};
  double total() const { return std::accumulate(cycles.begin(), cycles.end(), 0.0); }
  double issued() const { return cycles[static_cast<size_t>(sm::Stall::selected)]; }
  sm::Stall largest() const {
    const auto found = std::ranges::max_element(cycles.begin() + 1, cycles.end());
    return static_cast<sm::Stall>(found - cycles.begin());
  }
};

std::vector<StallRow> by_instruction(const ModelReport& report, const experiment::CompiledKernel& compiled) {
  const auto& stalls = report.time->launches[report.shown_launch].counters.stalls;
  std::vector<StallRow> rows;
  for (size_t i = 0; i < stalls.size() && i < compiled.instructions.size(); ++i)
    rows.push_back({scenes::place_and_call_text(compiled, i), compiled.text[i],
                    compiled.instructions[i].address, stalls[i]});
  return rows;
}

std::vector<StallRow> by_line(const ModelReport& report, const experiment::CompiledKernel& compiled) {
  const auto& stalls = report.time->launches[report.shown_launch].counters.stalls;
  std::map<std::pair<int, int>, StallRow> lines;
  for (size_t i = 0; i < stalls.size() && i < compiled.places.size(); ++i) {
    const experiment::CompiledKernel::Place& place = compiled.places[i];
    StallRow& row = lines[{place.file, place.line}];
    if (row.place.empty()) {
      row.place = place.file < 0 ? "(unknown)" : scenes::place_text(compiled, place);
      const auto file = static_cast<size_t>(std::max(0, place.file));
      if (place.file >= 0 && place.line >= 1 &&
          static_cast<size_t>(place.line) <= compiled.files[file].lines.size())
        row.text = compiled.files[file].lines[static_cast<size_t>(place.line) - 1];
      row.text.erase(0, std::min(row.text.find_first_not_of(" \t"), row.text.size()));
    }
    for (size_t k = 0; k < sm::kStalls; ++k) row.cycles[k] += stalls[i][k];
  }
  std::vector<StallRow> rows;
  for (auto& [place, row] : lines) rows.push_back(std::move(row));
  return rows;
}

json row_json(const StallRow& row, bool instruction) {
  json cycles = json::object();
  for (size_t k = 0; k < sm::kStalls; ++k)
    if (row.cycles[k] > 0) cycles[sm::kStallNames[k]] = row.cycles[k];
  json result = {{"place", row.place}, {"text", row.text}, {"issued", row.issued()}, {"warp_cycles", cycles}};
  if (instruction) result["address"] = row.address;
  return result;
}

void print_rows(std::vector<StallRow> rows, const char* title, bool instruction) {
  double all = 0;
  for (const StallRow& row : rows) all += row.total();
  std::ranges::stable_sort(rows, std::greater<>(), &StallRow::total);
  fmt::print("\n{:<8}{:>8}{:>12}{:>14}  {:<20} {}\n", instruction ? "address" : "", "share", "issued",
             "cycles each", "most for", title);
  for (size_t i = 0; i < std::min(rows.size(), kMostRows) && rows[i].total() > 0; ++i) {
    const StallRow& row = rows[i];
    fmt::print("{:<8}{:>8}{:>12}{:>14.1f}  {:<20} {}\n",
               instruction ? fmt::format("{:#06x}", row.address) : "", percent(row.total() / all),
               short_number(row.issued()), row.total() / std::max(1.0, row.issued()),
               sm::stall_name(row.largest()),
               instruction ? row.text + "  " + row.place : row.place + "  " + row.text);
  }
  if (rows.size() > kMostRows) fmt::print("{:>8} (--json lists all {})\n", "…", rows.size());
}

}  // namespace

void print_stalls(const ModelReport& report, const experiment::CompiledKernel& compiled) {
  const sm::LaunchFigures& f = report.shown().figures;
  fmt::print("modelled on {}: {} ms, {}\n{}\n\n", report.device.name, ms_text(f.milliseconds), launch_text(f),
             report.shown().bound.sentence);
  fmt::print("issue slots used     {:>8}\nachieved occupancy   {:>8}\nL1 hit rate          {:>8}\n",
             percent(f.issue), f.most_warps > 0 ? percent(f.achieved_warps / f.most_warps) : "–",
             f.l1_sectors > 0 ? percent(f.l1_hit_rate()) : "–");
  fmt::print("sectors from L2      {:>8}  of the busiest SM, and {} stored\n",
             short_number(f.l2_load_sectors), short_number(f.store_sectors));
  fmt::print("{:<20} {:>8}\n", "L2 hit rate", f.l2_load_sectors > 0 ? percent(f.l2_hit_rate()) : "–");
  fmt::print("{:<20} {:>8}  bytes read by the chip, and {} written, where the launch is repeated\n", "DRAM",
             short_number(f.dram_read_bytes), short_number(f.dram_written_bytes));
  for (size_t k = 0; k < sm::kUnits; ++k)
    if (f.pipes[k] >= 0.0005)
      fmt::print("{:<20} {:>8}\n", fmt::format("{} pipe", sm::unit_name(static_cast<sm::Unit>(k))),
                 percent(f.pipes[k]));
  fmt::print("{:<20} {:>8}\n{:<20} {:>8}\n", "load-store unit", percent(f.global_lsu + f.shared_lsu),
             "L1 data stage", percent(f.global_data + f.shared_data));
  fmt::print("\nwarp cycles per issued instruction\n");
  std::vector<size_t> order(sm::kStalls);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t k) { return f.stalls[k]; });
  for (const size_t k : order)
    if (f.stalls[k] >= 0.005) fmt::print("  {:<20}{:>8.2f}\n", sm::kStallNames[k], f.stalls[k]);
  print_rows(by_instruction(report, compiled), "instruction", true);
  print_rows(by_line(report, compiled), "source line", false);
}

namespace {

// By instruction, of the blocks of one SM that the pipeline picture shows. Empty where there is no timeline.
std::vector<sm::ExposedLatency> exposed_latencies(const ModelReport& report) {
  const sm::LaunchTrace& launch = report.sample->launches[report.shown_launch].deep;
  const auto timeline = sm::make_timeline(launch, report.device, static_cast<uint32_t>(launch.blocks.size()));
  if (!timeline) return {};
  const sm::TimelineIndex index(*timeline, launch, report.device.fma_halves);
  return {index.exposed().begin(), index.exposed().end()};
}

// Cycles, on average.
json latency_json(const sm::ExposedLatency& of) {
  const auto n = static_cast<double>(of.executions);
  return {{"executions", of.executions},
          {"cycles", of.latency / n},
          {"exposed_to_warp", of.warp / n},
          {"exposed_to_sub_core", of.sub_core / n}};
}

}  // namespace

json stalls_json(const ModelReport& report, const experiment::CompiledKernel& compiled) {
  json instructions = json::array(), lines = json::array();
  const std::vector<sm::ExposedLatency> exposed = exposed_latencies(report);
  for (const StallRow& row : by_instruction(report, compiled)) {
    const size_t i = instructions.size();
    instructions.push_back(row_json(row, true));
    if (i < exposed.size() && exposed[i].executions > 0)
      instructions.back()["latency"] = latency_json(exposed[i]);
  }
  for (const StallRow& row : by_line(report, compiled)) lines.push_back(row_json(row, false));
  return {{"launch", report.shown().title},
          {"figures", figures_json(report.shown().figures)},
          {"bound", bound_json(report.shown().bound)},
          {"instructions", instructions},
          {"lines", lines}};
}

}  // namespace gemmscope::cli
