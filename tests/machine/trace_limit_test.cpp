// A trace ends exactly at its record limit, whether the warps' turns are recorded one by one or in bulk: with
// any limit it holds the first records of the whole trace.
#include <gtest/gtest.h>

#include "machine/trace.h"

namespace gemmscope::machine {
namespace {

constexpr uint64_t kControl = 0x003fde0000000000;
constexpr uint32_t kThreads = 128;

// Stretches of MOVs, which lane functions execute in bulk, with stores and a branch of some lanes between.
struct Case {
  GlobalMemory memory;
  Program program;

  Case() {
    const uint64_t address = memory.allocate("out", 64);
    std::vector<uint64_t> words = {(address & 0xffffffff) << 32 | 0x00027802,
                                   kControl | 0xf00,                                     // MOV R2, low
                                   address >> 32 << 32 | 0x00037802, kControl | 0xf00};  // MOV R3, high
    const auto moves = [&](uint64_t count) {
      for (uint64_t i = 0; i < count; ++i)
        words.insert(words.end(), {i << 32 | 0x00057802, kControl | 0xf00});
    };
    moves(13);
    words.insert(words.end(), {0x000010ff02007986, 0x003fde000c101904});  // STG.E [R2.64+0x10], RZ
    moves(7);
    words.insert(words.end(), {0x000010ff02007986, 0x003fde000c101904});
    moves(21);
    words.insert(words.end(), {0x000000000000794d, kControl | 0x3800000});  // EXIT
    cubin::Cubin cubin;
    cubin.arch = isa::Arch::sm_86;
    cubin::KernelCode kernel;
    kernel.name = "kernel";
    kernel.words = words;
    LaunchConfig launch;
    launch.block = {kThreads, 1, 1};
    Result<Program> translated = translate(cubin, kernel, launch, memory);
    EXPECT_TRUE(translated.has_value());
    if (translated) program = std::move(*translated);
  }
  Trace trace(size_t limit) {
    auto traced = trace_block(program, memory, {0, 0, 0}, limit, {});
    EXPECT_TRUE(traced.has_value());
    return traced ? std::move(*traced) : Trace{};
  }
};

void expect_prefix(const Trace& cut, const Trace& whole, size_t limit) {
  const size_t kept = std::min(limit, whole.records.size());
  ASSERT_EQ(cut.records.size(), kept);
  EXPECT_EQ(cut.complete, limit >= whole.records.size());
  size_t accesses = 0;
  for (size_t i = 0; i < kept; ++i) {
    const TraceRecord &a = cut.records[i], &b = whole.records[i];
    ASSERT_EQ(a.instruction, b.instruction) << "record " << i;
    ASSERT_EQ(a.warp, b.warp) << "record " << i;
    ASSERT_EQ(a.mask, b.mask) << "record " << i;
    ASSERT_EQ(a.executed, b.executed) << "record " << i;
    ASSERT_EQ(a.first_access, b.first_access) << "record " << i;
    ASSERT_EQ(a.access_count, b.access_count) << "record " << i;
    accesses += a.access_count;
  }
  EXPECT_EQ(cut.accesses.size(), accesses);
}

// How the block tells of its turns.
struct Listener final : Observer {
  size_t in_bulk = 0, single = 0;
  void on_access(const Access&) override {}
  void on_issue(const Issue&) override { ++single; }
  void on_turns(std::span<const Issue> first, uint32_t turns) override { in_bulk += first.size() * turns; }
};

TEST(TraceLimit, EndsTheTraceAtTheSameRecordInBulkAndOneByOne) {
  Case c;
  const Trace whole = c.trace(1'000'000);
  EXPECT_TRUE(whole.complete);
  ASSERT_EQ(whole.records.size(), c.program.ops.size() * kThreads / kWarpLanes);
  InstructionCounts counts(c.program.ops.size());
  Listener listener;
  Block block(c.program, c.memory, counts, {}, CheckMode::judge);
  EXPECT_FALSE(block.run({0, 0, 0}, Schedule::round_robin, &listener).has_value());
  EXPECT_GT(listener.in_bulk, whole.records.size() / 2);
  EXPECT_EQ(listener.in_bulk + listener.single, whole.records.size());
  for (size_t limit = 0; limit <= whole.records.size() + 2; ++limit) {
    SCOPED_TRACE(limit);
    expect_prefix(c.trace(limit), whole, limit);
  }
}

}  // namespace
}  // namespace gemmscope::machine
