// Modelled times against those of an H200. The whole table is printed by gemmscope_accuracy.
#include <gtest/gtest.h>

#include <cmath>

#include "../calibration/timing/timed_points.h"
#include "experiment/devices.h"

namespace gemmscope::experiment {
namespace {

TEST(TimingAccuracy, TheLadderIsWithinFourPercentOfAnH200) {
  const auto device = find_device("h200");
  ASSERT_TRUE(device.has_value()) << device.error().message;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  double sum = 0;
  int count = 0;
  for (const TimedPoint& point :
       read_timed_points(GEMMSCOPE_SOURCE_DIR "/tests/calibration/timing/times_h200.csv")) {
    const bool step = point.kernel[0] >= '0' && point.kernel[0] <= '9';
    if (!step || !point.toggles.empty() || point.size != "2048x2048x1024") continue;
    const auto sample = sample_point(point, catalog, *device);
    ASSERT_TRUE(sample.has_value()) << point.kernel << ": " << sample.error().message;
    const auto time = model_time(**sample, *device);
    ASSERT_TRUE(time.has_value()) << point.kernel << ": " << time.error().message;
    const double error = point.error((*time)->milliseconds);
    EXPECT_LT(std::abs(error), 0.14) << point.kernel;
    sum += std::abs(error);
    ++count;
  }
  ASSERT_EQ(count, 15);
  EXPECT_LT(sum / count, 0.04);
}

// A part of K has passes of its own loop enough at the depth that is executed.
TEST(TimingSample, PartsOfTheDepthAreExecutedDeeper) {
  const auto device = find_device("h200");
  ASSERT_TRUE(device.has_value()) << device.error().message;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  TimedPoint point{"17_split_k", "", "", "", {}, 1};
  point.experiment.kernel = point.kernel;
  point.experiment.arch = isa::Arch::sm_90;
  point.experiment.problem = {256, 256, 4096};
  const auto deep_depth = [&](int64_t splits) {
    point.experiment.toggles["SPLITS"] = splits;
    const auto sample = sample_point(point, catalog, *device);
    EXPECT_TRUE(sample.has_value()) << (sample ? "" : sample.error().message);
    return sample ? (*sample)->launches.front().deep_depth : 0;
  };
  EXPECT_EQ(deep_depth(1), 512);
  EXPECT_EQ(deep_depth(16), 2048) << "eight passes of 16 for each part";
  EXPECT_EQ(deep_depth(64), 0) << "its own depth alone";
}

}  // namespace
}  // namespace gemmscope::experiment
