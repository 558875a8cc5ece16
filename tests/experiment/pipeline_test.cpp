// Tests the steps that the worker and the headless commands share.
#include "experiment/pipeline.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ladder_run.h"

namespace gemmscope::experiment {
namespace {

std::shared_ptr<const BlockResult> trace_of(const Experiment& e) {
  const std::shared_ptr<const CompiledKernel> compiled = compile_ladder(e);
  if (compiled == nullptr) return nullptr;
  const Outcome<BlockResult> block = run_block(compiled, e, nullptr);
  EXPECT_TRUE(block.has_value()) << block.error().message;
  return block.value_or(nullptr);
}

TEST(Pipeline, CompiledKernelSaysWhereItsInstructionsComeFrom) {
  for (const catalog::Kernel& kernel : ladder().kernels) {
    const auto compiled = compile_ladder(experiment_on(kernel.id, isa::Arch::sm_86, {64, 64, 64}));
    ASSERT_NE(compiled, nullptr);
    ASSERT_EQ(compiled->text.size(), compiled->instructions.size());
    ASSERT_EQ(compiled->places.size(), compiled->instructions.size());
    size_t below_kernel = 0, in_files = 0;
    for (size_t i = 0; i < compiled->places.size(); ++i) {
      const CompiledKernel::Place& place = compiled->places[i];
      EXPECT_TRUE(compiled->instructions[i].known()) << kernel.id << " " << compiled->text[i];
      if (place.file < 0) continue;
      ASSERT_LT(static_cast<size_t>(place.file), compiled->files.size());
      EXPECT_GE(place.line, 1);
      EXPECT_LE(static_cast<size_t>(place.line),
                compiled->files[static_cast<size_t>(place.file)].lines.size());
      const std::vector<CompiledKernel::Place>& calls = compiled->calls[i];
      below_kernel += (calls.empty() ? place : calls.back()).file == 0 ? 1 : 0;
      ++in_files;
    }
    // Most instructions come from an included file, whose functions the kernel's own file calls.
    EXPECT_GT(below_kernel, compiled->places.size() * 19 / 20) << kernel.id;
    EXPECT_GT(in_files, compiled->places.size() * 9 / 10) << kernel.id;
    EXPECT_GT(compiled->resources.registers, 0);
  }
}

TEST(Pipeline, BlockAndGridCountTheSame) {
  // The grid is the traced block alone, so the two ways of counting must agree for each instruction.
  for (const catalog::Kernel& kernel : ladder().kernels) {
    SCOPED_TRACE(kernel.id);
    const isa::Arch arch = arch_for(kernel, isa::Arch::sm_86);
    const auto problem = fitted_for(kernel, arch, {13, 11, 40});
    ASSERT_TRUE(problem.has_value());
    const Experiment e = experiment_on(kernel.id, arch, *problem);
    const auto block = trace_of(e);
    ASSERT_NE(block, nullptr);
    ASSERT_EQ(block->compiled->launch.grid, (std::array<uint32_t, 3>{1, 1, 1}));
    const Outcome<GridResult> grid = run_whole_grid(block->compiled, e, {});
    ASSERT_TRUE(grid.has_value());
    EXPECT_EQ(block->counters.executed.warps, (*grid)->counters.executed.warps);
    EXPECT_EQ(block->counters.executed.threads, (*grid)->counters.executed.threads);
    for (size_t i = 0; i < block->counters.traffic.size(); ++i) {
      const metrics::Traffic a = block->counters.traffic[i].total(), b = (*grid)->counters.traffic[i].total();
      EXPECT_EQ(a.requests, b.requests) << i;
      EXPECT_EQ(a.sectors, b.sectors) << i;
      EXPECT_EQ(a.wavefronts, b.wavefronts) << i;
    }
    EXPECT_EQ(static_cast<double>((*grid)->summary.warp_instructions), estimate_grid_instructions(*block));
  }
}

TEST(Pipeline, RecordsOfWarpsPartitionTheTrace) {
  const auto block = trace_of(experiment_on("11_prefetch", isa::Arch::sm_86, {64, 64, 64}));
  ASSERT_NE(block, nullptr);
  size_t total = 0;
  ASSERT_EQ(block->warp_records.size(), 8u);
  for (size_t w = 0; w < block->warp_records.size(); ++w) {
    total += block->warp_records[w].size();
    EXPECT_TRUE(std::is_sorted(block->warp_records[w].begin(), block->warp_records[w].end()));
    for (const uint32_t r : block->warp_records[w]) EXPECT_EQ(block->trace.records[r].warp, w);
  }
  EXPECT_EQ(total, block->trace.records.size());
}

TEST(Pipeline, ATraceAtItsLimitSaysSo) {
  const Experiment e = experiment_on("01_naive_rows", isa::Arch::sm_86, {64, 64, 64});
  const auto compiled = compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  const Outcome<BlockResult> truncated = run_block(compiled, e, nullptr, 100);
  ASSERT_TRUE(truncated.has_value());
  EXPECT_EQ((*truncated)->trace.records.size(), 100u);
  EXPECT_FALSE((*truncated)->trace.complete);
  const Outcome<BlockResult> whole = run_block(compiled, e, nullptr);
  ASSERT_TRUE(whole.has_value());
  EXPECT_TRUE((*whole)->trace.complete);
}

TEST(Pipeline, ACancelledRunFails) {
  const Experiment e = experiment_on("01_naive_rows", isa::Arch::sm_86, {64, 64, 64});
  const auto compiled = compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  const std::atomic<bool> cancelled{true};
  EXPECT_FALSE(run_block(compiled, e, &cancelled).has_value());
  GridRunOptions options;
  options.cancelled = &cancelled;
  EXPECT_FALSE(run_whole_grid(compiled, e, options).has_value());
}

TEST(Pipeline, ProgressReachesTheEnd) {
  const Experiment e = experiment_on("01_naive_rows", isa::Arch::sm_86, {64, 48, 8});
  const auto compiled = compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  std::atomic<uint64_t> calls{0}, most{0};
  GridRunOptions options;
  options.threads = 1;
  options.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_EQ(total, 12u);
    ++calls;
    most = std::max(most.load(), done);
  };
  ASSERT_TRUE(run_whole_grid(compiled, e, options).has_value());
  EXPECT_EQ(calls, 12u);
  EXPECT_EQ(most, 12u);
}

TEST(Pipeline, AMissingEntryIsNamed) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  catalog::Kernel kernel = *ladder().find("01_naive_rows");
  kernel.entry = "gemm_other";
  const Outcome<CompiledKernel> compiled = compile_kernel(kernel, Experiment());
  ASSERT_FALSE(compiled.has_value());
  EXPECT_NE(compiled.error().message.find("gemm_other"), std::string::npos);
}

// This is checked before anything is compiled, so it works without a compiler.
TEST(Pipeline, AMissingFeatureOfTheArchitectureIsNamed) {
  const auto message = [](const char* id, isa::Arch arch, const std::map<std::string, int64_t>& toggles) {
    Experiment e = experiment_on(id, arch, {64, 64, 64});
    e.arch = arch;
    e.toggles = toggles;
    const Outcome<CompiledKernel> compiled = compile_kernel(*ladder().find(id), e);
    return compiled ? "" : compiled.error().message;
  };
  const std::string old = message("13_async_copy", isa::Arch::sm_75, {});
  EXPECT_NE(old.find("13_async_copy needs sm_80 or later, but sm_75 is chosen"), std::string::npos) << old;
  // Three stages of 32 x (256 + 136) floats, with B's tile padded, take 150,528 bytes.
  const std::string large = message("14_tensor_tf32", isa::Arch::sm_86, {{"STAGES", 3}});
  EXPECT_NE(large.find("needs 147.0 KB of shared memory per block, but sm_86 has at most 99 KB"),
            std::string::npos)
      << large;
  EXPECT_EQ(message("14_tensor_tf32", isa::Arch::sm_86, {}), "");
  if (has_nvrtc()) {
    EXPECT_EQ(message("14_tensor_tf32", isa::Arch::sm_80, {{"STAGES", 3}}), "");
  }
  EXPECT_NE(message("14_tensor_tf32", isa::Arch::sm_80, {{"STAGES", 4}}).find("at most 163 KB"),
            std::string::npos);
}

}  // namespace
}  // namespace gemmscope::experiment
