// The knobs of the device board change the numbers that they stand for, and no others.
#include "experiment/board.h"

#include <gtest/gtest.h>

#include <set>

#include "experiment/devices.h"

namespace gemmscope::experiment {
namespace {

BoardDevice h200() {
  const Result<sm::SmConfig> config = find_device("h200");
  EXPECT_TRUE(config);
  return {*config, *metrics::sm_limits(90)};
}

KnobFactors with(Knob knob, float factor) {
  KnobFactors factors = unchanged_knobs();
  factors[static_cast<size_t>(knob)] = factor;
  return factors;
}

// The parameters that differ between two devices.
std::vector<std::string> changed(const sm::SmConfig& a, const sm::SmConfig& b) {
  std::vector<std::string> names;
  for (const sm::Parameter& parameter : sm::parameters())
    if (a.*parameter.value != b.*parameter.value) names.emplace_back(parameter.name);
  return names;
}

TEST(Board, AtOneADeviceIsAsItsFileHasIt) {
  const BoardDevice device = h200(), turned = turn_knobs(device, unchanged_knobs());
  EXPECT_TRUE(changed(device.config, turned.config).empty());
  EXPECT_EQ(turned.limits.registers, device.limits.registers);
  EXPECT_EQ(turned.limits.warps, device.limits.warps);
  EXPECT_EQ(turned.limits.blocks, device.limits.blocks);
}

TEST(Board, AKnobTurnsItsNumbersAlone) {
  const BoardDevice device = h200();
  using Names = std::vector<std::string>;
  for (const auto& [knob, names] :
       {std::pair(Knob::sms, Names{"sms"}),
        {Knob::clock, {"clock_mhz"}},
        {Knob::dram, {"dram_gb_s"}},
        {Knob::l2_bandwidth,
         {"l2_sm_bytes", "l2_chip_bytes", "store_sm_bytes", "store_chip_bytes", "store_chip_line_bytes"}},
        {Knob::l2_size, {"l2_mib"}},
        {Knob::shared_rate, {"wavefront_cycles"}},
        {Knob::latency,
         {"shared_latency", "l1_hit_latency", "l2_near_latency", "l2_far_latency", "dram_latency",
          "dram_spread"}},
        {Knob::registers, {}},
        {Knob::warps, {}}}) {
    const BoardDevice turned = turn_knobs(device, with(knob, 2));
    EXPECT_EQ(changed(device.config, turned.config), names) << knob_title(knob);
    EXPECT_NE(knob_value(turned, knob), knob_value(device, knob)) << knob_title(knob);
    for (const char* name : {"dram_gb_s", "l2_chip_bytes"})
      EXPECT_GE(turned.config.*sm::find_parameter(name)->value,
                device.config.*sm::find_parameter(name)->value);
  }
  EXPECT_EQ(turn_knobs(device, with(Knob::shared_rate, 2)).config.wavefront_cycles,
            device.config.wavefront_cycles / 2);
}

TEST(Board, WholeNumbersStayWhole) {
  const BoardDevice device = h200();
  EXPECT_EQ(turn_knobs(device, with(Knob::sms, 0.3f)).config.sms, 40);
  EXPECT_EQ(turn_knobs(device, with(Knob::registers, 0.5f)).limits.registers, 32768);
  EXPECT_EQ(turn_knobs(device, with(Knob::registers, 0.3f)).limits.registers % 1024, 0)
      << "four units of 256";
  const BoardDevice few = turn_knobs(device, with(Knob::warps, 0.25f));
  EXPECT_EQ(few.limits.warps, 16);
  EXPECT_EQ(few.limits.threads, 512);
  EXPECT_EQ(few.limits.blocks, 8);
  BoardDevice small = device;
  small.config.sms = 1;
  EXPECT_EQ(turn_knobs(small, with(Knob::sms, kLeastFactor)).config.sms, 1) << "never none";
}

TEST(Board, SaysWhereANumberIsFrom) {
  EXPECT_EQ(knob_source(h200(), Knob::dram), h200().config.sources.at("dram_gb_s"));
  EXPECT_EQ(knob_source(h200(), Knob::registers), "");
}

TEST(Board, KnobsHaveTitlesAndIdsOfTheirOwn) {
  std::set<std::string> titles, ids;
  for (int k = 0; k < kKnobs; ++k) {
    titles.insert(knob_title(static_cast<Knob>(k)));
    ids.insert(knob_id(static_cast<Knob>(k)));
  }
  EXPECT_EQ(titles.size(), static_cast<size_t>(kKnobs));
  EXPECT_EQ(ids.size(), static_cast<size_t>(kKnobs));
}

}  // namespace
}  // namespace gemmscope::experiment
