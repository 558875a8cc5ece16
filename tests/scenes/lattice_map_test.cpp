// The heat map of the ablation lattice: where a pair lies, and what its colour says.
#include "scenes/lattice_map.h"

#include <gtest/gtest.h>

#include "layout_checks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::Lattice;
using experiment::LatticeEntry;
using experiment::ToggleChange;

catalog::Kernel three_toggles() {
  catalog::Kernel kernel;
  kernel.id = "made_up";
  for (const char* name : {"BLOCK_M", "UNROLL", "LAYOUT"}) {
    catalog::Toggle toggle;
    toggle.name = toggle.title = name;
    toggle.values = {1, 2, 4};
    toggle.default_value = 1;
    kernel.toggles.push_back(std::move(toggle));
  }
  return kernel;
}

// Two more values of each toggle, and every pair but one, which is not legal.
Lattice made_up() {
  Lattice lattice;
  lattice.kernel = "made_up";
  const auto add = [&](std::vector<ToggleChange> changes, double ms) {
    LatticeEntry entry;
    entry.point.changes = std::move(changes);
    entry.computed = true;
    entry.milliseconds = ms;
    lattice.entries.push_back(std::move(entry));
  };
  add({}, 1);
  for (size_t t = 0; t < 3; ++t)
    for (size_t v = 1; v < 3; ++v) add({{t, v}}, t == 0 ? 0.5 : 1);
  for (size_t a = 0; a < 3; ++a)
    for (size_t b = a + 1; b < 3; ++b)
      for (size_t v = 1; v < 3; ++v)
        for (size_t w = 1; w < 3; ++w)
          if (a != 0 || b != 2 || v != 1 || w != 1) add({{a, v}, {b, w}}, b == 2 ? 4 : 0.25);
  lattice.entries.back().milliseconds = 0;
  lattice.entries[lattice.entries.size() - 2].computed = false;
  return lattice;
}

const LatticeMapCell* cell_of(const LatticeMap& map, size_t entry, size_t which = 0) {
  for (const LatticeMapCell& cell : map.cells)
    if (cell.entry == entry && which-- == 0) return &cell;
  return nullptr;
}

constexpr SceneMetrics kMetrics{1, 16, 13, 7};
const Rect kArea{0, 0, 900, 600};

TEST(LatticeMap, HasAPairOnBothSidesOfTheDiagonal) {
  const Lattice lattice = made_up();
  const LatticeMap map = layout_lattice_map(lattice, three_toggles(), kArea, kMetrics);
  EXPECT_EQ(map.cells.size(), 6 + 2 * (12 - 1u));
  for (size_t i = 1; i < lattice.entries.size(); ++i) {
    const bool single = lattice.entries[i].point.changes.size() == 1;
    const LatticeMapCell *one = cell_of(map, i), *other = cell_of(map, i, 1);
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(one->single, single);
    ASSERT_EQ(other == nullptr, single);
    EXPECT_EQ(lattice_cell_at(map, one->rect.center()), one);
    if (single) continue;
    // Mirrored: the row of one is the column of the other.
    const auto row_of = [&](const LatticeMapCell& cell) { return cell.rect.center().y / map.plot.height(); };
    const auto column_of = [&](const LatticeMapCell& cell) {
      return (cell.rect.center().x - map.plot.left) / map.plot.width();
    };
    EXPECT_NEAR(row_of(*one), column_of(*other), 0.02);
  }
}

TEST(LatticeMap, ColoursByTheRatioToTheChosenVariant) {
  const Lattice lattice = made_up();
  const LatticeMap map = layout_lattice_map(lattice, three_toggles(), kArea, kMetrics);
  EXPECT_FLOAT_EQ(cell_of(map, 1)->change, -1) << "half the time";
  EXPECT_FLOAT_EQ(cell_of(map, 3)->change, 0) << "the same time";
  EXPECT_FLOAT_EQ(cell_of(map, 7)->change, -1) << "a quarter is no more than a half";
  EXPECT_FLOAT_EQ(cell_of(map, 12)->change, 1) << "four times";
  EXPECT_TRUE(cell_of(map, 7)->best) << "the first of equally fast ones";
  EXPECT_EQ(std::ranges::count_if(map.cells, &LatticeMapCell::best), 2) << "on both sides";
  EXPECT_FALSE(cell_of(map, lattice.entries.size() - 1)->known);
  EXPECT_FALSE(cell_of(map, lattice.entries.size() - 2)->computed);
}

TEST(LatticeMap, EverythingLiesInTheAreaAndApart) {
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area)) {
      SCOPED_TRACE(text_of(area, metrics));
      if (area.width() < 200 || area.height() < 120) continue;
      const LatticeMap map = layout_lattice_map(made_up(), three_toggles(), area, metrics);
      std::vector<NamedRect> parts = {{"legend", map.legend}};
      for (const LatticeMapCell& cell : map.cells) parts.push_back({"cell", cell.rect});
      for (size_t i = 0; i < parts.size(); ++i) {
        EXPECT_TRUE(lies_in(parts[i], area));
        for (size_t k = i + 1; k < parts.size(); ++k) EXPECT_TRUE(apart(parts[i], parts[k]));
      }
    }
}

TEST(LatticeMap, IsEmptyWithoutChanges) {
  Lattice lattice;
  lattice.entries.resize(1);
  const LatticeMap map = layout_lattice_map(lattice, three_toggles(), kArea, kMetrics);
  EXPECT_TRUE(map.cells.empty());
  EXPECT_EQ(lattice_cell_at(map, {5, 5}), nullptr);
}

}  // namespace
}  // namespace gemmscope::scenes
