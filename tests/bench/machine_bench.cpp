// How fast the machine is: warp instructions a second on one core for each kernel of the ladder. Executed
// alone, with the traffic counted, and traced; and what comes before, decoding and translating.
//   gemmscope_bench --benchmark_filter=execute/
#include <benchmark/benchmark.h>

#include <random>

#include "../machine/tensor_gemm.h"
#include "catalog/catalog.h"
#include "compile/compiler.h"
#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "isa/disassemble.h"
#include "machine/execute/grid.h"
#include "machine/lanes/lane_ops.h"
#include "machine/translate/translate.h"
#include "metrics/counters.h"

namespace gemmscope {
namespace {

// The problem has many blocks, and K is large enough for the main loop to dominate.
constexpr catalog::Problem kProblem{256, 256, 256, 1.25f, 0.5f};

using Compiled = std::shared_ptr<const experiment::CompiledKernel>;

Compiled compile(const catalog::Kernel& kernel, isa::Arch arch) {
  experiment::Experiment e;
  e.kernel = kernel.id;
  e.problem = kProblem;
  e.arch = arch;
  return experiment::compile_kernel(kernel, e).value_or(nullptr);
}

// A program and the memory that it works on.
struct Prepared {
  experiment::ProblemData data;
  machine::Program program;

  explicit Prepared(const experiment::CompiledKernel& compiled)
      : data(*experiment::make_problem_data(compiled.kernel, kProblem, {})),
        program(*machine::translate(compiled.cubin, compiled.code(),
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
    machine::Trace block;
    const auto fault = machine::trace_until_fault(
        [&] {
          return machine::Traced{prepared.program, prepared.data.memory};
        },
        {0, 0, 0}, {experiment::kTraceRecordLimit}, block);
    if (fault) return state.SkipWithError(fault->what.c_str());
    instructions += block.records.size();
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

// Executes one HMMA repeatedly, on values of ordinary size.
void multiply(benchmark::State& state, machine::HalfType type, uint32_t depth) {
  using namespace machine;
  constexpr Row kRows = 16;
  alignas(64) std::array<uint32_t, (kRows + kZeroRow) * kWarpLanes> rows{};
  std::array<uint32_t, kPredicateCount> predicates{};
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  // The upper half of a float is a bfloat16. Read as halves, values with these exponents lie between 2^-2 and
  // 2^2.
  for (uint32_t& word : rows) {
    word = std::bit_cast<uint32_t>(normal(engine));
    if (type == HalfType::f16) word = (word & 0x8fff8fffu) | 0x30003000u;
    if (type == HalfType::bf16) word = (word & 0xffff0000u) | std::bit_cast<uint32_t>(normal(engine)) >> 16;
  }
  MicroOp op;
  op.source = {0, 4, 8, kZeroRow};
  op.destination = 12;
  op.mode = static_cast<uint8_t>(type);
  op.immediate = depth;
  op.flags = kWide;
  for (auto _ : state) {
    lane_ops()[LaneOp::hmma](rows.data(), predicates.data(), op, kAllLanes);
    benchmark::ClobberMemory();
  }
  report(state, static_cast<uint64_t>(state.iterations()));
}

// Runs a whole product of n x n matrices in bfloat16.
void multiply_matrices(benchmark::State& state, isa::Arch arch) {
  const auto n = static_cast<uint32_t>(state.range(0));
  compile::CompileRequest request;
  request.source = machine::kBrainFloatGemm;
  request.source_path = "tensor_gemm.cu";
  request.arch = arch;
  const compile::CompileResult compiled = compile::compile_cubin(request);
  if (!compiled) return state.SkipWithError(compiled.error().message.c_str());
  const Result<cubin::Cubin> cubin = cubin::read_cubin(compiled->bytes, "tensor_gemm.cu");
  if (!cubin) return state.SkipWithError(cubin.error().message.c_str());
  machine::GlobalMemory memory;
  machine::LaunchConfig launch{{n / 64, n / 64, 1}, {128, 1, 1}, 0, {}};
  for (int i = 0; i < 3; ++i) launch.arguments.push_back(machine::argument(n));
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  for (const char* name : {"a", "b", "c"}) {
    const bool result = name[0] == 'c';
    launch.arguments.push_back(machine::argument(memory.allocate(name, size_t{n} * n * (result ? 4 : 2))));
    const std::span<std::byte> bytes = memory.bytes(name);
    for (size_t i = 0; i < bytes.size() && !result; i += 2) {
      const uint32_t value = std::bit_cast<uint32_t>(normal(engine)) >> 16;
      bytes[i] = static_cast<std::byte>(value);
      bytes[i + 1] = static_cast<std::byte>(value >> 8);
    }
  }
  const Result<machine::Program> program = machine::translate(*cubin, *cubin->find("kernel"), launch, memory);
  if (!program) return state.SkipWithError(program.error().message.c_str());
  uint64_t instructions = 0;
  machine::GridOptions options;
  options.threads = 1;
  for (auto _ : state) {
    const auto run = machine::run_grid(*program, memory, options);
    if (!run) return state.SkipWithError(run.error().what.c_str());
    instructions += run->counts.total_warps();
  }
  report(state, instructions);
}

void register_matrix_products() {
  const std::tuple<const char*, machine::HalfType, uint32_t> products[] = {
      {"f16_k16", machine::HalfType::f16, 16},
      {"bf16_k16", machine::HalfType::bf16, 16},
      {"tf32_k8", machine::HalfType::tf32, 8}};
  for (const auto& [name, type, depth] : products)
    benchmark::RegisterBenchmark((std::string("hmma/") + name).c_str(), multiply, type, depth);
  for (const isa::Arch arch : {isa::Arch::sm_80, isa::Arch::sm_90})
    benchmark::RegisterBenchmark((std::string("execute/tensor_gemm/") + isa::arch_name(arch)).c_str(),
                                 multiply_matrices, arch)
        ->Arg(256)
        ->Arg(1024)
        ->Unit(benchmark::kMillisecond);
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
  register_matrix_products();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
