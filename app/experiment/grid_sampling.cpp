#include "experiment/grid_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "experiment/problem_data.h"
#include "machine/execute/grid.h"
#include "machine/translate/translate.h"
#include "metrics/data_dependence.h"

namespace gemmscope::experiment {
namespace {

// With more classes than this, sampling is refused.
constexpr size_t kMostClasses = 1024;

using Row = std::vector<uint64_t>;  // of metrics::flatten
struct RowHash {
  size_t operator()(const Row& row) const {
    uint64_t hash = row.size();
    for (uint64_t value : row) hash = (hash ^ value) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
    return hash;
  }
};

// The counters of one executed block, without those of other blocks.
struct BlockRun {
  uint64_t block = 0;
  const machine::InstructionCounts& executed;
  const std::vector<metrics::InstructionTraffic>& traffic;
};
using Visitor = std::function<void(const BlockRun&)>;  // called from any worker

struct RunFault {
  machine::FaultKind kind = machine::FaultKind::none;
  Failure failure;
};

// Executes blocks (null: all) and calls `visit` for each.
std::optional<RunFault> run_blocks(const CompiledKernel& compiled, const Experiment& experiment,
                                   const GridRunOptions& options, const std::vector<uint64_t>* blocks,
                                   const Visitor& visit) {
  Result<ProblemData> made =
      make_problem_data(compiled.kernel, experiment.problem, experiment.toggles, Contents::zeros);
  if (!made) return RunFault{machine::FaultKind::none, Failure{made.error().message}};
  ProblemData& data = *made;
  const machine::LaunchConfig launch{compiled.launch.grid, compiled.launch.block,
                                     compiled.launch.dynamic_shared_bytes, data.arguments};
  Result<machine::Program> program = machine::translate(compiled.cubin, compiled.code(), launch, data.memory);
  if (!program) return RunFault{machine::FaultKind::none, Failure{program.error().message, {}}};
  machine::GridOptions grid;
  grid.threads = options.threads > 0 ? options.threads
                                     : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  grid.limits.cancelled = options.cancelled;
  grid.progress = options.progress;
  grid.blocks = blocks;
  std::vector<std::unique_ptr<metrics::TrafficCollector>> collectors(static_cast<size_t>(grid.threads));
  grid.observer_for_thread = [&](int thread) -> machine::Observer* {
    auto& collector = collectors[static_cast<size_t>(thread)];
    collector = std::make_unique<metrics::TrafficCollector>(compiled.instructions.size());
    return collector.get();
  };
  grid.after_block = [&](int thread, uint64_t block, machine::InstructionCounts& executed) {
    metrics::TrafficCollector& collector = *collectors[static_cast<size_t>(thread)];
    visit({block, executed, collector.traffic()});
    collector.clear();
    std::fill(executed.warps.begin(), executed.warps.end(), 0);
    std::fill(executed.threads.begin(), executed.threads.end(), 0);
  };
  auto counts = machine::run_grid(*program, data.memory, grid);
  if (counts) return std::nullopt;
  machine::FaultedRun& faulted = counts.error();
  return RunFault{faulted.kind,
                  {machine::describe_fault(faulted, compiled.instructions, compiled.cubin, compiled.code()),
                   {},
                   faulted,
                   {},
                   std::move(faulted.findings)}};
}

// Base-3 digits, one per axis: 0 for the first block, 1 for one between, 2 for the last.
uint64_t place_in_grid(uint64_t block, const std::array<uint32_t, 3>& grid) {
  const std::array<uint32_t, 3> at = machine::block_at(block, grid);
  uint64_t place = 0;
  for (size_t i = 0; i < 3; ++i) place = place * 3 + (at[i] == 0 ? 0 : at[i] + 1 == grid[i] ? 2 : 1);
  return place;
}

using Classes = std::vector<std::vector<uint64_t>>;  // the blocks of each class, ascending

tl::expected<Classes, RunFault> classify(const CompiledKernel& compiled, const Experiment& shallow,
                                         const GridRunOptions& options) {
  std::mutex mutex;
  std::unordered_map<Row, std::vector<uint64_t>, RowHash> by_row;
  const std::optional<RunFault> fault =
      run_blocks(compiled, shallow, options, nullptr, [&](const BlockRun& run) {
        Row row = metrics::flatten(run.executed, run.traffic);
        row.push_back(place_in_grid(run.block, compiled.launch.grid));
        const std::lock_guard lock(mutex);
        if (by_row.size() <= kMostClasses || by_row.contains(row))
          by_row[std::move(row)].push_back(run.block);
      });
  if (fault) return tl::unexpected(*fault);
  Classes classes;
  for (auto& [row, blocks] : by_row) {
    std::sort(blocks.begin(), blocks.end());
    classes.push_back(std::move(blocks));
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

std::vector<uint64_t> members(const std::vector<uint64_t>& blocks) {
  std::vector<uint64_t> chosen{blocks.front(), blocks[blocks.size() / 2], blocks.back()};
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// A member of a class that has been executed at the full depth.
struct Member {
  Row row;
  metrics::Counters counters;  // of the class's first member only
};

std::string block_text(uint64_t block, const std::array<uint32_t, 3>& grid) {
  const std::array<uint32_t, 3> at = machine::block_at(block, grid);
  return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

// The classification is the first half of the progress, the execution of the members the second.
GridRunOptions with_progress(const GridRunOptions& options, bool second) {
  GridRunOptions part = options;
  if (options.progress)
    part.progress = [&options, second](uint64_t done, uint64_t total) {
      options.progress(second ? total + done : done, 2 * total);
    };
  return part;
}

SampledGrid refused(std::string why) { return {nullptr, std::move(why)}; }

// Sums over the classes, or refuses with the reason why that would be wrong.
SampledGrid sum(const std::shared_ptr<const CompiledKernel>& compiled, const Classes& classes,
                const std::unordered_map<uint64_t, Member>& executed) {
  auto result = std::make_shared<GridResult>();
  result->compiled = compiled;
  result->counters = metrics::Counters(compiled->instructions.size());
  for (const std::vector<uint64_t>& blocks : classes) {
    const Member& first = executed.at(blocks.front());
    for (uint64_t other : members(blocks))
      if (executed.at(other).row != first.row)
        return refused(fmt::format(
            "blocks {} and {} have equal counters at a small depth, but count differently at the full one",
            block_text(blocks.front(), compiled->launch.grid), block_text(other, compiled->launch.grid)));
    result->counters.add(first.counters, blocks.size());
    result->coverage.blocks += blocks.size();
  }
  result->coverage.classes = classes.size();
  result->verification.unchecked = "only some blocks were executed, for the counters";
  result->coverage.executed = executed.size();
  result->summary = metrics::summarize(result->counters, compiled->instructions);
  return {result, ""};
}

bool worth_it(const Classes& classes) {
  uint64_t blocks = 0, chosen = 0;
  for (const std::vector<uint64_t>& c : classes) blocks += c.size(), chosen += members(c).size();
  return classes.size() <= kMostClasses && chosen < blocks;
}

}  // namespace

int64_t classifying_depth(const CompiledKernel& compiled, const Experiment& experiment) {
  for (const int64_t modulus : {16, 32, 64, 128, 256}) {
    catalog::Problem shallow = experiment.problem;
    shallow.k = experiment.problem.k % modulus + modulus;
    if (3 * shallow.k > experiment.problem.k) return 0;
    const Result<catalog::Launch> launch =
        catalog::launch_for(compiled.kernel, shallow, experiment.toggles, isa::sm_number(experiment.arch));
    if (launch && launch->grid == compiled.launch.grid && launch->block == compiled.launch.block &&
        launch->dynamic_shared_bytes == compiled.launch.dynamic_shared_bytes)
      return shallow.k;
  }
  return 0;
}

tl::expected<SampledGrid, Failure> sample_grid(std::shared_ptr<const CompiledKernel> compiled,
                                               const Experiment& experiment, const GridRunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  if (compiled->parts.size() > 1) return refused("it has several launches");
  if (const auto dependence = metrics::find_data_dependence(compiled->instructions))
    return refused(fmt::format("{} at {:#x}: {}", compiled->text[dependence->instruction],
                               compiled->instructions[dependence->instruction].address, dependence->what));
  Experiment shallow = experiment;
  shallow.problem.k = classifying_depth(*compiled, experiment);
  if (shallow.problem.k == 0)
    return refused(fmt::format("no depth much smaller than K = {} has the same grid", experiment.problem.k));
  const tl::expected<Classes, RunFault> classes = classify(*compiled, shallow, with_progress(options, false));
  if (!classes) {
    if (classes.error().kind == machine::FaultKind::cancelled) return tl::unexpected(classes.error().failure);
    return refused(
        fmt::format("with K = {} it fails: {}", shallow.problem.k, classes.error().failure.message));
  }
  if (!worth_it(*classes)) return refused("its blocks fall into too many classes");

  std::vector<uint64_t> chosen;
  for (const std::vector<uint64_t>& blocks : *classes)
    for (uint64_t block : members(blocks)) chosen.push_back(block);
  std::sort(chosen.begin(), chosen.end());
  std::unordered_map<uint64_t, Member> executed;
  for (uint64_t block : chosen) executed[block];
  for (const std::vector<uint64_t>& blocks : *classes)
    executed[blocks.front()].counters = metrics::Counters(compiled->instructions.size());
  // The map no longer changes shape and each block has its own entry, so no lock is needed.
  const std::optional<RunFault> fault =
      run_blocks(*compiled, experiment, with_progress(options, true), &chosen, [&](const BlockRun& run) {
        Member& member = executed.find(run.block)->second;
        member.row = metrics::flatten(run.executed, run.traffic);
        if (member.counters.traffic.empty()) return;
        member.counters.executed = run.executed;
        member.counters.traffic = run.traffic;
      });
  if (fault) return tl::unexpected(fault->failure);
  SampledGrid sampled = sum(compiled, *classes, executed);
  if (sampled.grid != nullptr) {
    auto timed = std::make_shared<GridResult>(*sampled.grid);
    timed->execute_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    sampled.grid = std::move(timed);
  }
  return sampled;
}

Outcome<GridResult> count_grid(std::shared_ptr<const CompiledKernel> compiled, const Experiment& experiment,
                               const GridRunOptions& options, double instruction_limit) {
  const std::array<uint32_t, 3>& grid = compiled->launch.grid;
  const double blocks = static_cast<double>(grid[0]) * grid[1] * grid[2];
  // The estimate takes a block in the middle as typical.
  machine::InstructionCounts one;
  const std::vector<uint64_t> middle{static_cast<uint64_t>(blocks) / 2};
  if (const auto fault = run_blocks(*compiled, experiment, {1, options.cancelled, {}}, &middle,
                                    [&](const BlockRun& run) { one = run.executed; }))
    return tl::unexpected(fault->failure);
  std::string why_whole;
  if (blocks * static_cast<double>(one.total_warps()) > instruction_limit) {
    tl::expected<SampledGrid, Failure> sampled = sample_grid(compiled, experiment, options);
    if (!sampled) return tl::unexpected(std::move(sampled.error()));
    if (sampled->grid != nullptr) return sampled->grid;
    why_whole = std::move(sampled->why_not);
  }
  Outcome<GridResult> whole = run_whole_grid(compiled, experiment, options);
  if (!whole || why_whole.empty()) return whole;
  auto explained = std::make_shared<GridResult>(**whole);
  explained->coverage.why_whole = std::move(why_whole);
  return explained;
}

std::string coverage_text(const GridCoverage& coverage) {
  if (coverage.classes == 0)
    return coverage.blocks == 1 ? "the only block executed"
                                : fmt::format("all {} blocks executed", coverage.blocks);
  return fmt::format("sum over {} block class{}, exact", coverage.classes, coverage.classes == 1 ? "" : "es");
}

}  // namespace gemmscope::experiment
