#include "experiment/toggle_list.h"

#include <gtest/gtest.h>

namespace gemmscope::experiment {
namespace {

catalog::Toggle toggle(std::string name, std::string group, std::vector<int64_t> values,
                       int64_t default_value) {
  catalog::Toggle t;
  t.name = name;
  t.title = "the " + name;
  t.group = std::move(group);
  t.values = std::move(values);
  t.default_value = default_value;
  return t;
}

catalog::Kernel kernel() {
  catalog::Kernel k;
  k.id = "small";
  k.block_expressions = {"32", "1", "1"};
  k.grid_expressions = {"ceil_div(N, TILE)", "ceil_div(M, TILE)", "1"};
  k.shared_expression = "0";
  k.toggles = {toggle("TILE", "Tiles", {16, 32, 64}, 32), toggle("PAD", "Shared", {0, 1}, 1),
               toggle("DEPTH", "Tiles", {1, 2, 4, 8}, 1)};
  k.illegal = {{"TILE == 64 && DEPTH > 1", "too large"}, {"DEPTH == 8 && SM < 80", "too old"}};
  return k;
}

TEST(ToggleList, GroupsInTheOrderOfTheirFirstToggle) {
  const auto groups = toggle_list(kernel(), {});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].title, "Tiles");
  ASSERT_EQ(groups[0].rows.size(), 2u);
  EXPECT_EQ(groups[0].rows[1].name, "DEPTH");
  EXPECT_EQ(groups[1].rows[0].title, "the PAD");
  EXPECT_TRUE(groups[1].rows[0].on_off);
  EXPECT_FALSE(groups[0].rows[0].on_off);
  EXPECT_EQ(groups[0].rows[0].labels, (std::vector<std::string>{"16", "32", "64"}));
}

TEST(ToggleList, SaysWhatDiffersAndWhatIsIllegal) {
  experiment::Experiment e;
  e.toggles = {{"DEPTH", 2}, {"PAD", 1}};
  e.arch = isa::Arch::sm_75;
  const auto groups = toggle_list(kernel(), e);
  EXPECT_EQ(groups[0].changed_count(), 1);
  EXPECT_EQ(groups[1].changed_count(), 0);
  EXPECT_EQ(groups[0].rows[0].why_not, (std::vector<std::string>{"", "", "too large"}));
  EXPECT_EQ(groups[0].rows[1].why_not, (std::vector<std::string>{"", "", "", "too old"}));
  EXPECT_EQ(groups[0].rows[1].chosen, 1u);
  EXPECT_TRUE(groups[0].rows[1].changed());
}

TEST(ToggleList, ValuesThatDoNotFitSharedMemorySaySo) {
  catalog::Kernel large = kernel();
  large.shared_expression = "DEPTH * 24 * 1024";
  experiment::Experiment e;
  e.arch = isa::Arch::sm_86;
  EXPECT_EQ(toggle_list(large, e)[0].rows[1].why_not,
            (std::vector<std::string>{
                "", "", "", "A block would need 192.0 KB of shared memory; sm_86 has at most 99 KB."}));
  e.arch = isa::Arch::sm_90;
  EXPECT_EQ(toggle_list(large, e)[0].rows[1].why_not[3], "");
}

TEST(ToggleList, NextChoiceSkipsIllegalValues) {
  ToggleRow row;
  row.values = {1, 2, 3, 4};
  row.why_not = {"", "no", "", "no"};
  EXPECT_EQ(next_choice(row, true), 2u);
  EXPECT_EQ(next_choice(row, false), 2u);
  row.chosen = 2;
  EXPECT_EQ(next_choice(row, true), 0u);
  row.why_not = {"no", "no", "", "no"};
  EXPECT_EQ(next_choice(row, false), 2u);
}

TEST(ToggleList, NeighboursWrapAroundAcrossGroups) {
  const auto groups = toggle_list(kernel(), {});
  EXPECT_EQ(neighbour(groups, "", true)->name, "TILE");
  EXPECT_EQ(neighbour(groups, "", false)->name, "PAD");
  EXPECT_EQ(neighbour(groups, "DEPTH", true)->name, "PAD");
  EXPECT_EQ(neighbour(groups, "PAD", true)->name, "TILE");
  EXPECT_EQ(neighbour(groups, "TILE", false)->name, "PAD");
  EXPECT_EQ(neighbour({}, "TILE", false), nullptr);
  EXPECT_EQ(find_toggle(groups, "PAD")->name, "PAD");
  EXPECT_EQ(find_toggle(groups, "NONE"), nullptr);
}

TEST(ToggleList, ADefaultIsNotKept) {
  const auto groups = toggle_list(kernel(), {});
  experiment::Experiment e = with_toggle(kernel(), {}, groups[0].rows[0], 2);
  EXPECT_EQ(e.toggles, (std::map<std::string, int64_t>{{"TILE", 64}}));
  e = with_toggle(kernel(), e, groups[0].rows[0], 1);
  EXPECT_TRUE(e.toggles.empty());
}

TEST(ToggleList, TheBlockStaysInsideTheGrid) {
  const auto groups = toggle_list(kernel(), {});
  experiment::Experiment e;
  e.block = {7, 3, 0};  // TILE 32: 8 x 8 blocks
  EXPECT_EQ(with_toggle(kernel(), e, groups[0].rows[0], 0).block, e.block);
  EXPECT_EQ(with_toggle(kernel(), e, groups[0].rows[0], 2).block, (std::array<uint32_t, 3>{0, 0, 0}));
}

}  // namespace
}  // namespace gemmscope::experiment
