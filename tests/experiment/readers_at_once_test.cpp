#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "catalog/catalog.h"
#include "experiment/devices.h"
#include "experiment/modelled_time.h"
#include "experiment/pipeline.h"

namespace gemmscope::experiment {
namespace {

std::vector<sm::BufferUse> buffers_of(const char* id, int64_t rows, int64_t columns,
                                      const std::map<std::string, int64_t>& toggles = {}) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  Experiment experiment;
  experiment.kernel = id;
  experiment.arch = isa::Arch::sm_90;
  experiment.problem.m = rows;
  experiment.problem.n = columns;
  experiment.problem.k = 512;
  experiment.toggles = toggles;
  const auto device = find_device("h200");
  const auto compiled = compile_kernel(*catalog.find(id), experiment);
  EXPECT_TRUE(device && compiled);
  const auto sample = sample_timing(**compiled, experiment, *device);
  EXPECT_TRUE(sample) << sample.error().message;
  return (*sample)->launches[0].deep.buffers;
}

// Blocks of 128 x 128 in the order of their numbers, 32 in a row of the grid: 264 that run at once are 8.25
// rows.
TEST(ReadersAtOnce, AreTheBlocksOfTheSameRowAndColumnThatRunTogether) {
  const auto buffers = buffers_of("09_conflict_free", 4096, 4096);
  ASSERT_GE(buffers.size(), 3u);
  EXPECT_NEAR(buffers[0].readers, 32, 0.01);
  EXPECT_NEAR(buffers[1].readers, 32, 0.01);
  EXPECT_GT(buffers[0].readers_at_once, 26) << "a row of A: all 32 but for the rows at both ends";
  EXPECT_NEAR(buffers[1].readers_at_once, 8.25, 0.3) << "a column of B";
  EXPECT_FALSE(buffers[0].stored);
  EXPECT_TRUE(std::ranges::any_of(buffers, [](const sm::BufferUse& buffer) { return buffer.stored; }));
}

TEST(ReadersAtOnce, AreAllWhereAllBlocksRunTogether) {
  const auto buffers = buffers_of("09_conflict_free", 1024, 1024);
  EXPECT_NEAR(buffers[0].readers_at_once, 8, 0.01);
  EXPECT_NEAR(buffers[1].readers_at_once, 8, 0.01);
}

// Each block reads its own rows of A in a loop of several passes, and only then the columns of B, which all
// blocks read.
TEST(ReadersAtOnce, ABlockRunsUntilItHasReadBothMatrices) {
  const auto buffers = buffers_of("workbench", 16384, 512,
                                  {{"BLOCK_M", 64},
                                   {"BLOCK_N", 256},
                                   {"THREAD_M", 4},
                                   {"THREAD_N", 16},
                                   {"COARSENING", 2},
                                   {"VECTOR", 1},
                                   {"A_LAYOUT", 0},
                                   {"PAD", 8},
                                   {"PREFETCH", 0},
                                   {"LOOP_ORDER", 0},
                                   {"LOOP_START", 1},
                                   {"STATIC_DIVISION", 0},
                                   {"BLOCK_ORDER", 1},
                                   {"MIN_BLOCKS", 1}});
  ASSERT_GE(buffers.size(), 2u);
  EXPECT_NEAR(buffers[0].readers_at_once, 1, 0.01);
  EXPECT_NEAR(buffers[1].readers_at_once, 132, 0.01);
}

}  // namespace
}  // namespace gemmscope::experiment
