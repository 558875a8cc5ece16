// Device files: those that ship are whole and agree with data sheets; a broken one is told its line and key.
#include "sm/device_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "metrics/occupancy.h"
#include "metrics/peak.h"

namespace gemmscope::sm {
namespace {

const DeviceList& shipped() {
  static const DeviceList list = read_devices(GEMMSCOPE_SOURCE_DIR "/assets/devices");
  return list;
}

TEST(DeviceFiles, ThoseThatShipAreWhole) {
  for (const Error& error : shipped().errors) ADD_FAILURE() << error.message;
  std::set<std::string> ids, names;
  for (const SmConfig& device : shipped().devices) {
    ids.insert(device.id);
    names.insert(device.name);
    EXPECT_NE(metrics::sm_limits(device.compute_capability), nullptr) << device.id;
    for (const Parameter& parameter : parameters()) {
      ASSERT_TRUE(device.sources.contains(parameter.name)) << device.id << " " << parameter.name;
      EXPECT_GT(device.sources.at(parameter.name).size(), 2u) << device.id << " " << parameter.name;
    }
  }
  EXPECT_EQ(ids, (std::set<std::string>{"a100", "a100_40gb", "h100", "h200", "mx330", "rtx3080", "rtx4000ada",
                                        "rtx4090", "rtxa4000", "rtxa6000", "t4"}));
  EXPECT_EQ(names.size(), ids.size()) << "two files have one name";
}

// FP32 peaks of data sheets: 2 x lanes x boost clock.
TEST(DeviceFiles, PipesGiveThePeakOfTheDataSheet) {
  const std::map<std::string, double> tflops = {{"a100", 19.5},    {"a100_40gb", 19.5}, {"h100", 66.9},
                                                {"h200", 66.9},    {"mx330", 1.224},    {"rtx3080", 29.8},
                                                {"rtx4090", 82.6}, {"rtxa4000", 19.2},  {"rtxa6000", 38.7},
                                                {"t4", 8.14},      {"rtx4000ada", 26.7}};
  for (const SmConfig& device : shipped().devices) {
    constexpr double kSubCoresAndFlops = 4 * 32 * 2;
    const double peak = device.sms * device.clock_mhz * 1e6 * kSubCoresAndFlops / device.ffma_interval;
    EXPECT_NEAR(peak / 1e12 / tflops.at(device.id), 1, 0.004) << device.id;
  }
}

// The tensor cores' rate, which metrics/peak.h has from other tables. That of Hopper is wgmma's: HMMA does
// not reach it.
TEST(DeviceFiles, TensorCoresGiveThePeakOfTheArchitecture) {
  int compared = 0;
  for (const SmConfig& device : shipped().devices) {
    const double peak = metrics::peak_bf16_flops(
        {device.name, device.compute_capability, static_cast<int>(device.sms), device.clock_mhz});
    if (peak <= 0) continue;
    constexpr double kFlops = 16 * 8 * 16 * 2;  // of HMMA.16816
    const double rate = device.sms * 4 * device.clock_mhz * 1e6 * kFlops / device.mma_16816_interval;
    if (device.compute_capability >= 90)
      EXPECT_LT(rate, peak) << device.id;
    else
      EXPECT_NEAR(rate / peak, 1, 1e-6) << device.id;
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

TEST(DeviceFiles, WhatIsTakenOverSaysFromWhere) {
  const SmConfig* a100 = shipped().find("a100_40gb");
  ASSERT_NE(a100, nullptr);
  EXPECT_EQ(a100->sources.at("branch_cycles"), "as NVIDIA H200");
  EXPECT_EQ(a100->sources.at("l1_kib"), "as NVIDIA A100 SXM 80GB");
  EXPECT_EQ(a100->l1_kib, 192);
  EXPECT_NEAR(a100->dram_gb_s, 0.9 * 1555, 0.1);
}

struct Case {
  const char* name;
  std::string text, part;  // of the message, which begins with the file and the line
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
std::string case_name(const testing::TestParamInfo<Case>& test) { return test.param.name; }

const std::string kHead = "name = \"Test\"\ncompute_capability = \"9.0\"\nlike = \"h200\"\n[parameters]\n";

class BrokenDeviceFile : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Files, BrokenDeviceFile,
    testing::Values(
        Case{"syntax", "name = \"Test\"\nlike = h200\n", "test.toml:2:"},
        Case{"unknown_key", "name = \"Test\"\nspeed = 1\n", "test.toml:2: key \"speed\" is not known"},
        Case{"no_name", "compute_capability = \"9.0\"\n[parameters]\n", "key \"name\" must be"},
        Case{"name_is_a_number", "name = 5\n[parameters]\n", "key \"name\" must be"},
        Case{"capability_is_a_number", "name = \"Test\"\ncompute_capability = 9.0\n[parameters]\n",
             "key \"compute_capability\" must be text"},
        Case{"unknown_base", "name = \"Test\"\ncompute_capability = \"9.0\"\nlike = \"x\"\n[parameters]\n",
             "test.toml:3: key \"like\" must name"},
        Case{"like_itself", "name = \"Test\"\ncompute_capability = \"9.0\"\nlike = \"test\"\n[parameters]\n",
             "key \"like\" leads back"},
        Case{"unknown_parameter", kHead + "turbo = { value = 1, source = \"x\" }\n",
             "test.toml:5: key \"turbo\" is not a parameter"},
        Case{"value_is_text", kHead + "sms = { value = \"many\", source = \"x\" }\n",
             "test.toml:5: key \"sms\" must be"},
        Case{"no_source", kHead + "\nsms = { value = 5 }\n", "test.toml:6: key \"sms\" must be"},
        Case{"empty_source", kHead + "sms = { value = 5, source = \"\" }\n", "key \"sms\" must be"},
        Case{"bare_number", kHead + "sms = 5\n", "test.toml:5: key \"sms\" must be"},
        Case{"zero_sms", kHead + "sms = { value = 0, source = \"x\" }\n",
             "test.toml:5: key \"sms\" is wrong: sms cannot be 0"},
        Case{"negative", kHead + "l1_hit_latency = { value = -1, source = \"x\" }\n", "cannot be -1"},
        Case{"half_a_switch", kHead + "l1 = { value = 0.5, source = \"x\" }\n", "it is a switch"},
        Case{"no_parameters", "name = \"Test\"\ncompute_capability = \"9.0\"\n",
             "key \"parameters\" must be a table"},
        Case{"missing_parameter", "name = \"Test\"\ncompute_capability = \"9.0\"\n[parameters]\n",
             "test.toml:3: key \"sms\" is missing"}),
    case_name);

TEST_P(BrokenDeviceFile, IsToldItsPlace) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / (std::string("gemmscope_device_") + GetParam().name);
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(GEMMSCOPE_SOURCE_DIR "/assets/devices/h200.toml", folder / "h200.toml",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "test.toml") << GetParam().text;
  const Result<SmConfig> device = read_device(folder / "test.toml");
  ASSERT_FALSE(device) << "it was read";
  EXPECT_NE(device.error().message.find("test.toml:"), std::string::npos) << device.error().message;
  EXPECT_NE(device.error().message.find(GetParam().part), std::string::npos) << device.error().message;
  const DeviceList list = read_devices(folder);
  EXPECT_EQ(list.devices.size(), 1u) << "the sound file is still read";
  EXPECT_EQ(list.errors.size(), 1u);
  std::filesystem::remove_all(folder);
}

TEST(DeviceFiles, AMissingFileIsNamed) {
  const Result<SmConfig> device = read_device("nowhere/test.toml");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().message, "nowhere/test.toml cannot be read.");
}

}  // namespace
}  // namespace gemmscope::sm
