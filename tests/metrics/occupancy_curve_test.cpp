// The cliffs, the presets of courses, and the throughput table.
#include "metrics/occupancy_curve.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "metrics/occupancy_presets.h"
#include "metrics/peak.h"
#include "metrics/sm_rates.h"

namespace gemmscope::metrics {
namespace {

const SmLimits& sm_of(int capability) { return *sm_limits(capability); }

TEST(OccupancyLimits, AreKnownForEveryCapability) {
  int before = 0;
  for (const SmLimits& sm : all_sm_limits()) {
    EXPECT_LT(before, sm.compute_capability);
    before = sm.compute_capability;
    EXPECT_EQ(sm.threads, 32 * sm.warps) << sm.compute_capability;
    const SmRates* rates = sm_rates(sm.compute_capability);
    ASSERT_NE(rates, nullptr) << sm.compute_capability;
    EXPECT_EQ(rates->fp32, fp32_lanes_per_sm(sm.compute_capability));
    EXPECT_GT(rates->fp32, 0);
  }
  EXPECT_EQ(all_sm_limits().front().compute_capability, 10);
  EXPECT_EQ(all_sm_limits().back().compute_capability, 121);
}

// The refusals, each by one more than is allowed.
TEST(OccupancyLimits, OfOneThreadAndOneBlock) {
  struct Case {
    int capability;
    BlockNeeds fits, refused;
    BlockRefusal why;
  };
  const Case cases[] = {
      {11, {512, 10, 0}, {513, 10, 0}, BlockRefusal::threads},
      {11, {32, 124, 0}, {32, 125, 0}, BlockRefusal::registers_per_thread},
      {11, {512, 16, 0}, {512, 17, 0}, BlockRefusal::registers_per_block},
      {13, {32, 8, 16384}, {32, 8, 16385}, BlockRefusal::shared},
      {20, {32, 63, 0}, {32, 64, 0}, BlockRefusal::registers_per_thread},
      {20, {1024, 32, 0}, {1024, 33, 0}, BlockRefusal::registers_per_block},
      {30, {32, 63, 0}, {32, 64, 0}, BlockRefusal::registers_per_thread},
      {53, {1024, 32, 0}, {1024, 33, 0}, BlockRefusal::registers_per_block},
      {90, {1024, 64, 0}, {1024, 65, 0}, BlockRefusal::registers_per_block},
      {90, {32, 255, 232448}, {32, 255, 232449}, BlockRefusal::shared},
      {121, {1024, 40, 0}, {1056, 40, 0}, BlockRefusal::threads},
  };
  for (const Case& c : cases) {
    EXPECT_GT(occupancy(sm_of(c.capability), c.fits).blocks, 0) << c.capability;
    EXPECT_EQ(occupancy(sm_of(c.capability), c.fits).refusal, BlockRefusal::none) << c.capability;
    EXPECT_EQ(occupancy(sm_of(c.capability), c.refused).blocks, 0) << c.capability;
    EXPECT_EQ(occupancy(sm_of(c.capability), c.refused).refusal, c.why) << c.capability;
  }
}

// A block's registers are one piece on 1.x: 96 threads of 10 registers are 4 warps (an even number), 1,280.
TEST(OccupancyLimits, RegistersOfOneDotX) {
  EXPECT_EQ(occupancy(sm_of(11), {96, 10, 0}).registers_per_block, 1280);
  EXPECT_EQ(occupancy(sm_of(11), {96, 10, 0}).blocks, 6);                  // 8,192 / 1,280
  EXPECT_EQ(occupancy(sm_of(13), {96, 10, 0}).registers_per_block, 1536);  // in units of 512
  EXPECT_EQ(occupancy(sm_of(13), {96, 10, 0}).blocks, 8);
}

// Each step says what the rule says at every value of it, and the steps follow each other without a gap.
TEST(OccupancyCurve, EqualsTheRuleAtEveryValue) {
  std::mt19937 random(7);
  const auto any = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (const SmLimits& sm : all_sm_limits())
    for (int round = 0; round < 3; ++round) {
      const BlockNeeds block{any(1, sm.threads_per_block), any(0, sm.registers_per_thread),
                             any(0, sm.shared_per_block)};
      for (const OccupancyRule rule : {occupancy, simple_occupancy})
        for (int a = 0; a < kOccupancyAxes; ++a) {
          const auto axis = static_cast<OccupancyAxis>(a);
          int next = least_on_axis(axis);
          for (const OccupancyStep& step : occupancy_curve(sm, block, axis, rule)) {
            ASSERT_EQ(step.first, next);
            ASSERT_LE(step.first, step.last);
            next = step.last + 1;
            for (const int value : {step.first, any(step.first, step.last), step.last}) {
              // The textbook counts threads and not warps, so that only full warps compare.
              if (axis == OccupancyAxis::threads && value != step.last) continue;
              if (axis == OccupancyAxis::threads && value % 32 != 0) continue;
              const Occupancy o = rule(sm, with_value(block, axis, value));
              ASSERT_EQ(o.blocks, step.blocks) << sm.compute_capability << " axis " << a << " at " << value;
              ASSERT_EQ(o.warps, step.warps);
            }
          }
          EXPECT_EQ(next, most_on_axis(sm, axis) + 1);
        }
    }
}

TEST(OccupancyCurve, ReachesToAValueBeyondItsAxis) {
  const auto steps = occupancy_curve(sm_of(20), {256, 100, 0}, OccupancyAxis::registers);
  EXPECT_EQ(steps.back().last, 100);
  EXPECT_EQ(steps.back().blocks, 0);
}

// By hand for 8.6 and blocks of 8 warps: 64 K registers are 16 K in each of 4 parts, allocated by 256 a warp.
TEST(RegisterBoundaries, AreWhereABlockIsLost) {
  const std::vector<RegisterBoundary> expected = {
      {40, 6, 5}, {48, 5, 4}, {64, 4, 3}, {80, 3, 2}, {128, 2, 1}};
  EXPECT_EQ(register_boundaries(sm_of(86), {256, 55, 0}), expected);
  EXPECT_TRUE(crossed_boundaries(sm_of(86), {256, 55, 0}, 128, 111).empty()) << "both are above 80";
  EXPECT_EQ(crossed_boundaries(sm_of(86), {256, 55, 0}, 129, 80),
            (std::vector<RegisterBoundary>{{80, 3, 2}, {128, 2, 1}}));
  EXPECT_EQ(crossed_boundaries(sm_of(86), {256, 55, 0}, 118, 168),
            (std::vector<RegisterBoundary>{{128, 2, 1}}));
  EXPECT_TRUE(crossed_boundaries(sm_of(86), {256, 55, 0}, 64, 64).empty());
}

// The answers of the course, worked out by hand: blocks by plain division, blocks on the chip, warps of it.
TEST(OccupancyPresets, GiveTheAnswersOfTheCourse) {
  struct Answer {
    int textbook, exact, warps;
  };
  const std::map<std::string, Answer> answers = {
      {"c2050_32", {8, 8, 8}},    {"c2050_192", {8, 8, 48}},  {"k20c_32", {16, 16, 16}},
      {"k20c_128", {16, 16, 64}}, {"p100_32", {32, 32, 32}},  {"p100_64", {32, 32, 64}},
      {"cc11_32", {8, 8, 8}},     {"cc11_96", {8, 8, 24}},    {"c2050_21", {6, 5, 40}},
      {"c2050_22", {5, 5, 40}},   {"kernel_a", {24, 24, 48}}, {"kernel_b", {8, 8, 64}},
      {"sgemm_128", {2, 2, 16}},  {"sgemm_111", {2, 2, 16}},  {"registers_96", {5, 5, 20}},
      {"a4000_64", {16, 16, 32}}};
  EXPECT_EQ(occupancy_presets().size(), answers.size());
  for (const OccupancyPreset& preset : occupancy_presets()) {
    const auto answer = answers.find(std::string(preset.id));
    ASSERT_NE(answer, answers.end()) << preset.id;
    const SmLimits& sm = sm_of(preset.point.compute_capability);
    EXPECT_EQ(simple_occupancy(sm, preset.point.needs).blocks, answer->second.textbook) << preset.id;
    EXPECT_EQ(occupancy(sm, preset.point.needs).blocks, answer->second.exact) << preset.id;
    EXPECT_EQ(occupancy(sm, preset.point.needs).warps, answer->second.warps) << preset.id;
    EXPECT_EQ(find_occupancy_preset(preset.id), &preset);
  }
  EXPECT_EQ(find_occupancy_preset("c2050"), nullptr);
}

TEST(SmRates, AgreeWithThePeaks) {
  for (const int capability : {80, 86, 89, 90})
    EXPECT_EQ(2 * sm_rates(capability)->tensor_fp16, bf16_flops_per_clock(capability, "")) << capability;
  EXPECT_EQ(sm_rates(20)->fp64, 16);
  EXPECT_EQ(sm_rates(35)->fp32, 192);
  EXPECT_EQ(sm_rates(75)->shared_bytes, 64);
  EXPECT_EQ(sm_rates(13), sm_rates(13));
  EXPECT_EQ(sm_rates(14), nullptr);
}

}  // namespace
}  // namespace gemmscope::metrics
