#include "metrics/roofline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "metrics/peak.h"

namespace gemmscope::metrics {
namespace {

TEST(Roofline, IsTheLesserOfPeakAndBandwidth) {
  const Roof roof{66.9e12, 4.8e12};
  EXPECT_DOUBLE_EQ(roof.ridge(), 13.9375);
  EXPECT_DOUBLE_EQ(attainable_flops(roof, 1), 4.8e12);
  EXPECT_DOUBLE_EQ(attainable_flops(roof, roof.ridge()), 66.9e12);
  EXPECT_DOUBLE_EQ(attainable_flops(roof, 1000), 66.9e12);
  EXPECT_EQ(attainable_flops(roof, 0), 0);
  EXPECT_EQ((Roof{1, 0}.ridge()), 0);
}

TEST(Roofline, RatesAreThoseOfTheCourse) {
  // 2 x 2048 x 2048 x 1024 operations in 6.232 ms are 1378 GFLOP/s.
  EXPECT_NEAR(tflops(2.0 * 2048 * 2048 * 1024, 6.232), 1.378317, 1e-4);
  EXPECT_EQ(tflops(1e9, 0), 0);
}

TEST(Roofline, CompulsoryBytesOfAGemm) {
  EXPECT_DOUBLE_EQ(compulsory_bytes({2, 3, 5, 0, 4}), 4 * (2 * 5 + 5 * 3 + 2 * 3));
  EXPECT_DOUBLE_EQ(compulsory_bytes({2, 3, 5, 1, 4}), 4 * (2 * 5 + 5 * 3 + 2 * 2 * 3));
  EXPECT_DOUBLE_EQ(compulsory_bytes({2, 3, 5, 0, 2}), 2 * (2 * 5 + 5 * 3) + 4 * 2 * 3);
  // A cube of n has n / 6 operations per byte.
  EXPECT_DOUBLE_EQ(arithmetic_intensity(2.0 * 600 * 600 * 600, compulsory_bytes({600, 600, 600, 0, 4})), 100);
  EXPECT_EQ(arithmetic_intensity(1, 0), 0);
}

TEST(Roofline, TheBytesOfL1AreItsSectorsAndWavefronts) {
  CounterSummary s;
  s.traffic.global_load.sectors = 1;
  s.traffic.global_store.sectors = 10;
  s.traffic.async_global.sectors = 100;
  s.traffic.global_atomic.sectors = 1000;
  s.traffic.global_reduce.sectors = 10000;
  s.traffic.local_load.sectors = 100000;
  s.traffic.local_store.sectors = 1000000;
  EXPECT_EQ(l1_bytes(s), 32u * 1111111);
  s.traffic.shared_load.wavefronts = 1;
  s.traffic.shared_store.wavefronts = 10;
  s.traffic.matrix_load.wavefronts = 100;
  s.traffic.matrix_store.wavefronts = 1000;
  EXPECT_EQ(l1_bytes(s), 32u * 1111111 + 128u * 1111);
  s.traffic.async_shared.wavefronts = 7;  // the copies count by their sectors
  EXPECT_EQ(l1_bytes(s), 32u * 1111111 + 128u * 1111);
}

// The FLOP/s of data sheets, with the SMs and clocks that they state.
struct DataSheet {
  GpuShape gpu;
  double fp32, tf32, bf16;  // 10^12
};
TEST(Peak, EqualsTheDataSheets) {
  const DataSheet sheets[] = {{{"NVIDIA A100-SXM4-80GB", 80, 108, 1410}, 19.5, 156, 312},
                              {{"NVIDIA GeForce RTX 3090", 86, 82, 1695}, 35.6, 35.6, 71},
                              {{"NVIDIA RTX A6000", 86, 84, 1800}, 38.7, 77.4, 154.8},
                              {{"NVIDIA GeForce RTX 4090", 89, 128, 2520}, 82.6, 82.6, 165.2},
                              {{"NVIDIA H100 80GB HBM3", 90, 132, 1830}, 61.8, 494.7, 989.4},
                              {{"Tesla V100-SXM2-16GB", 70, 80, 1530}, 15.7, 0, 0},
                              {{"NVIDIA GeForce MX330", 61, 3, 1594}, 1.224, 0, 0}};
  for (const DataSheet& sheet : sheets) {
    SCOPED_TRACE(sheet.gpu.name);
    EXPECT_NEAR(peak_fp32_flops(sheet.gpu) / 1e12, sheet.fp32, 0.006 * sheet.fp32);
    EXPECT_NEAR(peak_tf32_flops(sheet.gpu) / 1e12, sheet.tf32, 0.006 * sheet.tf32);
    EXPECT_NEAR(peak_bf16_flops(sheet.gpu) / 1e12, sheet.bf16, 0.006 * sheet.bf16);
  }
}

TEST(Peak, EqualsTheCoursesFigures) {
  EXPECT_NEAR(peak_fp32_flops({"NVIDIA GeForce RTX 3080", 86, 68, 1710}), 29767.680e9, 1);
  EXPECT_NEAR(peak_fp32_flops({"NVIDIA H200", 90, 132, 1980}), 66908.16e9, 1);
}

TEST(Peak, IsZeroForAnUnknownGpu) {
  EXPECT_EQ(fp32_lanes_per_sm(130), 0);
  EXPECT_EQ(peak_fp32_flops({"", 130, 100, 2000}), 0);
  EXPECT_EQ(bf16_flops_per_clock(120, "NVIDIA GeForce RTX 5090"), 0);
}

}  // namespace
}  // namespace gemmscope::metrics
