// Warps that run one after the other give the same trace, once it is sorted into trace order, as warps that
// issue in turns. With any limit the trace holds the first records. A kernel that depends on the order is
// executed in turns.
#include "compiled_kernel.h"
#include "machine/record/trace_recorder.h"
#include "same_trace.h"

namespace gemmscope::machine {
namespace {

constexpr uint32_t kThreads = 224;  // seven warps

Launch launch_of(uint32_t threads) {
  Launch launch;
  launch.block = {threads, 1, 1};
  std::vector<uint32_t> in(1024);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761u >> 7;
  launch.buffer("in", in).buffer("out", std::vector<uint32_t>(1024));
  return launch;
}

std::string kernel_of(const std::string& body) {
  return R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[256];
  const unsigned t = threadIdx.x, warp = t / 32;
  unsigned x = in[t];
  )" + body +
         R"(
  out[t] = x;
})";
}

struct Source {
  const char* name;
  const char* body;
};
void PrintTo(const Source& source, std::ostream* out) { *out << source.name; }
std::string name_of(const testing::TestParamInfo<Source>& test) { return test.param.name; }

class TraceOrder : public testing::TestWithParam<Source> {};
INSTANTIATE_TEST_SUITE_P(
    Sources, TraceOrder,
    testing::Values(Source{"nobody_waits",
                           "for (unsigned i = 0; i < 20 + warp; ++i) x = x * 5 + in[(x + i) % 1024];"},
                    Source{"loops_of_other_lengths_between_barriers", R"(
          for (unsigned k = 0; k < 5; ++k) {
            for (unsigned i = 0; i < (warp * 7 + k * 3) % 11; ++i) x = x * 5 + in[(x + i) % 1024];
            tile[t] = x;
            __syncthreads();
            x += tile[(t + 33) % blockDim.x];
            __syncthreads();
          })"},
                    Source{"some_exit_before_the_others_meet", R"(
          for (unsigned i = 0; i < (warp * 5) % 13; ++i) x = x * 5 + in[(x + i) % 1024];
          if (warp == 2 || t == 100 || (warp == 5 && x != 0)) { out[t] = x; return; }
          __syncthreads();
          for (unsigned i = 0; i < (warp * 3) % 7; ++i) x = x * 5 + in[(x + i) % 1024];
          if (warp == 6) { out[t] = x; return; }
          __syncthreads();
          x += 3;)"},
                    Source{"the_last_to_let_go_exits", R"(
          if (warp == 1) {
            for (unsigned i = 0; i < 200; ++i) x = x * 5 + in[(x + i) % 1024];
            out[t] = x;
            return;
          }
          __syncthreads();
          x = x * 7 + in[x % 1024];)"},
                    Source{"lanes_part_and_meet", R"(
          for (unsigned i = 0; i < x % 9; ++i) {
            if ((x >> i & 1) != 0) x = x * 5 + in[(x + i) % 1024];
            else out[512 + t] = x + i;
          }
          x += __shfl_xor_sync(~0u, x, 3);
          tile[t] = x;
          __syncthreads();
          if (t % 3 == 0) x ^= tile[(t + 1) % blockDim.x];)"},
                    Source{"barriers_that_reduce", R"(
          for (unsigned i = 0; i < (warp * 5) % 13; ++i) x = x * 5 + in[(x + i) % 1024];
          x += __syncthreads_count(x % 3 == 0);
          if (__syncthreads_or(x == 77)) x = 0;)"}),
    name_of);

TEST_P(TraceOrder, EqualsThatOfWarpsInTurns) {
  NEED_NVRTC();
  const auto compiled = compile_source(kernel_of(GetParam().body), isa::Arch::sm_90);
  ASSERT_NE(compiled, nullptr);
  EXPECT_FALSE(turns_matter(*launch_of(kThreads).translated(*compiled)));
  for (const uint32_t threads : {kThreads, kThreads - 19, 32u, 1u}) {
    SCOPED_TRACE(threads);
    const Trace turns = launch_of(threads).trace_in_turns(*compiled, 1'000'000);
    ASSERT_GT(turns.records.size(), 20u);
    EXPECT_TRUE(turns.findings.empty());
    const size_t all = turns.records.size();
    for (const size_t limit :
         {all + 1, all, all - 1, all / 2, all / 3 + 1, all / 7, size_t{33}, size_t{1}, size_t{0}}) {
      SCOPED_TRACE(limit);
      auto trace = launch_of(threads).trace(*compiled, limit);
      ASSERT_TRUE(trace.has_value());
      expect_prefix(*trace, turns, limit);
      EXPECT_TRUE(trace->findings.empty());
      if (testing::Test::HasFailure()) return;
    }
  }
}

class KernelsThatDependOnTurns : public testing::TestWithParam<Source> {};
INSTANTIATE_TEST_SUITE_P(
    Sources, KernelsThatDependOnTurns,
    testing::Values(Source{"atomics", "x = atomicAdd(out + 700, x);"}, Source{"atomics_in_shared_memory", R"(
                      if (t == 0) tile[0] = 0;
                      __syncthreads();
                      x = atomicAdd(tile, 1);)"},
                    Source{"clocks", "x += clock();"},
                    Source{"volatile_memory", "x += *reinterpret_cast<const volatile unsigned*>(out + 700);"},
                    Source{"barriers_of_some_warps", R"(
                      if (warp < 2) asm volatile("bar.sync 1, 64;");)"},
                    Source{"barriers_that_do_not_wait", R"(
                      if (warp < 2) asm volatile("bar.arrive 1, 96;");
                      else if (warp == 2) asm volatile("bar.sync 1, 96;");)"}),
    name_of);

TEST_P(KernelsThatDependOnTurns, AreExecutedInTurns) {
  NEED_NVRTC();
  for (const isa::Arch arch : {isa::Arch::sm_75, isa::Arch::sm_90}) {
    const auto compiled = compile_source(kernel_of(GetParam().body), arch);
    ASSERT_NE(compiled, nullptr);
    EXPECT_TRUE(turns_matter(*launch_of(kThreads).translated(*compiled)));
    const Trace turns = launch_of(kThreads).trace_in_turns(*compiled, 1'000'000);
    auto trace = launch_of(kThreads).trace(*compiled, 1'000'000);
    ASSERT_TRUE(trace.has_value());
    expect_prefix(*trace, turns, 1'000'000);
  }
}

// The block changes what it reads, so a second run must start from the original memory.
TEST(TraceOrderOfMistakes, EqualsThatOfWarpsInTurnsFromTheStart) {
  NEED_NVRTC();
  const auto compiled = compile_source(kernel_of(R"(
      unsigned* const changed = const_cast<unsigned*>(in);
      for (unsigned i = 0; i < x % 17; ++i) x += in[t + 256 + i];
      changed[t] = x;
      tile[t % 32] = x;
      x += tile[(t + 1) % 32];)"),
                                       isa::Arch::sm_90);
  ASSERT_NE(compiled, nullptr);
  Launch slow = launch_of(kThreads), fast = launch_of(kThreads);
  const Trace turns = slow.trace_in_turns(*compiled, 1'000'000);
  EXPECT_FALSE(turns.findings.empty());
  const auto trace = fast.trace(*compiled);
  ASSERT_TRUE(trace.has_value());
  expect_prefix(*trace, turns, 1'000'000);
  EXPECT_EQ(trace->findings.size(), turns.findings.size());
  EXPECT_EQ(fast.values<uint32_t>("in"), slow.values<uint32_t>("in"));
  EXPECT_EQ(fast.values<uint32_t>("out"), slow.values<uint32_t>("out"));
}

}  // namespace
}  // namespace gemmscope::machine
