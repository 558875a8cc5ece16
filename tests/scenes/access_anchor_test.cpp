// Follows accesses from one traced block to another: edits of the source, other sizes, other kernels, and
// accesses that are gone.
#include "scenes/access_anchor.h"

#include <gtest/gtest.h>

#include "scene_blocks.h"
#include "scenes/source_lines.h"

namespace gemmscope::scenes {
namespace {

TEST(MovedLine, FollowsALineThroughAnEdit) {
  const std::vector<std::string> before = {"a", "b", "c", "d", "e"};
  const std::vector<std::string> inserted = {"a", "new", "b", "c", "d", "e"};
  const std::vector<std::string> removed = {"a", "d", "e"};
  const std::vector<std::string> changed = {"a", "b", "C", "d", "e"};
  const std::vector<std::string> rewritten = {"a", "x", "y", "z", "c", "e"};
  for (int line = 1; line <= 5; ++line) {
    EXPECT_EQ(moved_line(before, before, line), line);
    EXPECT_EQ(moved_line(before, inserted, line), line == 1 ? 1 : line + 1);
    EXPECT_EQ(moved_line(before, changed, line), line) << "an edited line keeps its place";
  }
  EXPECT_EQ(moved_line(before, removed, 4), 2);
  EXPECT_EQ(moved_line(before, removed, 5), 3);
  EXPECT_EQ(moved_line(before, rewritten, 3), 5) << "the line itself is still there";
  EXPECT_EQ(moved_line(before, {}, 3), 1) << "nothing is left";
}

// A block of one warp that executes these instructions of one kernel in a loop, each on a line of its own.
struct Code {
  isa::Opcode opcode;
  int line;
};
BlockResult looped(const std::vector<Code>& code, int passes, const std::string& kernel = "made_up") {
  auto compiled = std::make_shared<experiment::CompiledKernel>();
  compiled->kernel.id = kernel;
  compiled->files.push_back({kernel + ".cu", kernel + ".cu", std::vector<std::string>(20, "line")});
  BlockResult block;
  for (const Code& one : code) {
    isa::Instruction instruction;
    instruction.opcode = one.opcode;
    compiled->instructions.push_back(instruction);
    compiled->text.emplace_back("");
    compiled->places.push_back({0, one.line});
    compiled->calls.emplace_back();
  }
  block.trace.warp_count = 1;
  block.warp_records.resize(1);
  block.matrices.assign(code.size(), metrics::kNoMatrix);
  for (int pass = 0; pass < passes; ++pass)
    for (uint32_t i = 0; i < code.size(); ++i) {
      machine::TraceRecord record;
      record.instruction = i;
      record.mask = record.executed = 1;
      record.k_tile = static_cast<uint16_t>(pass);
      block.warp_records[0].push_back(static_cast<uint32_t>(block.trace.records.size()));
      block.trace.records.push_back(record);
    }
  block.compiled = compiled;
  return block;
}

using isa::Opcode;
const std::vector<Code> kLoop = {{Opcode::sts, 3}, {Opcode::lds, 5}, {Opcode::ffma, 5}, {Opcode::imad, 7}};

TEST(AccessAnchor, StaysAtLineKindAndExecution) {
  const BlockResult before = looped(kLoop, 6);
  // The load's line has two loads now, as after unrolling, and other instructions stand before it.
  const BlockResult after =
      looped({{Opcode::imad, 1}, {Opcode::sts, 3}, {Opcode::ffma, 5}, {Opcode::lds, 5}, {Opcode::lds, 5}}, 3);
  for (size_t pass = 0; pass < 6; ++pass) {
    const Anchored found = find_anchor(anchor_of(before, {pass * 4 + 1, kAllWavefronts}, 0), after);
    EXPECT_EQ(found.match, AnchorMatch::same_line);
    EXPECT_EQ(found.cursor.record, pass / 2 * 5 + 3 + pass % 2) << "execution " << pass;
  }
}

TEST(AccessAnchor, TakesTheNearestExecutionOfTheLine) {
  const BlockResult before = looped(kLoop, 6), after = looped(kLoop, 2);
  const Anchored found = find_anchor(anchor_of(before, {5 * 4, kAllWavefronts}, 0), after);
  EXPECT_EQ(found.match, AnchorMatch::same_line);
  EXPECT_EQ(found.cursor.record, 4u) << "the last store of that line";
}

TEST(AccessAnchor, AnotherLineOfTheSameRole) {
  const BlockResult before = looped(kLoop, 4);
  const BlockResult after = looped({{Opcode::imad, 2}, {Opcode::sts, 9}, {Opcode::ldsm, 11}}, 4, "other");
  const Anchored found = find_anchor(anchor_of(before, {2 * 4 + 1, kAllWavefronts}, 0), after);
  EXPECT_EQ(found.match, AnchorMatch::same_role);
  EXPECT_EQ(found.cursor.record, 2u * 3 + 2) << "LDSM loads from shared memory as LDS does, in the same pass";
}

TEST(AccessAnchor, AnAccessThatIsGoneLeavesTheFraction) {
  const BlockResult before = looped(kLoop, 5);
  const BlockResult after = looped({{Opcode::imad, 1}, {Opcode::ffma, 5}}, 5);
  const Anchored found = find_anchor(anchor_of(before, {8, kAllWavefronts}, 0), after);
  EXPECT_EQ(found.match, AnchorMatch::gone);
  EXPECT_EQ(found.cursor.record, 4u) << "8 of 19 steps, so 4 of 9";
  EXPECT_EQ(find_anchor(anchor_of(before, {19, kAllWavefronts}, 0), after).match, AnchorMatch::gone)
      << "an IMAD of another line is another instruction";
}

TEST(AccessAnchor, SaysWhatItWas) {
  const BlockResult before = looped(kLoop, 1);
  EXPECT_EQ(anchor_of(before, {0, kAllWavefronts}, 0).name, "The store to shared memory");
  EXPECT_EQ(anchor_of(before, {2, kAllWavefronts}, 0).name, "The multiply-add");
  const std::string other = anchor_of(before, {3, kAllWavefronts}, 0).name;
  EXPECT_TRUE(other.ends_with(" at made_up.cu:7")) << other;
}

// ---- kernels of the ladder

// Every access of a block is found again in the same block.
TEST(AccessAnchor, FindsEveryRecordOfItsOwnBlock) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    for (const int followed : {kAllWarps, 1})
      for (size_t position = 0; position < step_count(*block, followed); position += 97) {
        const Cursor cursor{record_at(*block, followed, position), kAllWavefronts};
        const Anchored found = find_anchor(anchor_of(*block, cursor, followed), *block);
        ASSERT_EQ(found.match, AnchorMatch::same_line);
        ASSERT_EQ(found.cursor, cursor) << kernel;
        ASSERT_EQ(found.followed, followed);
      }
  }
}

// By matrix: the records of warp 0 that have the role, found by their addresses or by the source text.
TEST(AccessRole, NamesTheTileOfEachStore) {
  for (const char* kernel :
       {"03_shared_tile", "07_register_tile", "08_transposed_tile", "09_conflict_free"}) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    const experiment::CompiledKernel& compiled = *block->compiled;
    int stores = 0;
    for (uint32_t i = 0; i < compiled.instructions.size(); ++i) {
      if (compiled.instructions[i].opcode != Opcode::sts) continue;
      ++stores;
      const std::string& line = compiled.files[0].lines[static_cast<size_t>(own_line(compiled, i)) - 1];
      const bool of_a = line.find("tiles.a[") != std::string::npos ||
                        line.find("a_quads") != std::string::npos || line.find("tile_a") != std::string::npos;
      EXPECT_EQ(role_of(*block, i).matrix, of_a ? metrics::kMatrixA : metrics::kMatrixB) << kernel << line;
    }
    EXPECT_GT(stores, 1) << kernel;
  }
}

}  // namespace
}  // namespace gemmscope::scenes
