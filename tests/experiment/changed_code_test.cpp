// Changes of the machine code after the compiler: the result has the same bits, or what breaks is said, and
// nothing broken reaches a GPU.
#include "experiment/changed_code.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "experiment/scheduled_kernel.h"
#include "schedule/region.h"

namespace gemmscope::experiment {
namespace {

const catalog::Kernel& kernel_named(const std::string& id) {
  static const catalog::Catalog all = catalog::read_catalog(catalog::kernels_folder());
  return *all.find(id);
}

Experiment small(const std::string& id, int64_t size = 128) {
  Experiment e;
  e.kernel = id;
  e.problem = {size, size, size, 1.5f, 0.5f};
  return e;
}

std::shared_ptr<const CompiledKernel> compiled(const Experiment& e) {
  const auto result = compile_kernel(kernel_named(e.kernel), e);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : nullptr;
}

BitsCompared bits_of(const std::shared_ptr<const CompiledKernel>& changed, const Experiment& e) {
  return *compare_with_original(changed, e, 0, {});
}

// As if the decoder had lost a bit, each bit of a product in turn.
TEST(ChangedCode, CodeThatCannotBeWrittenBackExactlyIsRefused) {
  const auto original = compiled(small("07_register_tile"));
  ASSERT_NE(original, nullptr);
  const auto loop = schedule::find_main_loop(original->instructions);
  ASSERT_TRUE(loop);
  const size_t product = loop->regions.front().first + 40;
  EXPECT_TRUE(check_written_back(original->code(), original->instructions));
  for (size_t bit = 0; bit < 128; ++bit) {
    cubin::KernelCode code = original->code();
    code.words.at(2 * product + bit / 64) ^= uint64_t{1} << bit % 64;
    const auto refused = check_written_back(code, original->instructions);
    ASSERT_FALSE(refused) << "bit " << bit;
    EXPECT_EQ(
        refused.error().message,
        fmt::format("The instruction at {:#06x} of {} cannot be written back exactly, so nothing is changed.",
                    product * isa::kInstructionBytes, code.name));
  }
}

TEST(ChangedCode, TheScheduledLoopHasTheSameBitsAndCostsFewerPortCycles) {
  Experiment e = small("07_register_tile");
  e.changes.scheduled = true;
  const auto code = compiled(e);
  ASSERT_NE(code, nullptr);
  ASSERT_NE(code->changed, nullptr);
  EXPECT_EQ(code->changed->refused, "");
  const CompiledKernel& original = original_of(*code);
  EXPECT_EQ(original.changed, nullptr);
  EXPECT_NE(code->binary, original.binary);
  EXPECT_LT(code->ports.main_loop()->port_cycles_per_ffma() + 0.1,
            original.ports.main_loop()->port_cycles_per_ffma());
  const BitsCompared bits = bits_of(code, e);
  EXPECT_EQ(bits.why_not, "");
  EXPECT_EQ(bits.elements, 128u * 128);
  EXPECT_EQ(bits.different, 0u);
  EXPECT_EQ(why_not_on_gpu(code, e), "");
  for (uint32_t i = 0; i < code->instructions.size(); ++i) {
    const auto there = place_in(original, *code, i);
    ASSERT_TRUE(there);
    EXPECT_EQ(place_in(*code, original, *there), i);
    EXPECT_EQ(original.instructions[*there].opcode, code->instructions[i].opcode);
  }
}

TEST(ChangedCode, WhatCannotBeScheduledStaysAsItIs) {
  Experiment e = small("03_shared_tile", 64);
  e.changes.scheduled = true;
  const auto code = compiled(e);
  ASSERT_NE(code, nullptr);
  ASSERT_NE(code->changed, nullptr);
  EXPECT_NE(code->changed->refused.find("No order was found"), std::string::npos) << code->changed->refused;
  EXPECT_EQ(code->binary, original_of(*code).binary);
  EXPECT_NE(why_not_on_gpu(code, e), "");
}

TEST(ChangedCode, EditsOfOtherCodeAreLeftOut) {
  Experiment e = small("07_register_tile");
  e.changes.edits = {{schedule::EditKind::yield, 0x100, 0}};
  e.changes.edited = "0123456789abcdef";
  const auto code = compiled(e);
  ASSERT_NE(code, nullptr);
  EXPECT_NE(code->changed->refused.find("other machine code"), std::string::npos);
}

// Random moves and flips in the main loop, on the compiler's code and on scheduled code. Where nothing is
// found to break, C has the same bits; where it is, some really do break C.
TEST(ChangedCode, RandomEditsKeepTheBitsOrAreNamed) {
  std::mt19937 random(20261123);
  int kept = 0, named = 0, broke = 0;
  for (const bool scheduled : {false, true}) {
    Experiment e = small("07_register_tile", 128);
    e.problem.k = 32;
    e.changes.scheduled = scheduled;
    const auto base = compiled(e);
    ASSERT_NE(base, nullptr);
    const auto loop = schedule::find_main_loop(base->instructions);
    ASSERT_TRUE(loop);
    const schedule::Range region = loop->regions.front();
    for (int round = 0; round < 24; ++round) {
      e.changes.edits.clear();
      e.changes.edited = schedule::fingerprint(base->instructions);
      uint32_t at = region.first + 4 + random() % (region.size() - 24);
      for (uint32_t step = 1 + random() % 8; step > 0; --step, ++at)
        e.changes.edits.push_back({schedule::EditKind::down, at * isa::kInstructionBytes, 0});
      const uint32_t flagged = region.first + random() % region.size();
      if (schedule::is_free_product(base->instructions[flagged]) && round % 3 == 0 &&
          (flagged < at - 10 || flagged > at + 1))
        e.changes.edits.push_back({schedule::EditKind::reuse, flagged * isa::kInstructionBytes, 0});
      const auto code = compiled(e);
      ASSERT_NE(code, nullptr);
      ASSERT_EQ(code->changed->refused, "");
      const BitsCompared bits = bits_of(code, e);
      const bool same = bits.why_not.empty() && bits.different == 0;
      if (code->changed->broken.empty()) {
        EXPECT_TRUE(same) << round << ": " << bits.different << " differ; " << bits.why_not;
        ++kept;
      } else {
        EXPECT_NE(first_mistake(*code), "");
        EXPECT_NE(why_not_on_gpu(code, e).find("not run on a GPU"), std::string::npos);
        ++named;
        broke += same ? 0 : 1;
      }
    }
  }
  EXPECT_GT(kept, 8);
  EXPECT_GT(named, 8);
  EXPECT_GT(broke, 3);
}

TEST(ChangedCode, AStallCountThatIsTooShortIsTheLintsAndMended) {
  Experiment e = small("07_register_tile");
  const auto base = compiled(e);
  ASSERT_NE(base, nullptr);
  e.changes.edited = schedule::fingerprint(base->instructions);
  // Some instruction stalls for a result that the next one reads.
  for (uint32_t i = 0; i < base->instructions.size(); ++i) {
    if (base->instructions[i].control.stall_cycles < 4) continue;
    e.changes.edits = {{schedule::EditKind::stall, i * isa::kInstructionBytes, 1}};
    const auto code = compiled(e);
    ASSERT_NE(code, nullptr);
    ASSERT_EQ(code->changed->refused, "");
    if (code->hazards.empty()) continue;
    EXPECT_NE(first_mistake(*code).find("it needs"), std::string::npos) << first_mistake(*code);
    EXPECT_NE(why_not_on_gpu(code, e), "");
    e.changes.edits.push_back({schedule::EditKind::mend, 0, 0});
    const auto mended = compiled(e);
    ASSERT_NE(mended, nullptr);
    EXPECT_TRUE(mended->hazards.empty());
    EXPECT_EQ(first_mistake(*mended), "");
    return;
  }
  FAIL() << "no stall count matters";
}

}  // namespace
}  // namespace gemmscope::experiment
