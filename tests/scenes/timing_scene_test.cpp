// Checks the charts of the timings at every size, with few and many variants: nothing overlaps, nothing
// sticks out, and lengths are in the order of the figures.
#include "scenes/timing_scene.h"

#include <gtest/gtest.h>

#include "layout_checks.h"
#include "made_up_timings.h"
#include "scenes/strip_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

void expect_apart(const std::vector<NamedRect>& parts, Rect area, const std::string& where) {
  for (size_t i = 0; i < parts.size(); ++i) {
    EXPECT_TRUE(lies_in(parts[i], area)) << where;
    for (size_t j = 0; j < i; ++j) EXPECT_TRUE(apart(parts[i], parts[j])) << where;
  }
}

std::vector<experiment::Timings> cases() {
  std::vector<experiment::Timings> all;
  for (const int count : {0, 1, 5, 20}) all.push_back(made_up_timings(count));
  all.push_back(made_up_timings(5, 1));  // a published table
  all.push_back(made_up_timings(5));
  all.back().variants[1].samples.clear();
  all.back().variants[1].trouble = "Its C is wrong, so it is not timed.";
  all.push_back(made_up_timings(5));
  all.back().problem = {0, 0, 0};
  all.push_back(made_up_timings(20));
  all.back().device.memory_gb_per_second = all.back().device.peak_fp32 = 0;
  all.push_back({});
  return all;
}

template <typename Check>
void for_all(Check check) {
  for (const experiment::Timings& timings : cases())
    for (const Rect& area : kAreas)
      for (const SceneMetrics& metrics : metrics_for(area)) {
        const Contest contest = make_contest(timings, {}, {});
        check(timings, contest, area, metrics,
              text_of(area, metrics) + ", " + std::to_string(timings.variants.size()) + " variants");
      }
}

TEST(TimingScene, PartsDoNotOverlap) {
  for_all([](auto&, const Contest& contest, Rect area, const SceneMetrics& m, const std::string& where) {
    for (int chart = 0; chart < experiment::kTimingCharts; ++chart) {
      const TimingParts p = arrange_timings(contest, static_cast<experiment::TimingChart>(chart), area, m);
      expect_apart({{"badge", p.badge},
                    {"detail", p.detail},
                    {"remark", p.remark},
                    {"tabs", p.tabs},
                    {"bars", p.bars},
                    {"sentence", p.sentence},
                    {"strip", p.strip},
                    {"roofline", p.roofline}},
                   area, where);
      // Without tabs only the bars can be reached.
      EXPECT_TRUE(!p.tabs.empty() || !p.bars.empty()) << where;
    }
  });
}

TEST(TimingScene, OnAProjectorEveryRowAndFigureIsShown) {
  const experiment::Timings t = made_up_timings(15);
  const Contest contest = make_contest(t, {}, {});
  // The panel on the right and the wide one, at 1280x720 and 1920x1080.
  for (const Rect area : {Rect{0, 0, 455, 505}, Rect{0, 0, 990, 505}, Rect{0, 0, 705, 830}}) {
    const float scale = area.height() > 600 ? 1.3f : 1.0f;
    const SceneMetrics m{scale, 17 * scale, 15 * scale, 7.4f * scale, 6.6f * scale, 14 * scale};
    // The panel shows all charts beside each other, or one at a time.
    float bars_width = 0, strip_height = 0, roofline_height = 0;
    for (int chart = 0; chart < experiment::kTimingCharts; ++chart) {
      const TimingParts p = arrange_timings(contest, static_cast<experiment::TimingChart>(chart), area, m);
      EXPECT_EQ(p.tabs.empty(), area.width() > 500) << text_of(area);
      strip_height = std::max(strip_height, p.strip.height());
      roofline_height = std::max(roofline_height, p.roofline.height());
      if (p.bars.empty()) continue;
      const BarScene bars = layout_timing_bars(contest, 0, 0, p.bars, m);
      EXPECT_EQ(bars.hidden_rows, 0) << text_of(area);
      EXPECT_GE(bars.columns.size(), 2u) << text_of(area);
      for (const ContenderBar& bar : bars.bars) bars_width = std::max(bars_width, bar.track.width());
    }
    EXPECT_GE(bars_width, 150 * scale) << text_of(area);
    EXPECT_GE(strip_height, 170 * scale) << text_of(area);
    EXPECT_GE(roofline_height, 170 * scale) << text_of(area);
  }
}

// In a narrow panel labels lie on their bars: neither is clipped, and the lines of cuBLAS and of the peak
// leave out what a label covers.
TEST(TimingScene, LabelsLieOnTheirBarsWhereTheyWouldBeClippedBesideThem) {
  experiment::Timings t = made_up_timings(15);
  t.variants[3].title = "Shared memory's latency hidden";
  t.variants[3].toggles["STAGES"] = 3;
  const Contest contest = make_contest(t, {}, {});
  const SceneMetrics m{1, 17, 15, 6.6f, 6.6f, 14};
  for (const float height : {340.0f, 380.0f, 500.0f, 900.0f}) {
    const BarScene scene = layout_timing_bars(contest, 0, 0, {0, 0, 560, height}, m);
    ASSERT_TRUE(scene.overlaid);
    for (const ContenderBar& bar : scene.bars) {
      const Contender& c = contest.contenders[static_cast<size_t>(bar.contender)];
      EXPECT_GE(bar.label.width(), small_text_width(m, c.name)) << c.name;
      EXPECT_TRUE(lies_in({"label", bar.label}, bar.track));
      EXPECT_GE(bar.track.width(), 200);
      EXPECT_GE(bar.track.height(), 0.8f * bar.row.height()) << "thick enough for the back row";
      for (const float x : bar.marks) EXPECT_TRUE(x < bar.label.left || x > bar.label.right) << c.name;
    }
  }
  EXPECT_EQ(contest.contenders[3].label.substr(contest.contenders[3].title_length), " \u00b7 STAGES=3");
  // With enough room beside the bars, labels stay there, and the lines go through all bars.
  const BarScene wide = layout_timing_bars(contest, 0, 0, {0, 0, 1100, 500}, m);
  EXPECT_FALSE(wide.overlaid);
  for (const ContenderBar& bar : wide.bars) EXPECT_EQ(bar.marks.size(), 2u);
}

// Where not all rows fit, the user's variant is among those that do, below its grade's title if that fits,
// too.
TEST(TimingScene, TheCurrentVariantIsInView) {
  const experiment::Timings t = made_up_timings(24);
  const SceneMetrics m{1, 17, 15, 6.6f, 6.6f, 14};
  bool scrolled = false;
  for (size_t current = 0; current < t.variants.size(); ++current) {
    if (t.variants[current].is_library) continue;
    experiment::VariantHistory history;
    history.visit(experiment::key_of(t.variants[current]));
    const Contest contest = make_contest(t, history, {});
    ASSERT_GE(contest.current, 0);
    for (const float height : {90.0f, 200.0f, 380.0f, 900.0f}) {
      const BarScene scene = layout_timing_bars(contest, -1, kWithCurrent, {0, 0, 560, height}, m);
      EXPECT_TRUE(std::ranges::any_of(
          scene.bars, [&](const ContenderBar& bar) { return bar.contender == contest.current; }))
          << current << ", " << height;
      if (height < 380) continue;
      const experiment::Grade grade = contest.contenders[static_cast<size_t>(contest.current)].grade;
      EXPECT_TRUE(std::ranges::any_of(scene.groups, [&](const BarGroup& g) { return g.grade == grade; }))
          << current << ", " << height;
      scrolled |= scene.first_row > 0;
    }
  }
  EXPECT_TRUE(scrolled);
}

TEST(TimingScene, RowsOfBarsDoNotOverlap) {
  for_all([](auto&, const Contest& contest, Rect area, const SceneMetrics& m, const std::string& where) {
    for (const int first : {0, 3, 1000}) {
      const BarScene scene = layout_timing_bars(contest, 0, first, area, m);
      std::vector<NamedRect> parts = {{"more", scene.more}};
      EXPECT_EQ(scene.more_text.empty(), scene.hidden_rows == 0) << where;
      for (const BarColumn& column : scene.columns) parts.push_back({column.title, column.head});
      for (const ContenderBar& bar : scene.bars) {
        const std::string name = "of " + std::to_string(bar.contender);
        parts.push_back({"swatch " + name, bar.swatch});
        if (!scene.overlaid) parts.push_back({"label " + name, bar.label});
        parts.push_back({"track " + name, bar.track});
        for (const Rect& cell : bar.cells) parts.push_back({"figure " + name, cell});
        EXPECT_TRUE(lies_in({"bar", bar.bar}, bar.track)) << where;
        EXPECT_TRUE(lies_in({"whisker", bar.whisker}, bar.track)) << where;
        EXPECT_EQ(bar.cells.size(), scene.columns.size());
      }
      for (const BarGroup& group : scene.groups) {
        parts.push_back({"title", group.title});
        parts.push_back({"library", group.library.label});
        parts.push_back({"peak", group.peak.label});
      }
      expect_apart(parts, area, where);
      for (const Bracket& b : scene.brackets) {
        EXPECT_LE(b.x, area.right) << where;
        EXPECT_LT(b.top, b.bottom) << where;
      }
    }
  });
}

TEST(TimingScene, LongerBarsAreFaster) {
  const experiment::Timings t = made_up_timings(20);
  const Contest contest = make_contest(t, {}, {});
  const BarScene scene = layout_timing_bars(contest, -1, 0, {0, 0, 900, 700}, {1, 16, 13, 7});
  ASSERT_EQ(scene.bars.size(), 23u);
  for (const ContenderBar& a : scene.bars)
    for (const ContenderBar& b : scene.bars) {
      const Contender& ca = contest.contenders[static_cast<size_t>(a.contender)];
      const Contender& cb = contest.contenders[static_cast<size_t>(b.contender)];
      if (ca.grade != cb.grade || ca.tflops >= cb.tflops) continue;
      EXPECT_LE(a.bar.width(), b.bar.width()) << ca.label << " and " << cb.label;
    }
  // The library's line is at the end of its bar. The peak is the end of the scale unless something is above
  // it.
  for (const BarGroup& group : scene.groups)
    for (const ContenderBar& bar : scene.bars) {
      const Contender& c = contest.contenders[static_cast<size_t>(bar.contender)];
      if (c.library && c.grade == group.grade) {
        EXPECT_NEAR(group.library.x, bar.bar.right, 1);
      }
    }
}

TEST(TimingScene, PointingFindsTheRow) {
  const experiment::Timings t = made_up_timings(5);
  const Contest contest = make_contest(t, {}, {});
  const BarScene scene = layout_timing_bars(contest, -1, 0, {0, 0, 600, 400}, {1, 16, 13, 7});
  for (const ContenderBar& bar : scene.bars) EXPECT_EQ(contender_at(scene, bar.row.center()), bar.contender);
  EXPECT_EQ(contender_at(scene, {-5, -5}), -1);
}

TEST(StripScene, NothingOverlapsAndEverythingIsInside) {
  for_all([](const experiment::Timings& timings, const Contest& contest, Rect area, const SceneMetrics& m,
             const std::string& where) {
    for (const double seconds : {3.0, 1e9}) {
      const StripScene scene = layout_strip(timings, contest, 1, seconds, area, m);
      if (scene.empty) {
        EXPECT_FALSE(scene.empty_text.empty()) << where;
        continue;
      }
      std::vector<NamedRect> parts = {{"plot", scene.plot}};
      for (const Rect& label : scene.value_labels) parts.push_back({"value", label});
      for (const Rect& label : scene.time_labels) parts.push_back({"time", label});
      for (const StripLine& line : scene.lines) parts.push_back({line.text, line.label});
      expect_apart(parts, area, where);
      for (const StripLine& line : scene.lines)
        for (size_t i = 0; i < line.points.size(); ++i) {
          EXPECT_GE(line.points[i].y, scene.plot.top - 0.01f) << where;
          EXPECT_LE(line.points[i].y, scene.plot.bottom + 0.01f) << where;
          EXPECT_GE(line.points[i].x, scene.plot.left - 0.01f) << where;
          EXPECT_LE(line.points[i].x, scene.plot.right + 0.01f) << where;
          if (i > 0) {
            EXPECT_GE(line.points[i].x, line.points[i - 1].x) << where;
          }
        }
    }
  });
}

// The GPU was unavailable for a while, so no line crosses the gap.
TEST(StripScene, ALineEndsWhereTheMeasuringDid) {
  experiment::Timings t = made_up_timings(1, 400);
  for (experiment::TimedVariant& variant : t.variants)
    for (size_t i = 0; i < variant.samples.size(); ++i)
      variant.samples[i].at_seconds = 0.1 * static_cast<double>(i) + (i < 150 ? 0 : 20);
  const StripScene scene = layout_strip(t, make_contest(t, {}, {}), 0, 1e9, {0, 0, 500, 300}, {1, 16, 13, 7});
  ASSERT_FALSE(scene.lines.empty());
  for (const StripLine& line : scene.lines) {
    ASSERT_EQ(line.starts.size(), 2u);
    EXPECT_EQ(line.starts[0], 0u);
    const size_t second = line.starts[1];
    EXPECT_NEAR(line.points[second].x - line.points[second - 1].x, 20.1 / 59.9 * scene.plot.width(), 3);
  }
}

TEST(StripScene, ASlowSampleIsNotLost) {
  experiment::Timings t = made_up_timings(1, 20000);
  t.variants[0].samples[7000].ms *= 3;
  const Contest contest = make_contest(t, {}, {});
  const StripScene scene = layout_strip(t, contest, 0, 1e9, {0, 0, 500, 300}, {1, 16, 13, 7});
  ASSERT_FALSE(scene.empty);
  for (const StripLine& line : scene.lines) {
    EXPECT_LT(line.points.size(), 5 * scene.plot.width());
    if (contest.contenders[static_cast<size_t>(line.contender)].library) continue;
    float lowest = 0;
    for (const drawing::Point& p : line.points) lowest = std::max(lowest, p.y);
    EXPECT_GT(lowest, line.end.y + 10);
  }
}

TEST(TimingScene, TheModelHasAColumnWhereItHasATime) {
  experiment::Timings t = made_up_timings(3);
  const auto titles = [&] {
    std::vector<std::string> list;
    for (const BarColumn& column :
         layout_timing_bars(make_contest(t, {}, {}), -1, 0, {0, 0, 900, 500}, {1, 16, 13, 7}).columns)
      list.push_back(column.title);
    return list;
  };
  const auto has = [](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), "modelled ms") != list.end();
  };
  EXPECT_FALSE(has(titles()));
  t.variants[0].modelled_ms = 100;
  EXPECT_TRUE(has(titles()));
}

// A time never stands without the modelled one beside it where there is one: labels on the bars give way.
TEST(TimingScene, AModelledTimeStandsBesideTheOthersOnASmallScreen) {
  experiment::Timings t = made_up_timings(15);
  t.variants[1].title = "Neighbouring lanes, neighbouring columns";
  t.variants[4].title = "float4 loads, a 4x4 thread tile, WIDTH_A=1";
  for (experiment::TimedVariant& v : t.variants)
    if (!v.is_library) v.modelled_ms = 0.1234;
  const SceneMetrics m{1, 17, 15, 6.6f, 6.6f, 14};
  const BarScene scene = layout_timing_bars(make_contest(t, {}, {}), 0, 0, {0, 0, 545, 420}, m);
  ASSERT_TRUE(scene.overlaid);
  ASSERT_EQ(scene.columns.size(), 3u);
  EXPECT_EQ(scene.columns[2].title, "modelled ms");
  for (const ContenderBar& bar : scene.bars) EXPECT_GE(bar.track.width(), 200);
}

}  // namespace
}  // namespace gemmscope::scenes
