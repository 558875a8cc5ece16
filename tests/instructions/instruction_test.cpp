// The machine gives the bits that an H200 gave, for each instruction, on every architecture that has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compile/compiler.h"
#include "instruction_run.h"

namespace gemmscope::instructions {
// Google Test prints a case with this.
void PrintTo(const InstructionCase& c, std::ostream* out) { *out << c.id; }

namespace {

const std::filesystem::path kFolder = GEMMSCOPE_SOURCE_DIR "/tests/instructions";

std::vector<InstructionCase> all_cases() {
  const Result<std::vector<InstructionCase>> cases = read_cases(kFolder);
  return cases ? *cases : std::vector<InstructionCase>{};
}

TEST(InstructionCases, AllAreUnderstood) {
  const Result<std::vector<InstructionCase>> cases = read_cases(kFolder);
  ASSERT_TRUE(cases.has_value()) << cases.error().message;
  EXPECT_FALSE(cases->empty());
}

// Without this test, nothing would fail if a case were renamed or lost and left its recording behind.
TEST(InstructionCases, EveryRecordingHasACase) {
  std::set<std::filesystem::path> files;
  for (const InstructionCase& c : all_cases()) files.insert(expected_file(kFolder, c.id));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder / "expected"))
    if (entry.is_regular_file()) {
      EXPECT_TRUE(files.contains(entry.path())) << entry.path();
    }
}

class Instruction : public testing::TestWithParam<InstructionCase> {};

TEST_P(Instruction, GivesTheBitsOfTheGpu) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const InstructionCase& c = GetParam();
  const Result<Expected> expected = read_expected(expected_file(kFolder, c.id));
  EXPECT_TRUE(expected.has_value()) << expected.error().message;
  for (const isa::Arch arch : c.archs) {
    SCOPED_TRACE(isa::arch_name(arch));
    const Result<CompiledCase> compiled = compile_case(c, arch);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    for (const std::string& opcode : c.uses) {
      const bool used = arch != isa::Arch::sm_90 || compiled->text.find(opcode) != std::string::npos;
      EXPECT_TRUE(used) << opcode << " does not occur in the code:\n" << compiled->text;
    }
    const Result<std::vector<uint32_t>> out = run_on_machine(c, *compiled);
    ASSERT_TRUE(out.has_value()) << out.error().message;
    const std::string difference = expected ? compare_words(*out, expected->words) : "";
    EXPECT_EQ(difference, "");
  }
}

std::string test_name(const testing::TestParamInfo<InstructionCase>& info) {
  std::string name = info.param.id;
  std::replace_if(
      name.begin(), name.end(), [](char ch) { return std::isalnum(ch) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Instruction, testing::ValuesIn(all_cases()), test_name);

}  // namespace
}  // namespace gemmscope::instructions
