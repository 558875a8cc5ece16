// encode(decode(x)) is x, over every recorded instruction. So that this says something about the fields, it
// is asked a second time with all bits inverted that the encoder says it writes: they must come from the
// fields.
#include "isa/encode.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "vector_file.h"

namespace gemmscope::isa {
namespace {

Instruction decoded(const Vector& vector) {
  return decode(vector.lo, vector.hi, vector.address, vector.arch);
}

testing::AssertionResult comes_back(const Vector& vector) {
  Instruction instruction = decoded(vector);
  const Result<EncodedWord> encoded = encode(instruction);
  if (!encoded) return testing::AssertionFailure() << encoded.error().message;
  if (encoded->lo != vector.lo || encoded->hi != vector.hi)
    return testing::AssertionFailure()
           << std::hex << (encoded->lo ^ vector.lo) << " " << (encoded->hi ^ vector.hi);
  instruction.lo ^= encoded->written_lo;
  instruction.hi ^= encoded->written_hi;
  const Result<EncodedWord> again = encode(instruction);
  if (!again) return testing::AssertionFailure() << "inverted: " << again.error().message;
  if (again->lo != vector.lo || again->hi != vector.hi)
    return testing::AssertionFailure()
           << "inverted: " << std::hex << (again->lo ^ vector.lo) << " " << (again->hi ^ vector.hi);
  return testing::AssertionSuccess();
}

void expect_all_come_back(const std::string& name, int fewest_rows) {
  constexpr int kMostReports = 20;
  std::ifstream file(std::string(GEMMSCOPE_TEST_DATA) + "/isa/" + name);
  std::string line;
  std::getline(file, line);
  int rows = 0, different = 0, unknown = 0, carried = 0;
  while (std::getline(file, line)) {
    const Vector vector = parse_row(line);
    ++rows;
    if (!decoded(vector).known()) {
      ++unknown;
      EXPECT_FALSE(encode(decoded(vector)).has_value()) << vector.text;
      continue;
    }
    const testing::AssertionResult result = comes_back(vector);
    if (!result && ++different <= kMostReports)
      ADD_FAILURE() << arch_name(vector.arch) << " " << vector.text << ": " << result.message();
    if (const auto word = encode(decoded(vector)))
      carried += ((vector.lo & ~word->written_lo) | (vector.hi & ~word->written_hi)) != 0 ? 1 : 0;
  }
  EXPECT_GE(rows, fewest_rows);
  EXPECT_EQ(different, 0) << "of " << rows;
  EXPECT_EQ(unknown, 0);
  testing::Test::RecordProperty("carried", carried);
  std::printf("%s: %d rows, %d with bits that no field describes\n", name.c_str(), rows, carried);
}

class EncodeVectors : public testing::TestWithParam<Arch> {};

TEST_P(EncodeVectors, ComeBack) {
  expect_all_come_back(std::string("vectors_") + arch_name(GetParam()) + ".csv", 3785);
}

INSTANTIATE_TEST_SUITE_P(AllArchs, EncodeVectors, testing::ValuesIn(kAllArchs),
                         [](const testing::TestParamInfo<Arch>& arch) { return arch_name(arch.param); });

TEST(Encode, OwnKernelsComeBack) { expect_all_come_back("own_vectors.csv", 68060); }
TEST(Encode, InstructionsWithChangedBitsComeBack) { expect_all_come_back("mutant_vectors.csv", 12000); }

constexpr uint64_t kFfmaLo = 0x0000001305057223, kFfmaHi = 0x004fe20000000006;  // FFMA R5, R5, R19, R6

TEST(Encode, WritesChangedRegistersAndControl) {
  Instruction ffma = decode(kFfmaLo, kFfmaHi, 0x40, Arch::sm_90);
  ffma.operands[0].index = 100;
  ffma.operands[1].index = 101;
  ffma.operands[3].index = 102;
  ffma.control.stall_cycles = 7;
  ASSERT_TRUE(set_reuse(ffma, 1, true));
  const Result<EncodedWord> word = encode(ffma);
  ASSERT_TRUE(word) << word.error().message;
  const Instruction read = decode(word->lo, word->hi, 0x40, Arch::sm_90);
  EXPECT_EQ(read.operands[0].index, 100);
  EXPECT_EQ(read.operands[1].index, 101);
  EXPECT_EQ(read.operands[2].index, 19);
  EXPECT_EQ(read.operands[3].index, 102);
  EXPECT_EQ(read.control.stall_cycles, 7);
  EXPECT_FALSE(read.operands[1].reuse);
  EXPECT_TRUE(read.operands[2].reuse);
  EXPECT_EQ(read.control.reuse, 2);
}

TEST(Encode, RefusesWhatTheWordCannotHold) {
  Instruction ffma = decode(kFfmaLo, kFfmaHi, 0x40, Arch::sm_90);
  ffma.control.stall_cycles = 16;
  EXPECT_FALSE(encode(ffma));
  ffma = decode(kFfmaLo, kFfmaHi, 0x40, Arch::sm_90);
  ffma.operands[1].kind = OperandKind::integer;
  EXPECT_FALSE(encode(ffma));
  ffma = decode(kFfmaLo, kFfmaHi, 0x40, Arch::sm_90);
  ffma.row = nullptr;
  const Result<EncodedWord> unknown = encode(ffma);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("0x0040"), std::string::npos) << unknown.error().message;
}

TEST(Encode, NoReuseFlagWithoutAnOperandInTheSlot) {
  Instruction ffma = decode(kFfmaLo, kFfmaHi, 0x40, Arch::sm_90);
  EXPECT_FALSE(set_reuse(ffma, 3, true));
}

}  // namespace
}  // namespace gemmscope::isa
