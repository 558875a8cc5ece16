// A trace ends exactly at its record limit: with any limit it holds the first records of the whole trace.
#include <gtest/gtest.h>

#include "machine/translate/translate.h"
#include "same_trace.h"

namespace gemmscope::machine {
namespace {

constexpr uint64_t kControl = 0x003fde0000000000;
constexpr uint32_t kThreads = 128;

// The code has runs of MOVs, with stores and a divergent branch between them.
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
    auto traced = trace_block(program, memory, {0, 0, 0}, {limit});
    EXPECT_TRUE(traced.has_value());
    return traced ? std::move(*traced) : Trace{};
  }
};

TEST(TraceLimit, EndsTheTraceAtItsRecord) {
  Case c;
  const Trace whole = c.trace(1'000'000);
  EXPECT_TRUE(whole.complete);
  ASSERT_EQ(whole.records.size(), c.program.ops.size() * kThreads / kWarpLanes);
  for (size_t limit = 0; limit <= whole.records.size() + 2; ++limit) {
    SCOPED_TRACE(limit);
    expect_prefix(c.trace(limit), whole, limit);
  }
}

}  // namespace
}  // namespace gemmscope::machine
