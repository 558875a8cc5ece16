// The grid of an array in shared memory: each cell's bank, what is accessed, and where contents belong.
#include "scenes/tile_scene.h"

#include "layout_checks.h"
#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

constexpr Rect kArea{0, 0, 600, 600};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};
constexpr float kTitle = 30;

experiment::SharedArrays array_of(int64_t rows, int64_t columns, uint64_t address = 0) {
  experiment::SharedArrays arrays;
  arrays.arrays.push_back({"tile", "float", 4, rows, columns, address, {}});
  return arrays;
}

// 32 lanes read a column of a row of `pitch` words.
std::vector<metrics::Wavefront> column_read(uint64_t pitch, uint64_t address = 0) {
  metrics::SharedAccess access;
  access.mask = 0xffffffff;
  access.words = 1;
  for (uint64_t lane = 0; lane < 32; ++lane) access.addresses[lane] = address + lane * pitch * 4;
  return metrics::wavefronts(access);
}

TEST(TileScene, PaddingMovesEachRowOnByABank) {
  for (const int64_t pitch : {32, 33, 36}) {
    const TileScene scene = layout_tile(array_of(32, pitch), column_read(static_cast<uint64_t>(pitch)), 0, {},
                                        kArea, kTitle, kMetrics);
    ASSERT_EQ(scene.cells.size(), static_cast<size_t>(32 * pitch));
    int touched = 0, current = 0;
    for (const TileCell& cell : scene.cells) {
      EXPECT_EQ(cell.bank, (cell.row * pitch + cell.column) % 32);
      EXPECT_EQ(cell.lanes != 0, cell.column == 0);
      touched += cell.lanes != 0 ? 1 : 0;
      current += cell.current ? 1 : 0;
    }
    EXPECT_EQ(touched, 32);
    EXPECT_EQ(current, pitch == 32 ? 1 : pitch == 33 ? 32 : 8) << pitch;  // words that one wavefront serves
  }
}

// column ^ row: the contents of a column stand below each other, their banks differ.
TEST(TileScene, ASwizzleShowsContentsInTheirColumns) {
  experiment::SharedArrays arrays = array_of(32, 32);
  for (int row = 0; row < 32; ++row)
    for (int stored = 0; stored < 32; ++stored) arrays.arrays[0].content_columns.push_back(stored ^ row);
  metrics::SharedAccess access;
  access.mask = 0xffffffff;
  access.words = 1;
  for (uint64_t lane = 0; lane < 32; ++lane) access.addresses[lane] = (lane * 32 + (5 ^ lane)) * 4;
  const TileScene scene = layout_tile(arrays, metrics::wavefronts(access), 0, {}, kArea, kTitle, kMetrics);
  std::set<int> banks;
  for (const TileCell& cell : scene.cells) {
    EXPECT_EQ(cell.bank, cell.column ^ cell.row);
    EXPECT_EQ(cell.lanes != 0, cell.column == 5);
    if (cell.lanes != 0) banks.insert(cell.bank);
  }
  EXPECT_EQ(banks.size(), 32u);
  EXPECT_NE(scene.note.find("swizzled"), std::string::npos);
}

TEST(TileScene, WithoutAnArrayItShowsRowsOf32BanksAndSaysWhy) {
  experiment::SharedArrays none;
  none.why_none = "The source declares none.";
  const TileScene scene = layout_tile(none, column_read(32, 1024), 0, {}, kArea, kTitle, kMetrics);
  EXPECT_EQ(scene.columns, 32);
  EXPECT_EQ(scene.note, none.why_none);
  EXPECT_NE(scene.short_title.find("No 2-D array"), std::string::npos);
  for (const TileCell& cell : scene.cells) EXPECT_EQ(cell.bank, cell.column);
  // An array elsewhere does not hold these words either.
  EXPECT_EQ(layout_tile(array_of(4, 32, 65536), column_read(32), 0, {}, kArea, kTitle, kMetrics).rows, 32);
}

TEST(TileScene, EverythingLiesInTheAreaAndWhatIsAccessedIsShown) {
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area))
      for (const int64_t pitch : {32, 33, 128, 260}) {
        const std::vector<metrics::Wavefront> wavefronts = column_read(static_cast<uint64_t>(pitch));
        const TileScene scene = layout_tile(array_of(40, pitch), wavefronts, 0, {}, area,
                                            tile_title_height(area.height(), metrics), metrics);
        if (scene.area.empty()) continue;
        ASSERT_TRUE(lies_in({"grid", scene.grid}, area)) << text_of(area, metrics) << ", pitch " << pitch;
        ASSERT_TRUE(lies_in({"title", scene.title_rect}, area));
        ASSERT_TRUE(apart({"grid", scene.grid}, {"note", scene.note_rect}));
        ASSERT_EQ(scene.cells.size(), static_cast<size_t>(scene.rows) * static_cast<size_t>(scene.columns));
        bool current = false;
        for (size_t i = 0; i < scene.cells.size(); ++i) {
          ASSERT_TRUE(lies_in({"cell", scene.cells[i].rect}, scene.grid));
          ASSERT_FALSE(scene.cells[i].rect.empty());
          current |= scene.cells[i].current;
          if (i > 0 && scene.cells[i].row == scene.cells[i - 1].row) {
            ASSERT_TRUE(apart({"cell", scene.cells[i].rect}, {"cell", scene.cells[i - 1].rect}));
          }
        }
        EXPECT_TRUE(current) << text_of(area, metrics) << ", pitch " << pitch;
      }
}

}  // namespace
}  // namespace gemmscope::scenes
