// Counting with remembered patterns gives the same as counting each access by itself.
#include "metrics/counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <tuple>

#include "ladder_traces.h"

namespace gemmscope::metrics {
namespace {

using machine::Access;
using machine::Direction;
using machine::Space;

void expect_equal(const std::vector<InstructionTraffic>& a, const std::vector<InstructionTraffic>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << "instruction " << i;
}

// Adds one access to the traffic of its instruction, without regard to other accesses.
void count_plainly(std::vector<InstructionTraffic>& traffic, const Access& access) {
  InstructionTraffic& t = traffic[access.instruction];
  const bool load = access.direction == Direction::load;
  const bool past_l1 = access.path == machine::Path::bypass_copy;
  const bool copies = past_l1 || access.path == machine::Path::async_copy;  // LDGSTS
  if (access.space == Space::global && load)
    t.global_loaded_bytes += static_cast<uint64_t>(std::popcount(access.mask)) * access.width_bytes;
  if (access.path == machine::Path::bulk_copy) return;  // of which L1 counts nothing else
  if (access.space != Space::shared) {
    const bool global = access.space == Space::global;
    const GlobalAccess pattern{access.width_bytes, access.mask, *access.addresses};
    const SectorCount count = global ? count_sectors(pattern) : count_local_sectors(pattern);
    Traffic& counter = copies   ? t.async_global
                       : global ? load ? t.global_load : t.global_store
                       : load   ? t.local_load
                                : t.local_store;
    counter.requests += global ? 1 : std::max<uint64_t>(1, access.width_bytes / 4);
    if (past_l1) return;  // their sectors have a model of their own: bypass_sectors_test.cpp
    counter.sectors += static_cast<uint64_t>(count.sectors);
    counter.minimum_sectors += static_cast<uint64_t>(count.minimum);
    return;
  }
  const bool matrix = access.path == machine::Path::matrix;  // LDSM
  // Eight lanes give the rows of one matrix.
  const int words =
      matrix ? (32 - std::countl_zero(access.mask) + 7) / 8 : std::max(1, access.width_bytes / 4);
  const SharedOp op = matrix ? SharedOp::matrix_load : load ? SharedOp::load : SharedOp::store;
  const BankCount count = count_wavefronts({op, words, access.mask, *access.addresses});
  Traffic& counter = copies ? t.async_shared : matrix ? t.matrix_load : load ? t.shared_load : t.shared_store;
  ++counter.requests;
  counter.wavefronts += static_cast<uint64_t>(count.wavefronts);
  counter.minimum_wavefronts += static_cast<uint64_t>(count.minimum);
}

// The patterns are those of loops: the same again, moved a little, moved by a line, another mask, one lane
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

// LDGSTS is a global load and a shared store in one instruction. Each has its own remembered pattern and
// counter, apart from LDG and STS.
TEST(Traffic, AnAsynchronousCopyIsCountedInBothSpaces) {
  TrafficCollector collector(1);
  std::array<uint64_t, 32> from{}, to{};
  for (size_t l = 0; l < 32; ++l) from[l] = 4096 * l, to[l] = 16 * l;
  for (int i = 0; i < 3; ++i) {
    collector.on_access(
        {0, Space::global, Direction::load, 16, 0xffffffff, &from, machine::Path::async_copy});
    collector.on_access({0, Space::shared, Direction::store, 16, 0xffffffff, &to, machine::Path::async_copy});
  }
  const InstructionTraffic& t = collector.traffic()[0];
  EXPECT_EQ(t.async_global.requests, 3u);
  EXPECT_EQ(t.async_global.sectors, 96u);
  EXPECT_EQ(t.async_shared.requests, 3u);
  EXPECT_EQ(t.async_shared.wavefronts, 12u);
  EXPECT_EQ(t.global_load, Traffic{});
  EXPECT_EQ(t.shared_store, Traffic{});
  EXPECT_EQ(t.total().requests, 6u);
  EXPECT_EQ(t.total().excess_wavefronts(), 0u);
}

// A lane that fills with zeros, or copies what a lane before it copies, takes no wavefront for certain.
TEST(Traffic, OfACopyOnlyLanesWithBytesOfTheirOwnTakeWavefronts) {
  using machine::Path;
  std::array<uint64_t, 32> from{}, to{};
  for (size_t l = 0; l < 32; ++l) to[l] = 16 * l;
  for (const Path path : {Path::async_copy, Path::bypass_copy}) {
    TrafficCollector collector(4);
    const auto copy = [&](uint32_t instruction, uint32_t reading, uint32_t filling) {
      if (reading != 0)
        collector.on_access({instruction, Space::global, Direction::load, 16, reading, &from, path});
      collector.on_access({instruction, Space::shared, Direction::store, 16, reading | filling, &to, path});
    };
    for (size_t l = 0; l < 32; ++l) from[l] = 16 * l;
    copy(0, 0xffffffff, 0);           // all lanes: 512 bytes
    copy(1, 0x000000ff, 0xffffff00);  // eight lanes; the others fill
    copy(2, 0, 0xffffffff);           // only zeros
    copy(3, 0xffffffff, 0);           // all once more, which must not know of the one before
    for (uint64_t& address : from) address = 4096;
    copy(3, 0xffffffff, 0);  // lane 0 brings what all others write as well
    const std::vector<InstructionTraffic>& t = collector.traffic();
    EXPECT_EQ(t[0].async_shared.wavefronts, 4u);
    EXPECT_EQ(t[1].async_shared.wavefronts, 1u);
    EXPECT_EQ(t[2].async_shared.wavefronts, 0u);
    EXPECT_EQ(t[2].async_shared.requests, 1u);
    EXPECT_EQ(t[3].async_shared.wavefronts, 4u + 1u);
    for (const InstructionTraffic& each : t) EXPECT_EQ(each.async_shared.excess_wavefronts(), 0u);
  }
}

// Random copies, counted by remembered patterns and one by one.
TEST(TrafficProperty, CopiesCountLikePlainOnes) {
  std::mt19937_64 random(7);
  TrafficCollector collector(3);
  std::array<Traffic, 3> plain;
  std::array<uint64_t, 32> from{}, to{};
  for (size_t l = 0; l < 32; ++l) from[l] = 4 * l, to[l] = 8 * l;
  for (int step = 0; step < 20000; ++step) {
    const auto i = static_cast<uint32_t>(random() % 3);
    if (random() % 2 == 0)
      for (uint64_t& address : from) address = random() % 40 * 4;
    if (random() % 4 == 0)
      for (uint64_t& address : to) address = random() % 256 * 4;
    const auto filling = random() % 3 == 0 ? static_cast<uint32_t>(random()) : 0;
    const uint32_t active = random() % 3 == 0 ? static_cast<uint32_t>(random()) | 1u : 0xffffffff;
    const uint32_t reading = active & ~filling;
    constexpr auto kPath = machine::Path::async_copy;
    if (reading != 0) collector.on_access({i, Space::global, Direction::load, 4, reading, &from, kPath});
    collector.on_access({i, Space::shared, Direction::store, 4, active, &to, kPath});
    std::set<uint64_t> read;
    uint32_t own = 0;
    for (size_t l = 0; l < 32; ++l)
      if ((reading >> l & 1u) != 0 && read.insert(from[l]).second) own |= 1u << l;
    const BankCount count = count_wavefronts({SharedOp::store, 1, own, to});
    ++plain[i].requests;
    plain[i].wavefronts += static_cast<uint64_t>(count.wavefronts);
    plain[i].minimum_wavefronts += static_cast<uint64_t>(count.minimum);
  }
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(collector.traffic()[i].async_shared, plain[i]) << i;
}

// Every direction in every space has its own counter; atomics are neither loads nor stores.
TEST(Traffic, AtomicsAreCountedApart) {
  TrafficCollector collector(4);
  std::array<uint64_t, 32> addresses{};
  for (size_t l = 0; l < 32; ++l) addresses[l] = 64 * l;
  collector.on_access({0, Space::global, Direction::atomic, 4, 0xffffffff, &addresses});
  collector.on_access({1, Space::global, Direction::reduce, 4, 0x0000ffff, &addresses});
  collector.on_access({2, Space::shared, Direction::atomic, 4, 0xffffffff, &addresses});
  collector.on_access({3, Space::shared, Direction::reduce, 4, 0xffffffff, &addresses});
  InstructionTraffic sum;
  for (const InstructionTraffic& t : collector.traffic()) sum.add(t);
  EXPECT_EQ(sum.global_atomic.requests, 1u);
  EXPECT_EQ(sum.global_atomic.sectors, 32u);
  EXPECT_EQ(sum.global_reduce.sectors, 16u);
  EXPECT_EQ(sum.shared_atomic.requests, 2u);
  EXPECT_EQ(sum.shared_atomic.wavefronts, 0u);
  for (Traffic InstructionTraffic::*kind :
       {&InstructionTraffic::global_load, &InstructionTraffic::global_store, &InstructionTraffic::shared_load,
        &InstructionTraffic::shared_store})
    EXPECT_EQ(sum.*kind, Traffic{});
}

// In ldmatrix 8 lanes give the rows of a matrix. Rows 32 bytes apart use only half of the banks and conflict
// there.
TEST(Traffic, MatrixLoadsGroupByMatrix) {
  for (const auto& [mask, pitch, wavefronts, least] :
       {std::tuple(0xffu, 16u, 1u, 1u), std::tuple(0xffffu, 16u, 2u, 2u),
        std::tuple(0xffffffffu, 16u, 4u, 4u), std::tuple(0xffffffffu, 32u, 8u, 4u),
        std::tuple(0xffu, 128u, 8u, 1u)}) {
    TrafficCollector collector(1);
    std::array<uint64_t, 32> rows{};
    for (size_t l = 0; l < 32; ++l) rows[l] = pitch * l;
    collector.on_access({0, Space::shared, Direction::load, 16, mask, &rows, machine::Path::matrix});
    const Traffic& t = collector.traffic()[0].matrix_load;
    EXPECT_EQ(t.wavefronts, wavefronts) << pitch;
    EXPECT_EQ(t.minimum_wavefronts, least) << pitch;
  }
}

TEST(Traffic, ClearingForgetsOnlyTheTraffic) {
  std::array<uint64_t, 32> addresses{};
  for (size_t l = 0; l < 32; ++l) addresses[l] = 4 * l;
  TrafficCollector collector(3);
  const Access access{1, Space::global, Direction::load, 4, 0xffffffff, &addresses};
  collector.on_access(access);
  const std::vector<InstructionTraffic> once = collector.traffic();
  collector.clear();
  expect_equal(collector.traffic(), std::vector<InstructionTraffic>(3));
  collector.on_access(access);
  expect_equal(collector.traffic(), once);
}

TEST(Flatten, DiffersWhereAnyCounterDiffers) {
  machine::InstructionCounts executed(2);
  executed.warps = {3, 3};
  executed.threads = {96, 90};
  std::vector<InstructionTraffic> traffic(2);
  traffic[1].shared_load = {3, 0, 0, 6, 3};
  std::set<std::vector<uint64_t>> rows{flatten(executed, traffic)};
  for (const TrafficKind& kind : kTrafficKinds)
    for (uint64_t Traffic::*field : {&Traffic::requests, &Traffic::sectors, &Traffic::minimum_sectors,
                                     &Traffic::wavefronts, &Traffic::minimum_wavefronts}) {
      std::vector<InstructionTraffic> changed = traffic;
      (changed[1].*kind.member).requests += 1;  // a field of a counter without requests means nothing
      (changed[1].*kind.member).*field += 1;
      EXPECT_TRUE(rows.insert(flatten(executed, changed)).second);
    }
  executed.threads[0] = 95;
  EXPECT_TRUE(rows.insert(flatten(executed, traffic)).second);
}

class LadderCounters : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, LadderCounters, testing::ValuesIn(ladder_ids()),
                         [](const auto& test) { return fmt::format("k{}", test.param); });

// Of the shared half of a copy, the lanes before which none reads the same address of global memory.
uint32_t sure_lanes(std::span<const machine::TraceAccess> halves, const machine::TraceAccess& access) {
  if (access.space != Space::shared ||
      (access.path != machine::Path::async_copy && access.path != machine::Path::bypass_copy))
    return access.mask;
  std::set<uint64_t> read;
  uint32_t lanes = 0;
  for (const machine::TraceAccess& half : halves)
    for (size_t l = 0; half.space == Space::global && l < 32; ++l)
      if ((half.mask >> l & 1u) != 0 && read.insert(half.addresses[l]).second) lanes |= 1u << l;
  return lanes;
}

TEST_P(LadderCounters, EqualThePlainCountOverTheTrace) {
  const auto block = traced_block(GetParam(), {130, 66, 34});
  ASSERT_NE(block, nullptr);
  const size_t instructions = block->compiled->instructions.size();
  std::vector<InstructionTraffic> plain(instructions);
  std::vector<uint64_t> warps(instructions), threads(instructions);
  for (const machine::TraceRecord& record : block->trace.records) {
    ++warps[record.instruction];
    threads[record.instruction] += static_cast<uint64_t>(std::popcount(record.executed));
    const std::span<const machine::TraceAccess> accesses = block->trace.accesses_of(record);
    for (const machine::TraceAccess& access : accesses) {
      const std::array<uint64_t, 32> addresses = access.addresses.all();
      count_plainly(plain, {record.instruction, access.space, access.direction, access.width_bytes,
                            sure_lanes(accesses, access), &addresses, access.path});
    }
  }
  for (size_t i = 0; i < instructions; ++i) {
    if (!block->compiled->instructions[i].has(isa::Modifier::bypass)) continue;
    plain[i].async_global.sectors = block->counters.traffic[i].async_global.sectors;
    plain[i].async_global.minimum_sectors = block->counters.traffic[i].async_global.minimum_sectors;
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
  // Counts the block's share of the 64x64x64 multiply-adds. Tiles that stick out of C multiply zeroes there,
  // except the rows that 06_thread_tile skips. alpha * sum + beta * old is one more for each element of C
  // that the block stores; 01 and 02 execute it only if beta != 0.
  const catalog::TileShape& tile = block->compiled->launch.tile;
  if (catalog::declared_grade(block->compiled->kernel) == catalog::Grade::fp32) {
    const int64_t stored_rows = std::min<int64_t>(tile.block_m, 64);
    const int64_t rows = GetParam() == "06_thread_tile" ? stored_rows : tile.block_m;
    const int64_t stored = GetParam() == "01_naive_rows" || GetParam() == "02_naive_coalesced"
                               ? 0
                               : stored_rows * std::min<int64_t>(tile.block_n, 64);
    EXPECT_EQ(summary.ffma, static_cast<uint64_t>(rows * tile.block_n * 64 + stored));
    EXPECT_EQ(summary.tensor_flops, 0u);
  } else {  // whole tiles along k
    EXPECT_EQ(summary.tensor_flops, 2 * static_cast<uint64_t>(tile.block_m * tile.block_n * 64));
    const uint64_t depth = catalog::declared_grade(block->compiled->kernel) == catalog::Grade::tf32 ? 8 : 16;
    EXPECT_EQ(summary.executed.tensor_hmma * 2 * 16 * 8 * depth, summary.tensor_flops);
  }
  EXPECT_EQ(summary.flops(), 2 * summary.ffma + summary.fadd + summary.fmul + summary.tensor_flops);
}

TEST_P(LadderCounters, BankReportAddsUpToTheSharedTraffic) {
  const auto block = traced_block(GetParam(), {64, 64, 64});
  ASSERT_NE(block, nullptr);
  Traffic shared, reported;
  for (const InstructionTraffic& t : block->counters.traffic)
    for (const Traffic* kind : {&t.shared_load, &t.shared_store, &t.async_shared, &t.matrix_load})
      shared.add(*kind);
  uint32_t previous = 0;
  for (const BankRow& row : block->banks) {
    EXPECT_TRUE(reported.requests == 0 || row.instruction > previous) << "rows are in code order";
    previous = row.instruction;
    reported.requests += row.executions;
    reported.wavefronts += row.wavefronts;
    reported.minimum_wavefronts += row.minimum;
    const machine::TraceRecord& worst = block->trace.records[row.worst_record];
    EXPECT_EQ(worst.instruction, row.instruction);
    // An asynchronous copy reads global memory first.
    const auto accesses = block->trace.accesses_of(worst);
    const auto access = std::ranges::find(accesses, machine::Space::shared, &machine::TraceAccess::space);
    ASSERT_NE(access, accesses.end());
    EXPECT_EQ(conflict_degree(shared_access(*access)), row.worst_degree);
  }
  EXPECT_EQ(reported.requests, shared.requests);
  EXPECT_EQ(reported.wavefronts, shared.wavefronts);
  EXPECT_EQ(reported.minimum_wavefronts, shared.minimum_wavefronts);
}

}  // namespace
}  // namespace gemmscope::metrics
