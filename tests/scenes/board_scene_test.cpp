// The device board: the order on both sides, the lines between, and what differs on the data sheets.
#include "scenes/board_scene.h"

#include <gtest/gtest.h>

#include "layout_checks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::ModelledVariant;

ModelledVariant variant(const std::string& id, double ms) {
  ModelledVariant v;
  v.key = {id, {}};
  v.title = "Title of " + id;
  v.milliseconds = ms;
  if (ms == 0) v.trouble = "It has no time.";
  return v;
}

void expect_apart(const std::vector<NamedRect>& parts, Rect area, const std::string& where) {
  for (size_t i = 0; i < parts.size(); ++i) {
    EXPECT_TRUE(lies_in(parts[i], area)) << where;
    for (size_t k = i + 1; k < parts.size(); ++k) EXPECT_TRUE(apart(parts[i], parts[k])) << where;
  }
}

struct Board {
  experiment::BoardDevice left_device, right_device;
  std::vector<ModelledVariant> left = {variant("01_a", 3), variant("02_b", 2), variant("03_c", 0),
                                       variant("04_d", 1)};
  std::vector<ModelledVariant> right = {variant("01_a", 1), variant("02_b", 2), variant("03_c", 4),
                                        variant("04_d", 0.5)};
  Board() {
    for (experiment::BoardDevice* device : {&left_device, &right_device}) {
      device->config.sms = 10;
      device->config.ffma_interval = device->config.wavefront_cycles = 1;
    }
    right_device.config.sms = 20;
  }
  BoardScene layout(Rect area = {0, 0, 1100, 700}, const BoardTexts& texts = {}) const {
    return layout_board({"Left", true, &left_device, &left, 2}, {"Right", false, &right_device, &right, 4},
                        {"02_b", {}}, texts, area, {1, 18, 15, 7, 7, 15});
  }
};

TEST(BoardScene, TheFastestIsFirstAndTheLongest) {
  const Board board;
  const BoardScene scene = board.layout();
  std::vector<std::string> left, right;
  for (const BoardBar& bar : scene.left) left.push_back(board.left[bar.variant].key.kernel);
  for (const BoardBar& bar : scene.right) right.push_back(board.right[bar.variant].key.kernel);
  EXPECT_EQ(left, (std::vector<std::string>{"04_d", "02_b", "01_a", "03_c"})) << "without a time: last";
  EXPECT_EQ(right, (std::vector<std::string>{"04_d", "01_a", "02_b", "03_c"}));
  EXPECT_EQ(scene.left[0].bar.width(), scene.left[0].track.width());
  EXPECT_NEAR(scene.left[1].bar.width(), scene.left[1].track.width() / 2, 1) << "half as fast";
  EXPECT_EQ(scene.left[3].bar.width(), 0);
  EXPECT_EQ(scene.left[3].figure_text, "no time");
  EXPECT_EQ(scene.left[1].figure_text, "2.000 ms  2.00x");
  EXPECT_TRUE(scene.left[1].current);
  EXPECT_TRUE(scene.left[0].stale) << "of a device that was there before";
  EXPECT_FALSE(scene.left[1].stale);
}

TEST(BoardScene, LinesCrossWhereTheOrderChanges) {
  const BoardScene scene = Board().layout();
  ASSERT_EQ(scene.links.size(), 3u) << "those with a time on both sides";
  int crossing = 0;
  for (const BoardLink& link : scene.links) crossing += link.crosses;
  EXPECT_EQ(crossing, 2) << "01 and 02 change places";
  EXPECT_EQ(scene.order.text, "1 of 3 pairs of variants change places.");
  Board same;
  same.right = same.left;
  EXPECT_EQ(same.layout().order.text, "The variants have the same order on both.");
}

// A time that is still missing on one side moves the others, but changes no order.
TEST(BoardScene, NoLineCrossesWhereATimeIsMissing) {
  Board board;
  board.right = board.left;
  board.right[3].milliseconds = 0;
  const BoardScene scene = board.layout();
  ASSERT_EQ(scene.links.size(), 2u);
  for (const BoardLink& link : scene.links) {
    EXPECT_NE(link.from.y, link.to.y);
    EXPECT_FALSE(link.crosses);
  }
}

TEST(ChangedPairs, EqualTimesHaveNoOrder) {
  const ChangedPairs pairs = changed_pairs({variant("a", 1), variant("b", 1.001), variant("c", 3)},
                                           {variant("a", 2), variant("b", 1), variant("c", 0.5)});
  EXPECT_EQ(pairs.pairs, 3);
  EXPECT_EQ(pairs.changed, 2) << "a and b are the same on the left";
}

TEST(BoardScene, SaysWhatDiffersAndThatADeviceIsChanged) {
  const BoardScene scene = Board().layout({0, 0, 1100, 700}, {"", {}, {"A remark."}});
  EXPECT_EQ(scene.titles[0].text, "Left, changed");
  EXPECT_EQ(scene.titles[1].text, "Right");
  ASSERT_EQ(scene.remarks.size(), 1u);
  bool found = false;
  for (const BoardFact& fact : scene.facts) {
    EXPECT_EQ(fact.differs, fact.left_text != fact.right_text);
    if (fact.name_text != "SMs") continue;
    found = true;
    EXPECT_EQ(fact.left_text, "10");
    EXPECT_EQ(fact.right_text, "20");
  }
  EXPECT_TRUE(found);
}

// The bars of what was published and of what is modelled are on one scale, and the gap is said.
TEST(BoardScene, PublishedGainsStandBesideModelledOnes) {
  const BoardTexts texts{"Gains", {{"First", 2, 4}, {"Second", 0.9, 1.2}, {"Third", 0.5, 0.25, true}}, {}};
  const BoardScene scene = Board().layout({0, 0, 1100, 900}, texts);
  ASSERT_EQ(scene.gains.size(), 3u);
  const BoardGain &first = scene.gains[0], &second = scene.gains[1], &third = scene.gains[2];
  EXPECT_NEAR(first.modelled.width(), 2 * first.recorded.width(), 2);
  EXPECT_NEAR(second.modelled.width(), 0.6f * first.recorded.width(), 2);
  EXPECT_NEAR(scene.even.left - first.recorded.left, first.recorded.width() / 2, 2) << "the line at 1x";
  EXPECT_EQ(first.recorded_text, "2.00x recorded");
  EXPECT_EQ(first.gap_text, "model +100 %");
  EXPECT_FALSE(first.other_winner);
  EXPECT_EQ(second.gap_text, "model +33 %, other winner");
  EXPECT_EQ(third.gap_text, "") << "a changed device is not the published one";
  EXPECT_EQ(claim_text(texts.claims[0]),
            "On First, 2.00x recorded and 4.00x modelled (+100 %): the same winner.");
  EXPECT_NE(claim_text(texts.claims[1]).find("the model misses who wins"), std::string::npos);
}

// Where the model does not show the lesson, the board says so above the bars, and names the device.
TEST(BoardScene, TheVerdictNamesTheDeviceThatTheModelMisses) {
  EXPECT_EQ(verdict_text({{"First", 2.35, 3.98}, {"Second", 0.9, 1.34}}),
            "The model does not reproduce this: on Second, the other kernel won.");
  EXPECT_NE(verdict_text({{"First", 2, 4}, {"Second", 0.9, 0.8}}).find("not how large"), std::string::npos);
  EXPECT_EQ(verdict_text({{"First", 2, 2.1}, {"Second", 0.9, 0.88}}),
            "The model reproduces what was published.");
  EXPECT_EQ(verdict_text({{"First", 2, 4}, {"Second", 0.9, 0}}), "") << "not modelled yet";
  EXPECT_EQ(verdict_text({{"First", 2, 4, true}}), "") << "knobs are turned";
  const BoardScene scene =
      Board().layout({0, 0, 1100, 900}, {"Gains", {{"First", 2, 4}, {"Second", 0.9, 1.2}}, {}});
  EXPECT_FALSE(scene.verdict.text.empty());
  EXPECT_GE(scene.verdict.rect.top, scene.gains_title.rect.bottom);
  EXPECT_LE(scene.verdict.rect.bottom, scene.gains[0].recorded.top);
}

TEST(BoardScene, PartsDoNotOverlapAtAnySize) {
  for (const Rect area :
       {Rect{0, 0, 1100, 700}, Rect{0, 0, 700, 420}, Rect{10, 20, 420, 200}, Rect{0, 0, 300, 90}}) {
    const BoardScene scene =
        Board().layout(area, {"Gains", {{"First", 2.35, 4.73}, {"Second", 0.9, 0}}, {"One.", "Two."}});
    std::vector<NamedRect> parts = {{"order", scene.order.rect}};
    for (const auto& bar : scene.left) parts.push_back({"left " + bar.label_text, bar.row});
    for (const auto& bar : scene.right) parts.push_back({"right " + bar.label_text, bar.row});
    for (const auto& title : scene.titles) parts.push_back({title.text, title.rect});
    for (const auto& remark : scene.remarks) parts.push_back({remark.text, remark.rect});
    if (!scene.gains.empty()) parts.push_back({"gains", scene.gains_title.rect});
    if (!scene.gains.empty()) parts.push_back({"verdict", scene.verdict.rect});
    for (const BoardGain& gain : scene.gains)
      for (const Rect& rect :
           {gain.name, gain.recorded, gain.modelled, gain.recorded_figure, gain.modelled_figure, gain.gap})
        parts.push_back({gain.name_text, rect});
    for (const BoardFact& fact : scene.facts) {
      parts.push_back({fact.name_text, fact.name});
      parts.push_back({fact.name_text + " left", fact.left});
      parts.push_back({fact.name_text + " right", fact.right});
    }
    expect_apart(parts, area, fmt::format("{} x {}", area.width(), area.height()));
    EXPECT_EQ(scene.left.size() + static_cast<size_t>(scene.hidden), 4u);
  }
}

}  // namespace
}  // namespace gemmscope::scenes
