// The figures of the occupancy and the pipeline pictures of every kernel, read back from the letters of drawn
// frames, are those of `gemmscope occupancy --json` and `gemmscope stalls --json`.
#include <gtest/gtest.h>

#include "scenes/text.h"
#include "view_figures.h"

namespace gemmscope::shell {
namespace {

using nlohmann::json;

class OccupancyFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, OccupancyFigures, testing::ValuesIn(ids()), name_of_kernel);

TEST_P(OccupancyFigures, AreThoseOfOccupancy) {
  draw({.size = {1600, 900}, .content = FrameContent::banks, .jump = "picture.show_occupancy"});
  const json occupancy = told("occupancy");
  const int blocks = occupancy.at("blocks"), warps = occupancy.at("warps_per_block");
  EXPECT_NE(find(fmt::format("{} block{} of {} warp{}, ", blocks, blocks == 1 ? "" : "s", warps,
                             warps == 1 ? "" : "s")),
            nullptr);
  EXPECT_EQ(before({fmt::format("of {} warps", occupancy.at("warp_slots").get<int>()).c_str()}),
            std::to_string(occupancy.at("warps").get<int>()));
  expect_rounded(before({"occupancy"}), occupancy.at("occupancy_percent"), "occupancy");

  // "8 of 48 a block: 6 fit"
  const json& limits = occupancy.at("limits");
  size_t compared = 0;
  for (const auto& [row, key] : {std::pair("warp slots", "warps"),
                                 {"registers", "registers"},
                                 {"shared memory", "shared"},
                                 {"block slots", "blocks"},
                                 {"barriers", "barriers"}}) {
    const std::optional<std::string> text = after(row);
    if (limits.at(key).is_null()) continue;
    ASSERT_TRUE(text) << row;
    const int fit = limits.at(key);
    EXPECT_TRUE(text->ends_with(fmt::format(" a block: {} fit{}", fit, fit == 1 ? "s" : ""))) << *text;
    ++compared;
  }
  EXPECT_GE(compared, 3u);
  EXPECT_TRUE(
      after("registers")
          ->starts_with(scenes::grouped(occupancy.at("registers_per_block").get<uint64_t>()) + " of "));
  if (!limits.at("shared").is_null()) {
    EXPECT_TRUE(
        after("shared memory")
            ->starts_with(scenes::short_bytes(occupancy.at("shared_bytes_per_block").get<uint64_t>()) +
                          " of "));
  }
}

// The whole wave is in view.
class PipelineShares : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, PipelineShares, testing::ValuesIn(ids()), name_of_kernel);

TEST_P(PipelineShares, AreThoseOfStalls) {
  draw({.size = {1600, 900}, .content = FrameContent::pipeline, .jump = "pipeline.show_all"}, 64);
  const TextBox* const headline = find("Modelled: one SM of ");
  ASSERT_NE(headline, nullptr);
  const bool ampere = headline->text.find("RTX 3080") != std::string::npos;
  const json stalls = told("stalls", {"--device", ampere ? "rtx3080" : "h200"});
  EXPECT_NE(headline->text.find(stalls.at("device").at("name").get<std::string>()), std::string::npos);
  std::map<std::string, double> cycles;
  double all = 0;
  for (const json& instruction : stalls.at("instructions"))
    for (const auto& [reason, count] : instruction.at("warp_cycles").items())
      cycles[reason] += count.get<double>(), all += count.get<double>();
  const TextBox* const list = find("Warp cycles in view");  // stages on its left have the same names
  ASSERT_NE(list, nullptr);
  size_t compared = 0;
  for (const auto& [reason, count] : cycles) {
    const std::optional<std::string> share = after(reason, list->ink.left - 4);
    if (!share) continue;  // the list has room for the longest
    expect_rounded(*share, 100 * count / all, reason);
    ++compared;
  }
  EXPECT_GE(compared, 3u);
}

}  // namespace
}  // namespace gemmscope::shell
