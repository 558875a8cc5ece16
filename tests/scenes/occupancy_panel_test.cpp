// The occupancy calculator: its rectangles, curves and sentences.
#include <gtest/gtest.h>

#include <algorithm>

#include "layout_checks.h"
#include "metrics/occupancy_presets.h"
#include "scenes/occupancy_panel_scene.h"
#include "scenes/occupancy_text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using metrics::OccupancyAxis;
using metrics::OccupancyPoint;

const MeasureText kMeasure = [](std::string_view text, bool small) {
  return static_cast<float>(text.size()) * (small ? 7.0f : 8.0f);
};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};

OccupancyQuestion question(const OccupancyPoint& point) {
  OccupancyPoint before = point;
  before.needs.registers = 21;
  return {point, before, "What to look for."};
}

TEST(OccupancyPanel, EverythingLiesInTheAreaAndApart) {
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area))
      for (const metrics::OccupancyPreset& preset : metrics::occupancy_presets()) {
        SCOPED_TRACE(std::string(preset.id) + ", " + text_of(area, metrics));
        const OccupancyPanelScene scene =
            layout_occupancy_panel(question(preset.point), area, metrics, kMeasure);
        ASSERT_FALSE(scene.empty);
        std::vector<NamedRect> parts = {{"plate", scene.plate.rect},
                                        {"headline", scene.headline.rect},
                                        {"limiter", scene.limiter.rect},
                                        {"change", scene.change.rect},
                                        {"remark", scene.remark.rect},
                                        {"slots title", scene.slots_title.rect},
                                        {"exact head", scene.exact_head},
                                        {"textbook head", scene.textbook_head},
                                        {"amount head", scene.amount_head},
                                        {"total", scene.total.row},
                                        {"textbook", scene.textbook.rect},
                                        {"charts title", scene.charts_title.rect},
                                        {"exact legend", scene.legend_exact},
                                        {"textbook legend", scene.legend_textbook},
                                        {"rates title", scene.rates_title.rect},
                                        {"rates note", scene.rates_note.rect}};
        for (const WarpSlot& slot : scene.slots) parts.push_back({"slot", slot.rect});
        for (const LimitRow& row : scene.limits) parts.push_back({row.name_text, row.row});
        for (const CliffChart& chart : scene.charts) parts.push_back({chart.title_text, chart.area});
        for (const RateCell& cell : scene.rates) {
          parts.push_back({cell.value_text, cell.value});
          parts.push_back({cell.label_text, cell.label});
        }
        for (size_t i = 0; i < parts.size(); ++i) {
          ASSERT_TRUE(lies_in(parts[i], area));
          for (size_t k = i + 1; k < parts.size(); ++k) ASSERT_TRUE(apart(parts[i], parts[k]));
        }
      }
}

TEST(OccupancyPanel, HasEverythingOnALaptop) {
  for (const metrics::SmLimits& sm : metrics::all_sm_limits()) {
    const OccupancyPoint point{sm.compute_capability, {256, 32, 4096}};
    const OccupancyPanelScene scene =
        layout_occupancy_panel(question(point), {0, 0, 1000, 600}, kMetrics, kMeasure);
    EXPECT_EQ(scene.slots.size(), static_cast<size_t>(sm.warps));
    EXPECT_EQ(scene.charts.size(), 3u);
    EXPECT_EQ(scene.rates.size(), 9u);
    EXPECT_FALSE(scene.limiter.text.empty());
    EXPECT_TRUE(std::any_of(scene.limits.begin(), scene.limits.end(),
                            [](const LimitRow& row) { return row.decides; }));
  }
}

// A window of 800x600 with a long sentence: the rows of the limits do not lie over each other.
TEST(OccupancyPanel, ASmallPanelKeepsTheRowsOfTheLimitsApart) {
  const OccupancyPoint point{86, {256, 211, 99'328}};
  const SceneMetrics metrics{0.75f, 15, 15, 8, 7, 15};
  const MeasureText measure = [](std::string_view text, bool small) {
    return static_cast<float>(text.size()) * (small ? 6.0f : 6.6f);
  };
  const OccupancyPanelScene scene =
      layout_occupancy_panel(question(point), {0, 0, 594, 390}, metrics, measure);
  ASSERT_FALSE(scene.limits.empty());
  for (const LimitRow& row : scene.limits) EXPECT_GE(row.row.height(), metrics.small_height);
  EXPECT_EQ(scene.charts.size(), 3u) << "the rates leave their room";
}

// Beside a lesson on a projector: few lines of large letters. The limits can still be read.
TEST(OccupancyPanel, ALowPanelKeepsTheLimits) {
  for (const metrics::OccupancyPreset& preset : metrics::occupancy_presets()) {
    SCOPED_TRACE(std::string(preset.id));
    const MeasureText measure = [](std::string_view text, bool small) {
      return static_cast<float>(text.size()) * (small ? 14.0f : 16.0f);
    };
    const SceneMetrics metrics{2.08f, 40, 34, 17};
    const OccupancyPanelScene scene =
        layout_occupancy_panel(question(preset.point), {0, 0, 1080, 640}, metrics, measure);
    EXPECT_TRUE(scene.slots.empty());
    EXPECT_TRUE(scene.textbook.text.empty());
    ASSERT_FALSE(scene.limits.empty());
    for (const LimitRow& row : scene.limits) {
      EXPECT_GE(row.row.height(), 0.8f * metrics.small_height) << row.name_text;
      EXPECT_GE(row.amount.width(), measure(row.amount_text, true)) << row.amount_text;
      EXPECT_GT(row.bar.width(), 60);
    }
    EXPECT_GE(scene.textbook_head.width(), measure("textbook", true));
  }
}

// On a projector not all curves fit; the one of the need that was changed comes first.
TEST(OccupancyPanel, LargeLettersLeaveRoomForTheCurveThatChanged) {
  const MeasureText measure = [](std::string_view text, bool small) {
    return static_cast<float>(text.size()) * (small ? 14.0f : 16.0f);
  };
  const OccupancyPoint before{20, {32, 0, 0}}, now{20, {192, 0, 0}};
  OccupancyQuestion asked = question(now);
  asked.before = before;
  const OccupancyPanelScene scene =
      layout_occupancy_panel(asked, {0, 0, 1080, 720}, {2.08f, 40, 34, 17}, measure);
  ASSERT_FALSE(scene.charts.empty());
  EXPECT_LT(scene.charts.size(), 3u);
  EXPECT_EQ(scene.charts.front().axis, metrics::OccupancyAxis::threads);
  EXPECT_GT(scene.charts.front().area.top, scene.total.row.bottom);
}

// Chinese takes half the width, so that there may be room for the charts, but not for a line for each limit.
TEST(OccupancyPanel, NoLimitLiesOverTheNextOneOnAProjector) {
  const MeasureText measure = [](std::string_view text, bool small) {
    return static_cast<float>(text.size()) * (small ? 7.0f : 8.0f);
  };
  const SceneMetrics metrics{2.08f, 40, 34, 17};
  for (const metrics::OccupancyPreset& preset : metrics::occupancy_presets())
    for (float height = 640; height <= 1000; height += 20) {
      const OccupancyPanelScene scene =
          layout_occupancy_panel(question(preset.point), {0, 0, 1080, height}, metrics, measure);
      ASSERT_FALSE(scene.limits.empty());
      for (const LimitRow& row : scene.limits)
        EXPECT_GE(row.row.height(), 0.8f * metrics.line_height) << preset.id << ", " << height;
    }
}

TEST(OccupancyPanel, SaysWhenACapabilityIsNotKnown) {
  const OccupancyPanelScene scene =
      layout_occupancy_panel({{99, {256, 32, 0}}, {}, ""}, {0, 0, 900, 600}, kMetrics, kMeasure);
  EXPECT_TRUE(scene.empty);
  EXPECT_NE(scene.empty_text.find("9.9"), std::string::npos);
}

// The current point lies on the exact curve, which stays in its plot and covers the axis.
TEST(CliffChart, ThePointLiesOnTheCurve) {
  for (const metrics::OccupancyPreset& preset : metrics::occupancy_presets())
    for (int a = 0; a < metrics::kOccupancyAxes; ++a) {
      const auto axis = static_cast<OccupancyAxis>(a);
      OccupancyPoint point = preset.point;
      if (point.needs.registers == 0) point.needs.registers = 1;  // 0 is left of the axis
      const CliffChart chart = layout_cliff_chart(axis, point, {}, {10, 20, 410, 220}, kMetrics);
      EXPECT_FALSE(chart.before);
      for (const Point& p : chart.exact) {
        EXPECT_GE(p.y, chart.plot.top);
        EXPECT_LE(p.y, chart.plot.bottom);
      }
      EXPECT_FLOAT_EQ(chart.exact.front().x, chart.plot.left);
      EXPECT_FLOAT_EQ(chart.exact.back().x, chart.plot.right);
      bool on_curve = false;
      for (size_t i = 0; i + 1 < chart.exact.size(); i += 2)
        on_curve |= chart.now.x >= chart.exact[i].x - 0.01f && chart.now.x <= chart.exact[i + 1].x + 0.01f &&
                    chart.now.y == chart.exact[i].y;
      EXPECT_TRUE(on_curve) << preset.id << " axis " << a;
      for (size_t i = 0; i < chart.x_labels.size(); ++i)
        for (size_t k = i + 1; k < chart.x_labels.size(); ++k)
          EXPECT_TRUE(apart({"tick", chart.x_labels[i]}, {"tick", chart.x_labels[k]}));
    }
}

// Where the mouse is, is what it asks for: whole warps, 128 bytes, no more than the SM allows.
TEST(CliffChart, AMousePositionIsAValue) {
  const OccupancyPoint point{86, {256, 55, 16384}};
  for (int a = 0; a < metrics::kOccupancyAxes; ++a) {
    const auto axis = static_cast<OccupancyAxis>(a);
    const CliffChart chart = layout_cliff_chart(axis, point, {}, {0, 0, 400, 200}, kMetrics);
    const int least = value_on_axis(point_in_chart(chart, point, chart.plot.left - 9).needs, axis);
    const int most = value_on_axis(point_in_chart(chart, point, chart.plot.right + 9).needs, axis);
    EXPECT_EQ(least, axis == OccupancyAxis::threads ? 32 : axis == OccupancyAxis::shared ? 0 : 1);
    EXPECT_EQ(most, axis == OccupancyAxis::threads ? 1024 : axis == OccupancyAxis::shared ? 101376 : 255);
    const OccupancyPoint same = point_in_chart(chart, point, chart.now.x);
    if (axis == OccupancyAxis::registers) {
      EXPECT_EQ(same, point);
    }
    EXPECT_EQ(same.needs.barriers, point.needs.barriers);
  }
}

TEST(CliffChart, ShowsWhereThePointWasOnTheSameSm) {
  const OccupancyPoint now{86, {256, 129, 0}};
  OccupancyPoint before{86, {256, 111, 0}};
  const auto chart_of = [&](OccupancyAxis axis) {
    return layout_cliff_chart(axis, now, before, {0, 0, 400, 200}, kMetrics);
  };
  ASSERT_TRUE(chart_of(OccupancyAxis::registers).before);
  EXPECT_LT(chart_of(OccupancyAxis::registers).before->y, chart_of(OccupancyAxis::registers).now.y);
  EXPECT_FALSE(chart_of(OccupancyAxis::threads).before) << "the threads are the same";
  before.compute_capability = 90;
  EXPECT_FALSE(chart_of(OccupancyAxis::registers).before) << "another SM has another curve";
}

// Worked out by hand.
TEST(OccupancySentences, NameTheLimiterAndItsArithmetic) {
  const auto sentence = [](int capability, metrics::BlockNeeds needs) {
    return limiter_sentence(*metrics::sm_limits(capability), needs);
  };
  EXPECT_EQ(
      sentence(86, {256, 55, 16384}),
      "Limited by registers: a warp takes 32 × 55 = 1,760, rounded up to 1,792 registers, and each of the "
      "SM's 4 sub-partitions has 16,384 for 9 warps: 4 fit.");
  EXPECT_EQ(
      sentence(20, {256, 21, 0}),
      "Limited by registers: a warp takes 32 × 21 = 672, rounded up to 704 registers, and the SM's 32,768 "
      "hold 46 warps: 5 fit.");
  EXPECT_EQ(sentence(52, {64, 27, 4096}),
            "Limited by shared memory: a block takes 4 KB of the SM's 96 KB: 24 fit.");
  EXPECT_EQ(
      sentence(90, {128, 16, 100 * 1024}),
      "Limited by shared memory: a block takes 101 KB (100 KB and the 1 KB that the system reserves) of the "
      "SM's 228 KB: 2 fit.");
  EXPECT_EQ(sentence(20, {32, 0, 0}),
            "Limited by block slots: an SM holds at most 8 blocks, however small: 8 fit.");
  EXPECT_EQ(sentence(11, {512, 17, 0}),
            "No block fits: it needs 8,704 registers, and capability 1.1 allows 8,192 in a block.");
  EXPECT_EQ(sentence(75, {1056, 16, 0}),
            "No block fits: it has 1,056 threads, and capability 7.5 allows 1,024 in a block.");
}

TEST(OccupancySentences, NameTheBoundariesThatAChangeCrosses) {
  const auto change = [](metrics::BlockNeeds before, metrics::BlockNeeds now) {
    return change_sentence({86, before}, {86, now});
  };
  EXPECT_EQ(
      change({256, 128, 0}, {256, 111, 0}),
      "Changed: 128 → 111 registers: 2 blocks as before; it crosses no register boundary; the next one below "
      "is 80.");
  EXPECT_EQ(change({256, 118, 0}, {256, 168, 0}),
            "Changed: 118 → 168 registers: 2 → 1 block; it crosses the register boundary 128 (2 → 1 block).");
  EXPECT_EQ(
      change({256, 129, 0}, {256, 80, 0}),
      "Changed: 129 → 80 registers: 1 → 3 blocks; it crosses the register boundaries 128 (1 → 2 blocks), 80 "
      "(2 → 3 blocks).");
  EXPECT_EQ(change({256, 128, 0}, {128, 128, 0}), "Changed: 256 → 128 threads: 2 → 4 blocks.");
  EXPECT_EQ(change({256, 128, 0}, {256, 128, 0}), "");
  EXPECT_EQ(change_sentence({20, {256, 21, 0}}, {20, {256, 22, 0}}),
            "Changed: 21 → 22 registers: 5 blocks as before (by the textbook 6 → 5); it crosses no register "
            "boundary; the next one below is 20.");
}

}  // namespace
}  // namespace gemmscope::scenes
