// Kernels of the pack with their main loops rewritten.
#include "schedule/schedule.h"

#include <algorithm>

#include "isa/encode.h"
#include "lint/lint.h"
#include "pack_code.h"
#include "schedule/control_fields.h"
#include "schedule/proof.h"

namespace gemmscope::schedule {
namespace {

struct Case {
  const char* id;
  const char* arch;
  int budget;
  double most_lost_cycles;
};

class Rewritten : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Ladder, Rewritten,
                         testing::Values(Case{"08_transposed_tile", "sm_86", 128, 0.02},
                                         Case{"09_conflict_free", "sm_86", 128, 0.02},
                                         Case{"09_conflict_free", "sm_90", 128, 0.02},
                                         Case{"10_register_double_buffer", "sm_90", 128, 0.02},
                                         Case{"13_async_copy", "sm_90", 255, 0.03}),
                         [](const auto& test) { return std::string(test.param.id) + "_" + test.param.arch; });

TEST_P(Rewritten, LosesFewerCyclesAndIsProved) {
  const PackCode code = pack_code(GetParam().id, GetParam().arch);
  const auto scheduled = schedule_code(code.instructions, code.options(GetParam().budget));
  ASSERT_TRUE(scheduled) << scheduled.error().message;
  EXPECT_GT(scheduled->before.lost_cycles_per_product(), 0.04);
  EXPECT_LT(scheduled->after.lost_cycles_per_product(), GetParam().most_lost_cycles);
  EXPECT_EQ(scheduled->before.products, scheduled->after.products);
  EXPECT_LE(scheduled->registers, GetParam().budget);
  EXPECT_TRUE(lint::lint(scheduled->instructions).findings.empty());
  // Written and read again it is the same code, and it fits the file.
  const auto words = encode_code(scheduled->instructions);
  ASSERT_TRUE(words) << words.error().message;
  const auto written =
      cubin::write_cubin(code.bytes, {code.kernel().name, *words, scheduled->registers}, GetParam().id);
  ASSERT_TRUE(written) << written.error().message;
  const cubin::Cubin again = cubin::read_cubin(*written, GetParam().id).value();
  const std::vector<isa::Instruction> read = decode_code(again, again.kernels.front());
  std::vector<Range> regions;
  for (const RegionResult& region : scheduled->regions) regions.push_back(region.range);
  const auto proved = prove_same(code.instructions, read, scheduled->moved, regions);
  EXPECT_TRUE(proved) << proved.error().message;
}

// Its ports lose next to nothing before; what is gained is that loads come earlier and one by one. The result
// is the one that was fastest on an H200 (README.md).
TEST(Schedule, SpreadsTheLoadsOfALoopWhosePortsAreFree) {
  const PackCode code = pack_code("16_serpentine", "sm_90");
  Options options = code.options(255);
  options.warps_per_scheduler = 2;
  const auto scheduled = schedule_code(code.instructions, options);
  ASSERT_TRUE(scheduled) << scheduled.error().message;
  EXPECT_EQ(scheduled->regions.size(), 1u);
  EXPECT_EQ(scheduled->refused.size(), 1u);
  EXPECT_LT(scheduled->before.lost_cycles_per_product(), 0.02);
  EXPECT_LE(scheduled->after.cycles, scheduled->before.cycles);
  EXPECT_LT(2 * scheduled->after.crowding, scheduled->before.crowding * 3 / 2);
  EXPECT_TRUE(lint::lint(scheduled->instructions).findings.empty());
}

// ptxas held it to 128 registers, so that two blocks fit on an SM: none is left for other sums. So each value
// stays in its register, and the loads of fragments find better places.
TEST(Schedule, SpreadsTheLoadsOfCodeWithoutASpareRegister) {
  const PackCode pack = pack_code("17_split_k", "sm_90");
  const auto kernel = std::ranges::find(pack.cubin.kernels, "gemm_split_k", &cubin::KernelCode::name);
  ASSERT_NE(kernel, pack.cubin.kernels.end());
  const std::vector<isa::Instruction> code = decode_code(pack.cubin, *kernel);
  Options options{.registers = kernel->registers, .register_budget = 128, .warps_per_scheduler = 4};
  options.named_addresses = *cubin::named_addresses(pack.bytes, kernel->name, "pack");
  const auto scheduled = schedule_code(code, options);
  ASSERT_TRUE(scheduled) << scheduled.error().message;
  ASSERT_EQ(scheduled->regions.size(), 1u);
  EXPECT_EQ(scheduled->regions.front().kept, Kept::code_order);
  EXPECT_EQ(scheduled->registers, kernel->registers);
  EXPECT_LE(scheduled->after.cycles, scheduled->before.cycles);
  EXPECT_LT(3 * scheduled->after.crowding, 2 * scheduled->before.crowding);
  for (uint32_t i = 0; i < scheduled->moved.size(); ++i) {
    const isa::Instruction &before = code[scheduled->moved[i]], &now = scheduled->instructions[i];
    for (size_t k = 0; k < static_cast<size_t>(now.operand_count); ++k)
      ASSERT_EQ(now.operands[k].index, before.operands[k].index) << "at " << now.address;
  }
  EXPECT_TRUE(lint::lint(scheduled->instructions).findings.empty());
  const auto proved =
      prove_same(code, scheduled->instructions, scheduled->moved, {scheduled->regions[0].range});
  EXPECT_TRUE(proved) << proved.error().message;
}

// Two loads in a row are as crowded as can be; the same load every 20 instructions is not crowded at all.
TEST(Schedule, CrowdingCountsLoadsThatFollowEachOther) {
  const PackCode code = pack_code("09_conflict_free", "sm_90");
  const auto loop = find_main_loop(code.instructions);
  ASSERT_TRUE(loop);
  const auto load = std::find_if(
      code.instructions.begin(), code.instructions.end(),
      [](const isa::Instruction& instruction) { return instruction.opcode == isa::Opcode::lds; });
  const auto product = std::find_if(code.instructions.begin(), code.instructions.end(), is_free_product);
  ASSERT_NE(load, code.instructions.end());
  ASSERT_NE(product, code.instructions.end());
  std::vector<isa::Instruction> body(40, *product);
  body[0] = body[20] = *load;
  EXPECT_EQ(loop_figures(body, {0, 40}).crowding, 0u);
  body[1] = *load;
  EXPECT_EQ(loop_figures(body, {0, 40}).crowding, 19u + 1u);
}

TEST(Schedule, IsTheSameEveryTime) {
  const PackCode code = pack_code("09_conflict_free", "sm_86");
  const auto first = schedule_code(code.instructions, code.options(128));
  const auto second = schedule_code(code.instructions, code.options(128));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*encode_code(first->instructions), *encode_code(second->instructions));
}

TEST(Schedule, RefusesCodeWithoutALoopOfProducts) {
  const PackCode code = pack_code("15_tensor_bf16", "sm_86");
  const auto scheduled = schedule_code(code.instructions, code.options(255));
  ASSERT_FALSE(scheduled);
  EXPECT_NE(scheduled.error().message.find("No loop has 4 or more"), std::string::npos)
      << scheduled.error().message;
}

TEST(Schedule, RefusesAnUnknownInstruction) {
  PackCode code = pack_code("09_conflict_free", "sm_86");
  code.instructions[5] = isa::decode(0x1ff, 0, 5 * isa::kInstructionBytes, code.cubin.arch);
  ASSERT_FALSE(code.instructions[5].known());
  const auto scheduled = schedule_code(code.instructions, code.options(128));
  ASSERT_FALSE(scheduled);
  EXPECT_NE(scheduled.error().message.find("0x0050"), std::string::npos) << scheduled.error().message;
}

TEST(Schedule, RefusesCodeThatTheLintRefuses) {
  PackCode code = pack_code("09_conflict_free", "sm_86");
  const auto loop = find_main_loop(code.instructions);
  ASSERT_TRUE(loop);
  for (uint32_t i = loop->body.first; i < loop->body.end; ++i) code.instructions[i].control.wait_mask = 0;
  const auto scheduled = schedule_code(code.instructions, code.options(128));
  ASSERT_FALSE(scheduled);
  EXPECT_NE(scheduled.error().message.find("hazard lint already"), std::string::npos);
}

// A reuse flag is set where the next read of the slot and bank reads the same register, and nowhere else.
TEST(Schedule, ReuseFlagsServeTheNextRead) {
  const PackCode code = pack_code("09_conflict_free", "sm_90");
  const auto scheduled = schedule_code(code.instructions, code.options(128));
  ASSERT_TRUE(scheduled);
  int flags = 0;
  for (const RegionResult& region : scheduled->regions)
    for (uint32_t i = region.range.first; i < region.range.end; ++i) {
      const isa::Instruction& product = scheduled->instructions[i];
      for (size_t k = 1; k < 4 && is_free_product(product); ++k) {
        if (!product.operands[k].reuse) continue;
        ++flags;
        const uint8_t reg = product.operands[k].index, slot = product.operands[k].slot;
        EXPECT_NE(product.operands[0].index, reg);
        for (uint32_t next = i + 1;; ++next) {
          ASSERT_LT(next, region.range.end);
          const isa::Operand& same_slot = scheduled->instructions[next].operands[k];
          if (!is_free_product(scheduled->instructions[next])) continue;
          EXPECT_EQ(same_slot.slot, slot);
          if (same_slot.index % 2 != reg % 2) continue;
          EXPECT_EQ(same_slot.index, reg) << "at " << i;
          break;
        }
      }
    }
  EXPECT_GT(flags, 800);
}

}  // namespace
}  // namespace gemmscope::schedule
