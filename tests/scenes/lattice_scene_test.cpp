// The table of the ablation lattice: its rectangles, its order, what a click means.
#include "scenes/lattice_scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "layout_checks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::Lattice;
using experiment::LatticeColumn;
using experiment::LatticeEntry;

Lattice made_up(size_t count) {
  Lattice lattice;
  lattice.kernel = "made_up";
  lattice.device = "Made-up GPU";
  lattice.finished = true;
  for (size_t i = 0; i < count; ++i) {
    LatticeEntry entry;
    entry.point.name = i == 0 ? "as chosen" : fmt::format("BLOCK_M={}, REGISTER_BUFFERS=0", i);
    if (i > 0) entry.point.changes = {{0, i}};
    entry.computed = true;
    entry.milliseconds = 0.02 + 0.001 * static_cast<double>((i * 7 + 5) % count);
    entry.registers = 32 + static_cast<int>(i);
    if (i % 11 == 3) entry.milliseconds = 0, entry.trouble = "It does not fit on an SM.";
    lattice.entries.push_back(std::move(entry));
  }
  lattice.singles = count - 1;
  return lattice;
}

TEST(LatticeScene, EverythingLiesInTheAreaAndApart) {
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area))
      for (const size_t count : {size_t{1}, size_t{40}, size_t{900}}) {
        SCOPED_TRACE(text_of(area, metrics));
        const LatticeScene scene = layout_lattice(made_up(count), {}, 0, area, metrics);
        std::vector<NamedRect> parts = {{"badge", scene.badge},       {"title", scene.title},
                                        {"sentence", scene.sentence}, {"coverage", scene.coverage},
                                        {"progress", scene.progress}, {"more", scene.more}};
        for (const LatticeHead& head : scene.heads) parts.push_back({"head " + head.text, head.rect});
        for (const LatticeRow& row : scene.rows) parts.push_back({"row " + row.name, row.rect});
        for (size_t i = 0; i < parts.size(); ++i) {
          EXPECT_TRUE(lies_in(parts[i], area));
          for (size_t k = i + 1; k < std::min(parts.size(), i + 20); ++k)
            EXPECT_TRUE(apart(parts[i], parts[k]));
        }
        for (const LatticeRow& row : scene.rows) {
          ASSERT_EQ(row.cells.size() + 1, scene.heads.size());
          ASSERT_EQ(row.cells.size(), row.figures.size());
        }
      }
}

constexpr SceneMetrics kMetrics{1, 16, 13, 7};
const Rect kArea{0, 0, 1280, 720};

TEST(LatticeScene, RowsAreSortedAndTheChosenAndTheBestAreMarked) {
  const Lattice lattice = made_up(20);
  const LatticeScene scene = layout_lattice(lattice, {}, 0, kArea, kMetrics);
  ASSERT_EQ(scene.rows.size(), 20u);
  EXPECT_TRUE(scene.rows[0].best);
  EXPECT_EQ(&lattice.entries[scene.rows[0].entry], experiment::best_entry(lattice));
  int chosen = 0;
  for (const LatticeRow& row : scene.rows) chosen += row.chosen ? 1 : 0;
  EXPECT_EQ(chosen, 1);
  EXPECT_EQ(scene.rows.back().trouble, "It does not fit on an SM.");
  EXPECT_TRUE(scene.rows.back().bar.empty());
  EXPECT_LT(scene.rows[0].bar.right, scene.rows[5].bar.right);
  EXPECT_NE(scene.title_text.find("Best: "), std::string::npos);
  EXPECT_NE(scene.coverage_text.find("20 of 20 points"), std::string::npos);
}

TEST(LatticeScene, ScrollsToTheEndAndNoFurther) {
  const Lattice lattice = made_up(300);
  const LatticeScene top = layout_lattice(lattice, {}, -5, kArea, kMetrics);
  EXPECT_EQ(top.first_row, 0);
  const LatticeScene end = layout_lattice(lattice, {}, 10'000, kArea, kMetrics);
  EXPECT_EQ(end.first_row + static_cast<int>(end.rows.size()), 300);
  EXPECT_EQ(end.rows.size(), top.rows.size());
  EXPECT_NE(end.more_text.find("of 300 variants"), std::string::npos);
}

TEST(LatticeScene, TheRowUnderThePointIsFound) {
  const LatticeScene scene = layout_lattice(made_up(20), {}, 0, kArea, kMetrics);
  EXPECT_EQ(lattice_row_at(scene, scene.rows[7].rect.center()), 7);
  EXPECT_EQ(lattice_row_at(scene, {1, 1}), -1);
}

TEST(LatticeScene, AClickOnAHeadSortsAndASecondOneReverses) {
  experiment::LatticeOrder order = order_after_click({}, LatticeColumn::registers);
  EXPECT_EQ(order.column, LatticeColumn::registers);
  EXPECT_FALSE(order.descending);
  order = order_after_click(order, LatticeColumn::registers);
  EXPECT_TRUE(order.descending);
  order = order_after_click(order, LatticeColumn::time);
  EXPECT_FALSE(order.descending);
  const LatticeScene scene =
      layout_lattice(made_up(20), {LatticeColumn::registers, true, false}, 0, kArea, kMetrics);
  EXPECT_EQ(scene.rows[0].figures[2], "51");
  int sorted = 0;
  for (const LatticeHead& head : scene.heads) sorted += head.sorted ? 1 : 0;
  EXPECT_EQ(sorted, 1);
}

TEST(LatticeScene, ATimeThatWasTakenGetsAColumn) {
  Lattice lattice = made_up(20);
  const size_t columns = layout_lattice(lattice, {}, 0, kArea, kMetrics).heads.size();
  lattice.entries[1].timed_ms = 0.5;
  const LatticeScene recorded = layout_lattice(lattice, {}, 0, kArea, kMetrics);
  ASSERT_EQ(recorded.heads.size(), columns + 1);
  EXPECT_EQ(recorded.heads[3].text, "recorded");
  lattice.entries[1].timed = experiment::Provenance::measured;
  EXPECT_EQ(layout_lattice(lattice, {}, 0, kArea, kMetrics).heads[3].text, "measured");
}

}  // namespace
}  // namespace gemmscope::scenes
