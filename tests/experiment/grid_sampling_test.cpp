// Sums over classes of blocks equal the execution of every block, in every counter of every instruction.
#include "experiment/grid_sampling.h"

#include "ladder_run.h"
#include "metrics/data_dependence.h"

namespace gemmscope::experiment {
namespace {

std::vector<uint64_t> row_of(const GridResult& grid) {
  return metrics::flatten(grid.counters.executed, grid.counters.traffic);
}

std::shared_ptr<const CompiledKernel> compile(const catalog::Kernel& kernel, const Experiment& e) {
  const Outcome<CompiledKernel> compiled = compile_kernel(kernel, e);
  EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
  return compiled.value_or(nullptr);
}

// Null if the grid is not sampled; `why` then has the reason.
std::shared_ptr<const GridResult> sampled(const std::shared_ptr<const CompiledKernel>& compiled,
                                          const Experiment& e, std::string* why = nullptr) {
  const auto result = sample_grid(compiled, e, {});
  EXPECT_TRUE(result.has_value()) << result.error().message;
  if (!result) return nullptr;
  if (why != nullptr) {
    *why = result->why_not;
  } else {
    EXPECT_EQ(result->why_not, "");
  }
  return result->grid;
}

void expect_equal_to_whole(const catalog::Kernel& kernel, const Experiment& e) {
  SCOPED_TRACE(fmt::format("{} at {} x {} x {} on {}", kernel.id, e.problem.m, e.problem.n, e.problem.k,
                           isa::arch_name(e.arch)));
  const auto compiled = compile(kernel, e);
  ASSERT_NE(compiled, nullptr);
  const auto sum = sampled(compiled, e);
  ASSERT_NE(sum, nullptr);
  const Outcome<GridResult> whole = run_whole_grid(compiled, e, {});
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_EQ(row_of(*sum), row_of(**whole));
  EXPECT_EQ(sum->summary.warp_instructions, (*whole)->summary.warp_instructions);
  EXPECT_LT(sum->coverage.executed, sum->coverage.blocks);
  EXPECT_EQ(sum->coverage.blocks, (*whole)->coverage.blocks);
  EXPECT_FALSE(sum->verification.checked());
}

class SampledLadder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, SampledLadder, testing::ValuesIn(ladder_ids()),
                         [](const auto& test) { return "k" + test.param; });

// One size has ragged blocks at both edges, one has only whole blocks. K is large enough for a small depth to
// represent it. Each toggle's other values run at the ragged size.
TEST_P(SampledLadder, EveryToggleEqualsTheWholeGrid) {
  const catalog::Kernel& kernel = *ladder().find(GetParam());
  const catalog::TileShape tile = catalog::launch_for(kernel, {}, {})->tile;
  const int64_t m = std::max<int64_t>(512, 6 * tile.block_m), n = std::max<int64_t>(384, 6 * tile.block_n);
  const auto check = [&](const catalog::Problem& wanted, const std::map<std::string, int64_t>& toggles) {
    const auto problem = fitted_for(kernel, isa::Arch::sm_90, wanted, toggles);
    ASSERT_TRUE(problem.has_value());
    Experiment e = experiment_on(kernel.id, isa::Arch::sm_90, *problem);
    e.toggles = toggles;
    const auto compiled = compile(kernel, e);
    ASSERT_NE(compiled, nullptr);
    const bool has_one_launch = compiled->parts.size() == 1;
    if (has_one_launch && !counts_by_data(kernel.id, toggles)) return expect_equal_to_whole(kernel, e);
    std::string why;
    EXPECT_EQ(sampled(compiled, e, &why), nullptr);
    EXPECT_NE(why.find(has_one_launch ? "depends on values in memory" : "it has several launches"),
              std::string::npos)
        << why;
  };
  const catalog::Problem ragged{m + 3, n + 6, 70, 1.25f, 0.5f};
  check(ragged, {});
  check({m, n, 96, 1.0f, 0.0f}, {});
  if (!has_nvrtc()) return;
  for (const catalog::Toggle& toggle : kernel.toggles)
    for (const int64_t value : toggle.values)
      if (value != toggle.default_value) check(ragged, {{toggle.name, value}});
}

// The row pitches have every residue modulo a sector, so alignment differs between rows and between blocks.
TEST(GridSampling, RowPitchesOfEveryAlignment) {
  const catalog::Kernel& kernel = *ladder().find("01_naive_rows");
  for (int64_t extra = 0; extra < 8; ++extra) {
    Experiment e = experiment_on(kernel.id, isa::Arch::sm_86, {133, 200 + extra, 64 + extra, 1.0f, 0.0f});
    expect_equal_to_whole(kernel, e);
  }
}

catalog::Kernel with_replaced(const catalog::Kernel& kernel, const std::string& from, const std::string& to) {
  catalog::Kernel changed = kernel;
  const size_t at = changed.source.find(from);
  EXPECT_NE(at, std::string::npos) << kernel.id << " no longer has the line \"" << from << '"';
  if (at != std::string::npos) changed.source.replace(at, from.size(), to);
  return changed;
}

// Returns 01_naive_rows with another map from blockIdx to tiles; `code` sets tile_x and tile_y.
catalog::Kernel reordered_naive(const std::string& code) {
  const catalog::Kernel& naive = *ladder().find("01_naive_rows");
  const catalog::Kernel rows = with_replaced(
      naive, "  const int row = blockIdx.x * 16",
      "  unsigned tile_x, tile_y;\n  const unsigned id = blockIdx.y * gridDim.x + blockIdx.x;\n" + code +
          "\n  const int row = tile_x * 16");
  return with_replaced(rows, "blockIdx.y * 16 + threadIdx.y", "tile_y * 16 + threadIdx.y");
}

// Blocks at the grid's edge may work in the middle of C, and vice versa.
TEST(GridSampling, SwizzledBlockOrders) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const std::string orders[] = {
      // backwards
      "tile_x = gridDim.x - 1 - blockIdx.x; tile_y = gridDim.y - 1 - blockIdx.y;",
      // groups of four rows of tiles, column by column
      "const unsigned group = id / (4 * gridDim.y), rows = min(gridDim.x - group * 4, 4u),\n"
      "    inside = id - group * 4 * gridDim.y; tile_x = group * 4 + inside % rows; tile_y = inside / rows;",
      // a stride that is coprime to the number of tiles
      "const unsigned to = id * 7919 % (gridDim.x * gridDim.y); tile_x = to % gridDim.x;\n"
      "  tile_y = to / gridDim.x;",
  };
  for (const std::string& order : orders) {
    SCOPED_TRACE(order);
    const catalog::Kernel kernel = reordered_naive(order);
    for (const catalog::Problem& problem :
         {catalog::Problem{163, 131, 64, 1.0f, 0.0f}, catalog::Problem{160, 209, 91, 1.0f, 0.5f}})
      expect_equal_to_whole(kernel, experiment_on(kernel.id, isa::Arch::sm_86, problem));
  }
}

// A single block differs from all others, wherever it is.
TEST(GridSampling, OneOddBlockIsAClassOfItsOwn) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const catalog::Kernel kernel =
      reordered_naive("tile_x = blockIdx.x; tile_y = blockIdx.y; if (id == 37) return;");
  expect_equal_to_whole(kernel, experiment_on(kernel.id, isa::Arch::sm_90, {160, 160, 64, 1.0f, 0.0f}));
}

// Blocks that differ only beyond the small depth, here at the diagonal, are noticed and refused.
TEST(GridSampling, ATriangularProductIsRefused) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const catalog::Kernel kernel = with_replaced(*ladder().find("01_naive_rows"), "k < K; ++k",
                                               "k < min(K, 32 + 16 * (int)blockIdx.x); ++k");
  const Experiment e = experiment_on(kernel.id, isa::Arch::sm_90, {256, 256, 256, 1.0f, 0.0f});
  const auto compiled = compile(kernel, e);
  ASSERT_NE(compiled, nullptr);
  std::string why;
  EXPECT_EQ(sampled(compiled, e, &why), nullptr);
  EXPECT_NE(why.find("differently at the full one"), std::string::npos) << why;
  // The totals then come from executing every block.
  const Outcome<GridResult> counted = count_grid(compiled, e, {}, 0);
  ASSERT_TRUE(counted.has_value()) << counted.error().message;
  EXPECT_EQ((*counted)->coverage.why_whole, why);
  EXPECT_EQ((*counted)->coverage.classes, 0u);
  EXPECT_TRUE((*counted)->verification.checked());
}

TEST(GridSampling, SmallDepthsAreExecutedWhole) {
  const Experiment e = experiment_on("07_register_tile", isa::Arch::sm_86, {1024, 1024, 40, 1.0f, 0.0f});
  const auto compiled = compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  std::string why;
  EXPECT_EQ(sampled(compiled, e, &why), nullptr);
  EXPECT_EQ(why, "no depth much smaller than K = 40 has the same grid");
}

TEST(GridSampling, TextSaysHowItCounted) {
  EXPECT_EQ(coverage_text({64, 64, 0, ""}), "all 64 blocks executed");
  EXPECT_EQ(coverage_text({1, 1, 0, ""}), "the only block executed");
  EXPECT_EQ(coverage_text({64, 9, 3, ""}), "sum over 3 block classes, exact");
}

}  // namespace
}  // namespace gemmscope::experiment
