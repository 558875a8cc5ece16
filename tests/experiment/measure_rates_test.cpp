// The bandwidths of L2 and L1: each probe moves the bytes that it is said to move, from that level alone, and
// a rate is these bytes by the median time.
#include "experiment/measure_rates.h"

#include <gtest/gtest.h>

#include "experiment/grid_sampling.h"
#include "fake_timing_device.h"
#include "metrics/sectors.h"

namespace gemmscope::experiment {
namespace {

class Probe : public testing::TestWithParam<size_t> {
 protected:
  const RateProbe& probe() const { return rate_probes()[GetParam()]; }
};
INSTANTIATE_TEST_SUITE_P(Levels, Probe, testing::Values(0, 1),
                         [](const auto& test) { return test.param == 0 ? "l2" : "l1"; });

TEST_P(Probe, MovesTheBytesThatItIsSaidToMove) {
  const Result<catalog::Kernel> kernel = read_probe(probe());
  ASSERT_TRUE(kernel) << kernel.error().message;
  Experiment e;
  e.kernel = kernel->id;
  e.arch = isa::Arch::sm_90;
  e.block = {17, 0, 0};
  const auto compiled = compile_kernel(*kernel, e);
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto block = run_block(*compiled, e, nullptr);
  ASSERT_TRUE(block) << block.error().message;
  metrics::CounterSummary s = metrics::summarize((*block)->counters, (*compiled)->instructions);
  const auto blocks = static_cast<double>((*compiled)->launch.grid[0]);
  const auto l2_bytes = static_cast<double>(s.traffic.global_load.sectors * metrics::kSectorBytes);
  const auto shared_bytes = static_cast<double>(s.traffic.shared_load.wavefronts * 128);
  if (probe().level == MemoryLevel::l2) {
    EXPECT_EQ(l2_bytes * blocks, probe().bytes_of_launch);
    EXPECT_EQ(s.traffic.global_load.excess_sectors(), 0u);
    for (const isa::Instruction& i : (*compiled)->instructions)
      EXPECT_TRUE(i.opcode != isa::Opcode::ldg || i.has(isa::Modifier::strong_gpu))
          << "a load through L1 is no measure of L2";
  } else {
    EXPECT_EQ(shared_bytes * blocks, probe().bytes_of_launch);
    EXPECT_EQ(s.traffic.shared_load.excess_wavefronts(), 0u);
    EXPECT_LT(l2_bytes, shared_bytes / 100);
  }
}

// Every warp's sum is right, in every block.
TEST_P(Probe, ComputesWhatItsReferenceComputes) {
  catalog::Kernel kernel = *read_probe(probe());
  kernel.grid_expressions[0] = "96";
  kernel.check.grid[0] = "96";
  Experiment e;
  e.kernel = kernel.id;
  e.arch = isa::Arch::sm_90;
  const auto compiled = compile_kernel(kernel, e);
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto grid = run_whole_grid(*compiled, e, {});
  ASSERT_TRUE(grid) << grid.error().message;
  EXPECT_TRUE((*grid)->verification.checked()) << (*grid)->verification.unchecked;
  EXPECT_TRUE((*grid)->verification.right());
  EXPECT_FALSE((*grid)->has_findings());
}

TEST(MeasuredRates, AreBytesByTheMedianTime) {
  FakeTimingDevice device;
  device.variants["l2_bandwidth"].ms = [](int n) { return n % 2 == 0 ? 0.8 : 0.8001; };
  device.variants["l1_bandwidth"].ms = [](int) { return 0.5; };
  const std::atomic<bool> never{false};
  const MeasuredRates rates = measure_rates(device, fake_compile, 5, never);
  EXPECT_TRUE(rates.troubles.empty());
  EXPECT_NEAR(rates.l2_gb_per_second, 4096 * 1.048576 / 0.8, 1);
  EXPECT_NEAR(rates.l1_gb_per_second, 4096.0 * 256 * 16384 / 0.5e6, 1);
  EXPECT_EQ(device.held(), 0u) << "nothing stays prepared";
  TimedDevice facts;
  set_rates(facts, rates);
  EXPECT_EQ(facts.l2_gb_per_second, rates.l2_gb_per_second);
  EXPECT_EQ(facts.l1_gb_per_second, rates.l1_gb_per_second);
}

TEST(MeasuredRates, OneThatFailsIsNamedAndTheOtherStands) {
  FakeTimingDevice device;
  device.variants["l2_bandwidth"].prepare_error =
      gpu::RunnerError{gpu::ErrorKind::launch_refused, "the GPU refused the launch"};
  const std::atomic<bool> never{false};
  const MeasuredRates rates = measure_rates(device, fake_compile, 3, never);
  ASSERT_EQ(rates.troubles.size(), 1u);
  EXPECT_NE(rates.troubles[0].find("L2"), std::string::npos);
  EXPECT_NE(rates.troubles[0].find("refused"), std::string::npos);
  EXPECT_EQ(rates.l2_gb_per_second, 0);
  EXPECT_GT(rates.l1_gb_per_second, 0);
  TimedDevice facts;
  facts.l2_gb_per_second = 12;
  set_rates(facts, rates);
  EXPECT_EQ(facts.l2_gb_per_second, 12) << "what was known before stays";
}

}  // namespace
}  // namespace gemmscope::experiment
