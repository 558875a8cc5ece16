// The staircase: nothing overlaps at any size and number of steps, and its heights and factors are those of
// the times.
#include "scenes/stair_scene.h"

#include <gtest/gtest.h>

#include "layout_checks.h"
#include "made_up_timings.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::Provenance;
using experiment::Timings;

// A recording of `count` kernels, two variants of the second and, where `modelled`, one with a modelled time.
Timings recording(int count, bool modelled = false) {
  Timings t = made_up_timings(count);
  t.provenance = Provenance::recorded;
  for (int toggle = 1; count > 2 && toggle <= 2; ++toggle) {
    t.variants.push_back(made_up_variant("02_kernel", 40.0 / toggle));
    t.variants.back().toggles = {{"WIDTH", toggle}};
  }
  if (modelled && count > 3) {
    t.variants[3].samples.clear();
    t.variants[3].modelled_ms = 17;
  }
  return t;
}

const Contender& of(const Contest& contest, int index) {
  return contest.contenders[static_cast<size_t>(index)];
}

TEST(StairScene, NothingOverlapsAndEverythingIsInside) {
  for (const int count : {0, 1, 2, 5, 15, 25})
    for (const bool modelled : {false, true})
      for (const Rect& area : kAreas)
        for (const SceneMetrics& m : metrics_for(area)) {
          const Contest contest = make_contest(recording(count, modelled), {}, {});
          const StairScene scene = layout_stairs(contest, 0, area, m);
          const std::string where = text_of(area, m) + ", " + std::to_string(count) + " steps";
          if (scene.empty) {
            EXPECT_FALSE(scene.empty_text.empty()) << where;
            continue;
          }
          std::vector<NamedRect> parts = {{"title", scene.title}}, inside;
          for (const Rect& label : scene.value_labels) parts.push_back({"value", label});
          for (const Stair& stair : scene.stairs) {
            parts.push_back({"mark", stair.mark});
            parts.push_back({"figure", stair.value});
            inside.push_back({"modelled", stair.modelled_label});
            EXPECT_TRUE(lies_in({"body", stair.body}, scene.plot)) << where;
          }
          for (const Riser& riser : scene.risers) inside.push_back({riser.text, riser.label.rect});
          for (const StairLibrary& library : scene.libraries) inside.push_back({library.text, library.label});
          for (const StairVariant& variant : scene.variants)
            inside.push_back({of(contest, variant.contender).mark, variant.label.rect});
          for (size_t i = 0; i < parts.size(); ++i) {
            EXPECT_TRUE(lies_in(parts[i], area)) << where;
            for (size_t k = 0; k < i; ++k) EXPECT_TRUE(apart(parts[i], parts[k])) << where;
          }
          for (size_t i = 0; i < inside.size(); ++i) {
            EXPECT_TRUE(lies_in(inside[i], scene.plot)) << where;
            for (size_t k = 0; k < i; ++k) EXPECT_TRUE(apart(inside[i], inside[k])) << where;
            for (const StairLibrary& library : scene.libraries)
              EXPECT_TRUE(apart(
                  inside[i], {"cuBLAS's line", {library.left, library.y - 1, library.right, library.y + 1}}))
                  << where;
          }
        }
}

TEST(StairScene, HeightsAndFactorsAreThoseOfTheTimes) {
  const Contest contest = make_contest(recording(15), {}, {});
  const StairScene scene = layout_stairs(contest, -1, {0, 0, 900, 500}, {1, 16, 13, 7});
  ASSERT_EQ(scene.stairs.size(), 15u);
  ASSERT_EQ(scene.risers.size(), 14u);
  for (size_t i = 1; i < scene.stairs.size(); ++i) {
    const Stair &before = scene.stairs[i - 1], &stair = scene.stairs[i];
    EXPECT_LT(before.body.left, stair.body.left);
    const double a = of(contest, before.contender).tflops, b = of(contest, stair.contender).tflops;
    EXPECT_EQ(a < b, stair.body.top < before.body.top) << i;
    EXPECT_EQ(scene.risers[i - 1].text, speedup_text(b / a));
    EXPECT_EQ(scene.risers[i - 1].down, b < a);
    EXPECT_FALSE(scene.risers[i - 1].label.rect.empty()) << "on a projector every factor is shown";
  }
  for (const StairLibrary& library : scene.libraries) EXPECT_FALSE(library.label.empty()) << library.text;
}

// A kernel has one step, whatever its variants; the others are marks at their own heights.
TEST(StairScene, VariantsStandAtTheStepOfTheirKernel) {
  const Contest contest = make_contest(recording(5), {}, {});
  const StairScene scene = layout_stairs(contest, -1, {0, 0, 900, 500}, {1, 16, 13, 7});
  ASSERT_EQ(scene.stairs.size(), 5u);
  ASSERT_EQ(scene.variants.size(), 2u);
  const Stair& second = scene.stairs[1];
  EXPECT_TRUE(of(contest, second.contender).key.toggles.empty());
  for (const StairVariant& variant : scene.variants) {
    EXPECT_EQ(of(contest, variant.contender).key.kernel, "02_kernel");
    EXPECT_FLOAT_EQ(variant.at.x, second.body.center().x);
    EXPECT_EQ(
        variant.at.y<second.body.top, of(contest, variant.contender).tflops> of(contest, second.contender)
            .tflops);
    EXPECT_FALSE(variant.label.rect.empty());
    EXPECT_EQ(stair_at(scene, variant.at, 5), variant.contender);
  }
  EXPECT_EQ(stair_at(scene, {second.slot.left + 2, second.slot.bottom - 2}, 5), second.contender);
  EXPECT_EQ(stair_at(scene, {-5, -5}, 5), -1);
}

TEST(StairScene, ModelledStepsSaySo) {
  const Contest contest = make_contest(recording(5, true), {}, {});
  const StairScene scene = layout_stairs(contest, -1, {0, 0, 900, 500}, {1, 16, 13, 7});
  int modelled = 0;
  for (const Stair& stair : scene.stairs) {
    EXPECT_EQ(stair.modelled, of(contest, stair.contender).modelled);
    EXPECT_EQ(stair.modelled_label.empty(), !stair.modelled);
    modelled += stair.modelled;
  }
  EXPECT_EQ(modelled, 1);
  EXPECT_NE(scene.title_text.find("modelled"), std::string::npos);
}

// A published table whose sizes are not known has only ms, and a factor is still how much faster a step is.
TEST(StairScene, WithoutRatesTheStepsAreTimes) {
  Timings t = recording(3);
  t.problem = {0, 0, 0};
  const Contest contest = make_contest(t, {}, {});
  const StairScene scene = layout_stairs(contest, -1, {0, 0, 900, 500}, {1, 16, 13, 7});
  ASSERT_EQ(scene.stairs.size(), 3u);
  EXPECT_GT(scene.stairs[1].body.top, scene.stairs[0].body.top);
  EXPECT_EQ(scene.risers[0].text, "\u00d73.0");
  EXPECT_NE(scene.title_text.find("ms"), std::string::npos);
}

TEST(StairScene, FactorsAreShortAndNotRoundedToNothing) {
  EXPECT_EQ(speedup_text(1.0664), "\u00d71.07");
  EXPECT_EQ(speedup_text(0.934), "\u00d70.93");
  EXPECT_EQ(speedup_text(3.44), "\u00d73.4");
  EXPECT_EQ(speedup_text(1.9949), "\u00d71.99");
  EXPECT_EQ(speedup_text(12.3), "\u00d712");
}

}  // namespace
}  // namespace gemmscope::scenes
