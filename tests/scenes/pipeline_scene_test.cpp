// The picture of a timeline: its rows, its bars, its arrows, and the cursor that it shares with the trace.
#include "scenes/pipeline_scene.h"

#include <time.h>

#include <algorithm>
#include <set>

#include "layout_checks.h"
#include "modelled_blocks.h"
#include "scenes/cursor.h"
#include "scenes/pipeline_colors.h"
#include "scenes/pipeline_story.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::TileStage;

PipelineInput input_on(const Modelled& m, CycleRange visible) {
  PipelineInput input;
  input.model = m.model.get();
  input.visible = visible;
  input.cycle = visible.from + visible.length() / 2;
  return input;
}

class PipelineSceneTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    m_ = modelled(GetParam());
    ASSERT_NE(m_.model, nullptr);
  }
  std::vector<CycleRange> ranges() const {
    const CycleRange whole = whole_range(*m_.model);
    std::vector<CycleRange> all{whole, first_range(*m_.model, 0)};
    for (const double length : {24.0, 200.0, 1500.0})
      all.push_back(moved(*m_.model, {whole.to / 3, whole.to / 3 + length}, 0));
    return all;
  }
  Modelled m_;
};

TEST_P(PipelineSceneTest, RowsLieInTheAreaAndApart) {
  for (const drawing::Size size : {drawing::Size{1900, 1000}, {1200, 620}, {700, 300}, {300, 120}, {40, 20}})
    for (const CycleRange& range : ranges()) {
      const PipelineScene scene = layout_pipeline(input_on(m_, range), Rect::at({}, size), {});
      if (scene.empty) {
        EXPECT_FALSE(scene.empty_text.empty());
        continue;
      }
      for (size_t i = 0; i < scene.rows.size(); ++i) {
        EXPECT_TRUE(lies_in({"row " + scene.rows[i].text, scene.rows[i].rect}, scene.plot));
        for (size_t k = i + 1; k < scene.rows.size(); ++k)
          EXPECT_TRUE(
              apart({scene.rows[i].text, scene.rows[i].rect}, {scene.rows[k].text, scene.rows[k].rect}));
      }
      EXPECT_TRUE(apart({"plot", scene.plot}, {"side", scene.side}));
      EXPECT_TRUE(apart({"plot", scene.plot}, {"axis", scene.axis}));
      for (const TimeTick& tick : scene.ticks) {
        EXPECT_GE(tick.x, scene.plot.left);
        EXPECT_LE(tick.x, scene.plot.right);
      }
    }
}

TEST_P(PipelineSceneTest, BarsLieInThePlotAndTilesOfARowApart) {
  for (const CycleRange& range : ranges()) {
    const PipelineInput input = input_on(m_, range);
    const PipelineScene scene = layout_pipeline(input, {0, 0, 1600, 900}, {});
    const PipelineBars bars = layout_pipeline_bars(input, scene, {});
    for (const TileRect& tile : bars.tiles) EXPECT_TRUE(lies_in({tile.label, tile.rect}, scene.plot));
    for (const Rect& exposed : bars.exposed) EXPECT_TRUE(lies_in({"exposed", exposed}, scene.plot));
    for (const drawing::ColoredRect& bar : bars.bars) EXPECT_TRUE(lies_in({"bar", bar.rect}, scene.plot));
    for (const DensityCells& density : bars.densities) {
      EXPECT_TRUE(lies_in({"density", density.rect}, scene.plot));
      EXPECT_EQ(density.cells.size(),
                static_cast<size_t>(density.columns) * static_cast<size_t>(density.rows));
    }
    EXPECT_EQ(bars.densities.empty(), scene.single_steps);
    // A bar that is thinner than a pixel is drawn as one.
    const float pixel = 1.01f;
    for (size_t i = 0; i < bars.tiles.size(); ++i)
      for (size_t k = i + 1; k < bars.tiles.size(); ++k) {
        Rect a = bars.tiles[i].rect, b = bars.tiles[k].rect;
        if (a.left > b.left) std::swap(a, b);
        a.right = std::max(a.left, a.right - pixel);
        EXPECT_TRUE(apart({"tile " + std::to_string(bars.tiles[i].tile), a},
                          {"tile " + std::to_string(bars.tiles[k].tile), b}));
      }
  }
}

// Waits and issues of a warp fill its row without a gap: their widths add up to the cycles.
TEST_P(PipelineSceneTest, TheBarsOfAWarpAddUpToItsCycles) {
  const CycleRange whole = whole_range(*m_.model);
  const PipelineInput input = input_on(m_, moved(*m_.model, {whole.to / 3, whole.to / 3 + 400}, 0));
  const PipelineScene scene = layout_pipeline(input, {0, 0, 1600, 900}, {});
  ASSERT_TRUE(scene.single_steps);
  const PipelineBars bars = layout_pipeline_bars(input, scene, {});
  int rows = 0;
  for (const PipelineRow& row : scene.rows) {
    if (row.band != PipelineBand::warps) continue;
    const sm::WarpTimeline& warp = m_.model->timeline.warps[row.warp];
    const double from = std::max<double>(input.visible.from, warp.start);
    const double to = std::min<double>(input.visible.to, warp.steps.back().issued + 1.0);
    double width = 0;
    for (const drawing::ColoredRect& bar : bars.bars)
      if (bar.rect.top >= row.rect.top && bar.rect.bottom <= row.rect.bottom) width += bar.rect.width();
    EXPECT_NEAR(width / scene.pixels_per_cycle(), std::max(0.0, to - from), 0.5) << row.text;
    ++rows;
  }
  EXPECT_EQ(rows, static_cast<int>(m_.model->timeline.warps.size()));
}

TEST_P(PipelineSceneTest, AStepIsFoundWhereItIsDrawn) {
  const CycleRange whole = whole_range(*m_.model);
  const PipelineInput input = input_on(m_, moved(*m_.model, {whole.to / 2, whole.to / 2 + 100}, 0));
  const PipelineScene scene = layout_pipeline(input, {0, 0, 1600, 900}, {});
  for (const PipelineRow& row : scene.rows) {
    if (row.band != PipelineBand::warps) continue;
    const auto step = step_in_row(input, row, input.cycle);
    const sm::WarpTimeline& warp = m_.model->timeline.warps[row.warp];
    const bool alive = warp.start <= input.cycle && input.cycle < warp.steps.back().issued;
    ASSERT_EQ(step.has_value(), alive);
    if (!step) continue;
    EXPECT_LE(warp.begin_of(step->step), input.cycle);
    EXPECT_GE(warp.steps[step->step].issued + 1.0, input.cycle);
    const Rect rect = step_rect(input, scene, *step);
    EXPECT_LE(rect.left, scene.x_of(input.cycle) + 0.01f);
    EXPECT_GE(rect.right, scene.x_of(input.cycle) - 0.01f);
    EXPECT_EQ(scene.row_at({scene.plot.left + 1, (rect.top + rect.bottom) / 2})->warp, row.warp);
  }
}

// Red is for trouble alone; a wait is not yet trouble.
TEST(PipelineColors, NoStallAndNoPipeIsRed) {
  for (const drawing::Theme theme : {drawing::Theme::light, drawing::Theme::dark}) {
    drawing::set_current_theme(theme);
    for (int reason = 0; reason <= static_cast<int>(sm::Stall::dispatch_stall); ++reason)
      EXPECT_FALSE(drawing::looks_like_trouble(stall_color(static_cast<sm::Stall>(reason)))) << reason;
    for (int kind = 0; kind < sm::kIssueKinds; ++kind)
      EXPECT_FALSE(drawing::looks_like_trouble(activity_color(kind))) << kind;
  }
}

TEST(PipelineScene, CopyGroupsHaveRowsAndMarksOfTheirOwn) {
  const Modelled m = modelled("13_async_copy");
  ASSERT_NE(m.model, nullptr);
  const PipelineInput input = input_on(m, first_range(*m.model, 0));
  const PipelineScene scene = layout_pipeline(input, {0, 0, 1600, 900}, {});
  EXPECT_EQ(std::ranges::count(scene.rows, true, &PipelineRow::groups), m.model->stages[0].group_lanes);
  const PipelineBars bars = layout_pipeline_bars(input, scene, {});
  size_t waits = 0, flights = 0;
  for (const experiment::CopyGroup& group : m.model->stages[0].groups) {
    waits += input.visible.contains(group.waited);
    flights += group.begin < input.visible.to && group.end > input.visible.from;
  }
  EXPECT_GT(waits, 2u);
  EXPECT_EQ(bars.waits.size(), waits);
  size_t drawn = 0;
  for (const TileRect& tile : bars.tiles) {
    if (tile.group < 0) continue;
    EXPECT_TRUE(scene.row_at(tile.rect.center())->groups);
    EXPECT_NE(describe_tile(tile).find(fmt::format("group {}", tile.group)), std::string::npos);
    drawn += tile.stage == TileStage::global_load;
  }
  EXPECT_EQ(drawn, flights);
  for (const drawing::ColoredRect& wait : bars.waits) EXPECT_TRUE(lies_in({"wait", wait.rect}, scene.plot));
  // Every load of the loop is in a group, so that a row for loads would show it twice.
  for (const PipelineRow& row : scene.rows)
    EXPECT_FALSE(row.band == PipelineBand::stages && row.slot < 0 && !row.groups &&
                 row.stage == TileStage::global_load);
}

INSTANTIATE_TEST_SUITE_P(Kernels, PipelineSceneTest,
                         testing::Values("01_naive_rows", "07_register_tile", "11_prefetch",
                                         "13_async_copy"));

// ---- cost

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

// A frame in software OpenGL has 33 ms, and drawing takes most of it.
TEST(PipelineCost, AWholeWaveIsLaidOutWithinAPartOfAFrame) {
  const Modelled m = modelled("01_naive_rows", {2048, 2048, 1024});
  ASSERT_NE(m.model, nullptr);
  const CycleRange whole = whole_range(*m.model);
  for (const double share : {1.0, 0.5, 0.2, 0.05}) {
    std::vector<double> costs;
    for (int i = 0; i < 12; ++i) {
      const CycleRange range =
          moved(*m.model, {0, share * whole.length()}, i * 0.07 * (1 - share) * whole.length());
      const PipelineInput input = input_on(m, range);
      const double before = cpu_ms();
      const PipelineScene scene = layout_pipeline(input, {0, 0, 1900, 1060}, {});
      const PipelineBars bars = layout_pipeline_bars(input, scene, {});
      const auto hotspots =
          m.model->index.hotspots(static_cast<uint32_t>(range.from), static_cast<uint32_t>(range.to));
      costs.push_back(cpu_ms() - before);
      EXPECT_FALSE(hotspots.empty());
    }
    std::ranges::sort(costs);
    EXPECT_LT(costs[costs.size() / 2], 8) << share << " of the wave";
  }
}

// ---- causes

TEST(PipelineStory, EveryWaitForAResultHasACauseOrAReason) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  int arrows = 0, reasons = 0;
  const sm::Timeline& timeline = m.model->timeline;
  for (uint32_t w = 0; w < timeline.warps.size(); w += 3)
    for (uint32_t k = 0; k < timeline.warps[w].steps.size(); ++k) {
      const sm::TimelineStep& step = timeline.warps[w].steps[k];
      const std::string why = why_no_arrow(*m.model, {w, k});
      if (step.cause == sm::kNoStep) {
        EXPECT_FALSE(why.empty());
        ++reasons;
        continue;
      }
      EXPECT_TRUE(why.empty());
      ++arrows;
      const sm::WarpTimeline& from = timeline.warps[step.cause_warp];
      ASSERT_LT(step.cause, from.steps.size());
      EXPECT_LT(from.steps[step.cause].issued, step.issued);
      EXPECT_EQ(from.block, timeline.warps[w].block);
    }
  EXPECT_GT(arrows, 100);
  EXPECT_GT(reasons, 100);
}

TEST(PipelineStory, WhatAStepDelaysNamesItAsItsCause) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  int found = 0;
  const sm::WarpTimeline& warp = m.model->timeline.warps[0];
  for (uint32_t k = 0; k < warp.steps.size(); k += 7)
    if (const auto delayed = first_delayed(*m.model, {0, k})) {
      const sm::TimelineStep& later = m.model->timeline.warps[delayed->warp].steps[delayed->step];
      EXPECT_EQ(later.cause, k);
      EXPECT_EQ(later.cause_warp, 0);
      ++found;
    }
  EXPECT_GT(found, 5);
}

TEST(PipelineStory, AllTimesAreCalledModelled) {
  const Modelled m = modelled("11_prefetch");
  ASSERT_NE(m.model, nullptr);
  EXPECT_TRUE(pipeline_headline(*m.model, 0).starts_with("Modelled"));
  EXPECT_NE(describe_step(*m.model, {0, 40})[1].find("modelled"), std::string::npos);
  // The machine code is for sm_86, the device is an H200.
  EXPECT_NE(pipeline_caveat(*m.model).find("sm_86"), std::string::npos);
}

TEST(PipelineStory, MoreOfTheLoadsIsHiddenWhereTheyArePrefetched) {
  const Modelled plain = modelled("07_register_tile"), prefetch = modelled("11_prefetch");
  ASSERT_NE(plain.model, nullptr);
  ASSERT_NE(prefetch.model, nullptr);
  EXPECT_GT(hidden_loads(*prefetch.model, 0), hidden_loads(*plain.model, 0) + 0.2);
}

TEST(PipelineStory, ThePassesAndTheirMeanAgree) {
  const Modelled m = modelled("11_prefetch");
  ASSERT_NE(m.model, nullptr);
  const size_t passes = m.model->stages[0].pass_begins.size() - 1;
  double sum = 0;
  for (uint32_t pass = 1; pass + 1 < passes; ++pass) sum += compare_pass(*m.model, 0, pass)[0].pass;
  EXPECT_NEAR(sum / static_cast<double>(passes - 2), compare_pass(*m.model, 0, 3)[0].mean, 1e-6);
}

// ---- one cursor

TEST(PipelinePlaces, ARecordAndItsStepAreTheSameInstruction) {
  const Modelled m = modelled("11_prefetch");
  ASSERT_NE(m.model, nullptr);
  const PipelinePlaces places(m.block, m.model);
  for (size_t record = 0; record < m.block->trace.records.size(); record += 13) {
    const auto step = places.step_of(record, 0);
    ASSERT_TRUE(step);
    const sm::WarpTimeline& warp = m.model->timeline.warps[step->warp];
    EXPECT_EQ(warp.warp, m.block->trace.records[record].warp);
    EXPECT_EQ(warp.steps[step->step].instruction, m.block->trace.records[record].instruction);
    EXPECT_EQ(places.record_of(*step), record);
  }
}

// Beyond K = 512 the model runs at that depth.
TEST(PipelinePlaces, AtASmallerDepthPassesAreMatchedFromBothEnds) {
  const Modelled m = modelled("07_register_tile", {128, 128, 1024});
  ASSERT_NE(m.model, nullptr);
  ASSERT_TRUE(m.model->reduced_depth());
  EXPECT_EQ(m.model->depth, 512);
  EXPECT_NE(pipeline_caveat(*m.model).find("K = 512"), std::string::npos);
  const PipelinePlaces places(m.block, m.model);
  const sm::WarpTimeline& warp = m.model->timeline.warps[0];
  for (uint32_t k = 0; k < warp.steps.size(); k += 11) {
    const size_t record = places.record_of({0, k});
    EXPECT_EQ(m.block->trace.records[record].instruction, warp.steps[k].instruction) << k;
  }
  // The last record is the last step.
  EXPECT_EQ(places.step_of(m.block->warp_records[0].back(), 0)->step, warp.steps.size() - 1);
}

TEST(PipelinePlaces, TheStepAtACycleIsTheLastThatIssued) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  const PipelinePlaces places(m.block, m.model);
  for (double cycle = 300; cycle < m.model->timeline.cycles; cycle += 977) {
    const auto one = places.step_at(0, 2, cycle), any = places.step_at(0, kAllWarps, cycle);
    ASSERT_TRUE(one && any);
    const sm::WarpTimeline& warp = m.model->timeline.warps[one->warp];
    EXPECT_EQ(warp.warp, 2);
    EXPECT_LE(warp.steps[one->step].issued, cycle);
    if (one->step + 1 < warp.steps.size()) {
      EXPECT_GT(warp.steps[one->step + 1].issued, cycle);
    }
    EXPECT_GE(m.model->timeline.warps[any->warp].steps[any->step].issued, warp.steps[one->step].issued);
  }
}

TEST(PipelinePlaces, EveryWarpIsAtItsLastIssue) {
  const Modelled m = modelled("11_prefetch");
  ASSERT_NE(m.model, nullptr);
  const PipelinePlaces places(m.block, m.model);
  EXPECT_TRUE(places.warps_at(99, 1000).empty());
  int apart = 0, issuing = 0;
  for (double cycle = 0; cycle < m.model->timeline.cycles + 100; cycle += 331.25) {
    size_t alive = 0;
    const std::vector<WarpPlace> found = places.warps_at(0, cycle);
    for (uint16_t w = 0; w < m.block->trace.warp_count; ++w) {
      const sm::WarpTimeline& warp = m.model->timeline.warps[*places.warp_index(0, w)];
      const sm::TimelineStep* last = nullptr;
      for (const sm::TimelineStep& step : warp.steps)
        if (step.issued <= cycle) last = &step;
      if (last == nullptr || warp.steps.back().issued < std::floor(cycle)) continue;
      ASSERT_LT(alive, found.size()) << cycle;
      const WarpPlace& place = found[alive++];
      EXPECT_EQ(place.warp, w);
      EXPECT_EQ(place.instruction, last->instruction);
      EXPECT_EQ(place.issues, last->issued == std::floor(cycle));
      EXPECT_EQ(m.block->trace.records[place.record].instruction, place.instruction);
      EXPECT_EQ(m.block->trace.records[place.record].warp, w);
      apart += place.instruction != found.front().instruction;
      issuing += place.issues;
    }
    EXPECT_EQ(alive, found.size()) << cycle;
  }
  EXPECT_GT(apart, 20);
  EXPECT_GT(issuing, 5);
}

TEST(PipelinePlaces, TheNextStallIsALongWait) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  double cycle = 0;
  int found = 0;
  while (const auto stall = next_stall(*m.model, 0, cycle, kShortestStall, true)) {
    const sm::WarpTimeline& warp = m.model->timeline.warps[0];
    EXPECT_GE(warp.steps[stall->step].issued - warp.begin_of(stall->step), kShortestStall);
    ASSERT_GT(warp.steps[stall->step].issued, cycle);
    const auto back = next_stall(*m.model, 0, warp.steps[stall->step].issued + 1.0, kShortestStall, false);
    EXPECT_EQ(back, stall);
    cycle = warp.steps[stall->step].issued;
    ++found;
  }
  EXPECT_GT(found, 10);
}

TEST(PipelineRange, ZoomKeepsTheCycleUnderTheMouse) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  const CycleRange range = first_range(*m.model, 0), whole = whole_range(*m.model);
  const double around = range.from + 0.3 * range.length();
  const CycleRange in = zoomed(*m.model, range, around, 0.5);
  EXPECT_NEAR((around - in.from) / in.length(), 0.3, 1e-9);
  CycleRange out = range;
  for (int i = 0; i < 60; ++i) out = zoomed(*m.model, out, around, 2);
  EXPECT_EQ(out, whole);
  CycleRange close = range;
  for (int i = 0; i < 60; ++i) close = zoomed(*m.model, close, around, 0.5);
  EXPECT_GT(close.length(), 1);
  EXPECT_TRUE(close.contains(around));
  EXPECT_EQ(moved(*m.model, range, 1e9).to, whole.to);
  EXPECT_EQ(moved(*m.model, range, -1e9).from, 0);
}

// A followed step is seen: not as a hair, not outside the range.
TEST(PipelineRange, FramingShowsTheWholeSpanWideEnough) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  const CycleRange whole = whole_range(*m.model);
  const double middle = whole.to / 2;
  const CycleRange narrow{middle, middle + 60};
  const CycleRange in = framing(*m.model, whole, narrow);
  EXPECT_GT(narrow.length() / in.length(), 0.1);
  EXPECT_LE(in.from, narrow.from);
  EXPECT_GE(in.to, narrow.to);
  EXPECT_EQ(framing(*m.model, in, narrow), in) << "what is seen stays";
  const CycleRange beside{in.to + 10, in.to + 70};
  const CycleRange panned = framing(*m.model, in, beside);
  EXPECT_NEAR(panned.length(), in.length(), 1e-6) << "panned, not zoomed";
  EXPECT_GE(panned.to, beside.to);
  const CycleRange longer{in.from, in.from + 3 * in.length()};
  const CycleRange out = framing(*m.model, in, longer);
  EXPECT_LE(out.from, longer.from);
  EXPECT_GE(out.to, longer.to);
}

TEST(PipelineStory, TheLongestWaitOfAnInstructionInARange) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  const CycleRange range = first_range(*m.model, 0);
  const auto hotspots =
      m.model->index.hotspots(static_cast<uint32_t>(range.from), static_cast<uint32_t>(range.to));
  ASSERT_FALSE(hotspots.empty());
  const uint32_t instruction = hotspots[0].instruction;
  const auto longest = longest_wait(*m.model, 0, instruction, range);
  ASSERT_TRUE(longest);
  const auto waited = [&](StepId id) {
    const sm::WarpTimeline& warp = m.model->timeline.warps[id.warp];
    return warp.steps[id.step].issued - warp.begin_of(id.step);
  };
  EXPECT_GT(waited(*longest), 0u);
  for (uint32_t w = 0; w < m.model->timeline.warps.size(); ++w) {
    const sm::WarpTimeline& warp = m.model->timeline.warps[w];
    for (uint32_t k = 0; k < warp.steps.size(); ++k)
      if (warp.block == 0 && warp.steps[k].instruction == instruction &&
          range.contains(warp.steps[k].issued)) {
        EXPECT_LE(waited({w, k}), waited(*longest));
      }
  }
  EXPECT_FALSE(longest_wait(*m.model, 0, instruction, {0, 1}));
}

// What tensor copies bring is seen in its buffers, and what a wait is for has its own row.
TEST(PipelineScene, TensorCopiesFillBuffers) {
  const Modelled m = modelled("18_tensor_copy_tf32");
  ASSERT_NE(m.model, nullptr);
  const PipelineInput input = input_on(m, whole_range(*m.model));
  const PipelineScene scene = layout_pipeline(input, {0, 0, 1600, 1200}, {});
  std::set<std::string> names;
  for (const PipelineRow& row : scene.rows) names.insert(row.text);
  EXPECT_TRUE(names.contains("TMA copies") && names.contains("barrier object"));
  EXPECT_FALSE(names.contains("global load") || names.contains("cp.async groups"));
  const PipelineBars bars = layout_pipeline_bars(input, scene, {});
  EXPECT_FALSE(bars.waits.empty());
  for (int slot = 0; slot < 3; ++slot) {
    const auto row = std::ranges::find(scene.rows, slot, &PipelineRow::slot);
    ASSERT_NE(row, scene.rows.end());
    EXPECT_GE(std::ranges::count_if(
                  bars.tiles,
                  [&](const TileRect& tile) { return tile.slot && row->rect.contains(tile.rect.center()); }),
              4)
        << "buffer " << slot << " is filled and read at least twice";
  }
  std::set<std::string> told;
  for (const TileRect& tile : bars.tiles) {
    const std::string text = describe_tile(tile);
    told.insert(text.substr(0, text.find(' ')));
    EXPECT_EQ(text.find("cp.async"), std::string::npos) << text;
  }
  EXPECT_TRUE(told.contains("TMA") && told.contains("wait"));
}

// Everything of a pinned timeline has a place, whatever the current kernel has rows for.
TEST(PipelineScene, EveryBarOfThePinnedTimelineIsDrawn) {
  const Modelled plain = modelled("11_prefetch"), copies = modelled("13_async_copy");
  ASSERT_NE(plain.model, nullptr);
  ASSERT_NE(copies.model, nullptr);
  const Modelled boxes = modelled("18_tensor_copy_tf32");
  ASSERT_NE(boxes.model, nullptr);
  for (const auto& [live, pinned] : {std::pair{&plain, &copies}, std::pair{&copies, &plain},
                                     std::pair{&plain, &boxes}, std::pair{&boxes, &copies}}) {
    PipelineInput input = input_on(*live, whole_range(*pinned->model));
    input.pinned = pinned->model.get();
    const PipelineScene scene = layout_pipeline(input, {0, 0, 1600, 1200}, {});
    const PipelineBars bars = layout_pipeline_bars(input, scene, {});
    for (const TileStage stage : {TileStage::math, TileStage::global_load}) {
      std::set<int> wanted, drawn;
      for (const experiment::StageBar& bar : pinned->model->stages[0].bars)
        if (bar.stage == stage) wanted.insert(bar.tile);
      for (const TileRect& tile : bars.tiles)
        if (tile.pinned && tile.stage == stage) drawn.insert(tile.tile);
      ASSERT_GT(wanted.size(), 2u);
      EXPECT_EQ(drawn, wanted) << experiment::kTileStageNames[static_cast<size_t>(stage)];
    }
    // One row of the pinned warps under each sub-core, and a line over the pipes.
    const auto own_rows = std::ranges::count_if(
        scene.rows, [](const PipelineRow& row) { return row.band == PipelineBand::warps && row.pinned; });
    EXPECT_EQ(own_rows, 4);
    PipelineInput alone = input;
    alone.pinned = nullptr;
    EXPECT_GT(bars.bars.size(),
              layout_pipeline_bars(alone, layout_pipeline(alone, {0, 0, 1600, 1200}, {}), {}).bars.size());
    for (const drawing::ColoredRect& bar : bars.bars) EXPECT_TRUE(lies_in({"bar", bar.rect}, scene.plot));
    for (const PipelineRow& row : scene.rows) {
      if (!row.pinned) continue;
      EXPECT_FALSE(step_in_row(input, row, input.cycle)) << "a row of many warps has no step";
    }
  }
}

// Where rows are too low for a label, the followed warp's is not.
TEST(PipelineScene, TheFollowedWarpIsHigherThanTheOthers) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  PipelineInput input = input_on(m, first_range(*m.model, 0));
  input.followed_warp = 1;
  const SceneMetrics metrics;
  const PipelineScene scene = layout_pipeline(input, {0, 0, 1200, 310}, metrics);
  float followed = 0, other = 0;
  for (const PipelineRow& row : scene.rows)
    if (row.band == PipelineBand::warps) (row.followed ? followed : other) = row.rect.height();
  EXPECT_GT(other, 0);
  EXPECT_LT(other, metrics.small_height);
  EXPECT_GT(followed, 1.5f * other);
}

}  // namespace
}  // namespace gemmscope::scenes
