// The names by which a lesson calls what a kernel executes and needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/model_report.h"
#include "experiment/model_result.h"
#include "experiment/results.h"
#include "metrics/counters.h"
#include "metrics/dependency_distance.h"
#include "metrics/occupancy.h"

namespace gemmscope::lessons {

// Each gives nothing for a name that it does not know; the functions with "names" list those that it does.

// "flops", "shared_load.wavefronts", "opcode.LDG" (warp instructions), or a metric of Nsight Compute.
std::optional<double> counter(const metrics::CounterSummary& summary, std::string_view name);
std::vector<std::string> counter_names();

// The share of a number to watch that is due to the instruction which contributes most to it, 0 to 1:
// "excess_wavefronts"; with "line." before it, to that instruction's source line. Nothing: no such number, or
// it is 0.
std::optional<double> largest_share(const experiment::BlockResult& block, std::string_view name);
std::vector<std::string> share_names();

// What the page sets: "m", "n", "k", and "flops", 2 m n k.
std::optional<double> problem_figure(const catalog::Problem& problem, std::string_view name);
std::vector<std::string> problem_names();

// Of the traced block, without its trace.
struct BlockFigures {
  metrics::DistanceSummary ffma_distances, load_distances;
  metrics::CounterSummary summary;
};
// "ffma_distance" (median), "ffma_distance_least", "load_to_use" (mean), "flop_per_float".
std::optional<double> block_figure(const BlockFigures& block, std::string_view name);
std::vector<std::string> block_names();

// "registers", "spill_bytes", "opcode.LDG" (how often the machine code has it).
std::optional<double> code_figure(const experiment::CompiledKernel& compiled, std::string_view name);
std::vector<std::string> code_names();

std::optional<double> launch_figure(const experiment::CompiledKernel& compiled, std::string_view name);
std::vector<std::string> launch_names();

// "blocks", "warps", "percent", "limited_by.registers" (1 or 0).
std::optional<double> occupancy_figure(const metrics::SmLimits& limits, const metrics::Occupancy& occupancy,
                                       std::string_view name);
std::vector<std::string> occupancy_names();

// "ms", "tflops", "cycles", "issue" (share of the issue slots), "stall.barrier" (warp cycles an instruction),
// "bound.compute" (1 where the launch is bound by it, else 0), "bound_share".
std::optional<double> modelled_figure(const experiment::ModelReport& report, std::string_view name);
std::vector<std::string> modelled_names();

// Of the loads from global memory, mean cycles: "load_latency" until the result is there, and of these
// "load_exposed_to_warp", in which the warp had nothing else to issue, and "load_exposed", in which no warp
// of its sub-core issued.
std::optional<double> latency_figure(const experiment::ModelResult& model, std::string_view name);
bool is_latency_name(std::string_view name);

}  // namespace gemmscope::lessons
