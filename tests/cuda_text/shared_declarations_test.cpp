// Arrays in shared memory are found with the sizes that the toggles give them.
#include "cuda_text/shared_declarations.h"

#include <gtest/gtest.h>

namespace gemmscope::cuda_text {
namespace {

std::vector<SharedVariable> variables_of(const std::string& source, const IntegerNames& given = {},
                                         bool* complete = nullptr) {
  bool whole = false;
  std::vector<SharedVariable> found = shared_variables(outline_of(source), "gemm", given, whole);
  if (complete != nullptr) *complete = whole;
  return found;
}

TEST(IntegerExpression, FollowsC) {
  const IntegerNames names = {{"PITCH", 33}, {"LAYOUT", 1}};
  const std::pair<const char*, int64_t> cases[] = {
      {"PITCH", 33},          {"2 + 3 * 4", 14},         {"(2 + 3) * 4", 20},     {"LAYOUT == 1 ? 4 : 0", 4},
      {"1 << 4 | 3", 19},     {"6 & 3 ^ 1", 3},          {"0x20u", 32},           {"-7 / 2", -3},
      {"!0 + ~0", 0},         {"sizeof(float4) / 4", 4}, {"(int)PITCH - 1", 32},  {"1 || unknown", 1},
      {"2 > 1 && 3 >= 3", 1}, {"10 - 4 - 3", 3},         {"1 ? 2 : 0 ? 3 : 4", 2}};
  for (const auto& [text, value] : cases) EXPECT_EQ(integer_value(text, names), value) << text;
}

TEST(IntegerExpression, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", "unknown", "1 / 0", "1 +", "(1", "9223372036854775807 + 1", "1 << 63", "f(2)",
                           "2.5", "1 2", "0x"})
    EXPECT_FALSE(integer_value(text, {})) << text;
  EXPECT_FALSE(integer_value(std::string(100'000, '('), {}));
}

TEST(SharedDeclarations, AnArrayHasTheSizeOfItsToggle) {
  const std::string source = "__global__ void gemm() { __shared__ float tile[32][PITCH]; tile[0][0] = 1; }";
  for (const int64_t pitch : {32, 33, 36}) {
    const std::vector<SharedVariable> found = variables_of(source, {{"PITCH", pitch}});
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].arrays.size(), 1u);
    EXPECT_EQ(found[0].arrays[0].name, "tile");
    EXPECT_EQ(found[0].arrays[0].rows, 32);
    EXPECT_EQ(found[0].arrays[0].columns, pitch);
    EXPECT_EQ(found[0].bytes, static_cast<uint64_t>(32 * pitch * 4));
  }
}

TEST(SharedDeclarations, MembersOfAStructLieOneBehindTheOther) {
  const std::string source =
      "constexpr int kM = 128, kK = 16; constexpr int kPad = LAYOUT == 1 ? 4 : 0;\n"
      "struct Tiles { float a[kK][kM + kPad]; float b[kK][kM]; };\n"
      "__global__ void gemm() { __shared__ __align__(16) Tiles stages[2]; }";
  const std::vector<SharedVariable> found = variables_of(source, {{"LAYOUT", 1}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].alignment, 16u);
  ASSERT_EQ(found[0].arrays.size(), 4u);
  EXPECT_EQ(found[0].arrays[0].name, "stages[0].a");
  EXPECT_EQ(found[0].arrays[0].columns, 132);
  EXPECT_EQ(found[0].arrays[1].offset, 16u * 132 * 4);
  EXPECT_EQ(found[0].arrays[3].name, "stages[1].b");
  EXPECT_EQ(found[0].arrays[3].offset, 16u * (132 + 128) * 4 + 16u * 132 * 4);
}

TEST(SharedDeclarations, DynamicMemoryHoldsAsManyAsFit) {
  const std::string source =
      "struct Tiles { float a[8][128]; float b[8][64]; };\n"
      "__global__ void gemm() { extern __shared__ __align__(16) Tiles stages[]; }";
  const std::vector<SharedVariable> found = variables_of(source);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].external && found[0].unsized);
  const std::vector<DeclaredArray> arrays = arrays_in(found[0], 3 * 8 * 192 * 4 + 100);
  ASSERT_EQ(arrays.size(), 6u);
  EXPECT_EQ(arrays[5].name, "stages[2].b");
  EXPECT_EQ(arrays[5].offset, 2u * 8 * 192 * 4 + 8 * 128 * 4);
}

TEST(SharedDeclarations, SeveralNamesAndDimensions) {
  const std::vector<SharedVariable> found = variables_of(
      "using real = float; __global__ void gemm() {\n"
      "  __shared__ real a[4][8], b[2][4][8]; __shared__ unsigned char flat[64]; }");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].arrays.size(), 2u);
  EXPECT_EQ(found[1].arrays[1].name, "b[1]");
  EXPECT_EQ(found[1].arrays[1].offset, 128u);
  EXPECT_TRUE(found[2].arrays.empty());
  EXPECT_EQ(found[2].bytes, 64u);
}

TEST(SharedDeclarations, SaysWhenOneIsLeftOut) {
  bool complete = true;
  EXPECT_TRUE(variables_of("__global__ void gemm() { __shared__ float a[BM][BK]; }", {}, &complete).empty());
  EXPECT_FALSE(complete);
  EXPECT_TRUE(variables_of("__global__ void gemm() { __shared__ Unknown a; }", {}, &complete).empty());
  EXPECT_FALSE(complete);
  // Those of another kernel do not matter.
  EXPECT_TRUE(variables_of("__global__ void other() { __shared__ float a[2][2]; } __global__ void gemm() {}",
                           {}, &complete)
                  .empty());
  EXPECT_TRUE(complete);
}

}  // namespace
}  // namespace gemmscope::cuda_text
