// Every instruction has one kind, and the kinds add up to what was executed.
#include "metrics/instruction_mix.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>

#include "isa/opcode_table.h"
#include "ladder_traces.h"

namespace gemmscope::metrics {
namespace {

using Kind = InstructionKind;

std::string base_of(const std::string& mnemonic) { return mnemonic.substr(0, mnemonic.find('.')); }

// By the name that a disassembly prints.
const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> found = [] {
    std::map<std::string, Kind> all;
    for (const isa::OpcodeRow* row : isa::all_rows()) {
      const Kind kind = instruction_kind(row->opcode);
      const auto [at, is_new] = all.emplace(base_of(row->mnemonic), kind);
      EXPECT_EQ(at->second, kind) << row->mnemonic << " has two kinds";
    }
    return all;
  }();
  return found;
}

TEST(InstructionMix, KindsOfEveryFamily) {
  const std::map<Kind, std::vector<const char*>> expected = {
      {Kind::floating_point,
       {"FFMA", "FADD", "FMUL", "FSETP", "FMNMX", "MUFU", "DFMA", "HFMA2", "HMNMX2", "HMMA", "IMMA",
        "HGMMA"}},
      {Kind::integer,
       {"IADD3", "IMAD", "ISETP", "LEA", "LOP3", "SHF", "SEL", "POPC", "PLOP3", "UIADD3", "USHF", "UISETP",
        "IDP"}},
      {Kind::load_store,
       {"LDG", "STG", "LDS", "STS", "LDL", "STL", "LDC", "ULDC", "LDSM", "LDGSTS", "RED", "ATOMG", "ATOMS",
        "TEX"}},
      {Kind::control, {"BRA", "EXIT", "CALL", "RET", "BSSY", "BSYNC", "NANOSLEEP"}},
      {Kind::barrier, {"BAR", "DEPBAR", "LDGDEPBAR", "MEMBAR", "WARPSYNC"}},
      {Kind::other,
       {"MOV", "UMOV", "S2R", "CS2R", "S2UR", "R2UR", "SHFL", "VOTE", "VOTEU", "F2I", "I2F", "P2R", "NOP",
        "MOVM"}}};
  for (const auto& [kind, names] : expected)
    for (const char* name : names) {
      ASSERT_TRUE(kinds().contains(name)) << name;
      EXPECT_EQ(kinds().at(name), kind) << name;
    }
}

TEST(InstructionMix, KindsAddUpToTheInstructionsOfEachName) {
  for (const std::string& id : experiment::ladder_ids()) {
    const auto block = traced_block(id, {64, 64, 32}, isa::Arch::sm_90);
    ASSERT_NE(block, nullptr);
    const CounterSummary summary = summarize(block->counters, block->compiled->instructions);
    InstructionMix by_name{};
    for (const auto& [name, count] : summary.by_opcode)
      by_name[static_cast<size_t>(kinds().at(name))] += count;
    EXPECT_EQ(summary.mix, by_name) << id;
    EXPECT_EQ(total(summary.mix), summary.warp_instructions) << id;
    double shares = 0;
    for (int i = 0; i < kInstructionKinds; ++i) shares += share(summary.mix, static_cast<Kind>(i));
    EXPECT_DOUBLE_EQ(shares, 1) << id;
  }
  EXPECT_EQ(share({}, Kind::integer), 0);
}

TEST(InstructionMix, SummariesAddUp) {
  const auto block = traced_block("03_shared_tile", {64, 64, 32});
  ASSERT_NE(block, nullptr);
  const CounterSummary one = summarize(block->counters, block->compiled->instructions);
  CounterSummary two = one;
  two.add(one);
  EXPECT_EQ(two.traffic.global_loaded_bytes, 2 * one.traffic.global_loaded_bytes);
  for (size_t i = 0; i < one.mix.size(); ++i) EXPECT_EQ(two.mix[i], 2 * one.mix[i]);
  EXPECT_EQ(two.flop_per_float(), one.flop_per_float());
}

// Counted again from the addresses that the lanes accessed.
TEST(InstructionMix, LoadedBytesAreThoseThatTheLanesAccess) {
  for (const std::string& id : experiment::ladder_ids()) {
    const auto block = traced_block(id, {64, 64, 32}, isa::Arch::sm_90);
    ASSERT_NE(block, nullptr);
    uint64_t bytes = 0;
    for (const machine::TraceAccess& access : block->trace.accesses)
      if (access.space == machine::Space::global && access.direction == machine::Direction::load)
        bytes += static_cast<uint64_t>(std::popcount(access.mask)) * access.width_bytes;
    const CounterSummary summary = summarize(block->counters, block->compiled->instructions);
    EXPECT_EQ(summary.traffic.global_loaded_bytes, bytes) << id;
    EXPECT_GT(bytes, 0u) << id;
  }
}

// A thread that computes one element loads two floats for each multiply-add, two operations.
TEST(InstructionMix, FlopPerFloatOfTheNaiveKernelIsOne) {
  const auto block = traced_block("01_naive_rows", {64, 64, 64});
  ASSERT_NE(block, nullptr);
  const CounterSummary summary = summarize(block->counters, block->compiled->instructions);
  EXPECT_NEAR(summary.flop_per_float(), 1, 1.0 / 64);  // and the multiplication by alpha
  EXPECT_EQ(CounterSummary{}.flop_per_float(), 0);
}

}  // namespace
}  // namespace gemmscope::metrics
