#include "experiment/hot_word.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "catalog/catalog.h"
#include "experiment/devices.h"
#include "experiment/modelled_time.h"
#include "experiment/pipeline.h"
#include "experiment/problem_data.h"

namespace gemmscope::experiment {
namespace {

struct Counted {
  double lanes = 0;    // that the launch's busiest word was said to have
  double matches = 0;  // elements of the input that each add one to it
};

Counted counted(int64_t rows, const std::map<std::string, int64_t>& toggles) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel& kernel = *catalog.find("atomics");
  Experiment experiment;
  experiment.kernel = kernel.id;
  experiment.arch = isa::Arch::sm_90;
  experiment.problem.m = rows;
  experiment.problem.n = experiment.problem.k = 1024;
  experiment.toggles = toggles;
  const auto device = find_device("h200");
  const auto compiled = compile_kernel(kernel, experiment);
  EXPECT_TRUE(device && compiled);
  const auto sample = sample_timing(**compiled, experiment, *device);
  EXPECT_TRUE(sample) << sample.error().message;
  Counted result;
  result.lanes = (*sample)->launches[0].deep.hot_word_lanes;
  const auto data = make_problem_data(kernel, experiment.problem, experiment.toggles, Contents::random);
  EXPECT_TRUE(data);
  const auto& bytes = data->memory.buffers()[0].bytes;
  std::map<int32_t, int64_t> of_value;
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    ++of_value[value];
  }
  // kWanted of kernels/labs/atomics.cu.
  result.matches = static_cast<double>(of_value[0]);
  return result;
}

// One element in 64 counts, so that the blocks of one SM may have a fifth more or fewer of them than others.
TEST(HotWord, IsCountedInTheWholeGrid) {
  const Counted all = counted(1024, {{"METHOD", 0}, {"DISTINCT", 64}});
  EXPECT_GT(all.matches, 1000);
  EXPECT_DOUBLE_EQ(all.lanes, all.matches);
}

TEST(HotWord, OfLargeGridsASampleIsCounted) {
  const Counted all = counted(4096, {{"METHOD", 0}, {"DISTINCT", 64}});
  EXPECT_NEAR(all.lanes, all.matches, 0.05 * all.matches);
}

// One lane of a warp, or of a block, adds for all.
TEST(HotWord, CountsTheAtomicsThatRemain) {
  EXPECT_DOUBLE_EQ(counted(1024, {{"METHOD", 2}, {"DISTINCT", 1}}).lanes, 1024.0 * 1024 / 32);
  EXPECT_DOUBLE_EQ(counted(1024, {{"METHOD", 3}, {"DISTINCT", 1}}).lanes, 1024.0 * 1024 / 2048);
}

}  // namespace
}  // namespace gemmscope::experiment
