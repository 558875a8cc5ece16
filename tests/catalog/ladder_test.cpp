// The kernels that the program ships.
#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

using Dimensions = std::array<uint32_t, 3>;

Catalog ladder() { return read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels"); }

Launch launch_of(const Catalog& catalog, std::string_view id, const Problem& problem,
                 const std::map<std::string, int64_t>& toggles = {}) {
  const Kernel* kernel = catalog.find(id);
  EXPECT_NE(kernel, nullptr) << id;
  if (kernel == nullptr) return {};
  const auto launch = launch_for(*kernel, problem, toggles);
  EXPECT_TRUE(launch) << launch.error().message;
  return launch.value_or(Launch{});
}

TEST(Ladder, IsReadWithoutErrors) {
  const Catalog catalog = ladder();
  for (const Error& error : catalog.errors) ADD_FAILURE() << error.message;
  ASSERT_GE(catalog.kernels.size(), 3u);
  EXPECT_EQ(catalog.kernels[0].id, "01_naive");
  EXPECT_EQ(catalog.kernels[1].id, "02_shared_tile");
  EXPECT_EQ(catalog.kernels[2].id, "03_double_buffer");
  EXPECT_EQ(catalog.find("04_absent"), nullptr);
}

TEST(Ladder, EntriesAndDefaultsStandInTheSource) {
  for (const Kernel& kernel : ladder().kernels) {
    EXPECT_NE(kernel.source.find(" " + kernel.entry + "("), std::string::npos) << kernel.id;
    for (const Toggle& toggle : kernel.toggles) {
      const std::string definition =
          fmt::format("#ifndef {0}\n#define {0} {1}\n#endif\n", toggle.name, toggle.default_value);
      EXPECT_NE(kernel.source.find(definition), std::string::npos) << kernel.id << " lacks\n" << definition;
    }
  }
}

// Blocks times tile must cover C, without a row or a column of blocks too many.
TEST(Ladder, GridsCoverC) {
  for (const Kernel& kernel : ladder().kernels) {
    const bool rows_along_x = kernel.id == "01_naive";
    for (const auto& [m, n, k] :
         {std::array<int64_t, 3>{1, 1, 1}, {17, 33, 5}, {128, 128, 8}, {129, 256, 7}, {4096, 4000, 1000}}) {
      const Launch launch = launch_of(ladder(), kernel.id, {.m = m, .n = n, .k = k});
      const int64_t rows = launch.grid[rows_along_x ? 0 : 1], columns = launch.grid[rows_along_x ? 1 : 0];
      EXPECT_GE(rows * launch.tile.block_m, m) << kernel.id;
      EXPECT_LT((rows - 1) * launch.tile.block_m, m) << kernel.id;
      EXPECT_GE(columns * launch.tile.block_n, n) << kernel.id;
      EXPECT_LT((columns - 1) * launch.tile.block_n, n) << kernel.id;
    }
  }
}

TEST(Ladder, TilesFitTogether) {
  for (const Kernel& kernel : ladder().kernels) {
    const Launch launch = launch_of(ladder(), kernel.id, {});
    const TileShape& tile = launch.tile;
    const int64_t threads = int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    EXPECT_EQ(tile.thread_m * tile.thread_n * threads, tile.block_m * tile.block_n) << kernel.id;
    EXPECT_EQ(tile.thread_m * tile.thread_n * 32, tile.warp_m * tile.warp_n) << kernel.id;
    EXPECT_EQ(tile.block_m % tile.warp_m, 0) << kernel.id;
    EXPECT_EQ(tile.block_n % tile.warp_n, 0) << kernel.id;
  }
}

TEST(Ladder, Launches) {
  const Catalog catalog = ladder();
  const Launch naive = launch_of(catalog, "01_naive", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(naive.grid, (Dimensions{128, 63, 1}));
  EXPECT_EQ(naive.block, (Dimensions{16, 16, 1}));
  EXPECT_EQ(naive.tile.warp_m, 16);
  EXPECT_EQ(launch_of(catalog, "01_naive", {}, {{"SWAP_XY", 1}}).tile.warp_m, 2);
  EXPECT_EQ(launch_of(catalog, "01_naive", {}, {{"SWAP_XY", 1}}).tile.warp_n, 16);

  const Launch shared =
      launch_of(catalog, "02_shared_tile", {.m = 2048, .n = 1000, .k = 1024}, {{"BLOCK_K", 32}});
  EXPECT_EQ(shared.grid, (Dimensions{8, 16, 1}));
  EXPECT_EQ(shared.block, (Dimensions{16, 16, 1}));
  EXPECT_EQ(shared.tile.block_k, 32);

  const Launch buffered = launch_of(catalog, "03_double_buffer", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(buffered.grid, (Dimensions{8, 16, 1}));
  EXPECT_EQ(buffered.block, (Dimensions{256, 1, 1}));
  EXPECT_EQ(buffered.dynamic_shared_bytes, 0u);
}

TEST(Ladder, AGridThatIsTooTallIsRefused) {
  const Catalog catalog = ladder();
  const auto launch = launch_for(*catalog.find("01_naive"), {.m = 1, .n = 2147483647, .k = 1}, {});
  ASSERT_FALSE(launch);
  EXPECT_NE(launch.error().message.find("grid.y"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::catalog
