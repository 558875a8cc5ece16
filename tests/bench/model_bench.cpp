// How fast the timing model is: modelled warp instructions a second on one core, and how long a toggle's
// timeline takes once its blocks are executed. Each at three sizes: the times should not grow with them.
//   gemmscope_model_bench --benchmark_filter='/11_prefetch/'
//
// execute: the exact execution of the blocks that the model reads (which a toggle also waits for).
// predict: the modelled time of the launch, one run. items_per_second are warp instructions.
// timeline: the steps of the resident blocks, their sums, and the stages of the tiles.
#include <benchmark/benchmark.h>

#include "catalog/catalog.h"
#include "experiment/devices.h"
#include "experiment/model_report.h"
#include "experiment/model_result.h"
#include "experiment/pipeline.h"

namespace gemmscope {
namespace {

using experiment::Experiment;

struct Prepared {
  Experiment experiment;
  sm::SmConfig device;
  std::shared_ptr<const experiment::CompiledKernel> compiled;
  std::shared_ptr<const experiment::TimingSample> sample;
  std::string trouble;
};

Prepared prepare(const catalog::Kernel& kernel, int64_t size, bool execute) {
  Prepared p;
  p.experiment.kernel = kernel.id;
  p.experiment.problem = {size, size, size, 1, 0};
  p.experiment.arch = isa::Arch::sm_90;
  auto device = experiment::find_device("h200");
  if (!device) return p.trouble = device.error().message, p;
  p.device = *std::move(device);
  p.device.runs = 1;
  auto compiled = experiment::compile_kernel(kernel, p.experiment);
  if (!compiled) return p.trouble = compiled.error().message, p;
  p.compiled = *compiled;
  if (!execute) return p;
  auto sample = experiment::sample_model(*p.compiled, p.experiment, p.device);
  if (!sample) return p.trouble = sample.error().message, p;
  p.sample = *sample;
  return p;
}

void execute(benchmark::State& state, const catalog::Kernel& kernel) {
  const Prepared p = prepare(kernel, state.range(0), false);
  if (!p.trouble.empty()) return state.SkipWithError(p.trouble.c_str());
  for (auto _ : state) {
    const auto sample = experiment::sample_model(*p.compiled, p.experiment, p.device);
    if (!sample) return state.SkipWithError(sample.error().message.c_str());
    benchmark::DoNotOptimize((*sample)->trace_ms);
  }
}

void predict(benchmark::State& state, const catalog::Kernel& kernel) {
  const Prepared p = prepare(kernel, state.range(0), true);
  if (!p.trouble.empty()) return state.SkipWithError(p.trouble.c_str());
  uint64_t instructions = 0;
  for (auto _ : state) {
    const auto time = experiment::model_time(*p.sample, p.device);
    if (!time) return state.SkipWithError(time.error().message.c_str());
    for (const sm::LaunchTime& launch : (*time)->launches) instructions += launch.simulated;
  }
  state.SetItemsProcessed(static_cast<int64_t>(instructions));
}

void timeline(benchmark::State& state, const catalog::Kernel& kernel) {
  const Prepared p = prepare(kernel, state.range(0), true);
  if (!p.trouble.empty()) return state.SkipWithError(p.trouble.c_str());
  // The block that the window shows has the depth of the problem; the model's are less deep.
  Experiment shown = p.experiment;
  shown.problem.k = std::min<int64_t>(shown.problem.k, 512);
  const auto compiled = experiment::compile_kernel(kernel, shown);
  if (!compiled) return state.SkipWithError(compiled.error().message.c_str());
  const auto block = experiment::run_block(*compiled, shown, nullptr);
  if (!block) return state.SkipWithError(block.error().message.c_str());
  uint64_t instructions = 0;
  for (auto _ : state) {
    const auto model = experiment::make_model_result(**block, p.sample, p.device);
    if (!model) return state.SkipWithError(model.error().message.c_str());
    instructions += (*model)->launch().instructions();
  }
  state.SetItemsProcessed(static_cast<int64_t>(instructions));
}

void register_kernel(const catalog::Kernel& kernel) {
  const auto add = [&](const char* what, auto function) {
    benchmark::RegisterBenchmark((std::string(what) + "/" + kernel.id).c_str(), function, kernel)
        ->Arg(1024)
        ->Arg(4096)
        ->Arg(16384)
        ->Unit(benchmark::kMillisecond);
  };
  add("execute", execute);
  add("predict", predict);
  add("timeline", timeline);
}

}  // namespace
}  // namespace gemmscope

int main(int argc, char** argv) {
  using namespace gemmscope;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const catalog::Kernel& kernel : catalog.kernels)
    if (kernel.folder != "labs") register_kernel(kernel);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
