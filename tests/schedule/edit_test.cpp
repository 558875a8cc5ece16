// Edits of machine code by hand: their texts, what can be made, and what is said of what breaks.
#include "schedule/edit.h"

#include <random>

#include "pack_code.h"
#include "schedule/breakage.h"
#include "schedule/proof.h"

namespace gemmscope::schedule {
namespace {

TEST(Edit, ComesBackFromItsText) {
  for (const Edit& edit :
       {Edit{EditKind::up, 0x1a40, 0}, Edit{EditKind::down, 0, 0}, Edit{EditKind::reuse, 0x120, 2},
        Edit{EditKind::stall, 0x10, 15}, Edit{EditKind::yield, 0xfff0, 0}, Edit{EditKind::mend, 0, 0}}) {
    const auto back = read_edit(edit_text(edit));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, edit) << edit_text(edit);
  }
  EXPECT_EQ(edit_text({EditKind::reuse, 0x1a40, 1}), "0x1a40 reuse b");
}

TEST(Edit, RefusesOtherTexts) {
  for (const char* text :
       {"", "up", "0x10", "0x10 sideways", "0x10 stall", "0x10 stall 16", "0x10 stall -1", "0x10 reuse d",
        "0x10 up 3", "0x10 mend", "0xzz up", "10 up", "0x1ffffffff up", "mend mend"})
    EXPECT_FALSE(read_edit(text)) << text;
}

struct Edited : testing::Test {
  PackCode code = pack_code("09_conflict_free", "sm_86");
  std::vector<uint32_t> named = code.options(128).named_addresses;
  MainLoop loop = find_main_loop(code.instructions).value();

  Result<EditedCode> make(std::vector<Edit> edits) const {
    return apply_edits(code.instructions, edits, named);
  }
  std::vector<Breakage> breaks(std::vector<Edit> edits) const {
    const auto edited = make(std::move(edits));
    EXPECT_TRUE(edited) << edited.error().message;
    return edited ? what_breaks(code.instructions, *edited) : std::vector<Breakage>{};
  }
  // The first instruction of the loop's largest region for which `wanted` holds.
  template <typename Wanted>
  uint32_t find(Wanted wanted) const {
    for (uint32_t i = loop.regions.front().first; i + 1 < loop.regions.front().end; ++i)
      if (wanted(code.instructions[i], code.instructions[i + 1])) return i * isa::kInstructionBytes;
    ADD_FAILURE() << "the loop has no such place";
    return 0;
  }
};

TEST_F(Edited, UpAndDownAreEachOthersUndo) {
  const uint32_t at = loop.regions.front().first * isa::kInstructionBytes + 0x40;
  const auto edited = make({{EditKind::down, at, 0}, {EditKind::up, at + 0x10, 0}});
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(*encode_code(edited->instructions), *encode_code(code.instructions));
  EXPECT_TRUE(what_breaks(code.instructions, *edited).empty());
}

TEST_F(Edited, NamesTheRegisterThatIsReadTooEarly) {
  // Two multiply-adds of one sum, one behind the other somewhere: the second is moved up over the first.
  const Range region = loop.regions.front();
  for (uint32_t i = region.first; i < region.end; ++i) {
    if (!is_free_product(code.instructions[i])) continue;
    for (uint32_t j = i + 1; j < region.end; ++j) {
      if (!is_free_product(code.instructions[j])) continue;
      if (code.instructions[j].operands[3].index != code.instructions[i].operands[0].index) continue;
      std::vector<Edit> edits;
      for (uint32_t at = j; at > i; --at) edits.push_back({EditKind::up, at * isa::kInstructionBytes, 0});
      const std::vector<Breakage> found = breaks(edits);
      ASSERT_FALSE(found.empty());
      const std::string reg = fmt::format("R{}", code.instructions[i].operands[0].index);
      EXPECT_TRUE(std::ranges::any_of(found, [&](const Breakage& breakage) {
        return breakage.instruction == i &&
               breakage.sentence.starts_with(reg + " is read here before FFMA at ");
      })) << found.front().sentence;
      return;
    }
  }
  FAIL() << "no two products of one sum";
}

TEST_F(Edited, RefusesToLeaveAStraightRun) {
  const uint32_t branch = (loop.body.end - 1) * isa::kInstructionBytes;
  EXPECT_FALSE(make({{EditKind::up, branch, 0}}));
  EXPECT_FALSE(make({{EditKind::down, branch - 0x10, 0}}));
  const auto first = make({{EditKind::up, loop.body.first * isa::kInstructionBytes, 0}});
  ASSERT_FALSE(first);
  EXPECT_NE(first.error().message.find("cannot change places"), std::string::npos) << first.error().message;
  EXPECT_FALSE(make({{EditKind::up, 0, 0}}));
  EXPECT_FALSE(make({{EditKind::down, 0xffff0, 0}}));
  EXPECT_FALSE(make({{EditKind::yield, 0x8, 0}}));
}

TEST_F(Edited, AStorePassesNoLoadOfItsMemory) {
  const auto loads = [](const isa::Instruction& i) { return i.opcode == isa::Opcode::lds; };
  PackCode other = code;
  // Two loads may pass each other; a store in place of the second may not.
  uint32_t at = 0;
  for (uint32_t i = 0; i + 1 < code.instructions.size() && at == 0; ++i)
    if (loads(code.instructions[i]) && loads(code.instructions[i + 1])) at = i;
  ASSERT_GT(at, 0u);
  EXPECT_TRUE(breaks({{EditKind::up, (at + 1) * isa::kInstructionBytes, 0}}).empty());
  const auto store = std::ranges::find(code.instructions, isa::Opcode::sts, &isa::Instruction::opcode);
  ASSERT_NE(store, code.instructions.end());
  isa::Instruction moved = *store;
  // It reads no register that the load writes.
  for (isa::Operand& operand : moved.operands) {
    if (operand.is(isa::OperandKind::reg)) operand.index = isa::kRegisterZero;
    if (operand.is(isa::OperandKind::memory)) operand.index = code.instructions[at].operands[1].index;
  }
  moved.address = (at + 1) * isa::kInstructionBytes;
  other.instructions[at + 1] = moved;
  const Edit up{EditKind::up, moved.address, 0};
  const auto edited = apply_edits(other.instructions, {&up, 1}, {});
  ASSERT_TRUE(edited) << edited.error().message;
  const auto found = what_breaks(other.instructions, *edited);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().sentence.find("STS"), std::string::npos) << found.front().sentence;
}

TEST_F(Edited, AFlagThatOutlivesItsRegisterIsNamed) {
  // The sum of a product is read through slot c by the next product of it; flagged where it is written, the
  // cache has the value of before.
  const uint32_t at = find([](const isa::Instruction& a, const isa::Instruction& b) {
    return is_free_product(a) && is_free_product(b) && a.operands[3].index == a.operands[0].index &&
           a.operands[3].index % 2 != b.operands[3].index % 2;
  });
  std::vector<isa::Instruction> instructions = code.instructions;
  // The next but one reads the same sum.
  const uint32_t i = at / isa::kInstructionBytes;
  instructions[i + 2] = instructions[i];
  instructions[i + 2].address = at + 0x20;
  const Edit flip{EditKind::reuse, at, 2};
  const auto edited = apply_edits(instructions, {&flip, 1}, {});
  ASSERT_TRUE(edited) << edited.error().message;
  ASSERT_TRUE(edited->instructions[i].operands[3].reuse);
  const auto found = what_breaks(instructions, *edited);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().instruction, i);
  EXPECT_NE(found.front().sentence.find("reuse flag of slot c"), std::string::npos) << found.front().sentence;
}

// What the compiler wrote is the measure of the rule.
TEST(OutlivedFlags, CodeOfTheCompilerHasNone) {
  size_t flags = 0;
  for (const char* id :
       {"07_register_tile", "09_conflict_free", "12_warp_tiling", "13_async_copy", "14_tensor_tf32"})
    for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_90"}) {
      const auto path = std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "assets/pack" /
                        (std::string(id) + "." + arch + ".pack");
      if (!std::filesystem::exists(path)) continue;
      const PackCode code = pack_code(id, arch);
      for (const isa::Instruction& instruction : code.instructions)
        for (const isa::Operand& operand : instruction.operands) flags += operand.reuse ? 1 : 0;
      const auto found = outlived_flags(code.instructions);
      EXPECT_TRUE(found.empty()) << id << " " << arch << ": " << found.front().sentence;
    }
  EXPECT_GT(flags, 3000u);
}

// Random moves of multiply-adds: this check and the pass's proof, which follows values along all paths,
// agree.
TEST_F(Edited, AgreesWithTheProofOnRandomMoves) {
  std::mt19937 random(20261123);
  const Range region = loop.regions.front();
  int accepted = 0, refused = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<Edit> edits;
    uint32_t at = region.first + 1 + random() % (region.size() - 2);
    const bool up = random() % 2 == 0;
    for (uint32_t count = 1 + random() % 48; count > 0; --count) {
      if (at <= region.first + 1 || at + 2 >= region.end) break;
      if (!is_free_product(code.instructions[at])) break;
      edits.push_back({up ? EditKind::up : EditKind::down, at * isa::kInstructionBytes, 0});
      at = up ? at - 1 : at + 1;
    }
    const auto edited = make(edits);
    ASSERT_TRUE(edited) << edited.error().message;
    // The proof lets no two others pass each other; a single product that moves never does that.
    const bool proved =
        prove_same(code.instructions, edited->instructions, edited->moved, {region}).has_value();
    std::vector<Breakage> found = what_breaks(code.instructions, *edited);
    std::erase_if(found, [](const Breakage& b) { return b.sentence.starts_with("The reuse flag"); });
    EXPECT_EQ(found.empty(), proved) << "round " << round << ": "
                                     << (found.empty() ? "nothing is found" : found.front().sentence);
    ++(found.empty() ? accepted : refused);
  }
  EXPECT_GT(accepted, 5);
  EXPECT_GT(refused, 5);
}

// Who waits for the pass hears how far it is and can end it.
TEST_F(Edited, ThePassSaysHowFarItIsAndEndsWhenCancelled) {
  std::atomic<bool> cancelled{false};
  Options options = code.options(128);
  options.cancelled = &cancelled;
  double last = -1;
  int calls = 0;
  options.progress = [&](double share) {
    EXPECT_GE(share, last);
    EXPECT_LE(share, 1);
    last = share;
    if (++calls == 20) cancelled = true;
  };
  const auto scheduled = schedule_code(code.instructions, options);
  ASSERT_FALSE(scheduled);
  EXPECT_EQ(scheduled.error().message, "It was cancelled.");
  EXPECT_EQ(calls, 20);
}

}  // namespace
}  // namespace gemmscope::schedule
