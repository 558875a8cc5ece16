// Tests warps that wait for each other in loops, loops that never end, and instructions that the machine does
// not execute.
#include "compiled_kernel.h"
#include "machine/translate/unsupported_text.h"

namespace gemmscope::machine {
namespace {

class Waiting : public testing::TestWithParam<isa::Arch> {
 protected:
  std::string run(const std::string& source, Launch& launch) {
    const auto compiled = compile_source(source, GetParam());
    return compiled == nullptr ? "does not compile" : launch.run(*compiled);
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, Waiting, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

// The warps form a chain: each waits for the flag of the next, so the first waits longest.
constexpr const char* kChain = R"(
extern "C" __global__ void kernel(unsigned* out) {
  __shared__ volatile unsigned flags[9];
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x < 9) flags[threadIdx.x] = 0;
  __syncthreads();
  if (warp < 7)
    while (flags[warp + 1] == 0) {
    }
  if (threadIdx.x % 32 == 0) {
    out[warp] = flags[warp + 1] + 1;
    __threadfence_block();
    flags[warp] = out[warp];
  }
})";
TEST_P(Waiting, AWarpWaitsForAnotherOfItsBlock) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {256, 1, 1};
  launch.limits.branch_budget = 10'000'000;
  launch.buffer("out", std::vector<uint32_t>(8));
  ASSERT_EQ(run(kChain, launch), "");
  EXPECT_EQ(launch.values<uint32_t>("out"), (std::vector<uint32_t>{8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST_P(Waiting, AWarpWaitsForAnotherInATrace) {
  NEED_NVRTC();
  const auto compiled = compile_source(kChain, GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.block = {256, 1, 1};
  launch.buffer("out", std::vector<uint32_t>(8));
  ASSERT_TRUE(launch.trace(*compiled).has_value());
  EXPECT_EQ(launch.values<uint32_t>("out")[0], 8u);
}

TEST_P(Waiting, LanesOfAWarpWaitForEachOther) {
  NEED_NVRTC();
  Launch launch;
  launch.limits.branch_budget = 10'000'000;
  launch.buffer("out", std::vector<uint32_t>(64));
  ASSERT_EQ(run(R"(
extern "C" __global__ void kernel(unsigned* out) {
  volatile unsigned* const flag = out + 63;
  if (threadIdx.x >= 16) {
    while (*flag == 0) __nanosleep(20);
    out[threadIdx.x] = *flag;
  } else if (threadIdx.x == 3) {
    *flag = 9;
  }
})",
                launch),
            "");
  EXPECT_EQ(launch.values<uint32_t>("out")[20], 9u);
}

TEST_P(Waiting, AnEndlessWaitEndsWithTheBudget) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {64, 1, 1};
  launch.limits.branch_budget = 100'000;
  launch.buffer("out", std::vector<uint32_t>(64));
  const std::string text = run(R"(
extern "C" __global__ void kernel(volatile unsigned* out) {
  while (out[0] == 0) {
  }
  out[threadIdx.x] = 1;
})",
                               launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::budget_exhausted);
  for (const char* part : {"100000 branches", "endless loop", "a block cannot wait for another"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_P(Waiting, EndlessRecursionIsReported) {
  NEED_NVRTC();
  Launch launch;
  launch.limits.branch_budget = 100'000;
  launch.buffer("out", std::vector<uint32_t>(64));
  const std::string text = run(R"(
__device__ __noinline__ unsigned deeper(unsigned n) { return deeper(n + 1) * 3 + n; }
extern "C" __global__ void kernel(unsigned* out) { out[threadIdx.x] = deeper(threadIdx.x); })",
                               launch);
  ASSERT_TRUE(launch.fault.has_value()) << text;
  EXPECT_TRUE(launch.fault->kind == FaultKind::out_of_bounds ||
              launch.fault->kind == FaultKind::budget_exhausted)
      << text;
}

TEST_P(Waiting, ACallOfTheDriverIsNamed) {
  NEED_NVRTC();
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(64));
  const std::string text = run(R"(
extern "C" __device__ int vprintf(const char*, const char*);
extern "C" __global__ void kernel(unsigned* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x == 7) vprintf("seven\n", nullptr);
})",
                               launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::unsupported_instruction);
  EXPECT_EQ(launch.fault->lane, 7);
  for (const char* part : {"it calls vprintf", "take printf", "lane 7"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_P(Waiting, ClocksIncrease) {
  NEED_NVRTC();
  Launch launch;
  launch.limits.branch_budget = 1'000'000;
  launch.buffer("out", std::vector<uint32_t>(64));
  ASSERT_EQ(run(R"(
extern "C" __global__ void kernel(unsigned* out) {
  const long long start = clock64();
  while (clock64() - start < 1000) {
  }
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  out[threadIdx.x] = clock64() > start && time != 0;
})",
                launch),
            "");
  EXPECT_EQ(launch.values<uint32_t>("out")[5], 1u);
}

// Dynamic shared memory starts after the static.
TEST_P(Waiting, StaticAndDynamicSharedMemoryTogether) {
  NEED_NVRTC();
  Launch launch;
  launch.dynamic_shared_bytes = 256;
  launch.buffer("out", std::vector<uint32_t>(64));
  ASSERT_EQ(run(R"(
extern __shared__ unsigned more[];
extern "C" __global__ void __launch_bounds__(64) kernel(unsigned* out) {
  __shared__ unsigned box[33];
  box[threadIdx.x] = threadIdx.x;
  more[threadIdx.x] = 100 + threadIdx.x, more[threadIdx.x + 32] = 7;
  __syncthreads();
  out[threadIdx.x] = box[31 - threadIdx.x] + more[31 - threadIdx.x];
  out[32 + threadIdx.x] = atomicAdd(more + 63 - threadIdx.x, 1u);
})",
                launch),
            "");
  const auto out = launch.values<uint32_t>("out");
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(out[t], 2 * (31 - t) + 100);
    EXPECT_EQ(out[32 + t], 7u);
  }
}

TEST(Unsupported, TheReasonSaysWhatMakesItAndWhatToDo) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(unsigned* out) {
  __shared__ unsigned long long barrier;
  const unsigned address = (unsigned)__cvta_generic_to_shared(&barrier);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address) : "memory");
  out[0] = 1;
})",
                                       isa::Arch::sm_90);
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(64));
  const std::string text = launch.run(*compiled);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::unsupported_instruction);
  for (const char* part : {"ARRIVES", "lets asynchronous copies arrive at a barrier object",
                           "cp.async.mbarrier.arrive (cuda::pipeline)", "cp.async.wait_group"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  for (const isa::Opcode opcode : {isa::Opcode::hgmma, isa::Opcode::utmastg, isa::Opcode::stas})
    EXPECT_NE(unsupported_text(opcode).find("To run the kernel here"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::machine
