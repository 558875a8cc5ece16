// The picture of the bank explorer: its verdict, its tile, its costs.
#include <set>

#include "layout_checks.h"
#include "scenes/bank_explorer_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

constexpr Rect kArea{0, 0, 900, 600};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};

experiment::BankAnswer answered(const char* declaration, std::vector<std::string> accesses, int padding = 0,
                                const char* swizzle = "column") {
  experiment::BankQuestion question;
  question.declaration = declaration;
  question.accesses = std::move(accesses);
  question.padding = padding;
  question.swizzle = swizzle;
  auto answer = experiment::answer(question);
  EXPECT_TRUE(answer) << (answer ? "" : answer.error().sentence);
  return answer ? std::move(*answer) : experiment::BankAnswer{};
}

ExplorerPicture laid_out(const experiment::BankAnswer& answer, Rect area = kArea) {
  return layout_explorer(answer, 0, kAllWavefronts, {}, area, kMetrics,
                         [](std::string_view text) { return 9.0f * static_cast<float>(text.size()); });
}

TEST(BankExplorerScene, TheVerdictNamesTheConflict) {
  const ExplorerPicture bad = laid_out(answered("float As[32][32]", {"As[lane][k]"}));
  EXPECT_EQ(bad.plate_text, "32 wavefronts");
  EXPECT_EQ(bad.headline_text, "where 1 would do: 31 bank conflicts");
  EXPECT_EQ(bad.sentence_text, "Lanes 0\u201331 want 32 different words of bank 0, one after the other.");
  EXPECT_EQ(bad.banks.rows.size(), 32u);
  const ExplorerPicture good = laid_out(answered("float As[32][32]", {"As[lane][k]"}, 1));
  EXPECT_EQ(good.plate_text, "1 wavefront");
  EXPECT_EQ(good.excess, 0);
  const ExplorerPicture wide = laid_out(answered("float As[16][128]", {"float4 As[k][lane * 4]"}));
  EXPECT_EQ(wide.sentence_text, "4 wavefronts, and so many bytes cannot go through 32 banks in fewer.");
  const ExplorerPicture misfit =
      laid_out(answered("float As[16][128]", {"float4 As[lane / 8][lane % 8 * 4]"}, 1));
  EXPECT_TRUE(misfit.misfit);
  EXPECT_EQ(misfit.plate_text, "misaligned");
}

// Cells have the banks that the layout says, and the padding is marked.
TEST(BankExplorerScene, TheTileShowsPaddingAndSwizzle) {
  const ExplorerPicture padded = laid_out(answered("float As[32][32]", {"As[lane][k]"}, 1));
  ASSERT_EQ(padded.banks.tile.cells.size(), 32u * 33);
  for (const TileCell& cell : padded.banks.tile.cells)
    EXPECT_EQ(cell.bank, (cell.row * 33 + cell.column) % 32);
  ASSERT_FALSE(padded.padding.empty());
  for (const TileCell& cell : padded.banks.tile.cells)
    EXPECT_EQ(padded.padding.contains(cell.rect.center()), cell.column == 32);
  for (const char* swizzle : {"column ^ row", "(column + row) % 32"}) {
    const ExplorerPicture swizzled = laid_out(answered("float As[32][32]", {"As[lane][7]"}, 0, swizzle));
    EXPECT_TRUE(swizzled.padding.empty());
    int touched = 0;
    for (const TileCell& cell : swizzled.banks.tile.cells) {
      const int64_t place = std::string_view(swizzle).starts_with('(') ? (cell.column + cell.row) % 32
                                                                       : (cell.column ^ cell.row);
      EXPECT_EQ(cell.bank, place);
      EXPECT_EQ(cell.lanes != 0, cell.column == 7) << "contents stand below each other";
      touched += cell.lanes != 0 ? 1 : 0;
    }
    EXPECT_EQ(touched, 32);
  }
}

// Wide elements and narrow ones give whole words, or rows of banks.
TEST(BankExplorerScene, AnyElementHasATile) {
  const auto content = [](const char* declaration, const char* access, int padding, const char* swizzle) {
    const auto arrays = tile_array(answered(declaration, {access}, padding, swizzle).tile);
    return arrays.arrays.empty() ? std::vector<int32_t>{-1} : arrays.arrays[0].content_columns;
  };
  EXPECT_EQ(content("half As[8][64]", "As[k][lane]", 1, "column"), std::vector<int32_t>{-1});
  EXPECT_TRUE(content("half As[8][64]", "As[k][lane]", 2, "column").empty());
  const std::vector<int32_t> doubles = content("double As[2][4]", "As[k][lane % 4]", 0, "column ^ row");
  EXPECT_EQ(doubles, (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 2, 3, 0, 1, 6, 7, 4, 5}));
  const std::vector<int32_t> halves = content("half As[2][8]", "As[k][lane % 8]", 0, "column ^ row << 1");
  EXPECT_EQ(halves, (std::vector<int32_t>{0, 1, 2, 3, 1, 0, 3, 2}));
  EXPECT_FALSE(laid_out(answered("float s[1024]", {"s[lane * 2]"})).banks.tile.cells.empty());
}

TEST(BankExplorerScene, NothingLeavesItsArea) {
  for (const float width : {900.0f, 420.0f, 200.0f, 40.0f})
    for (const float height : {700.0f, 300.0f, 90.0f, 10.0f})
      for (const char* declaration :
           {"float As[32][32]", "float As[32][128]", "half As[64][33]", "float4 As[32][32]"}) {
        const Rect area{0, 0, width, height};
        const ExplorerPicture picture = laid_out(answered(declaration, {"As[lane][k]"}), area);
        for (const Rect rect : {picture.plate, picture.headline, picture.sentence, picture.banks.grid}) {
          EXPECT_GE(rect.left, 0);
          EXPECT_LE(rect.right, width + 1) << declaration << " " << width << " x " << height;
          EXPECT_LE(rect.bottom, height + 1) << declaration << " " << width << " x " << height;
        }
        for (const TileCell& cell : picture.banks.tile.cells) EXPECT_LE(cell.rect.bottom, height + 1);
      }
}

TEST(BankExplorerScene, FixesSayWhatTheyCost) {
  const experiment::BankAnswer answer = answered("float As[32][32]", {"As[lane][k]"});
  const FixText padding = padding_text(answer, 1, 128, std::nullopt);
  EXPECT_EQ(padding.title, "[32][33], 1 of padding");
  EXPECT_EQ(padding.cost, "128 bytes more (3.1 %), no instruction");
  // An SM of 8.6 has 100 KiB, and each block takes 1 KiB more than it asks for: 24 KiB fit four times, no
  // more.
  const metrics::OccupancyPoint full{86, {32, 16, 24 * 1024}};
  EXPECT_EQ(padding_text(answer, 1, 128, full).cost,
            "128 bytes more (3.1 %), no instruction; 4 \u2192 3 blocks an SM");
  const metrics::OccupancyPoint loose{86, {32, 16, 22 * 1024}};
  EXPECT_EQ(padding_text(answer, 1, 128, loose).cost,
            "128 bytes more (3.1 %), no instruction; 4 blocks an SM as before");
  EXPECT_EQ(swizzle_text(answer, {1, 7, 2}).cost, "no byte more; 4 operations in the expression");
  EXPECT_EQ(missing_fixes(answered("float As[32][33]", {"As[lane][k]"}), {1, 0, {}}),
            std::vector<std::string>{
                "A row of 33 elements has no XOR swizzle: it needs a multiple of a power of two."});
}

}  // namespace
}  // namespace gemmscope::scenes
