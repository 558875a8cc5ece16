// Mistakes before a fault are reported with it, by the grid and by the trace. This holds for the fast checks,
// after which the failed block runs again, and for exact checks from the start.
#include <fmt/format.h>

#include "finding_case.h"

namespace gemmscope::machine {
namespace {

class FindingsBeforeAFault : public FindingCase {
 protected:
  // Expects one finding of the failed block, whose sentence has all the parts; `texts` holds the grid's
  // sentences.
  void expect_both(const std::string& source, Launch launch, FaultKind fault, FindingKind kind,
                   const std::vector<std::string>& parts) {
    const auto compiled = compile_source(source, GetParam());
    ASSERT_NE(compiled, nullptr);
    Launch traced = launch;
    EXPECT_NE(launch.run(*compiled), "");
    ASSERT_TRUE(launch.fault.has_value());
    EXPECT_EQ(launch.fault->kind, fault);
    ASSERT_EQ(launch.findings.size(), 1u) << fmt::format("{}", fmt::join(launch.finding_texts, "\n"));
    EXPECT_EQ(launch.findings[0].kind, kind);
    for (const std::string& part : parts)
      EXPECT_NE(launch.finding_texts[0].find(part), std::string::npos)
          << "\"" << part << "\" is not in: " << launch.finding_texts[0];
    const auto trace = traced.trace(*compiled);
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().kind, fault);
    ASSERT_EQ(trace.error().findings.size(), 1u);
    EXPECT_EQ(trace.error().findings[0].kind, kind);
    EXPECT_EQ(trace.error().findings[0].instruction, launch.findings[0].instruction);
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, FindingsBeforeAFault, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

// `between` makes the mistake; once all warps have executed it, `end` causes the fault.
std::string source_with(const std::string& between, const std::string& end) {
  return R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  __shared__ unsigned char bytes[128];
  const unsigned t = threadIdx.x;
  )" + between +
         R"(
  __syncthreads();
  )" + end +
         R"(
})";
}
const char* const kHole = "if (t != 37) tile[t] = in[t]; __syncthreads(); out[t] = tile[127 - t];";
const char* const kRace = "tile[t % 32] = in[t]; __syncthreads(); out[t] = tile[t % 32];";
const char* const kOutside = "out[t + 1000000] = 1;";

TEST_P(FindingsBeforeAFault, SharedWordThatNobodyWrote) {
  NEED_NVRTC();
  expect_both(source_with(kHole, kOutside), launch_of(128), FaultKind::out_of_bounds,
              FindingKind::uninitialised_shared,
              {"test.cu:6: ", "LDS", "to which no thread of the block has written",
               "block (0, 0, 0), warp 2, lane 26"});
}
// Stores of single bytes make the recorder use the exact checks from the start.
TEST_P(FindingsBeforeAFault, UnderTheExactChecks) {
  NEED_NVRTC();
  const std::string bytes = "bytes[t] = t; __syncthreads(); out[t + 128] = bytes[t ^ 1]; __syncthreads();";
  expect_both(source_with(bytes + kHole, kOutside), launch_of(128), FaultKind::out_of_bounds,
              FindingKind::uninitialised_shared, {"LDS"});
}
TEST_P(FindingsBeforeAFault, Race) {
  NEED_NVRTC();
  expect_both(source_with(kRace, kOutside), launch_of(128), FaultKind::out_of_bounds,
              FindingKind::shared_race,
              {"test.cu:6: ", "with no barrier between them; the other is test.cu:6: "});
}
TEST_P(FindingsBeforeAFault, Trap) {
  NEED_NVRTC();
  expect_both(source_with(kHole, "if (t == 64) __trap();"), launch_of(128), FaultKind::trap,
              FindingKind::uninitialised_shared, {"LDS"});
}
TEST_P(FindingsBeforeAFault, EndlessLoop) {
  NEED_NVRTC();
  Launch launch = launch_of(128);
  launch.limits.branch_budget = 5000;
  expect_both(source_with(kHole, "while (*(volatile unsigned*)&in[0] != 77) {}"), std::move(launch),
              FaultKind::budget_exhausted, FindingKind::uninitialised_shared, {"LDS"});
}
TEST_P(FindingsBeforeAFault, GlobalMemoryWithoutValues) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {128, 1, 1};
  launch.uninitialised("in", std::vector<uint32_t>(128)).buffer("out", std::vector<uint32_t>(128));
  expect_both(source_with("out[t] = in[t];", kOutside), std::move(launch), FaultKind::out_of_bounds,
              FindingKind::uninitialised_global, {"LDG", "which holds no values when the kernel starts"});
}
// The block with the mistake ran to its end before another block failed.
TEST_P(FindingsBeforeAFault, OfAnEarlierBlock) {
  NEED_NVRTC();
  Launch launch = launch_of(128);
  launch.grid = {3, 1, 1};
  const auto compiled = compile_source(source_with("if (blockIdx.x == 1) {" + std::string(kHole) + "}",
                                                   "if (blockIdx.x == 2) " + std::string(kOutside)),
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  EXPECT_NE(launch.run(*compiled), "");
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->block, (std::array<uint32_t, 3>{2, 0, 0}));
  ASSERT_EQ(launch.findings.size(), 1u);
  EXPECT_EQ(launch.findings[0].block, (std::array<uint32_t, 3>{1, 0, 0}));
}
// A fault alone is reported without any mistake.
TEST_P(FindingsBeforeAFault, NoneInAKernelWithoutMistakes) {
  NEED_NVRTC();
  Launch launch = launch_of(128);
  const auto compiled = compile_source(
      source_with("tile[t] = in[t]; __syncthreads(); out[t] = tile[127 - t];", kOutside), GetParam());
  ASSERT_NE(compiled, nullptr);
  EXPECT_NE(launch.run(*compiled), "");
  EXPECT_TRUE(launch.fault.has_value());
  EXPECT_TRUE(launch.findings.empty()) << launch.finding_texts.front();
}

}  // namespace
}  // namespace gemmscope::machine
