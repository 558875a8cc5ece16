// Tests what the threads of a warp and of a block do together: shuffles, votes, barriers, shared memory and
// named barriers.
#include "compiled_kernel.h"

namespace gemmscope::machine {
namespace {

class OnEveryArch : public testing::TestWithParam<isa::Arch> {
 protected:
  // Compiles and runs the kernel, and returns the words of "out".
  std::vector<uint32_t> outputs(const std::string& source, Launch& launch, size_t words) {
    const auto compiled = compile_source(source, GetParam());
    if (compiled == nullptr) return {};
    launch.buffer("out", std::vector<uint32_t>(words, 0xdeadbeef));
    EXPECT_EQ(launch.run(*compiled), "");
    return launch.values<uint32_t>("out");
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, OnEveryArch, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

uint32_t value_of(uint32_t lane) { return lane * 2654435761u ^ 0x1234; }

TEST_P(OnEveryArch, Shuffles) {
  NEED_NVRTC();
  Launch launch;
  const auto out = outputs(R"(
extern "C" __global__ void kernel(unsigned* out) {
  const unsigned lane = threadIdx.x, value = lane * 2654435761u ^ 0x1234;
  unsigned* o = out + lane * 12;
  o[0] = __shfl_sync(~0u, value, lane * 7 + 3);
  o[1] = __shfl_sync(~0u, value, 5);
  o[2] = __shfl_up_sync(~0u, value, 1);
  o[3] = __shfl_up_sync(~0u, value, 9);
  o[4] = __shfl_down_sync(~0u, value, 4);
  o[5] = __shfl_xor_sync(~0u, value, 21);
  o[6] = __shfl_sync(~0u, value, lane + 3, 8);
  o[7] = __shfl_up_sync(~0u, value, 3, 16);
  o[8] = __shfl_down_sync(~0u, value, 3, 8);
  o[9] = __shfl_xor_sync(~0u, value, 5, 4);
  const unsigned long long wide = __shfl_xor_sync(~0u, (unsigned long long)value << 32 | lane, 1);
  o[10] = (unsigned)(wide >> 32);
  o[11] = (unsigned)wide;
})",
                           launch, 32 * 12);
  ASSERT_EQ(out.size(), 32u * 12);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const auto in_segment = [&](uint32_t width, uint32_t from) {
      return (lane & ~(width - 1)) | (from & (width - 1));
    };
    const uint32_t from[] = {
        (lane * 7 + 3) % 32,
        5,
        lane >= 1 ? lane - 1 : lane,
        lane >= 9 ? lane - 9 : lane,
        lane + 4 < 32 ? lane + 4 : lane,
        lane ^ 21,
        in_segment(8, lane + 3),
        lane % 16 >= 3 ? lane - 3 : lane,
        lane % 8 + 3 < 8 ? lane + 3 : lane,
        lane};  // lane ^ 5 lies in another segment of 4 unless it is lower: checked below
    for (size_t i = 0; i < 9; ++i)
      EXPECT_EQ(out[lane * 12 + i], value_of(from[i])) << "shuffle " << i << " lane " << lane;
    // A source lane in an earlier segment is read, one in a later segment is not (PTX manual, shfl.bfly).
    const uint32_t across = lane ^ 5;
    EXPECT_EQ(out[lane * 12 + 9], value_of((across & ~3u) > (lane & ~3u) ? lane : across)) << "lane " << lane;
    EXPECT_EQ(out[lane * 12 + 10], value_of(lane ^ 1));
    EXPECT_EQ(out[lane * 12 + 11], lane ^ 1);
  }
}

TEST_P(OnEveryArch, VotesUnderDivergence) {
  NEED_NVRTC();
  Launch launch;
  const auto out = outputs(R"(
extern "C" __global__ void kernel(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned* o = out + lane * 6;
  o[0] = __ballot_sync(~0u, lane % 3 == 0);
  o[1] = __any_sync(~0u, lane == 31) * 2 + __all_sync(~0u, lane < 31);
  if (lane % 4 == 1) {
    o[2] = __ballot_sync(0x22222222u, lane > 16);
    if (lane > 20) o[3] = __ballot_sync(0x22200000u, lane != 25); else o[3] = __all_sync(0x00022222u, lane < 18);
  } else {
    o[2] = __popc(__ballot_sync(0xddddddddu, lane % 2));
    o[3] = __any_sync(0xddddddddu, lane == 1);
  }
  __syncwarp();
  o[4] = __ballot_sync(~0u, lane > 3);
  o[5] = lane < 9 ? __activemask() : 0;
})",
                           launch, 32 * 6);
  ASSERT_EQ(out.size(), 32u * 6);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t* o = &out[lane * 6];
    EXPECT_EQ(o[0], 0x49249249u);
    EXPECT_EQ(o[1], 2u);
    const bool fourth = lane % 4 == 1;
    EXPECT_EQ(o[2], fourth ? 0x22220000u & ~0x10000u : 8u) << lane;
    EXPECT_EQ(o[3], fourth ? (lane > 20 ? 0x20200000u : 1u) : 0u) << lane;
    EXPECT_EQ(o[4], 0xfffffff0u);
    EXPECT_TRUE(o[5] == (lane < 9 ? 0x1ffu : 0u) || (lane < 9 && o[5] == ~0u))
        << "the compiler may vote before it branches";
  }
}

TEST_P(OnEveryArch, ButterflyReductionAndScan) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {96, 1, 1};
  const auto out = outputs(R"(
extern "C" __global__ void kernel(unsigned* out) {
  unsigned sum = threadIdx.x * threadIdx.x + 1, scan = sum;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int d = 1; d < 32; d *= 2) {
    const unsigned before = __shfl_up_sync(~0u, scan, d);
    if (threadIdx.x % 32 >= d) scan += before;
  }
  out[threadIdx.x] = sum;
  out[96 + threadIdx.x] = scan;
})",
                           launch, 192);
  ASSERT_EQ(out.size(), 192u);
  for (uint32_t t = 0; t < 96; ++t) {
    uint32_t sum = 0, scan = 0;
    for (uint32_t i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
      sum += i * i + 1;
      if (i <= t) scan += i * i + 1;
    }
    EXPECT_EQ(out[t], sum);
    EXPECT_EQ(out[96 + t], scan);
  }
}

TEST_P(OnEveryArch, BarriersAndSharedMemory) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {16, 6, 2};
  launch.grid = {2, 2, 1};
  launch.dynamic_shared_bytes = 192 * 4;
  const auto out = outputs(R"(
extern __shared__ unsigned dynamic[];
extern "C" __global__ void kernel(unsigned* out) {
  __shared__ unsigned tile[2][96];
  const unsigned t = threadIdx.x + 16 * (threadIdx.y + 6 * threadIdx.z);
  tile[threadIdx.z][t % 96] = t * 3 + blockIdx.x + 10 * blockIdx.y;
  dynamic[191 - t] = t;
  __syncthreads();
  unsigned sum = tile[1 - threadIdx.z][95 - t % 96] + dynamic[t] * 1000;
  for (int step = 96; step > 0; step = step / 2 * (step > 1)) {
    __syncthreads();
    if (t < step && t + step < 192) dynamic[t] += dynamic[t + step];
    if (step % 2 == 1 && step > 1 && t == 0) dynamic[0] += dynamic[step - 1];
  }
  __syncthreads();
  out[(blockIdx.y * 2 + blockIdx.x) * 192 + t] = sum + dynamic[0];
})",
                           launch, 4 * 192);
  ASSERT_EQ(out.size(), 4u * 192);
  std::vector<uint32_t> d(192);
  for (uint32_t t = 0; t < 192; ++t) d[191 - t] = t;
  const std::vector<uint32_t> before = d;
  for (uint32_t step = 96; step > 0; step = step > 1 ? step / 2 : 0) {
    for (uint32_t t = 0; t < step && t + step < 192; ++t) d[t] += d[t + step];
    if (step % 2 == 1 && step > 1) d[0] += d[step - 1];
  }
  for (uint32_t b = 0; b < 4; ++b)
    for (uint32_t t = 0; t < 192; ++t) {
      const uint32_t other = (1 - t / 96) * 96 + 95 - t % 96;
      EXPECT_EQ(out[b * 192 + t], other * 3 + b % 2 + 10 * (b / 2) + before[t] * 1000 + d[0])
          << "block " << b << " thread " << t;
    }
}

// Two producer warps arrive and continue, two consumer warps wait, with barriers 1 and 2.
TEST_P(OnEveryArch, NamedBarriers) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {128, 1, 1};
  const auto out = outputs(R"(
extern "C" __global__ void kernel(unsigned* out) {
  __shared__ unsigned box[64];
  const unsigned t = threadIdx.x;
  for (unsigned round = 0; round < 5; ++round) {
    if (t < 64) {
      if (round > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
      box[t] = t * 100 + round;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      out[round * 64 + t - 64] = box[127 - t];
      if (round < 4) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
})",
                           launch, 5 * 64);
  ASSERT_EQ(out.size(), 5u * 64);
  for (uint32_t round = 0; round < 5; ++round)
    for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[round * 64 + t], (63 - t) * 100 + round);
}

// Two groups of 64 threads each wait at the barrier that a register names, with the count in another
// register.
TEST_P(OnEveryArch, BarriersThatRegistersName) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {128, 1, 1};
  launch.scalar(uint32_t{64});
  const auto out = outputs(R"(
extern "C" __global__ void kernel(unsigned count, unsigned* out) {
  __shared__ unsigned box[128];
  const unsigned t = threadIdx.x, group = t / 64;
  for (unsigned round = 0; round < 1 + 2 * group; ++round) {  // the groups run out of step
    box[t] = t + round;
    asm volatile("bar.sync %0, %1;" :: "r"(3 + group), "r"(count) : "memory");
    out[t] = box[group * 64 + 63 - t % 64];
    asm volatile("bar.sync %0, %1;" :: "r"(3 + group), "r"(count) : "memory");
  }
})",
                           launch, 128);
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(out[t], t / 64 * 64 + 63 - t % 64 + t / 64 * 2);
}

TEST_P(OnEveryArch, ExitedThreadsDoNotHoldUpABarrier) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {80, 1, 1};
  const auto out = outputs(R"(
extern "C" __global__ void kernel(unsigned* out) {
  __shared__ unsigned box[80];
  const unsigned t = threadIdx.x;
  if (t >= 40) return;
  box[t] = t;
  __syncthreads();
  out[t] = box[39 - t];
})",
                           launch, 80);
  for (uint32_t t = 0; t < 80; ++t) EXPECT_EQ(out[t], t < 40 ? 39 - t : 0xdeadbeef);
}

// Lanes make different calls; each lane gets its own result.
TEST_P(OnEveryArch, ShuffleAfterReconvergence) {
  NEED_NVRTC();
  Launch launch;
  const auto out = outputs(R"(
__noinline__ unsigned steps(unsigned n) { unsigned s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++s; } return s; }
extern "C" __global__ void kernel(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned x = lane;
  if (lane % 3 == 0) x = steps(lane + 1);
  else if (lane % 3 == 1) { for (unsigned i = 0; i < lane; ++i) x += i * lane; }
  __syncwarp();
  out[lane] = __shfl_sync(~0u, x, 31 - lane);
})",
                           launch, 32);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t from = 31 - lane;
    uint32_t x = from;
    if (from % 3 == 0) {
      x = 0;
      for (uint32_t n = from + 1; n != 1; n = n % 2 != 0 ? 3 * n + 1 : n / 2) ++x;
    } else if (from % 3 == 1) {
      for (uint32_t i = 0; i < from; ++i) x += i * from;
    }
    EXPECT_EQ(out[lane], x) << lane;
  }
}

}  // namespace
}  // namespace gemmscope::machine
