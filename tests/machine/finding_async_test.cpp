// Finds reads of bytes whose asynchronous copy nobody has waited for.
#include "finding_case.h"

namespace gemmscope::machine {
namespace {

class AsynchronousCopies : public FindingCase {};
INSTANTIATE_TEST_SUITE_P(Archs, AsynchronousCopies,
                         testing::Values(isa::Arch::sm_80, isa::Arch::sm_86, isa::Arch::sm_89,
                                         isa::Arch::sm_90),
                         [](const auto& test) { return isa::arch_name(test.param); });

// The kernel has three stages: two are in flight while one is read.
std::string pipeline(const std::string& wait_and_barrier) {
  return R"(
__device__ void fetch(const unsigned* from, unsigned* to) {
  const unsigned address = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(address), "l"(from) : "memory");
}
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ unsigned stages[3][128];
  const unsigned t = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    fetch(in + t + k, &stages[k][t]);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  unsigned sum = 0;
#pragma unroll 1
  for (int k = 0; k < 6; ++k) {
)" + wait_and_barrier +
         R"(
    if (k + 2 < 6) fetch(in + t + k + 2, &stages[(k + 2) % 3][t]);
    asm volatile("cp.async.commit_group;" ::: "memory");
    sum += ((volatile unsigned*)stages[k % 3])[t ^ 32];
  }
  out[t] = sum;
})";
}
const std::string kBarrier = "__syncthreads();";
std::string wait(int groups) {
  return fmt::format("asm volatile(\"cp.async.wait_group {};\" ::: \"memory\");", groups);
}

TEST_P(AsynchronousCopies, TheRightWait) {
  NEED_NVRTC();
  expect_none(pipeline(wait(1) + kBarrier), launch_of(128));
  expect_none(pipeline(wait(0) + kBarrier), launch_of(128));
}
TEST_P(AsynchronousCopies, NoWait) {
  NEED_NVRTC();
  run(pipeline(kBarrier), launch_of(128));
  ASSERT_GE(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::shared_race);
  for (const char* part :
       {"LDS", "while an asynchronous copy to it is in flight, which no thread has waited for", "LDGSTS"})
    EXPECT_NE(texts[0].find(part), std::string::npos) << texts[0];
}
TEST_P(AsynchronousCopies, AGroupTooFew) {
  NEED_NVRTC();
  run(pipeline(wait(2) + kBarrier), launch_of(128));
  ASSERT_GE(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::shared_race);
}
TEST_P(AsynchronousCopies, TheWaitAfterTheBarrier) {
  NEED_NVRTC();
  run(pipeline(kBarrier + wait(1)), launch_of(128));
  ASSERT_GE(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::shared_race);
  EXPECT_NE(texts[0].find("asynchronous copy"), std::string::npos) << texts[0];
}
TEST_P(AsynchronousCopies, NoBarrierAfterTheWait) {
  NEED_NVRTC();
  run(pipeline(wait(1)), launch_of(128));
  ASSERT_GE(findings.size(), 1u);
}

// A thread may read its own copy after its own wait, without a barrier.
TEST_P(AsynchronousCopies, ItsOwnCopy) {
  NEED_NVRTC();
  const auto source = [](const std::string& wait) {
    return R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x, address = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(address), "l"(in + t) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
)" + wait + R"(
  out[t] = *(volatile unsigned*)&s[t];
})";
  };
  expect_none(source(wait(0)), launch_of(128));
  expect_one(source(""), launch_of(128), FindingKind::shared_race,
             {"test.cu:8: ", "LDS", "no thread has waited for", "LDGSTS"});
}

}  // namespace
}  // namespace gemmscope::machine
