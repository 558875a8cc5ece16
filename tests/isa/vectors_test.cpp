// Compares the disassembly with golden text. data/isa/vectors_sm_NN.csv holds distinct instructions of
// compiled kernels with the text that `cuobjdump -sass` of CUDA 13.0 prints for them, up to six of each
// opcode and form. record_vectors.sh recorded own_vectors.csv from the kernels beside this file, and
// mutant_vectors.csv from their instructions with changed bits; mutant_differences.csv lists the changed ones
// that are not yet equal. README.md says when and where they were recorded.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "isa/disassemble.h"
#include "print_arch.h"
#include "vector_file.h"

namespace gemmscope::isa {
namespace {

// Runs of blanks become one; none stands before ',' or ';'.
std::string folded(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' && (result.empty() || result.back() == ' ')) continue;
    if ((c == ',' || c == ';') && !result.empty() && result.back() == ' ') result.pop_back();
    result += c;
  }
  return result;
}

class Vectors : public testing::TestWithParam<Arch> {};

void expect_same_texts(const std::string& name, int fewest_rows) {
  constexpr int kMostReports = 20;
  const std::string path = std::string(GEMMSCOPE_TEST_DATA) + "/isa/" + name;
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  std::string line;
  std::getline(file, line);
  ASSERT_TRUE(line.starts_with("arch,address,lo,hi,text")) << line;
  int rows = 0, different = 0;
  while (std::getline(file, line)) {
    const Vector vector = parse_row(line);
    const Instruction instruction = decode(vector.lo, vector.hi, vector.address, vector.arch);
    ++rows;
    if (folded(disassemble(instruction)) == folded(vector.text)) continue;
    if (++different <= kMostReports)
      ADD_FAILURE() << disassemble(instruction) << "  should be  " << vector.text << "  (row " << rows + 1
                    << ")";
  }
  EXPECT_GE(rows, fewest_rows);
  EXPECT_EQ(different, 0) << "of " << rows;
}

TEST_P(Vectors, TextEqualsCuobjdump) {
  expect_same_texts(std::string("vectors_") + arch_name(GetParam()) + ".csv", 3785);
}

TEST(RecordedVectors, OwnKernelsEqualCuobjdump) { expect_same_texts("own_vectors.csv", 68060); }

TEST(RecordedVectors, ChangedBitsEqualNvdisasm) { expect_same_texts("mutant_vectors.csv", 12000); }

// A row that has become equal must move to mutant_vectors.csv, so that the list of differences stays true.
TEST(RecordedVectors, KnownDifferencesDiffer) {
  std::ifstream file(std::string(GEMMSCOPE_TEST_DATA) + "/isa/mutant_differences.csv");
  ASSERT_TRUE(file);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const Vector vector = parse_row(line);
    const std::string text = disassemble(decode(vector.lo, vector.hi, vector.address, vector.arch));
    EXPECT_NE(folded(text), folded(vector.text)) << line << " is equal now";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Vectors, testing::ValuesIn(kAllArchs),
                         [](const auto& test) { return arch_name(test.param); });

}  // namespace
}  // namespace gemmscope::isa
