// The picture of matrix instructions: each element once, hover in both directions, everything in its area.
#include "scenes/fragment_scene.h"

#include "layout_checks.h"
#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

constexpr Rect kArea{0, 0, 700, 400};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};

std::optional<size_t> first_of(const BlockResult& block, isa::Opcode opcode) {
  for (const uint32_t record : block.warp_records[0])
    if (block.compiled->instructions[block.trace.records[record].instruction].opcode == opcode) return record;
  return std::nullopt;
}

TEST(FragmentScene, AProductHasItsThreeMatrices) {
  for (const auto& [kernel, depth, bits] :
       {std::tuple("14_tensor_tf32", 8, 32), std::tuple("15_tensor_bf16", 16, 16)}) {
    const BlockPointer block = traced(kernel, {256, 128, 64});
    ASSERT_NE(block, nullptr);
    const std::optional<size_t> record = first_of(*block, isa::Opcode::hmma);
    ASSERT_TRUE(record);
    const FragmentScene scene = layout_fragments(*block, {*record}, {}, kArea, kMetrics);
    ASSERT_EQ(scene.panes.size(), 3u);
    EXPECT_EQ(scene.panes[0].columns, depth) << kernel;
    EXPECT_EQ(scene.panes[1].rows, depth) << kernel;
    EXPECT_EQ(scene.panes[0].bits, bits) << kernel;
    EXPECT_EQ(scene.cells.size(), static_cast<size_t>(16 * depth + depth * 8 + 16 * 8));
  }
}

TEST(FragmentScene, ALoadHasItsMatrices) {
  const BlockPointer block = traced("15_tensor_bf16", {256, 128, 64});
  ASSERT_NE(block, nullptr);
  const std::optional<size_t> record = first_of(*block, isa::Opcode::ldsm);
  ASSERT_TRUE(record);
  const FragmentScene scene = layout_fragments(*block, {*record}, {}, kArea, kMetrics);
  EXPECT_EQ(scene.panes.size(), 4u);
  EXPECT_EQ(scene.cells.size(), 4u * 64);
}

TEST(FragmentScene, HoverLeadsFromElementsToLanesAndBack) {
  const BlockPointer block = traced("15_tensor_bf16", {256, 128, 64});
  ASSERT_NE(block, nullptr);
  const std::optional<size_t> record = first_of(*block, isa::Opcode::hmma);
  ASSERT_TRUE(record);
  const FragmentScene scene = layout_fragments(*block, {*record}, {}, kArea, kMetrics);
  for (const FragmentCell& cell : scene.cells) {
    ASSERT_EQ(fragment_cell_at(scene, cell.rect.center()), &cell);
    EXPECT_NE(describe(cell, scene).find("lane " + std::to_string(cell.place.lane) + ","), std::string::npos);
  }
  Selection lane_5;
  lane_5.lane = 5;
  std::array<int, 3> marked{};
  for (const FragmentCell& cell : layout_fragments(*block, {*record}, lane_5, kArea, kMetrics).cells) {
    EXPECT_EQ(cell.highlighted, cell.place.lane == 5);
    if (cell.highlighted) ++marked[static_cast<size_t>(cell.pane)];
  }
  EXPECT_EQ(marked, (std::array{8, 4, 4}));
}

TEST(FragmentScene, EverythingLiesInTheAreaWithoutOverlap) {
  const BlockPointer block = traced("15_tensor_bf16", {256, 128, 64});
  ASSERT_NE(block, nullptr);
  for (const isa::Opcode opcode : {isa::Opcode::hmma, isa::Opcode::ldsm})
    for (const Rect& area : kAreas)
      for (const SceneMetrics& metrics : metrics_for(area)) {
        const size_t record = first_of(*block, opcode).value_or(0);
        const FragmentScene scene = layout_fragments(*block, {record}, {}, area, metrics);
        SCOPED_TRACE(text_of(area, metrics));
        if (area.height() >= 300 && area.width() >= 300) {
          ASSERT_FALSE(scene.empty);
        }
        for (const FragmentCell& cell : scene.cells) ASSERT_TRUE(lies_in({"cell", cell.rect}, area));
        for (const FragmentPane& pane : scene.panes) {
          ASSERT_TRUE(lies_in({"title", pane.title_rect}, area));
          for (const FragmentPane& other : scene.panes) {
            ASSERT_TRUE(apart({pane.title, pane.title_rect}, {other.name, other.rect}));
            if (&pane != &other) {
              ASSERT_TRUE(apart({pane.name, pane.rect}, {other.name, other.rect}));
              ASSERT_TRUE(apart({pane.title, pane.title_rect}, {other.title, other.title_rect}));
            }
          }
        }
      }
}

TEST(FragmentScene, SaysWhenThereIsNothing) {
  const BlockPointer scalar = small_block("07_register_tile");
  ASSERT_NE(scalar, nullptr);
  const FragmentScene scene = layout_fragments(*scalar, {0}, {}, kArea, kMetrics);
  EXPECT_TRUE(scene.empty);
  EXPECT_NE(scene.empty_text.find("no matrix instruction"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::scenes
