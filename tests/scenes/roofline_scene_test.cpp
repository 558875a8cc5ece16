// The roofline: labels keep clear of each other and of other points, every point stands under the roof of the
// bytes on its axis, and what does not is said.
#include "scenes/roofline_scene.h"

#include <gtest/gtest.h>

#include "layout_checks.h"
#include "made_up_timings.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using experiment::MemoryLevel;
using experiment::Provenance;
using experiment::Timings;

constexpr MemoryLevel kLevels[] = {MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::dram};
constexpr Rect kArea{0, 0, 800, 600};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};

experiment::MemoryRates rates() {
  experiment::MemoryRates rates;
  rates.levels[0] = {33.4e12, Provenance::modelled};
  rates.levels[1] = {12.6e12, Provenance::recorded};
  rates.levels[2] = {4.8e12, Provenance::recorded};
  return rates;
}

// Bytes as of kernels that reuse more from step to step, of every `each`th variant.
RooflineInput input_of(Timings& timings, MemoryLevel level, size_t each = 1) {
  RooflineInput input{level, rates(), {}, {}, {}};
  for (size_t i = 0; i < timings.variants.size(); i += each) {
    const double intensity = 3 * static_cast<double>(1 + i * i);
    input.counted.push_back({key_of(timings.variants[i]), intensity});
    if (!timings.variants[i].is_library)
      timings.variants[i].modelled_l2_bytes = experiment::flops(timings.problem) / (4 * intensity);
  }
  return input;
}

float distance(Rect rect, Point p) {
  const float x = std::max({rect.left - p.x, 0.0f, p.x - rect.right});
  const float y = std::max({rect.top - p.y, 0.0f, p.y - rect.bottom});
  return std::hypot(x, y);
}

void check_layout(const RooflineScene& scene, Rect area, const std::string& where) {
  if (scene.empty) {
    EXPECT_FALSE(scene.empty_text.empty()) << where;
    return;
  }
  std::vector<NamedRect> inside,
      around = {{"plot", scene.plot}, {"x", scene.x_title}, {"title", scene.title}};
  around.push_back({"note", scene.note});
  for (const Rect& place : scene.switches) around.push_back({"switch", place});
  for (const Rect& label : scene.x_labels) around.push_back({"x tick", label});
  for (const Rect& label : scene.y_labels) around.push_back({"y tick", label});
  for (const RoofPoint& p : scene.points) {
    inside.push_back({p.text, p.label.rect});
    EXPECT_TRUE(scene.plot.inset(-1).contains(p.at)) << where << " " << p.text;
  }
  for (const Roofing& r : scene.roofs) inside.push_back({r.text, r.label});
  for (const SlantedRoof& r : scene.slants) inside.push_back({r.text, r.label});
  for (const RoofRate& r : scene.rates) inside.push_back({r.text, r.label});
  for (const RoofIntensity& i : scene.intensities) inside.push_back({i.text, i.label});
  for (const auto& [parts, within] : {std::pair(&inside, scene.plot), std::pair(&around, area)})
    for (size_t i = 0; i < parts->size(); ++i) {
      EXPECT_TRUE(lies_in((*parts)[i], within)) << where;
      for (size_t k = 0; k < i; ++k) EXPECT_TRUE(apart((*parts)[i], (*parts)[k])) << where;
    }
  // A label without a leader is beside its own point, nearer than to any other.
  for (const RoofPoint& p : scene.points) {
    if (p.label.rect.empty()) continue;
    for (const RoofPoint& q : scene.points) {
      if (q.contender == p.contender) continue;
      EXPECT_FALSE(p.label.rect.contains(q.at)) << where << " " << p.text << " covers " << q.text;
      const bool same_place = std::hypot(p.at.x - q.at.x, p.at.y - q.at.y) < 12;
      if (!p.label.has_leader() && !same_place) {
        EXPECT_LT(distance(p.label.rect, p.at), distance(p.label.rect, q.at) + 1)
            << where << ": " << p.text << " stands at the point of " << q.text;
      }
    }
    if (p.label.has_leader()) {
      EXPECT_LT(std::hypot(p.label.leader_from.x - p.at.x, p.label.leader_from.y - p.at.y), 12 * 2) << where;
      EXPECT_LT(distance(p.label.rect, p.label.leader_to), 1) << where;
    }
  }
}

TEST(RooflineScene, LabelsKeepClearOfEachOtherAndOfOtherPoints) {
  std::vector<Timings> cases = {made_up_timings(0), made_up_timings(1), made_up_timings(5),
                                made_up_timings(20), made_up_timings(5, 1)};
  cases.push_back(made_up_timings(5));
  cases.back().problem = {0, 0, 0};
  cases.push_back(made_up_timings(20));
  cases.back().device.memory_gb_per_second = cases.back().device.peak_fp32 = 0;
  cases.push_back({});
  for (Timings& timings : cases)
    for (const MemoryLevel level : kLevels)
      for (const size_t each : {1u, 2u}) {
        const RooflineInput input = input_of(timings, level, each);
        const Contest contest = make_contest(timings, {}, {});
        for (const Rect& area : kAreas)
          for (const SceneMetrics& m : metrics_for(area))
            check_layout(layout_roofline(timings, contest, 0, input, area, m), area,
                         text_of(area, m) + ", " + std::to_string(timings.variants.size()) + " variants, " +
                             memory_name(level));
      }
}

// On a projector no point is without a name, even where all stand on one vertical.
TEST(RooflineScene, EveryPointHasALabelOnAProjector) {
  Timings t = made_up_timings(15);
  const Contest contest = make_contest(t, {}, {});
  for (const MemoryLevel level : kLevels) {
    const RooflineScene scene =
        layout_roofline(t, contest, 3, input_of(t, level), {0, 0, 560, 420}, kMetrics);
    ASSERT_FALSE(scene.points.empty());
    for (const RoofPoint& p : scene.points)
      EXPECT_FALSE(p.label.rect.empty()) << memory_name(level) << ": " << p.text;
    for (const SlantedRoof& roof : scene.slants)
      if (roof.bounds) {
        EXPECT_FALSE(roof.label.empty()) << roof.text;
      }
  }
}

double interpolated(Point from, Point to, float x) {
  return std::lerp(from.y, to.y, (x - from.x) / (to.x - from.x));
}

// A point that is not said to be above its roof is below the slant and the level of its grade.
TEST(RooflineScene, PointsStandUnderTheRoofOfTheirBytes) {
  Timings t = made_up_timings(16);
  for (const MemoryLevel level : kLevels) {
    const RooflineInput input = input_of(t, level);
    const Contest contest = make_contest(t, {}, {});
    const RooflineScene scene = layout_roofline(t, contest, -1, input, kArea, kMetrics);
    const auto roof = std::ranges::find(scene.slants, true, &SlantedRoof::bounds);
    ASSERT_NE(roof, scene.slants.end());
    EXPECT_EQ(roof->level, level);
    EXPECT_EQ(scene.slants.size(), 3u);
    for (const RoofPoint& p : scene.points) {
      const Contender& c = contest.contenders[static_cast<size_t>(p.contender)];
      const double attainable = std::min(experiment::peak_flops(t.device, c.grade),
                                         p.flop_per_byte * input.rates.of(level).bytes_per_second);
      EXPECT_EQ(p.above, c.tflops * 1e12 > attainable * 1.001) << c.label;
      if (p.above || p.at.x < roof->from.x || p.at.x > roof->to.x) continue;
      EXPECT_GE(p.at.y + 0.6, interpolated(roof->from, roof->to, p.at.x)) << c.label;
    }
    for (const Roofing& r : scene.roofs) {
      EXPECT_NEAR(r.ridge.y, interpolated(roof->from, roof->to, r.ridge.x), 0.6) << r.text;
    }
    EXPECT_EQ(scene.trouble, std::ranges::any_of(scene.points, &RoofPoint::above));
    EXPECT_EQ(scene.note_text.find("bove the roof") != std::string::npos, scene.trouble) << scene.note_text;
  }
}

TEST(RooflineScene, WhatIsAboveItsRoofIsNamed) {
  Timings t = made_up_timings(3);
  RooflineInput input = input_of(t, MemoryLevel::l1);
  const Contest contest = make_contest(t, {}, {});
  EXPECT_FALSE(layout_roofline(t, contest, -1, input, kArea, kMetrics).trouble);
  input.counted[1].flop_per_byte = 1e-3;
  const RooflineScene scene = layout_roofline(t, contest, -1, input, kArea, kMetrics);
  EXPECT_TRUE(scene.trouble);
  EXPECT_NE(scene.note_text.find("Above the roof: 02;"), std::string::npos) << scene.note_text;
}

// The library's bytes are known in no level but DRAM's, where the fewest possible stand for all.
TEST(RooflineScene, TheLibraryObeysTheSwitch) {
  Timings t = made_up_timings(6);
  const Contest contest = make_contest(t, {}, {});
  for (const MemoryLevel level : kLevels) {
    const RooflineScene scene = layout_roofline(t, contest, -1, input_of(t, level), kArea, kMetrics);
    int dots = 0;
    for (const RoofPoint& p : scene.points) {
      dots += contest.contenders[static_cast<size_t>(p.contender)].library;
      EXPECT_EQ(p.least_bytes, level == MemoryLevel::dram);
    }
    EXPECT_EQ(dots, level == MemoryLevel::dram ? 3 : 0);
    ASSERT_EQ(scene.rates.size(), level == MemoryLevel::dram ? 0u : 3u);
    for (const RoofRate& rate : scene.rates)
      EXPECT_NE(rate.text.find("bytes not known"), std::string::npos) << rate.text;
  }
}

// A variant that is not counted yet has no place on the axis, so it has no point.
TEST(RooflineScene, SaysHowFarTheCountingIs) {
  Timings t = made_up_timings(10);
  RooflineInput input = input_of(t, MemoryLevel::l1, 2);
  const Contest contest = make_contest(t, {}, {});
  input.counting = {5, 10};
  RooflineScene scene = layout_roofline(t, contest, -1, input, kArea, kMetrics);
  EXPECT_TRUE(scene.working);
  EXPECT_NE(scene.note_text.find("6 of 10"), std::string::npos) << scene.note_text;
  EXPECT_EQ(scene.points.size(), 5u);
  input.level = MemoryLevel::dram;  // needs no counting
  EXPECT_FALSE(layout_roofline(t, contest, -1, input, kArea, kMetrics).working);
  input.level = MemoryLevel::l2;
  input.modelling = {2, 7};
  scene = layout_roofline(t, contest, -1, input, kArea, kMetrics);
  EXPECT_NE(scene.note_text.find("3 of 7"), std::string::npos) << scene.note_text;
  input.level = MemoryLevel::l1;
  input.counting = {10, 10};
  scene = layout_roofline(t, contest, -1, input, kArea, kMetrics);
  EXPECT_FALSE(scene.working);
  EXPECT_NE(scene.note_text.find("Not known of 5"), std::string::npos) << scene.note_text;
}

TEST(RooflineScene, TheCompulsoryIntensityIsALine) {
  Timings t = made_up_timings(6);
  t.variants.back().grade = experiment::Grade::fp32;
  const Contest contest = make_contest(t, {}, {});
  for (const MemoryLevel level : kLevels) {
    const RooflineScene scene = layout_roofline(t, contest, -1, input_of(t, level), kArea, kMetrics);
    // A cube of 4096 moved once has 4096 / 6 FLOP per byte.
    ASSERT_FALSE(scene.intensities.empty());
    EXPECT_NE(scene.intensities[0].text.find("683"), std::string::npos) << scene.intensities[0].text;
    if (level == MemoryLevel::dram) {
      for (const RoofPoint& p : scene.points)
        EXPECT_TRUE(std::ranges::any_of(
            scene.intensities, [&](const RoofIntensity& line) { return std::abs(line.x - p.at.x) < 1; }));
    }
  }
}

TEST(RooflineScene, ModelledNumbersAreMarkedAsSuch) {
  Timings t = made_up_timings(3);
  t.variants[1].samples.clear();
  t.variants[1].modelled_ms = 30;
  const RooflineInput input = input_of(t, MemoryLevel::l1);
  const Contest contest = make_contest(t, {}, {});
  const RooflineScene scene = layout_roofline(t, contest, -1, input, kArea, kMetrics);
  int modelled = 0;
  for (const RoofPoint& p : scene.points) {
    EXPECT_EQ(p.modelled, contest.contenders[static_cast<size_t>(p.contender)].modelled);
    EXPECT_EQ(p.modelled, p.text.find("modelled") != std::string::npos) << p.text;
    modelled += p.modelled;
  }
  EXPECT_EQ(modelled, 1);
  for (const SlantedRoof& roof : scene.slants) {
    EXPECT_EQ(roof.text.ends_with("modelled"), roof.level == MemoryLevel::l1) << roof.text;
    EXPECT_EQ(roof.text.ends_with("recorded"), roof.level == MemoryLevel::l2) << roof.text;
  }
}

TEST(RooflineScene, ARoofOfUnknownHeightIsNotDrawn) {
  Timings t = made_up_timings(3);
  RooflineInput input = input_of(t, MemoryLevel::l1);
  input.rates = {};
  const Contest contest = make_contest(t, {}, {});
  const RooflineScene scene = layout_roofline(t, contest, -1, input, kArea, kMetrics);
  EXPECT_TRUE(scene.slants.empty());
  EXPECT_EQ(scene.points.size(), 3u);
}

}  // namespace
}  // namespace gemmscope::scenes
