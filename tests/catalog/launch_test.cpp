#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

using Dimensions = std::array<uint32_t, 3>;

Kernel complete_kernel() {
  return *read_kernel(std::filesystem::path(GEMMSCOPE_TEST_DATA) / "catalog/complete.cu");
}

// A kernel that accepts any size and runs one thread per block.
Kernel plain_kernel() {
  Kernel kernel;
  kernel.id = "plain";
  kernel.block_expressions = kernel.grid_expressions = {"1", "1", "1"};
  kernel.shared_expression = "0";
  return kernel;
}

std::string error_of(const Kernel& kernel, const Problem& problem,
                     const std::map<std::string, int64_t>& toggles = {}) {
  const auto launch = launch_for(kernel, problem, toggles);
  EXPECT_FALSE(launch);
  return launch ? "" : launch.error().message;
}

TEST(Launch, FollowsSizesAndToggles) {
  const auto launch = launch_for(complete_kernel(), {.m = 129, .n = 256, .k = 16}, {});
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_EQ(launch->grid, (Dimensions{2, 2, 1}));
  EXPECT_EQ(launch->block, (Dimensions{32, 4, 1}));
  EXPECT_EQ(launch->dynamic_shared_bytes, 4096u);
  EXPECT_EQ(launch->tile.block_m, 128);
  EXPECT_EQ(launch->tile.warp_m, 0);
  EXPECT_EQ(launch->tile.thread_m, 8);

  const auto chosen = launch_for(complete_kernel(), {.m = 129, .n = 256, .k = 16},
                                 {{"TILE_M", 64}, {"WIDE", 2}, {"PAD", -4}});
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(chosen->grid, (Dimensions{2, 3, 1}));
  EXPECT_EQ(chosen->block, (Dimensions{32, 8, 1}));
  EXPECT_EQ(chosen->dynamic_shared_bytes, 1024u);
  EXPECT_EQ(chosen->tile.block_m, 64);
}

TEST(Launch, Divisibility) {
  EXPECT_EQ(error_of(complete_kernel(), {.m = 1, .n = 6, .k = 8}),
            "Kernel complete needs N to be a multiple of 4, but it is 6.");
  EXPECT_EQ(error_of(complete_kernel(), {.m = 1, .n = 4, .k = 9}),
            "Kernel complete needs K to be a multiple of 8, but it is 9.");
  EXPECT_TRUE(launch_for(complete_kernel(), {.m = 1, .n = 4, .k = 8}, {}));
  EXPECT_EQ(error_of(complete_kernel(), {.m = 1, .n = 4, .k = 8}, {{"WIDE", 2}}),
            "Kernel complete needs N to be a multiple of 8, but it is 4.");
  Kernel kernel = plain_kernel();
  kernel.divisibility["M"] = "0";
  EXPECT_NE(error_of(kernel, {}).find("must lie between 1 and"), std::string::npos);
}

TEST(Launch, Toggles) {
  const Problem problem = {.m = 8, .n = 8, .k = 8};
  EXPECT_EQ(error_of(complete_kernel(), problem, {{"TILE_N", 64}}),
            "Kernel complete has no toggle TILE_N; it has TILE_M, WIDE, PAD.");
  EXPECT_EQ(error_of(complete_kernel(), problem, {{"M", 64}}),
            "Kernel complete has no toggle M; it has TILE_M, WIDE, PAD.");
  EXPECT_EQ(error_of(complete_kernel(), problem, {{"TILE_M", 65}}),
            "Toggle TILE_M of kernel complete cannot be 65; choose one of 64, 128.");
}

TEST(Launch, SizesOutOfRangeAreRefused) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(error_of(plain_kernel(), {.m = 0}), "M is 0; a matrix needs at least one row and one column.");
  EXPECT_EQ(error_of(plain_kernel(), {.alpha = NAN}), "alpha is nan; it must be a finite number.");
  EXPECT_EQ(error_of(plain_kernel(), {.beta = -INFINITY}), "beta is -inf; it must be a finite number.");
  EXPECT_EQ(error_of(plain_kernel(), {.n = -1}), "N is -1; a matrix needs at least one row and one column.");
  EXPECT_EQ(error_of(plain_kernel(), {.k = std::numeric_limits<int64_t>::min()}).rfind("K is -9223", 0), 0u);
  EXPECT_TRUE(launch_for(plain_kernel(), {.m = 2147483647, .n = 1, .k = 1}, {}));
  EXPECT_TRUE(launch_for(plain_kernel(), {.m = 1, .n = 1, .k = 2147483647}, {}));
  EXPECT_EQ(error_of(plain_kernel(), {.m = 65536, .n = 1, .k = 32768}),
            "Matrix A (MxK = 65536x32768) has more than 2^31 - 1 elements; choose smaller sizes.");
  EXPECT_EQ(error_of(plain_kernel(), {.m = 1, .n = 65536, .k = 32768}).rfind("Matrix B", 0), 0u);
  EXPECT_EQ(error_of(plain_kernel(), {.m = 65536, .n = 32768, .k = 1}).rfind("Matrix C", 0), 0u);
  EXPECT_EQ(error_of(plain_kernel(), {.m = kHuge, .n = kHuge, .k = kHuge}).rfind("Matrix A", 0), 0u);
}

struct Limit {
  std::array<std::string, 3> Kernel::*expressions;
  size_t axis;
  const char* key;
  int64_t most;
};

TEST(Launch, CudasLimitsHold) {
  const Limit limits[] = {
      {&Kernel::grid_expressions, 0, "grid.x", 2147483647}, {&Kernel::grid_expressions, 1, "grid.y", 65535},
      {&Kernel::grid_expressions, 2, "grid.z", 65535},      {&Kernel::block_expressions, 0, "block.x", 1024},
      {&Kernel::block_expressions, 1, "block.y", 1024},     {&Kernel::block_expressions, 2, "block.z", 64}};
  for (const Limit& limit : limits) {
    for (const auto& [value, good] : {std::pair(limit.most, true), std::pair(limit.most + 1, false),
                                      std::pair(int64_t{1}, true), std::pair(int64_t{0}, false)}) {
      Kernel kernel = plain_kernel();
      (kernel.*limit.expressions)[limit.axis] = std::to_string(value);
      const auto launch = launch_for(kernel, {}, {});
      EXPECT_EQ(launch.has_value(), good) << limit.key << " = " << value;
      if (!launch) {
        EXPECT_NE(launch.error().message.find(std::string("key ") + limit.key), std::string::npos);
      }
    }
  }
}

TEST(Launch, BlocksOfAGrid) {
  Kernel kernel = plain_kernel();
  kernel.grid_expressions = {"2147483647", "512", "1"};
  EXPECT_TRUE(launch_for(kernel, {}, {}));
  kernel.grid_expressions = {"2147483647", "65535", "65535"};
  EXPECT_EQ(
      error_of(kernel, {}),
      "Kernel plain, key grid: 2147483647 x 65535 x 65535 are 9.2e+18 blocks, which no GPU would end in "
      "an hour; change the sizes or the file, so that it has at most 2^40.");
}

TEST(Launch, ThreadsOfABlock) {
  Kernel kernel = plain_kernel();
  kernel.block_expressions = {"32", "32", "1"};
  EXPECT_TRUE(launch_for(kernel, {}, {}));
  kernel.block_expressions = {"32", "32", "2"};
  EXPECT_EQ(error_of(kernel, {}),
            "Kernel plain, key block: 32x32x2 are 2048 threads, but a block has at most 1024.");
}

TEST(Launch, SharedMemoryAndTile) {
  Kernel kernel = plain_kernel();
  kernel.shared_expression = "227 * 1024";
  EXPECT_TRUE(launch_for(kernel, {}, {}));
  kernel.shared_expression = "227 * 1024 + 1";
  EXPECT_NE(error_of(kernel, {}).find("key shared"), std::string::npos);
  kernel.shared_expression = "-1";
  EXPECT_NE(error_of(kernel, {}).find("key shared"), std::string::npos);
  kernel.shared_expression = "0";
  kernel.tile_expressions["warp_m"] = "0 - 1";
  EXPECT_NE(error_of(kernel, {}).find("key tile.warp_m"), std::string::npos);
}

TEST(Launch, ArithmeticErrorsNameTheKey) {
  Kernel kernel = plain_kernel();
  kernel.grid_expressions[1] = "M / (N - 256)";
  EXPECT_EQ(error_of(kernel, {.m = 8, .n = 256, .k = 8}),
            "Kernel plain, key grid.y: division by zero in the expression \"M / (N - 256)\".");
}

}  // namespace
}  // namespace gemmscope::catalog
