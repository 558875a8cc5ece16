#include "experiment/modelled_time.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "catalog/product.h"
#include "experiment/hot_word.h"
#include "experiment/launch_parts.h"
#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "experiment/readers_at_once.h"
#include "metrics/occupancy.h"

namespace gemmscope::experiment {
namespace {

// A product is executed at this depth and at half of it, and continued to its own (sm/predict.h). Tiles are
// at most 64 deep, so the shallow one has passes enough for the loop to be in its steady state.
constexpr int64_t kDeepDepth = 512;
// Where blocks share the depth, each takes fewer passes: with fewer than this the depths are doubled, while
// a block issues at most so many instructions.
constexpr uint16_t kFewestPasses = 8;
constexpr size_t kShortBlock = 400'000;
// The most instructions of a block that are replayed.
constexpr size_t kMostRecords = 12'000'000;
// The SM whose blocks are executed: neither the first nor, in large grids, one at the edge.
constexpr uint64_t kTracedSm = 66;
constexpr uint64_t kNoAddress = std::numeric_limits<uint64_t>::max();

// Readers of buffers are counted at the depth from which the shares of lost lines are computed
// (sm/predict.h).
enum class Readers { counted, not_needed };

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

tl::unexpected<Failure> failed(std::string message) {
  return tl::unexpected(Failure{std::move(message), {}});
}

metrics::Occupancy resident_blocks(const cubin::KernelCode& code, const catalog::Launch& launch,
                                   const metrics::SmLimits& limits) {
  return metrics::occupancy(
      limits, {static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]), code.registers,
               static_cast<int>(code.static_shared_bytes + launch.dynamic_shared_bytes),
               std::max(1, static_cast<int>(code.barriers))});
}

// Makes the data of the experiment anew.
using MakeData = std::function<Result<ProblemData>()>;

// Traces a block. A copy of the memory would take longer than the block where the problem is large: for a
// product, whose matrices are zeros, the data are made anew in the rare case that it is traced twice.
tl::expected<machine::Trace, machine::FaultedRun> trace_block(
    const CompiledKernel& compiled, const LaunchPart& part, machine::Program& program, ProblemData& data,
    const MakeData& make_data, std::array<uint32_t, 3> index, const machine::TraceLimits& limits) {
  if (!catalog::is_product(compiled.kernel)) return machine::trace_block(program, data.memory, index, limits);
  bool written = false;
  const auto make = [&] {
    if (std::exchange(written, true))
      if (auto again = make_data()) {
        data = *std::move(again);
        if (auto translated = translate_part(compiled, part, data)) program = *std::move(translated);
      }
    return machine::Traced{program, data.memory};
  };
  machine::Trace trace;
  if (auto fault = machine::trace_until_fault(make, index, limits, trace))
    return tl::unexpected(machine::FaultedRun{std::move(*fault), std::move(trace.findings)});
  return trace;
}

// Traces the blocks that one SM gets first.
tl::expected<sm::LaunchTrace, Failure> trace_launch(const CompiledKernel& compiled, const LaunchPart& part,
                                                    ProblemData& data, const MakeData& make_data,
                                                    const sm::SmConfig& device, Readers readers,
                                                    const std::atomic<bool>* cancelled) {
  const metrics::SmLimits* limits = metrics::sm_limits(device.compute_capability);
  if (limits == nullptr) return failed(fmt::format("The limits of an SM of {} are not known.", device.name));
  const cubin::KernelCode& code = compiled.cubin.kernels[part.code_index];
  const metrics::Occupancy occupancy = resident_blocks(code, part.launch, *limits);
  if (occupancy.blocks == 0) return failed(fmt::format("A block does not fit on an SM of {}.", device.name));
  Result<machine::Program> program = translate_part(compiled, part, data);
  if (!program) return failed(program.error().message);
  auto timed = sm::timed_code(part.instructions);
  if (!timed) return failed(timed.error().message);
  sm::LaunchTrace launch;
  launch.code = *std::move(timed);
  launch.grid = part.launch.grid;
  launch.warps_per_block = occupancy.warps_per_block;
  launch.blocks_per_sm = occupancy.blocks;
  launch.shared_per_block = static_cast<uint32_t>(occupancy.shared_per_block);
  launch.base_line = kNoAddress;
  for (const auto& buffer : data.memory.buffers())
    launch.base_line = std::min(launch.base_line, buffer.address / metrics::kLineBytes);
  for (const auto& buffer : data.memory.buffers()) {
    const uint64_t first_line = buffer.address / metrics::kLineBytes - launch.base_line;
    sm::BufferUse use;
    use.first_line = static_cast<uint32_t>(first_line);
    use.end_line = static_cast<uint32_t>(first_line + (buffer.bytes.size() + metrics::kLineBytes - 1) /
                                                          metrics::kLineBytes);
    use.bytes = static_cast<double>(buffer.bytes.size());
    launch.buffers.push_back(use);
  }
  const auto sms = static_cast<uint64_t>(device.sms);
  const uint64_t total = launch.block_count(), per_sm = (total + sms - 1) / sms;
  const uint64_t first = std::min(total / 2, std::min(kTracedSm, sms / 2));
  sm::LaunchTraceBuilder builder(launch);
  machine::TraceLimits trace_limits{kMostRecords, {}};
  trace_limits.block.cancelled = cancelled;
  for (uint64_t n = 0; n < std::min<uint64_t>(static_cast<uint64_t>(occupancy.blocks), per_sm); ++n) {
    const auto index = machine::block_at((first + n * sms) % total, part.launch.grid);
    auto trace = trace_block(compiled, part, *program, data, make_data, index, trace_limits);
    if (!trace)
      return failed(machine::describe_fault(trace.error(), part.instructions, compiled.cubin, code));
    if (!trace->complete)
      return failed(
          fmt::format("A block of {} issues over {} million instructions; choose a smaller problem.",
                      part.title, kMostRecords / 1'000'000));
    builder.add(*trace);
  }
  if (readers == Readers::counted) {
    builder.finish();
    count_readers_at_once(launch, *program, data.memory, first,
                          std::min(total, sms * static_cast<uint64_t>(occupancy.blocks)));
    count_hot_word(launch, *program, data.memory);
  }
  return launch;
}

using Traces = std::vector<sm::LaunchTrace>;
tl::expected<Traces, Failure> trace_launches(const CompiledKernel& compiled, const Experiment& experiment,
                                             const sm::SmConfig& device, Readers readers,
                                             const std::atomic<bool>* cancelled) {
  const Contents contents = catalog::is_product(compiled.kernel) ? Contents::zeros : Contents::random;
  const MakeData make_data = [&] {
    return make_problem_data(compiled.kernel, experiment.problem, experiment.toggles, contents);
  };
  Result<ProblemData> data = make_data();
  if (!data) return failed(data.error().message);
  Traces traces;
  for (const LaunchPart& part : compiled.parts) {
    auto launch = trace_launch(compiled, part, *data, make_data, device, readers, cancelled);
    if (!launch) return tl::unexpected(std::move(launch.error()));
    traces.push_back(*std::move(launch));
  }
  return traces;
}

// The same experiment at another depth, its changes of the code included; null where the kernel cannot be
// launched so.
std::shared_ptr<const CompiledKernel> at_depth(const CompiledKernel& compiled, Experiment experiment,
                                               int64_t depth) {
  experiment.problem.k = depth;
  auto result = compile_kernel(compiled.kernel, experiment);
  if (!result || (*result)->parts.size() != compiled.parts.size()) return nullptr;
  const auto& changed = (*result)->changed;
  return changed == nullptr || changed->refused.empty() ? *result : nullptr;
}

bool is_sampled_in_depth(const CompiledKernel& compiled, const Experiment& experiment) {
  return catalog::is_product(compiled.kernel) && !compiled.kernel.square && experiment.problem.k > kDeepDepth;
}

size_t instructions_of(const sm::BlockTrace& block) {
  size_t count = 0;
  for (const auto& warp : block.warps) count += warp.size();
  return count;
}

// Whether the loop of the longest block takes too few passes to be in its steady state at half of the depth.
bool has_few_passes(const Traces& traces) {
  uint16_t last = 0;
  size_t longest = 0;
  for (const sm::LaunchTrace& launch : traces)
    for (const sm::BlockTrace& block : launch.blocks) {
      longest = std::max(longest, instructions_of(block));
      for (const auto& warp : block.warps)
        for (const sm::IssuedInstruction& issued : warp) last = std::max(last, issued.pass);
    }
  return last + 1 < kFewestPasses && longest <= kShortBlock;
}

// Whether K is the depth. In a user's kernel it may be another size: then blocks issue as much at both, or
// leave at once where they lie outside. A block's instructions are a constant part and one in proportion to
// the depth, so that at half of the depth there is at least half of them.
bool grows_with_depth(const Traces& deep, const Traces& shallow) {
  constexpr double kLeastShare = 0.45;
  bool grows = false;
  for (size_t i = 0; i < deep.size(); ++i)
    for (size_t b = 0; b < std::min(deep[i].blocks.size(), shallow[i].blocks.size()); ++b) {
      const size_t more = instructions_of(deep[i].blocks[b]), less = instructions_of(shallow[i].blocks[b]);
      if (less > more || static_cast<double>(less) < kLeastShare * static_cast<double>(more)) return false;
      grows = grows || less < more;
    }
  return grows;
}

// The sizes of the buffers at the launch's own depth, along the line through both depths.
void continue_buffers(sm::SampledLaunch& launch) {
  const double factor = (launch.depth - launch.deep_depth) / (launch.deep_depth - launch.shallow_depth);
  for (size_t b = 0; b < launch.deep.buffers.size(); ++b) {
    double& deep = launch.deep.buffers[b].bytes;
    deep += factor * (deep - launch.shallow.buffers[b].bytes);
  }
}

}  // namespace

// A launch's traces at one depth or two: without `shallow` at its own depth alone.
struct DepthTraces {
  Traces deep;
  std::optional<Traces> shallow;
  int64_t deep_depth = 0;
};

// At `depth` and at half of it; nothing where the experiment is not sampled so.
tl::expected<std::optional<DepthTraces>, Failure> trace_two_depths(const CompiledKernel& compiled,
                                                                   const Experiment& experiment,
                                                                   const sm::SmConfig& device, int64_t depth,
                                                                   const std::atomic<bool>* cancelled) {
  const auto deep = at_depth(compiled, experiment, depth);
  const auto shallow = at_depth(compiled, experiment, depth / 2);
  if (deep == nullptr || shallow == nullptr) return std::nullopt;
  Experiment changed = experiment;
  changed.problem.k = depth;
  auto deep_traces = trace_launches(*deep, changed, device, Readers::counted, cancelled);
  if (!deep_traces) return tl::unexpected(std::move(deep_traces.error()));
  if (has_few_passes(*deep_traces))
    return 2 * depth < experiment.problem.k
               ? trace_two_depths(compiled, experiment, device, 2 * depth, cancelled)
               : std::nullopt;
  changed.problem.k = depth / 2;
  auto shallow_traces = trace_launches(*shallow, changed, device, Readers::not_needed, cancelled);
  if (!shallow_traces) return tl::unexpected(std::move(shallow_traces.error()));
  if (!grows_with_depth(*deep_traces, *shallow_traces)) return std::nullopt;
  return DepthTraces{*std::move(deep_traces), *std::move(shallow_traces), depth};
}

tl::expected<DepthTraces, Failure> trace_depths(const CompiledKernel& compiled, const Experiment& experiment,
                                                const sm::SmConfig& device,
                                                const std::atomic<bool>* cancelled) {
  if (is_sampled_in_depth(compiled, experiment)) {
    auto two = trace_two_depths(compiled, experiment, device, kDeepDepth, cancelled);
    if (!two) return tl::unexpected(std::move(two.error()));
    if (two->has_value()) return **std::move(two);
  }
  auto traces = trace_launches(compiled, experiment, device, Readers::counted, cancelled);
  if (!traces) return tl::unexpected(std::move(traces.error()));
  return DepthTraces{*std::move(traces), std::nullopt, experiment.problem.k};
}

Outcome<TimingSample> sample_timing(const CompiledKernel& compiled, const Experiment& experiment,
                                    const sm::SmConfig& device, const std::atomic<bool>* cancelled) {
  const auto start = std::chrono::steady_clock::now();
  auto sample = std::make_shared<TimingSample>();
  sample->shown_launch = compiled.shown_part;
  auto traces = trace_depths(compiled, experiment, device, cancelled);
  if (!traces) return tl::unexpected(std::move(traces.error()));
  for (size_t i = 0; i < traces->deep.size(); ++i) {
    sm::SampledLaunch launch;
    launch.title = compiled.parts[i].title;
    launch.deep = std::move(traces->deep[i]);
    if (traces->shallow) {
      launch.shallow = std::move((*traces->shallow)[i]);
      launch.depth = static_cast<double>(experiment.problem.k);
      launch.deep_depth = static_cast<double>(traces->deep_depth);
      launch.shallow_depth = launch.deep_depth / 2;
      continue_buffers(launch);
    }
    sample->launches.push_back(std::move(launch));
  }
  sample->trace_ms = ms_since(start);
  return sample;
}

Outcome<ModelledTime> model_time(const TimingSample& sample, const sm::SmConfig& device,
                                 const std::atomic<bool>* cancelled) {
  const auto start = std::chrono::steady_clock::now();
  auto result = std::make_shared<ModelledTime>();
  result->device = device.name;
  for (const sm::SampledLaunch& launch : sample.launches) {
    auto time = sm::predict(launch, device, cancelled);
    if (!time) return failed(time.error().message);
    result->milliseconds += time->milliseconds;
    result->launches.push_back(*std::move(time));
  }
  result->model_ms = ms_since(start);
  return result;
}

}  // namespace gemmscope::experiment
