// The picture of matrix instructions: each element once, hover in both directions, everything in its area.
#include "scenes/fragment_scene.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

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

// A copy of a block whose first LDSM loads `matrices` of them, decoded from its word with other bits.
BlockResult with_load(const BlockResult& block, size_t record, int matrices, bool transposed) {
  BlockResult copy = block;
  auto compiled = std::make_shared<experiment::CompiledKernel>(*block.compiled);
  isa::Instruction& load = compiled->instructions[block.trace.records[record].instruction];
  constexpr int kMatrixCount = 72, kTransposed = 78;  // bits of the word
  const uint64_t count = matrices == 4 ? 2 : matrices == 2 ? 1 : 0;
  const uint64_t cleared = load.hi & ~(3ull << (kMatrixCount - 64) | 1ull << (kTransposed - 64));
  load = isa::decode(
      load.lo, cleared | count << (kMatrixCount - 64) | (transposed ? 1ull : 0ull) << (kTransposed - 64),
      load.address, load.arch);
  copy.compiled = std::move(compiled);
  return copy;
}

// The PTX ISA's tables of ldmatrix .m8n8 .b16, written out: thread t gets the elements 2 (t % 4) and
// 2 (t % 4) + 1 of row t / 4, the first one in the lower half of its register; with .trans, of column t / 4.
// The i-th matrix comes in the i-th register of the vector.
struct PtxElement {
  int matrix, row, column;
  auto operator<=>(const PtxElement&) const = default;
};
PtxElement ldmatrix_element(int thread, int reg, int half, bool transposed) {
  const int line = thread / 4, along = 2 * (thread % 4) + half;
  return transposed ? PtxElement{reg, along, line} : PtxElement{reg, line, along};
}

TEST(FragmentScene, LoadsLieAsThePtxIsaSays) {
  const BlockPointer block = traced("15_tensor_bf16", {256, 128, 64});
  ASSERT_NE(block, nullptr);
  const std::optional<size_t> record = first_of(*block, isa::Opcode::ldsm);
  ASSERT_TRUE(record);
  for (const int matrices : {1, 2, 4})
    for (const bool transposed : {false, true}) {
      SCOPED_TRACE(fmt::format("ldmatrix.x{}{}", matrices, transposed ? ".trans" : ""));
      const BlockResult changed = with_load(*block, *record, matrices, transposed);
      const isa::Instruction& load =
          changed.compiled->instructions[block->trace.records[*record].instruction];
      ASSERT_EQ(load.opcode, isa::Opcode::ldsm);
      const FragmentScene scene = layout_fragments(changed, {*record}, {}, kArea, kMetrics);
      ASSERT_EQ(scene.panes.size(), static_cast<size_t>(matrices));
      ASSERT_EQ(scene.cells.size(), 64u * static_cast<size_t>(matrices));
      const int first = load.operands[0].index;
      std::set<std::tuple<int, int, int>> places;
      for (const FragmentCell& cell : scene.cells) {
        const PtxElement element =
            ldmatrix_element(cell.place.lane, cell.reg - first, cell.place.half, transposed);
        EXPECT_EQ(element, (PtxElement{cell.pane, cell.row, cell.column}))
            << describe(cell, scene) << " holds (" << element.row << ", " << element.column << ")";
        places.insert({cell.place.lane, cell.reg, cell.place.half});
      }
      EXPECT_EQ(places.size(), scene.cells.size());  // 32 threads, two elements in each register
      for (int i = 0; i < matrices; ++i)             // threads 8 i to 8 i + 7 give the addresses of its rows
        EXPECT_NE(scene.panes[static_cast<size_t>(i)].title.find(
                      fmt::format("lanes {}\u2013{} give rows", 8 * i, 8 * i + 7)),
                  std::string::npos)
            << scene.panes[static_cast<size_t>(i)].title;
    }
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
  size_t placed = 0;
  for (const isa::Opcode opcode : {isa::Opcode::hmma, isa::Opcode::ldsm})
    for (const Rect& area : kAreas)
      for (const SceneMetrics& metrics : metrics_for(area)) {
        const size_t record = first_of(*block, opcode).value_or(0);
        const FragmentScene scene = layout_fragments(*block, {record}, {}, area, metrics);
        SCOPED_TRACE(text_of(area, metrics));
        if (area.height() >= 300 && area.width() >= 300) {
          ASSERT_FALSE(scene.empty);
        }
        placed += scene.cells.size();
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
  EXPECT_GT(placed, 5000u);
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
