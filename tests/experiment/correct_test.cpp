// Every kernel of the ladder computes alpha*A*B + beta*C, on both architectures of the pack, at every edge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiment/verify.h"
#include "ladder_run.h"

namespace gemmscope::experiment {
namespace {

struct Size {
  int64_t m, n, k;
};
constexpr Size kSizes[] = {{1, 1, 1}, {17, 33, 5}, {64, 64, 64}, {130, 66, 34}, {256, 256, 256}};
constexpr isa::Arch kArchs[] = {isa::Arch::sm_86, isa::Arch::sm_90};

std::vector<std::string> kernel_ids() {
  std::vector<std::string> ids;
  for (const catalog::Kernel& kernel : ladder().kernels) ids.push_back(kernel.id);
  return ids;
}

class CorrectTest : public testing::TestWithParam<std::tuple<std::string, isa::Arch, Size, float>> {
 protected:
  Experiment experiment() const {
    const auto& [kernel, arch, size, beta] = GetParam();
    return experiment_on(kernel, arch, {size.m, size.n, size.k, 1.25f, beta});
  }
};

std::string test_name(const testing::TestParamInfo<CorrectTest::ParamType>& test) {
  const auto& [kernel, arch, size, beta] = test.param;
  return fmt::format("k{}_{}_{}x{}x{}_beta{}", kernel, isa::arch_name(arch), size.m, size.n, size.k,
                     beta == 0 ? "0" : "half");
}
INSTANTIATE_TEST_SUITE_P(Ladder, CorrectTest,
                         testing::Combine(testing::ValuesIn(kernel_ids()), testing::ValuesIn(kArchs),
                                          testing::ValuesIn(kSizes), testing::Values(0.5f, 0.0f)),
                         test_name);

// With beta 0, C starts as NaN: an element that is not written, and one that reads the old C, stays NaN.
TEST_P(CorrectTest, EqualsFloat64AndRepeatsExactly) {
  const Experiment e = experiment();
  const std::shared_ptr<const CompiledKernel> compiled = compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  GridOnData one = run_on_data(*compiled, e.problem, 1);
  const std::span<const float> c = one.floats("C");
  ASSERT_EQ(c.size(), static_cast<size_t>(e.problem.m * e.problem.n));
  EXPECT_EQ(std::count_if(c.begin(), c.end(), [](float x) { return std::isnan(x); }), 0);
  const Verification verification = verify_gemm(e.problem, c);
  EXPECT_EQ(verification.wrong_elements, 0u);
  EXPECT_LE(verification.largest_ratio, 1.0);

  GridOnData again = run_on_data(*compiled, e.problem, 1), two = run_on_data(*compiled, e.problem, 2);
  EXPECT_TRUE(same_bits(c, again.floats("C"))) << "a second run gives other bits";
  EXPECT_TRUE(same_bits(c, two.floats("C"))) << "two threads give other bits than one";
  EXPECT_EQ(one.counts.warps, two.counts.warps);
  EXPECT_EQ(one.counts.threads, two.counts.threads);
}

TEST_P(CorrectTest, LeavesAAndBAlone) {
  const Experiment e = experiment();
  const std::shared_ptr<const CompiledKernel> compiled = compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  GridOnData run = run_on_data(*compiled, e.problem, 1);
  ProblemData fresh = make_problem_data(e.problem);
  for (const char* name : {"A", "B"})
    EXPECT_TRUE(same_bits(run.floats(name), as_floats(fresh.memory.bytes(name)))) << name << " was changed";
}

// The machine takes an access for a fault unless one buffer holds all of it, so nothing can be written
// outside C; the gap between buffers keeps a stray address from landing in a neighbour.
TEST(Neighbours, NoAccessBesideABufferIsFound) {
  ProblemData data = make_problem_data({17, 33, 5, 1.0f, 0.0f});
  const std::vector<machine::GlobalMemory::Buffer>& buffers = data.memory.buffers();
  ASSERT_EQ(buffers.size(), 3u);
  for (const auto& buffer : buffers) {
    EXPECT_EQ(buffer.address % 512, 0u) << buffer.name;
    EXPECT_EQ(data.memory.find(buffer.address, buffer.bytes.size()), &buffer);
    for (size_t bytes : {1u, 2u, 4u, 8u, 16u}) {
      EXPECT_EQ(data.memory.find(buffer.address, bytes), &buffer);
      EXPECT_EQ(data.memory.find(buffer.end() - bytes, bytes), &buffer);
      EXPECT_EQ(data.memory.find(buffer.end() - bytes + 1, bytes), nullptr) << buffer.name;
      EXPECT_EQ(data.memory.find(buffer.end(), bytes), nullptr) << buffer.name;
      EXPECT_EQ(data.memory.find(buffer.address - 1, bytes), nullptr) << buffer.name;
    }
    EXPECT_EQ(data.memory.find(buffer.address, buffer.bytes.size() + 1), nullptr);
    EXPECT_EQ(data.memory.find(buffer.address, SIZE_MAX), nullptr);
  }
  for (size_t i = 1; i < buffers.size(); ++i)
    EXPECT_GE(buffers[i].address - buffers[i - 1].end(), 64u * 1024);
}

// Toggles change the machine code, never the result's correctness. They need NVRTC: the pack holds the
// defaults.
TEST(Toggles, EveryValueIsCorrect) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  for (const catalog::Kernel& kernel : ladder().kernels)
    for (const catalog::Toggle& toggle : kernel.toggles)
      for (const int64_t value : toggle.values)
        for (const isa::Arch arch : kArchs) {
          SCOPED_TRACE(fmt::format("{} {}={} {}", kernel.id, toggle.name, value, isa::arch_name(arch)));
          Experiment e = experiment_on(kernel.id, arch, {130, 66, 34, 1.25f, 0.5f});
          e.toggles[toggle.name] = value;
          const std::shared_ptr<const CompiledKernel> compiled = compile_ladder(e);
          ASSERT_NE(compiled, nullptr);
          GridOnData run = run_on_data(*compiled, e.problem, 1);
          EXPECT_EQ(verify_gemm(e.problem, run.floats("C")).wrong_elements, 0u);
        }
}

}  // namespace
}  // namespace gemmscope::experiment
