// How fast the machine is: warp instructions a second on one core for each kernel of the ladder. Executed
// alone, with the traffic counted, and traced; and what comes before, decoding and translating.
//   gemmscope_bench --benchmark_filter=execute/
#include <benchmark/benchmark.h>

#include "catalog/catalog.h"
#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "isa/disassemble.h"
#include "machine/grid.h"
#include "metrics/counters.h"

namespace gemmscope {
namespace {

// Large enough for many blocks, deep enough for the main loop to decide.
constexpr catalog::Problem kProblem{256, 256, 256, 1.25f, 0.5f};

using Compiled = std::shared_ptr<const experiment::CompiledKernel>;

Compiled compile(const catalog::Kernel& kernel, isa::Arch arch) {
  experiment::Experiment e;
  e.kernel = kernel.id;
  e.problem = kProblem;
  e.arch = arch;
  return experiment::compile_kernel(kernel, e).value_or(nullptr);
}

// A program with the memory that it works on.
struct Prepared {
  experiment::ProblemData data = experiment::make_problem_data(kProblem);
  machine::Program program;

  explicit Prepared(const experiment::CompiledKernel& compiled)
      : program(*machine::translate(compiled.cubin, compiled.code(),
                                    {compiled.launch.grid, compiled.launch.block,
                                     compiled.launch.dynamic_shared_bytes, data.arguments},
                                    data.memory)) {}
};

void report(benchmark::State& state, uint64_t warp_instructions) {
  state.SetItemsProcessed(static_cast<int64_t>(warp_instructions));
}

void execute(benchmark::State& state, const Compiled& compiled, bool count_traffic) {
  Prepared prepared(*compiled);
  uint64_t instructions = 0;
  for (auto _ : state) {
    metrics::TrafficCollector collector(compiled->instructions.size());
    machine::GridOptions options;
    options.threads = 1;
    if (count_traffic) options.observer_for_thread = [&](int) { return &collector; };
    const auto run = machine::run_grid(prepared.program, prepared.data.memory, options);
    if (!run) return state.SkipWithError(run.error().what.c_str());
    instructions += run->counts.total_warps();
    benchmark::DoNotOptimize(collector.traffic().data());
  }
  report(state, instructions);
}

void trace(benchmark::State& state, const Compiled& compiled) {
  Prepared prepared(*compiled);
  uint64_t instructions = 0;
  for (auto _ : state) {
    const auto block = machine::trace_block(prepared.program, prepared.data.memory, {0, 0, 0},
                                            experiment::kTraceRecordLimit, {});
    if (!block) return state.SkipWithError(block.error().what.c_str());
    instructions += block->records.size();
  }
  report(state, instructions);
}

void translate(benchmark::State& state, const Compiled& compiled) {
  for (auto _ : state) {
    const Prepared prepared(*compiled);
    benchmark::DoNotOptimize(prepared.program.ops.data());
  }
}

void decode(benchmark::State& state, const Compiled& compiled) {
  const cubin::KernelCode& code = compiled->code();
  uint64_t instructions = 0;
  for (auto _ : state) {
    for (uint32_t i = 0; i < code.instruction_count(); ++i) {
      const std::string text = isa::disassemble(
          isa::decode(code.words[2 * i], code.words[2 * i + 1], 16 * i, compiled->cubin.arch));
      benchmark::DoNotOptimize(text.data());
    }
    instructions += code.instruction_count();
  }
  state.SetItemsProcessed(static_cast<int64_t>(instructions));
}

void register_kernel(const catalog::Kernel& kernel, isa::Arch arch) {
  const Compiled compiled = compile(kernel, arch);
  if (compiled == nullptr) return;
  const auto add = [&](const std::string& what, auto function) {
    benchmark::RegisterBenchmark((what + "/" + kernel.id + "/" + isa::arch_name(arch)).c_str(), function)
        ->Unit(benchmark::kMillisecond);
  };
  add("execute", [=](benchmark::State& state) { execute(state, compiled, false); });
  add("count", [=](benchmark::State& state) { execute(state, compiled, true); });
  add("trace", [=](benchmark::State& state) { trace(state, compiled); });
  add("translate", [=](benchmark::State& state) { translate(state, compiled); });
  add("decode", [=](benchmark::State& state) { decode(state, compiled); });
}

}  // namespace
}  // namespace gemmscope

int main(int argc, char** argv) {
  using namespace gemmscope;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const catalog::Kernel& kernel : catalog::read_catalog(catalog::kernels_folder() / "ladder").kernels)
    for (const isa::Arch arch : {isa::Arch::sm_86, isa::Arch::sm_90}) register_kernel(kernel, arch);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
