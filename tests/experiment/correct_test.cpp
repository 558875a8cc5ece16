// Every kernel of the ladder computes alpha*A*B + beta*C, on both architectures of the pack, with every kind
// of ragged edge.
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
std::string name_of(const Size& size) { return fmt::format("{}x{}x{}", size.m, size.n, size.k); }
void PrintTo(const Size& size, std::ostream* out) { *out << name_of(size); }
// The sizes: one element; odd and smaller than any tile; ragged in all directions, with several blocks; whole
// tiles, and more of them along k than any kernel keeps at once.
constexpr Size kSizes[] = {{1, 1, 1}, {17, 33, 5}, {130, 66, 34}, {256, 256, 256}};
constexpr isa::Arch kArchs[] = {isa::Arch::sm_86, isa::Arch::sm_90};

class CorrectTest : public testing::TestWithParam<std::tuple<std::string, isa::Arch, Size>> {};

std::string test_name(const testing::TestParamInfo<CorrectTest::ParamType>& test) {
  const auto& [kernel, arch, size] = test.param;
  return fmt::format("k{}_{}_{}", kernel, isa::arch_name(arch), name_of(size));
}
INSTANTIATE_TEST_SUITE_P(Ladder, CorrectTest,
                         testing::Combine(testing::ValuesIn(ladder_ids()), testing::ValuesIn(kArchs),
                                          testing::ValuesIn(kSizes)),
                         test_name);

void expect_right(const Experiment& e, GridOnData& run, const CompiledKernel& compiled) {
  auto fresh = make_problem_data(compiled.kernel, e.problem, e.toggles);
  ASSERT_TRUE(fresh.has_value()) << fresh.error().message;
  const Verification verification = verify_data(e.problem, *fresh, run.data.memory.bytes("C"));
  ASSERT_TRUE(verification.checked()) << verification.unchecked;
  EXPECT_EQ(verification.wrong_elements, 0u);
  EXPECT_LE(verification.largest_ratio, 1.0);
  for (const char* name : {"A", "B"}) {
    const auto before = fresh->memory.bytes(name), after = run.data.memory.bytes(name);
    EXPECT_TRUE(std::ranges::equal(before, after)) << name << " was changed";
  }
}

// With beta 0, C starts as NaN. An element that is not written, or that reads the old C, stays NaN.
TEST_P(CorrectTest, EqualsFloat64AndRepeatsExactly) {
  const auto& [kernel, arch, size] = GetParam();
  for (const float beta : {0.5f, 0.0f}) {
    const catalog::Kernel& described = *ladder().find(kernel);
    const auto problem =
        fitted_for(described, arch_for(described, arch), {size.m, size.n, size.k, 1.25f, beta});
    ASSERT_TRUE(problem.has_value()) << "the ladder's defaults run on both, but for those that need sm_90";
    const Experiment e = experiment_on(kernel, arch, *problem);
    const std::shared_ptr<const CompiledKernel> compiled = compile_ladder(e);
    ASSERT_NE(compiled, nullptr);
    GridOnData one = run_on_data(*compiled, e.problem, 1);
    const std::span<const float> c = one.floats("C");
    ASSERT_EQ(c.size(), static_cast<size_t>(e.problem.m * e.problem.n));
    EXPECT_EQ(std::count_if(c.begin(), c.end(), [](float x) { return std::isnan(x); }), 0);
    expect_right(e, one, *compiled);

    GridOnData two = run_on_data(*compiled, e.problem, 2);
    EXPECT_TRUE(same_bits(c, two.floats("C"))) << "two threads give other bits than one";
    EXPECT_EQ(one.counts.warps, two.counts.warps);
    EXPECT_EQ(one.counts.threads, two.counts.threads);
  }
}

// An access faults unless it lies wholly in one buffer, so no kernel can write outside C. The gap between
// buffers keeps a stray address from landing in a neighbour.
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

// Toggles change the machine code, but the result stays correct. They need NVRTC, because the pack holds only
// the defaults. K is long enough for every ring of stages to wrap around.
class ToggleTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, ToggleTest, testing::ValuesIn(ladder_ids()),
                         [](const auto& test) { return "k" + test.param; });

TEST_P(ToggleTest, EveryValueIsCorrect) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const catalog::Kernel& kernel = *ladder().find(GetParam());
  for (const catalog::Toggle& toggle : kernel.toggles)
    for (const int64_t value : toggle.values) {
      bool ran = false;
      for (const isa::Arch arch : kArchs) {
        SCOPED_TRACE(fmt::format("{} {}={} {}", kernel.id, toggle.name, value, isa::arch_name(arch)));
        Experiment e = experiment_on(kernel.id, arch, {});
        e.toggles[toggle.name] = value;
        const auto problem = fitted_for(kernel, arch, {130, 66, 290, 1.25f, 0.5f}, e.toggles);
        if (!problem) continue;  // too much shared memory for the smaller one
        e.problem = *problem;
        const std::shared_ptr<const CompiledKernel> compiled = compile_ladder(e);
        ASSERT_NE(compiled, nullptr);
        GridOnData run = run_on_data(*compiled, e.problem, 1, e.toggles);
        expect_right(e, run, *compiled);
        ran = true;
      }
      EXPECT_TRUE(ran) << toggle.name << "=" << value << " runs nowhere";
    }
}

}  // namespace
}  // namespace gemmscope::experiment
