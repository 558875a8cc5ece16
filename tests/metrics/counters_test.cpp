// Counting with the memory of patterns must give what counting each access by itself gives.
#include "metrics/counters.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "ladder_traces.h"

namespace gemmscope::metrics {
namespace {

using machine::Access;
using machine::Direction;
using machine::Space;

void expect_equal(const Traffic& a, const Traffic& b) {
  EXPECT_EQ(a.requests, b.requests);
  EXPECT_EQ(a.sectors, b.sectors);
  EXPECT_EQ(a.minimum_sectors, b.minimum_sectors);
  EXPECT_EQ(a.wavefronts, b.wavefronts);
  EXPECT_EQ(a.minimum_wavefronts, b.minimum_wavefronts);
}
void expect_equal(const std::vector<InstructionTraffic>& a, const std::vector<InstructionTraffic>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(i);
    expect_equal(a[i].global_load, b[i].global_load);
    expect_equal(a[i].global_store, b[i].global_store);
    expect_equal(a[i].shared_load, b[i].shared_load);
    expect_equal(a[i].shared_store, b[i].shared_store);
  }
}

// Adds one access to the traffic of its instruction, looking at nothing else.
void count_plainly(std::vector<InstructionTraffic>& traffic, const Access& access) {
  if (access.space == Space::local) return;
  InstructionTraffic& t = traffic[access.instruction];
  const bool load = access.direction == Direction::load;
  if (access.space == Space::global) {
    const SectorCount count = count_sectors({access.width_bytes, access.mask, *access.addresses});
    Traffic& counter = load ? t.global_load : t.global_store;
    ++counter.requests;
    counter.sectors += static_cast<uint64_t>(count.sectors);
    counter.minimum_sectors += static_cast<uint64_t>(count.minimum);
    return;
  }
  const int words = std::max(1, access.width_bytes / 4);
  const BankCount count =
      count_wavefronts({load ? SharedOp::load : SharedOp::store, words, access.mask, *access.addresses});
  Traffic& counter = load ? t.shared_load : t.shared_store;
  ++counter.requests;
  counter.wavefronts += static_cast<uint64_t>(count.wavefronts);
  counter.minimum_wavefronts += static_cast<uint64_t>(count.minimum);
}

// Patterns as loops make them: the same again, moved by a little, moved by a line, another mask, one lane
// elsewhere.
TEST(TrafficProperty, RememberedPatternsCountLikePlainOnes) {
  std::mt19937_64 random(11);
  constexpr uint32_t kInstructions = 12;
  std::vector<InstructionTraffic> plain(kInstructions);
  TrafficCollector collector(kInstructions);
  struct Form {
    Space space;
    Direction direction;
    uint8_t width;
  };
  std::vector<Form> forms;
  for (uint32_t i = 0; i < kInstructions; ++i)
    forms.push_back({i % 5 == 4   ? Space::local
                     : i % 2 == 0 ? Space::global
                                  : Space::shared,
                     i / 2 % 2 == 0 ? Direction::load : Direction::store,
                     static_cast<uint8_t>(1 << random() % 5)});
  std::vector<std::array<uint64_t, 32>> addresses(kInstructions);
  std::vector<uint32_t> masks(kInstructions, 0xffffffff);
  for (int step = 0; step < 40000; ++step) {
    const auto i = static_cast<uint32_t>(random() % kInstructions);
    const uint64_t width = forms[i].width;
    switch (random() % 8) {
      case 0:
        for (uint64_t& a : addresses[i]) a = 0x10000 + random() % 64 * width;
        break;
      case 1:
        for (size_t l = 0; l < 32; ++l) addresses[i][l] = 0x20000 + l * width * (1 + random() % 2);
        break;
      case 2:
        for (uint64_t& a : addresses[i]) a += width;
        break;
      case 3:
        for (uint64_t& a : addresses[i]) a += 128;
        break;
      case 4:
        addresses[i][random() % 32] += width;
        break;
      case 5:
        masks[i] = random() % 2 == 0 ? 0xffffffff : static_cast<uint32_t>(random()) | 1u << random() % 32;
        break;
      default:
        break;
    }
    const Access access{i, forms[i].space, forms[i].direction, forms[i].width, masks[i], &addresses[i]};
    collector.on_access(access);
    count_plainly(plain, access);
  }
  expect_equal(collector.traffic(), plain);
}

// LDGSTS: a global load and a shared store of one instruction have a memory each.
TEST(Traffic, AnAsynchronousCopyIsCountedInBothSpaces) {
  TrafficCollector collector(1);
  std::array<uint64_t, 32> from{}, to{};
  for (size_t l = 0; l < 32; ++l) from[l] = 4096 * l, to[l] = 16 * l;
  for (int i = 0; i < 3; ++i) {
    collector.on_access({0, Space::global, Direction::load, 16, 0xffffffff, &from});
    collector.on_access({0, Space::shared, Direction::store, 16, 0xffffffff, &to});
  }
  const InstructionTraffic& t = collector.traffic()[0];
  EXPECT_EQ(t.global_load.requests, 3u);
  EXPECT_EQ(t.global_load.sectors, 96u);
  EXPECT_EQ(t.shared_store.requests, 3u);
  EXPECT_EQ(t.shared_store.wavefronts, 12u);
  EXPECT_EQ(t.total().requests, 6u);
  EXPECT_EQ(t.total().excess_wavefronts(), 0u);
}

TEST(Traffic, LocalMemoryIsNotCounted) {
  TrafficCollector collector(1);
  const std::array<uint64_t, 32> addresses{};
  collector.on_access({0, Space::local, Direction::store, 4, 0xffffffff, &addresses});
  EXPECT_EQ(collector.traffic()[0].total().requests, 0u);
}

class LadderCounters : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, LadderCounters, testing::ValuesIn(ladder_ids()),
                         [](const auto& test) { return fmt::format("k{}", test.param); });

TEST_P(LadderCounters, EqualThePlainCountOverTheTrace) {
  const auto block = traced_block(GetParam(), {130, 66, 34});
  ASSERT_NE(block, nullptr);
  const size_t instructions = block->compiled->instructions.size();
  std::vector<InstructionTraffic> plain(instructions);
  std::vector<uint64_t> warps(instructions), threads(instructions);
  for (const machine::TraceRecord& record : block->trace.records) {
    ++warps[record.instruction];
    threads[record.instruction] += static_cast<uint64_t>(std::popcount(record.executed));
    for (const machine::TraceAccess& access : block->trace.accesses_of(record))
      count_plainly(plain, {record.instruction, access.space, access.direction, access.width_bytes,
                            access.mask, &access.addresses});
  }
  expect_equal(block->counters.traffic, plain);
  EXPECT_EQ(block->counters.executed.warps, warps);
  EXPECT_EQ(block->counters.executed.threads, threads);
}

TEST_P(LadderCounters, SummaryIsTheSumOverInstructions) {
  const auto block = traced_block(GetParam(), {64, 64, 64});
  ASSERT_NE(block, nullptr);
  const CounterSummary summary = summarize(block->counters, block->compiled->instructions);
  EXPECT_EQ(summary.warp_instructions, block->trace.records.size());
  uint64_t by_opcode = 0;
  for (const auto& [opcode, count] : summary.by_opcode) {
    EXPECT_EQ(opcode.find('.'), std::string::npos);
    by_opcode += count;
  }
  EXPECT_EQ(by_opcode, summary.warp_instructions);
  // The block's share of the 64x64x64 products: a block of 01_naive owns 16x16 of C; the 128x128 tiles of the
  // others stick out of C and multiply zeroes there.
  const catalog::TileShape& tile = block->compiled->launch.tile;
  EXPECT_EQ(summary.ffma % static_cast<uint64_t>(tile.block_m * tile.block_n), 0u);
  EXPECT_GE(summary.ffma, static_cast<uint64_t>(tile.block_m * tile.block_n * 64));
  EXPECT_EQ(summary.flops(), 2 * summary.ffma + summary.fadd + summary.fmul);
}

TEST_P(LadderCounters, BankReportAddsUpToTheSharedTraffic) {
  const auto block = traced_block(GetParam(), {64, 64, 64});
  ASSERT_NE(block, nullptr);
  Traffic shared, reported;
  for (const InstructionTraffic& t : block->counters.traffic)
    shared.add(t.shared_load), shared.add(t.shared_store);
  uint32_t previous = 0;
  for (const BankRow& row : block->banks) {
    EXPECT_TRUE(reported.requests == 0 || row.instruction > previous) << "rows are in code order";
    previous = row.instruction;
    reported.requests += row.executions;
    reported.wavefronts += row.wavefronts;
    reported.minimum_wavefronts += row.minimum;
    const machine::TraceRecord& worst = block->trace.records[row.worst_record];
    EXPECT_EQ(worst.instruction, row.instruction);
    EXPECT_EQ(conflict_degree(shared_access(block->trace.accesses_of(worst)[0])), row.worst_degree);
  }
  EXPECT_EQ(reported.requests, shared.requests);
  EXPECT_EQ(reported.wavefronts, shared.wavefronts);
  EXPECT_EQ(reported.minimum_wavefronts, shared.minimum_wavefronts);
}

}  // namespace
}  // namespace gemmscope::metrics
