// What the proof refuses: rewritten code with one thing wrong.
#include "schedule/proof.h"

#include <numeric>

#include "pack_code.h"

namespace gemmscope::schedule {
namespace {

class Proof : public testing::Test {
 protected:
  PackCode code_ = pack_code("09_conflict_free", "sm_86");
  std::vector<isa::Instruction> now_ = code_.instructions;
  std::vector<uint32_t> moved_ = [this] {
    std::vector<uint32_t> itself(code_.instructions.size());
    std::iota(itself.begin(), itself.end(), 0u);
    return itself;
  }();
  MainLoop loop_ = find_main_loop(code_.instructions).value();

  Result<void> prove() const { return prove_same(code_.instructions, now_, moved_, loop_.regions); }
  // The k-th free product of the loop's first region.
  uint32_t product(int k) const {
    for (uint32_t i = loop_.regions.front().first;; ++i)
      if (is_free_product(now_[i]) && k-- == 0) return i;
  }
  void exchange(uint32_t a, uint32_t b) {
    std::swap(now_[a], now_[b]);
    std::swap(now_[a].address, now_[b].address);
    std::swap(moved_[a], moved_[b]);
  }
};

TEST_F(Proof, TheCodeItselfIsProved) {
  const auto proved = prove();
  EXPECT_TRUE(proved) << proved.error().message;
}

TEST_F(Proof, IndependentProductsMayChangePlaces) {
  exchange(product(0), product(1));
  const auto proved = prove();
  EXPECT_TRUE(proved) << proved.error().message;
}

TEST_F(Proof, FactorsMayChangePlaces) {
  isa::Instruction& ffma = now_[product(3)];
  std::swap(ffma.operands[1].index, ffma.operands[2].index);
  EXPECT_TRUE(prove());
}

TEST_F(Proof, AnotherRegisterIsRefused) {
  now_[product(3)].operands[1].index ^= 1;
  EXPECT_FALSE(prove());
}

TEST_F(Proof, AnotherSignIsRefused) {
  now_[product(3)].operands[2].negate = true;
  EXPECT_FALSE(prove());
}

TEST_F(Proof, AFactorAndTheSumMayNotChangePlaces) {
  isa::Instruction& ffma = now_[product(3)];
  std::swap(ffma.operands[1].index, ffma.operands[3].index);
  EXPECT_FALSE(prove());
}

TEST_F(Proof, AClobberedRegisterIsRefused) {
  const uint32_t first = product(0), other = product(40);
  now_[first].operands[0].index = now_[other].operands[3].index;
  EXPECT_FALSE(prove());
}

TEST_F(Proof, AProductBeforeItsLoadIsRefused) {
  const Range region = loop_.regions.front();
  uint32_t load = region.first;
  while (now_[load].opcode != isa::Opcode::lds) ++load;
  exchange(load, product(0));
  EXPECT_FALSE(prove());
}

TEST_F(Proof, LoadsAndBarriersKeepTheirOrder) {
  const Range region = loop_.regions.front();
  std::vector<uint32_t> loads;
  for (uint32_t i = region.first; i < region.end; ++i)
    if (now_[i].opcode == isa::Opcode::lds) loads.push_back(i);
  ASSERT_GT(loads.size(), 2u);
  exchange(loads[0], loads[1]);
  const auto proved = prove();
  ASSERT_FALSE(proved);
  EXPECT_NE(proved.error().message.find("may not move"), std::string::npos) << proved.error().message;
}

TEST_F(Proof, AnInstructionTwiceIsRefused) {
  moved_[product(0)] = moved_[product(1)];
  EXPECT_FALSE(prove());
}

TEST_F(Proof, AnotherOffsetIsRefused) {
  const Range region = loop_.regions.front();
  uint32_t load = region.first;
  while (now_[load].opcode != isa::Opcode::lds) ++load;
  now_[load].operands[1].value += 16;
  EXPECT_FALSE(prove());
}

}  // namespace
}  // namespace gemmscope::schedule
