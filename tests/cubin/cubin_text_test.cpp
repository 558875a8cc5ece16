// A cubin as the text of a kernel's file: declarations from names and sizes, and the bytes back again.
#include "cubin/cubin_text.h"

#include "small_cubin.h"

namespace gemmscope::cubin {
namespace {

KernelCode kernel_of(const std::string& name, const std::vector<uint32_t>& sizes) {
  KernelCode kernel;
  kernel.name = name;
  for (const uint32_t size : sizes) kernel.parameters.push_back({0, 0, size});
  return kernel;
}

TEST(CubinText, ANameOfCppGivesTheTypes) {
  EXPECT_EQ(declaration_of(kernel_of("_Z5sgemmiiiPKfS0_Pf", {4, 4, 4, 8, 8, 8})),
            "extern \"C\" __global__ void _Z5sgemmiiiPKfS0_Pf(int M, int N, int K, const float* A, "
            "const float* B, float* C) {}\n");
}

TEST(CubinText, ATemplatesArgumentsAreNoParameters) {
  // void tile<128, 8>(float, float*)
  EXPECT_EQ(declaration_of(kernel_of("_Z4tileILi128ELi8EEvfPf", {4, 8})),
            "extern \"C\" __global__ void _Z4tileILi128ELi8EEvfPf(float p0, float* p1) {}\n");
}

TEST(CubinText, SizesSayWhatAPlainNameDoesNot) {
  EXPECT_EQ(
      declaration_of(kernel_of("gemm", {8, 8, 8, 4, 4, 4, 4, 4})),
      "extern \"C\" __global__ void gemm(const float* A, const float* B, float* C, float alpha, float beta, "
      "int M, int N, int K) {}\n");
  EXPECT_EQ(declaration_of(kernel_of("other", {8, 4})),
            "extern \"C\" __global__ void other(float* p0, int p1) {}\n");
}

TEST(CubinText, LaunchBoundsAreDeclared) {
  KernelCode kernel = kernel_of("k", {8});
  kernel.max_threads = {16, 16, 1};
  EXPECT_EQ(declaration_of(kernel), "extern \"C\" __global__ void __launch_bounds__(256) k(float* p0) {}\n");
}

TEST(CubinText, TheBytesComeBackAndPeopleDoNotSeeThem) {
  const std::vector<std::byte> bytes = small_cubin_bytes("sm_90");
  const Result<std::string> text = cubin_text(bytes, "small.cubin");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_TRUE(is_cubin_text(*text));
  const auto back = bytes_of_cubin_text(*text, "small.cubin");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, bytes);
  EXPECT_LT(shown_text(*text).size(), 4000u);
  EXPECT_NE(shown_text(*text).find("__global__"), std::string_view::npos);
  EXPECT_EQ(shown_text("__global__ void k() {}"), "__global__ void k() {}");
}

TEST(CubinText, DamagedBytesAreRefused) {
  const Result<std::string> text = cubin_text(small_cubin_bytes("sm_90"), "small.cubin");
  ASSERT_TRUE(text);
  std::string bad = *text;
  bad[bad.size() - 20] = '!';
  EXPECT_FALSE(bytes_of_cubin_text(bad, "bad"));
  EXPECT_FALSE(bytes_of_cubin_text(text->substr(0, text->size() - 2), "cut"));
  EXPECT_FALSE(bytes_of_cubin_text("// A cubin, machine code for sm_90", "none"));
  EXPECT_FALSE(cubin_text({}, "empty"));
}

}  // namespace
}  // namespace gemmscope::cubin
