// The chart of many sizes: nothing overlaps at any size of the panel, and marks stand at their values.
#include "scenes/sweep_scene.h"

#include <gtest/gtest.h>

#include <random>

#include "layout_checks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::SizeSweep;

SizeSweep sweep_of(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> factor(0.7, 2.6);
  std::uniform_int_distribution<int64_t> size(64, 16384);
  SizeSweep sweep;
  for (size_t i = 0; i < count; ++i)
    sweep.points.push_back({{size(random), size(random), size(random)},
                            {"17_split_k", {}},
                            "17_split_k",
                            40,
                            factor(random),
                            38});
  sweep.geometric_mean = 1.2;
  return sweep;
}

TEST(SweepScene, NothingOverlapsAndEverythingIsInside) {
  for (const size_t count : {1, 8, 40, 200})
    for (const Rect& area : kAreas)
      for (const SceneMetrics& m : metrics_for(area)) {
        const SweepScene scene = layout_sweep(sweep_of(count, 7), area, m);
        const std::string where = text_of(area, m) + ", " + std::to_string(count) + " sizes";
        if (scene.empty) {
          EXPECT_FALSE(scene.empty_text.empty()) << where;
          continue;
        }
        std::vector<NamedRect> parts = {{"title", scene.title},
                                        {"summary", scene.summary},
                                        {"x title", scene.x_title},
                                        {"library", scene.library_label}};
        for (const Rect& label : scene.y_labels) parts.push_back({"factor", label});
        for (const SweepLegend& entry : scene.legend) parts.push_back({entry.text, entry.label});
        for (const SweepMark& mark : scene.marks) {
          parts.push_back({mark.text, mark.label.rect});
          EXPECT_TRUE(scene.plot.contains(mark.at)) << where << ", " << mark.text;
        }
        for (size_t i = 0; i < parts.size(); ++i) {
          EXPECT_TRUE(lies_in(parts[i], area)) << where;
          for (size_t k = 0; k < i; ++k) EXPECT_TRUE(apart(parts[i], parts[k])) << where;
        }
      }
}

TEST(SweepScene, MarksStandAtTheirValues) {
  SizeSweep sweep = sweep_of(3, 1);
  sweep.points[0].of_library = 0.8;
  sweep.points[1].of_library = 1.6;
  sweep.points[2].of_library = 1.2;
  sweep.points[0].problem = {256, 256, 256};
  sweep.points[1].problem = {1024, 1024, 1024};
  sweep.points[2].problem = {512, 512, 512};
  const SweepScene scene = layout_sweep(sweep, {0, 0, 900, 500}, {1, 16, 13, 7});
  ASSERT_EQ(scene.marks.size(), 3u);
  EXPECT_LT(scene.marks[0].at.x, scene.marks[2].at.x);
  EXPECT_LT(scene.marks[2].at.x, scene.marks[1].at.x);
  EXPECT_GT(scene.marks[0].at.y, scene.library_y);
  EXPECT_TRUE(scene.marks[0].slower);
  EXPECT_FALSE(scene.marks[1].slower);
  for (const SweepMark& mark : scene.marks) {
    EXPECT_FALSE(mark.label.rect.empty()) << mark.text;
    EXPECT_EQ(sweep_point_at(scene, mark.at, 5), static_cast<int>(mark.point));
  }
  EXPECT_EQ(sweep_point_at(scene, {0, 0}, 5), -1);
}

TEST(SweepScene, SaysSoWithoutPoints) {
  const SweepScene scene = layout_sweep({}, {0, 0, 900, 500}, {1, 16, 13, 7});
  EXPECT_TRUE(scene.empty);
  EXPECT_FALSE(scene.empty_text.empty());
}

}  // namespace
}  // namespace gemmscope::scenes
