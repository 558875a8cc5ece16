// Finds reads of shared and global memory that nobody has written. A kernel that just avoids the mistake
// stands beside each.
#include "finding_case.h"

namespace gemmscope::machine {
namespace {

class UninitialisedMemory : public FindingCase {};
INSTANTIATE_TEST_SUITE_P(Archs, UninitialisedMemory, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

// `condition` leaves a word of the tile unwritten; `index` decides whether it is read.
std::string tile_kernel(const std::string& condition, const std::string& index) {
  return R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  const unsigned t = threadIdx.x;
  if ()" +
         condition +
         R"() tile[t] = in[t];
  __syncthreads();
  out[t] = tile[)" +
         index + R"(];
})";
}

TEST_P(UninitialisedMemory, SharedWordThatNobodyWrote) {
  NEED_NVRTC();
  expect_one(tile_kernel("t != 37", "127 - t"), launch_of(128), FindingKind::uninitialised_shared,
             {"test.cu:7: ", "LDS", " at 0x", "reads the shared address",
              "to which no thread of the block has written", "block (0, 0, 0), warp 2, lane 26"});
  EXPECT_EQ(findings[0].address % 1024, 37u * 4);
  EXPECT_EQ(findings[0].warp, 2);
  EXPECT_EQ(findings[0].lane, 26);
}
TEST_P(UninitialisedMemory, SharedWordThatNobodyReads) {
  NEED_NVRTC();
  expect_none(tile_kernel("t != 37", "t == 37 ? 36 : t"), launch_of(128));
}

// The word is written only after it was read.
std::string late_kernel(const std::string& first, const std::string& second) {
  return R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  const unsigned t = threadIdx.x;
  unsigned x = 0;
  )" + first +
         R"(
  __syncthreads();
  )" + second +
         R"(
  out[t] = x;
})";
}
TEST_P(UninitialisedMemory, SharedReadBeforeItIsWritten) {
  NEED_NVRTC();
  const std::string read = "x = *(volatile unsigned*)&tile[t];", write = "*(volatile unsigned*)&tile[t] = 5;";
  expect_one(late_kernel(read, write), launch_of(128), FindingKind::uninitialised_shared,
             {"test.cu:6: ", "LDS", "warp 0, lane 0", "4 times"});
  expect_none(late_kernel(write, read), launch_of(128));
}

TEST_P(UninitialisedMemory, SharedBytes) {
  NEED_NVRTC();
  const auto source = [](int written) {
    return fmt::format(R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {{
  __shared__ unsigned char bytes[256];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < {}; i += 64) bytes[i] = in[i];
  __syncthreads();
  out[t] = ((const unsigned*)bytes)[t];
}})",
                       written);
  };
  expect_one(source(255), launch_of(64), FindingKind::uninitialised_shared,
             {"test.cu:7: ", "LDS", "warp 1, lane 31"});
  EXPECT_EQ(findings[0].address % 1024, 255u);
  expect_none(source(256), launch_of(64));
}

TEST_P(UninitialisedMemory, SharedAtomicOnGarbage) {
  NEED_NVRTC();
  const std::string source = R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ unsigned sum;
  INIT
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = sum;
})";
  const auto with = [&](const std::string& init) {
    std::string text = source;
    return text.replace(text.find("INIT"), 4, init);
  };
  const auto compiled = compile_source(with("sum = 0;"), GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch probe = launch_of(64);
  if (probe.run(*compiled).find("no meaning") != std::string::npos)
    GTEST_SKIP() << "the machine has no atomics on shared memory yet";
  expect_one(with(""), launch_of(64), FindingKind::uninitialised_shared, {"test.cu:6: ", "ATOMS"});
  expect_none(with("if (threadIdx.x == 0) sum = 0;"), launch_of(64));
}

// A common mistake: C is read although beta is 0.
std::string scale_kernel(const std::string& value) {
  return R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out, float* c, float beta) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  c[t] = )" +
         value +
         R"(;
  __syncthreads();
  out[t] = c[t] > 0;
})";
}
TEST_P(UninitialisedMemory, GlobalReadBeforeItIsWritten) {
  NEED_NVRTC();
  const auto launch = [&](bool garbage) {
    Launch l = launch_of(128);
    l.grid = {2, 1, 1};
    const std::vector<float> c(256, 1.0f);
    garbage ? l.uninitialised("c", c) : l.buffer("c", c);
    l.scalar(0.0f);
    return l;
  };
  const std::string always = scale_kernel("2.0f + beta * c[t]"),
                    guarded = scale_kernel("beta != 0 ? 2.0f + beta * c[t] : 2.0f");
  const auto compiled = compile_source(always, GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch wrong = launch(true);
  ASSERT_EQ(wrong.run(*compiled), "");
  ASSERT_EQ(wrong.findings.size(), 1u);
  EXPECT_EQ(wrong.findings[0].kind, FindingKind::uninitialised_global);
  EXPECT_EQ(wrong.findings[0].times, 8u) << "four warps in each of two blocks";
  const std::string& text = wrong.finding_texts[0];
  for (const char* part : {"test.cu:4: ", "LDG.E", "reads 4 bytes at the global address", "0 bytes into c",
                           "block (0, 0, 0), warp 0, lane 0; 8 times"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  expect_none(always, launch(false));
  expect_none(guarded, launch(true));
}

}  // namespace
}  // namespace gemmscope::machine
