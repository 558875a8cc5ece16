// Tests the kernels that the program ships.
#include <gtest/gtest.h>

#include <sstream>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

using Dimensions = std::array<uint32_t, 3>;

Catalog ladder() { return read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels" / "ladder"); }

// Of several launches the one that multiplies.
Launch launch_of(const Catalog& catalog, std::string_view id, const Problem& problem,
                 const std::map<std::string, int64_t>& toggles = {}) {
  const Kernel* kernel = catalog.find(id);
  EXPECT_NE(kernel, nullptr) << id;
  if (kernel == nullptr) return {};
  const auto launches = launches_for(*kernel, problem, toggles);
  EXPECT_TRUE(launches) << launches.error().message;
  if (!launches) return {};
  for (const auto& active : *launches)
    if (active.title == "multiply") return active.launch;
  return launches->front().launch;
}

TEST(Ladder, HasNineteenStepsInOrder) {
  const Catalog catalog = ladder();
  for (const Error& error : catalog.errors) ADD_FAILURE() << error.message;
  std::vector<std::string> ids;
  for (const Kernel& kernel : catalog.kernels) ids.push_back(kernel.id);
  EXPECT_EQ(ids, (std::vector<std::string>{
                     "01_naive_rows", "02_naive_coalesced", "03_shared_tile", "04_thread_coarsening",
                     "05_vector_loads", "06_thread_tile", "07_register_tile", "08_transposed_tile",
                     "09_conflict_free", "10_register_double_buffer", "11_prefetch", "12_warp_tiling",
                     "13_async_copy", "14_tensor_tf32", "15_tensor_bf16", "16_serpentine", "17_split_k",
                     "18_tensor_copy_tf32", "19_tensor_copy_bf16"}));
  EXPECT_EQ(catalog.find("20_absent"), nullptr);
}

// The description says which architecture a kernel needs and which grade it has. piece_tile.cuh and
// tile_stream.cuh include async_copy.cuh.
TEST(Ladder, ArchitecturesAndGrades) {
  for (const Kernel& kernel : ladder().kernels) {
    const bool copies_asynchronously = kernel.source.find("async_copy.cuh") != std::string::npos ||
                                       kernel.source.find("piece_tile.cuh") != std::string::npos ||
                                       kernel.source.find("tile_stream.cuh") != std::string::npos;
    const bool copies_boxes = kernel.source.find("staged_boxes.cuh") != std::string::npos;
    EXPECT_EQ(kernel.architecture, copies_boxes ? 90 : copies_asynchronously ? 80 : 0) << kernel.id;
    EXPECT_EQ(declared_grade(kernel), kernel.id.ends_with("_tf32")   ? Grade::tf32
                                      : kernel.id.ends_with("_bf16") ? Grade::bf16
                                                                     : Grade::fp32)
        << kernel.id;
  }
}

TEST(Ladder, SizesAreRoundedUpToWhatMustDivideThem) {
  const Catalog catalog = ladder();
  const auto sizes = [&](const char* id) {
    const Problem p = *fitted(*catalog.find(id), {.m = 5, .n = 17, .k = 24}, {});
    return std::array{p.m, p.n, p.k};
  };
  EXPECT_EQ(sizes("12_warp_tiling"), (std::array<int64_t, 3>{5, 17, 24}));
  EXPECT_EQ(sizes("13_async_copy"), (std::array<int64_t, 3>{5, 20, 24}));
  EXPECT_EQ(sizes("15_tensor_bf16"), (std::array<int64_t, 3>{5, 24, 24}));
  EXPECT_FALSE(fitted(*catalog.find("13_async_copy"), {}, {{"STAGES", 77}}));
}

// Short lines can be read on a projector.
TEST(Ladder, LinesAreShort) {
  for (const Kernel& kernel : ladder().kernels) {
    std::istringstream lines(kernel.source);
    int number = 0;
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE((++number, line.size()), 72u) << kernel.id << ".cu:" << number;
    EXPECT_LE(number, 220) << kernel.id;
  }
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

// The blocks' tiles must cover C, without an extra row or column of blocks.
TEST(Ladder, GridsCoverC) {
  const Catalog catalog = ladder();
  for (const Kernel& kernel : catalog.kernels) {
    const bool rows_along_x = kernel.id == "01_naive_rows";
    for (const auto& [m, n, k] :
         {std::array<int64_t, 3>{1, 1, 1}, {17, 33, 5}, {128, 128, 8}, {129, 256, 7}, {4096, 4000, 1000}}) {
      const Problem problem = *fitted(kernel, {.m = m, .n = n, .k = k}, {});
      const Launch launch = launch_of(catalog, kernel.id, problem);
      const int64_t rows = launch.grid[rows_along_x ? 0 : 1], columns = launch.grid[rows_along_x ? 1 : 0];
      EXPECT_GE(rows * launch.tile.block_m, m) << kernel.id;
      EXPECT_LT((rows - 1) * launch.tile.block_m, m) << kernel.id;
      EXPECT_GE(columns * launch.tile.block_n, problem.n) << kernel.id;
      EXPECT_LT((columns - 1) * launch.tile.block_n, problem.n) << kernel.id;
    }
  }
}

void expect_tiles_fit(const Launch& launch) {
  const TileShape& tile = launch.tile;
  const int64_t threads = int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  EXPECT_EQ(tile.thread_m * tile.thread_n * threads, tile.block_m * tile.block_n);
  EXPECT_EQ(tile.thread_m * tile.thread_n * 32, tile.warp_m * tile.warp_n);
  EXPECT_EQ(tile.block_m % tile.warp_m, 0);
  EXPECT_EQ(tile.block_n % tile.warp_n, 0);
}

TEST(Ladder, TilesFitTogether) {
  const Catalog catalog = ladder();
  for (const Kernel& kernel : catalog.kernels) {
    expect_tiles_fit(launch_of(catalog, kernel.id, {}));
    for (const Toggle& toggle : kernel.toggles)
      for (const int64_t value : toggle.values) {
        SCOPED_TRACE(fmt::format("{} {}={}", kernel.id, toggle.name, value));
        expect_tiles_fit(launch_of(catalog, kernel.id, {}, {{toggle.name, value}}));
      }
  }
}

TEST(Ladder, Launches) {
  const Catalog catalog = ladder();
  const Launch naive = launch_of(catalog, "01_naive_rows", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(naive.grid, (Dimensions{128, 63, 1}));
  EXPECT_EQ(naive.block, (Dimensions{16, 16, 1}));
  EXPECT_EQ(naive.tile.warp_m, 16);
  const Launch coalesced = launch_of(catalog, "02_naive_coalesced", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(coalesced.grid, (Dimensions{63, 128, 1}));
  EXPECT_EQ(coalesced.tile.warp_m, 2);
  EXPECT_EQ(coalesced.tile.warp_n, 16);

  const Launch shared =
      launch_of(catalog, "07_register_tile", {.m = 2048, .n = 1000, .k = 1024}, {{"BLOCK_K", 32}});
  EXPECT_EQ(shared.grid, (Dimensions{8, 16, 1}));
  EXPECT_EQ(shared.block, (Dimensions{256, 1, 1}));
  EXPECT_EQ(shared.tile.block_k, 32);

  const Launch buffered = launch_of(catalog, "11_prefetch", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(buffered.grid, (Dimensions{8, 16, 1}));
  EXPECT_EQ(buffered.block, (Dimensions{256, 1, 1}));
  EXPECT_EQ(buffered.dynamic_shared_bytes, 0u);

  // Blocks compute 128 x 256, or 128 x 128 with half the warps. There are two stages of 8 x (128 + 256)
  // floats.
  const Launch warps = launch_of(catalog, "12_warp_tiling", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(warps.grid, (Dimensions{4, 16, 1}));
  EXPECT_EQ(warps.block, (Dimensions{256, 1, 1}));
  EXPECT_EQ(warps.dynamic_shared_bytes, 24576u);
  const Launch fewer =
      launch_of(catalog, "12_warp_tiling", {.m = 2048, .n = 1000, .k = 1024}, {{"WARPS_N", 2}});
  EXPECT_EQ(fewer.grid, (Dimensions{8, 16, 1}));
  EXPECT_EQ(fewer.block, (Dimensions{128, 1, 1}));
  EXPECT_EQ(fewer.dynamic_shared_bytes, 16384u);
  // Four stages of 16 x (132 + 256) floats.
  const Launch copies = launch_of(catalog, "13_async_copy", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(copies.grid, (Dimensions{4, 16, 1}));
  EXPECT_EQ(copies.dynamic_shared_bytes, 99328u);

  // Two stages of 32 x (256 + 136) floats, with A's tile swizzled and B's padded. Without either there is no
  // padding; if both are padded, A's 256 rows have 4 floats more.
  const Launch tensor = launch_of(catalog, "14_tensor_tf32", {.m = 2048, .n = 1000, .k = 1024});
  EXPECT_EQ(tensor.grid, (Dimensions{8, 8, 1}));
  EXPECT_EQ(tensor.dynamic_shared_bytes, 100352u);
  for (const auto& [layout, bytes] : {std::pair(0, 98304u), std::pair(1, 108544u), std::pair(2, 100352u)})
    EXPECT_EQ(launch_of(catalog, "14_tensor_tf32", {}, {{"LAYOUT", layout}}).dynamic_shared_bytes, bytes);
  // Two stages of 64 x (256 + 128) bfloat16, swizzled; padded, the 256 + 64 rows have 8 more.
  for (const auto& [layout, bytes] : {std::pair(0, 98304u), std::pair(1, 108544u), std::pair(2, 98304u)})
    EXPECT_EQ(launch_of(catalog, "15_tensor_bf16", {}, {{"LAYOUT", layout}}).dynamic_shared_bytes, bytes);
}

TEST(Ladder, AGridThatIsTooTallIsRefused) {
  const Catalog catalog = ladder();
  const auto launch = launch_for(*catalog.find("01_naive_rows"), {.m = 1, .n = 2147483647, .k = 1}, {});
  ASSERT_FALSE(launch);
  EXPECT_NE(launch.error().message.find("grid.y"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::catalog
