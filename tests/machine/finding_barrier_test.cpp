// Finds barriers that not all threads of the block reach together. A correct kernel stands beside each wrong
// one.
#include "finding_case.h"

namespace gemmscope::machine {
namespace {

class BarrierDivergence : public FindingCase {};
INSTANTIATE_TEST_SUITE_P(Archs, BarrierDivergence, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

std::string kernel_with(const std::string& body) {
  return "\nextern \"C\" __global__ void kernel(unsigned* in, unsigned* out) {\n"
         "  const unsigned t = threadIdx.x;\n"
         "  unsigned x = t;\n" +
         body + "  out[t] = x;\n}\n";
}

// Both branches have a barrier, and different warps wait at each.
TEST_P(BarrierDivergence, TwoLines) {
  NEED_NVRTC();
  const auto source = [](const std::string& condition) {
    return kernel_with("  if (" + condition +
                       ") {\n"
                       "    x = in[t + 1];\n"
                       "    __syncthreads();\n"
                       "    x += in[255 - t];\n"
                       "  } else {\n"
                       "    __syncthreads();\n"
                       "    x = in[t] * 3;\n"
                       "  }\n");
  };
  expect_one(source("t < 64"), launch_of(128), FindingKind::barrier_divergence,
             {"test.cu:", "BAR.SYNC", "two different __syncthreads()", "the other is test.cu:", "of warp "});
  expect_none(source("blockIdx.x == 0"), launch_of(128));
}

// Half of each warp reaches the barrier.
TEST_P(BarrierDivergence, SomeLanesOfAWarp) {
  NEED_NVRTC();
  const auto source = [](const std::string& condition) {
    return kernel_with("  if (" + condition +
                       ") {\n"
                       "    __syncthreads();\n"
                       "    x = in[63 - t];\n"
                       "  }\n"
                       "  __syncwarp();\n");
  };
  run(source("t % 2 == 0"), launch_of(64));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::barrier_divergence);
  EXPECT_NE(texts[0].find("only lanes 0x55555555 of the warp reach this barrier"), std::string::npos)
      << texts[0];
  expect_none(source("blockIdx.x == 0"), launch_of(64));
}

TEST_P(BarrierDivergence, ThreadsThatExitedEarlier) {
  NEED_NVRTC();
  expect_none(kernel_with("  if (t >= 72) return;\n  __syncthreads();\n  x = in[t];\n  __syncthreads();\n"),
              launch_of(128));
}

// An unrolled loop contains many copies of one barrier.
TEST_P(BarrierDivergence, CopiesOfOneBarrier) {
  NEED_NVRTC();
  expect_none(kernel_with("  __shared__ unsigned s[128];\n"
                          "#pragma unroll\n"
                          "  for (int k = 0; k < 4; ++k) {\n"
                          "    s[t] = x;\n"
                          "    __syncthreads();\n"
                          "    x += s[127 - t];\n"
                          "    __syncthreads();\n"
                          "  }\n"),
              launch_of(128));
}

// Specialised warps use their own barriers, at different lines; this is no mistake.
TEST_P(BarrierDivergence, SpecialisedWarps) {
  NEED_NVRTC();
  expect_none(kernel_with("  if (t < 64) {\n"
                          "    asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n"
                          "    asm volatile(\"bar.sync 3, 128;\" ::: \"memory\");\n"
                          "  } else {\n"
                          "    asm volatile(\"bar.sync 2, 64;\" ::: \"memory\");\n"
                          "    asm volatile(\"bar.sync 3, 128;\" ::: \"memory\");\n"
                          "  }\n"
                          "  __syncthreads();\n"),
              launch_of(128));
}

}  // namespace
}  // namespace gemmscope::machine
