// The source and the machine code of two experiments, aligned.
#include "scenes/code_diff.h"

#include <gtest/gtest.h>

#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

using experiment::CompiledKernel;

CompiledKernel code_of(const std::vector<std::string>& text) {
  CompiledKernel compiled;
  compiled.text = text;
  compiled.instructions.resize(text.size());
  return compiled;
}

BlockResult source_of(const std::vector<std::string>& lines, int64_t pitch = 32) {
  auto compiled = std::make_shared<CompiledKernel>();
  compiled->files.push_back({"made_up.cu", "made_up.cu", lines});
  compiled->kernel.id = "made_up";
  catalog::Toggle toggle;
  toggle.name = "PITCH";
  toggle.values = {32, 33};
  toggle.default_value = 32;
  compiled->kernel.toggles.push_back(toggle);
  BlockResult block;
  block.compiled = compiled;
  if (pitch != 32) block.experiment.toggles["PITCH"] = pitch;
  return block;
}

std::string kinds_of(const CodeDiff& diff) {
  std::string kinds;
  for (const DiffRow& row : diff.rows) kinds += "=r*~-+"[static_cast<size_t>(row.kind)];
  return kinds;
}

TEST(CodeDiff, LeavesOutRegistersAndTargets) {
  EXPECT_EQ(without_registers("FFMA R12, R3, UR4, R255 ;"), "FFMA R, R, UR, R ;");
  EXPECT_EQ(without_registers("@!P0 LDS.128 R8, [R19+0x80] ;"), "@!P LDS.128 R, [R+0x80] ;");
  EXPECT_EQ(without_registers("@P1 BRA 0x8f0 ;"), without_registers("@P2 BRA 0x930 ;"));
  EXPECT_EQ(without_registers("MOV R1, c[0x0][0x28] ;"), "MOV R, c[0x0][0x28] ;");
  EXPECT_EQ(without_registers("S2R R0, SR_CTAID.X ;"), "S2R R, SR_CTAID.X ;") << "no register file";
  EXPECT_EQ(without_registers("EXIT ;"), "EXIT ;");
}

TEST(CodeDiff, AlignsMachineCodeWithoutItsRegisters) {
  const CompiledKernel a = code_of({"MOV R1, R2 ;", "STS [R1+0x80], R4 ;", "BAR.SYNC 0x0 ;", "EXIT ;"});
  const CompiledKernel b =
      code_of({"MOV R7, R2 ;", "STS [R1+0x84], R4 ;", "STS [R1+0x88], R4 ;", "BAR.SYNC 0x0 ;", "EXIT ;"});
  const CodeDiff diff = diff_sass(a, b);
  EXPECT_EQ(kinds_of(diff), "r~+==");
  EXPECT_EQ(diff.differing, 2u);
  EXPECT_EQ(diff.rows[1].a, 1);
  EXPECT_EQ(diff.rows[1].b, 1);
  EXPECT_EQ(diff.rows[2].a, -1);
  EXPECT_EQ(row_of_b(diff, 3), 3);
  EXPECT_EQ(row_of_a(diff, 2), 3);
  EXPECT_EQ(row_of_a(diff, -1), -1);
}

TEST(CodeDiff, AlignsSourceByTheFirstWord) {
  const BlockResult a = source_of({"for (;;)", "  x = 1;", "  y = 2;", "}"});
  const BlockResult b = source_of({"for (;;)", "  x = 3;", "}", "z();"});
  const CodeDiff diff = diff_source(a, b);
  EXPECT_EQ(kinds_of(diff), "=~-=+");
}

TEST(CodeDiff, MarksLinesThatAToggleGivesAnotherMeaning) {
  const std::vector<std::string> lines = {"#define PITCH 32", "__shared__ float tile[32][PITCH];",
                                          "int PITCHES;", "// PITCH", "return;"};
  const CodeDiff diff = diff_source(source_of(lines), source_of(lines, 33));
  EXPECT_EQ(kinds_of(diff), "=*===");
  EXPECT_EQ(diff.rows[1].macro, "PITCH");
  EXPECT_EQ(diff.rows[1].value_a, "32");
  EXPECT_EQ(diff.rows[1].value_b, "33");
  EXPECT_EQ(kinds_of(diff_source(source_of(lines), source_of(lines))), "=====");
}

TEST(CodeDiff, HasEveryLineOfBothSidesOnce) {
  const BlockPointer a = small_block("07_register_tile"), b = small_block("11_prefetch");
  ASSERT_TRUE(a != nullptr && b != nullptr);
  for (const CodeDiff& diff : {diff_source(*a, *b), diff_sass(*a->compiled, *b->compiled)}) {
    int next_a = 0, next_b = 0;
    for (const DiffRow& row : diff.rows) {
      ASSERT_TRUE(row.a >= 0 || row.b >= 0);
      if (row.a >= 0) {
        ASSERT_EQ(row.a, next_a++);
      }
      if (row.b >= 0) {
        ASSERT_EQ(row.b, next_b++);
      }
    }
    const bool sass = static_cast<size_t>(next_a) == a->compiled->text.size();
    EXPECT_EQ(static_cast<size_t>(next_a),
              sass ? a->compiled->text.size() : a->compiled->files[0].lines.size());
    EXPECT_EQ(static_cast<size_t>(next_b),
              sass ? b->compiled->text.size() : b->compiled->files[0].lines.size());
    EXPECT_GT(diff.differing, 0u);
  }
}

TEST(CodeDiff, ShowsWhatIsNearADifferenceOrTheCursor) {
  CodeDiff diff;
  for (int i = 0; i < 40; ++i)
    diff.rows.push_back({i == 20 ? DiffKind::changed : DiffKind::same, i, i, {}, {}, {}});
  const std::vector<ShownRow> rows = shown_rows(diff, false, 2);
  ASSERT_EQ(rows.size(), 6u + 1 + 7 + 1);
  EXPECT_EQ(rows[0].row, 0);
  EXPECT_EQ(rows[6].row, -1);
  EXPECT_EQ(rows[6].skipped, 17 - 6);
  EXPECT_EQ(rows.back().skipped, 40 - 24);
  EXPECT_EQ(shown_rows(diff, true, -1).size(), 40u);
}

}  // namespace
}  // namespace gemmscope::scenes
