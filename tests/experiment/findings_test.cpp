// The checks find no mistake in the kernels of the catalogue, and find those made in them on purpose.
#include "ladder_run.h"

namespace gemmscope::experiment {
namespace {

std::string all_texts(const std::vector<machine::Finding>& findings, const CompiledKernel& compiled) {
  std::string text;
  for (const machine::Finding& finding : findings) text += finding_text(finding, compiled) + "\n";
  return text;
}

void expect_none(const Experiment& e) {
  SCOPED_TRACE(fmt::format("{} {} K {}", e.kernel, isa::arch_name(e.arch), e.problem.k));
  const std::shared_ptr<const CompiledKernel> compiled = compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  const Outcome<GridResult> grid = run_whole_grid(compiled, e, {});
  ASSERT_TRUE(grid.has_value()) << grid.error().message;
  EXPECT_TRUE((*grid)->findings.empty()) << all_texts((*grid)->findings, *compiled);
  const Outcome<BlockResult> block = run_block(compiled, e, nullptr);
  ASSERT_TRUE(block.has_value()) << block.error().message;
  EXPECT_TRUE((*block)->findings.empty()) << all_texts((*block)->findings, *compiled);
}

class FindingsOfTheLadder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, FindingsOfTheLadder, testing::ValuesIn(ladder_ids()),
                         [](const auto& test) { return "k" + test.param; });

// The sizes are ragged, with and without C as an input.
TEST_P(FindingsOfTheLadder, AreNone) {
  const catalog::Kernel& kernel = *ladder().find(GetParam());
  int runs = 0;
  for (const isa::Arch arch : {isa::Arch::sm_75, isa::Arch::sm_80, isa::Arch::sm_90})
    for (const catalog::Problem& wanted :
         {catalog::Problem{130, 66, 34, 1.25f, 0.0f}, catalog::Problem{37, 131, 51, 1.0f, 0.5f}}) {
      const auto problem = fitted_for(kernel, arch, wanted);
      if (!problem) continue;
      expect_none(experiment_on(kernel.id, arch, *problem));
      ++runs;
    }
  EXPECT_GE(runs, kernel.architecture == 90 ? 2 : 4);
}

// K is large enough for every ring of stages to wrap around.
TEST_P(FindingsOfTheLadder, AreNoneWithAnyValueOfAToggle) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const catalog::Kernel& kernel = *ladder().find(GetParam());
  for (const catalog::Toggle& toggle : kernel.toggles)
    for (const int64_t value : toggle.values)
      for (const isa::Arch arch : {isa::Arch::sm_75, isa::Arch::sm_90}) {
        if (isa::sm_number(arch) < kernel.architecture) continue;
        Experiment e = experiment_on(kernel.id, arch, {});
        e.toggles = {{toggle.name, value}};
        const auto problem = fitted_for(kernel, arch, {37, 131, 290, 1.0f, 0.5f}, e.toggles);
        ASSERT_TRUE(problem.has_value()) << toggle.name << "=" << value << " on " << isa::arch_name(arch);
        e.problem = *problem;
        expect_none(e);
      }
}

// Returns the kernel with every `from` replaced by `to`.
std::vector<machine::Finding> findings_of(const std::string& id, const std::string& from,
                                          const std::string& to, float beta, std::string& texts) {
  catalog::Kernel kernel = *ladder().find(id);
  size_t at = kernel.source.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  for (; at != std::string::npos; at = kernel.source.find(from, at + to.size()))
    kernel.source.replace(at, from.size(), to);
  const Experiment e = experiment_on(id, isa::Arch::sm_86, {130, 66, 34, 1.25f, beta});
  const Outcome<CompiledKernel> compiled = compile_kernel(kernel, e);
  EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
  if (!compiled) return {};
  const Outcome<GridResult> grid = run_whole_grid(*compiled, e, {});
  EXPECT_TRUE(grid.has_value()) << grid.error().message;
  if (!grid) return {};
  texts = all_texts((*grid)->findings, **compiled);
  return (*grid)->findings;
}

// Stores and loads are in a header, except those of A's fragments; the kernel's lines 117 and 123 call them.
TEST(FindingsOfABrokenKernel, NameTheMissingBarriers) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const std::string store = "register_tile.cuh:38 (called from 07_register_tile.cu:117): STS.128",
                    load_of_a = "07_register_tile.cu:110 (called from 07_register_tile.cu:123): LDS.128",
                    load_of_b = "register_tile.cuh:34 (called from 07_register_tile.cu:123): LDS.128";
  for (const char* barrier : {"__syncthreads();  // the tiles are complete",
                              "__syncthreads();  // nobody reads the tiles any more"}) {
    std::string texts;
    const auto findings = findings_of("07_register_tile", barrier, "", 0.0f, texts);
    ASSERT_FALSE(findings.empty()) << barrier;
    for (const std::string& access : {store, load_of_a, load_of_b})
      EXPECT_NE(("\n" + texts).find("\n" + access), std::string::npos) << access << " in\n" << texts;
    EXPECT_NE(texts.find("with no barrier between them; the other is " + store), std::string::npos) << texts;
  }
}

}  // namespace
}  // namespace gemmscope::experiment
