// Sound code has no findings: whatever compilers wrote is scheduled rightly. A finding here means that the
// table of registers or of latencies is wrong.
#include "../isa/print_arch.h"
#include "code.h"
#include "machine_code.h"

namespace gemmscope::lint {
namespace {

TEST(Sound, ThePackHasNoFindings) {
  const std::vector<NamedCubin> pack = read_pack();
  ASSERT_FALSE(pack.empty());
  size_t dependences = 0;
  for (const NamedCubin& entry : pack) {
    EXPECT_EQ(findings_of(entry.cubin), "") << entry.name;
    for (const LintedKernel& kernel : lint_cubin(entry.cubin)) {
      EXPECT_GT(kernel.result.dependences, kernel.result.instructions / 2) << kernel.name;
      dependences += kernel.result.dependences;
    }
  }
  EXPECT_GT(dependences, 200'000u);
}

class SoundCode : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(All, SoundCode, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

compile::CompileRequest request_for(const catalog::Kernel& kernel, isa::Arch arch) {
  compile::CompileRequest request;
  request.source = kernel.source;
  request.source_path = kernel.path;
  request.include_folders = {std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels" / "include"};
  request.arch = arch;
  for (const catalog::Toggle& toggle : kernel.toggles)
    request.macros[toggle.name] = std::to_string(toggle.default_value);
  for (const catalog::Input& input : kernel.inputs)
    request.macros[input.name] = *catalog::checked_input(input, input.default_value);
  return request;
}

TEST_P(SoundCode, TheCatalogueHasNoFindings) {
  if (const auto nvrtc = compile::nvrtc_version(); !nvrtc) GTEST_SKIP() << nvrtc.error().message;
  for (const catalog::Kernel& kernel :
       catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels").kernels) {
    if (isa::sm_number(GetParam()) < kernel.architecture) continue;
    const compile::CompileResult compiled = compile::compile_cubin(request_for(kernel, GetParam()));
    ASSERT_TRUE(compiled.has_value()) << kernel.id << ": " << compiled.error().message;
    const Result<cubin::Cubin> cubin = cubin::read_cubin(compiled->bytes, kernel.id);
    ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
    EXPECT_EQ(findings_of(*cubin), "") << kernel.id;
  }
}

}  // namespace
}  // namespace gemmscope::lint
