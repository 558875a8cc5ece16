// Tests every kind of memory: widths, constants, __device__ variables, local memory, spills, generic
// addresses and copies.
#include <numeric>

#include "compiled_kernel.h"
#include "machine/state/lane_words.h"
#include "machine/state/local_memory.h"

namespace gemmscope::machine {
namespace {

class MemoryOnEveryArch : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, MemoryOnEveryArch, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

TEST_P(MemoryOnEveryArch, EveryWidth) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(const unsigned char* in, unsigned char* out) {
  __shared__ __align__(16) unsigned char box[32 * 32];
  const unsigned t = threadIdx.x;
  const unsigned char* i = in + t * 32;
  unsigned char* s = box + t * 32;
  *(uint4*)s = *(const uint4*)i;
  *(uint2*)(s + 16) = *(const uint2*)(i + 16);
  *(unsigned*)(s + 24) = *(const unsigned*)(i + 24);
  *(unsigned short*)(s + 28) = *(const unsigned short*)(i + 28);
  s[30] = i[30];
  s[31] = i[31];
  __syncthreads();
  const unsigned other = 31 - t;
  unsigned char* o = out + t * 48;
  *(uint4*)o = *(const uint4*)(box + other * 32);
  *(uint2*)(o + 16) = *(const uint2*)(box + other * 32 + 16);
  *(unsigned*)(o + 24) = *(const unsigned*)(box + other * 32 + 24);
  *(unsigned short*)(o + 28) = *(const unsigned short*)(box + other * 32 + 28);
  o[30] = box[other * 32 + 30];
  o[31] = box[other * 32 + 31];
  *(int*)(o + 32) = *(const signed char*)(i + t % 32) * 3;
  *(int*)(o + 36) = *(const short*)(i + t % 16 * 2) * 3;
  *(int*)(o + 40) = *(const signed char*)(s + 5) + *(const short*)(s + 6);
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  std::vector<uint8_t> in(32 * 32);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 37 + i / 7);
  Launch launch;
  launch.buffer("in", in).buffer("out", std::vector<uint8_t>(32 * 48));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto out = launch.values<uint8_t>("out");
  const auto byte = [&](size_t i) { return static_cast<int32_t>(static_cast<int8_t>(in[i])); };
  const auto half = [&](size_t i) {
    return static_cast<int32_t>(static_cast<int16_t>(in[i] | in[i + 1] << 8));
  };
  for (size_t t = 0; t < 32; ++t) {
    for (size_t b = 0; b < 32; ++b)
      ASSERT_EQ(out[t * 48 + b], in[(31 - t) * 32 + b]) << "thread " << t << " byte " << b;
    int32_t numbers[3];
    std::memcpy(numbers, &out[t * 48 + 32], sizeof numbers);
    EXPECT_EQ(numbers[0], byte(t * 32 + t) * 3);
    EXPECT_EQ(numbers[1], half(t * 32 + t % 16 * 2) * 3);
    EXPECT_EQ(numbers[2], byte(t * 32 + 5) + half(t * 32 + 6));
  }
}

TEST_P(MemoryOnEveryArch, ConstantsAndDeviceVariables) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
__constant__ unsigned table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ unsigned char narrow[4] = {200, 100, 50, 25};
__device__ unsigned counters[4] = {10, 20, 30, 40};
__device__ unsigned zeroes[64];
__device__ unsigned* pointer = counters + 2;
extern "C" __global__ void kernel(unsigned* out) {
  const unsigned t = threadIdx.x;
  zeroes[t] += t + counters[t % 4];
  __syncthreads();
  out[t] = table[t % 8] * 1000 + table[5] + narrow[t % 4] + zeroes[31 - t] + *pointer;
  if (t == 0) counters[1] = 77;
  __syncthreads();
  out[32 + t] = counters[1] + gridDim.x + blockDim.x * 10;
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(64));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto out = launch.values<uint32_t>("out");
  const uint32_t table[] = {3, 1, 4, 1, 5, 9, 2, 6}, narrow[] = {200, 100, 50, 25},
                 counters[] = {10, 20, 30, 40};
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(out[t], table[t % 8] * 1000 + 9 + narrow[t % 4] + (31 - t) + counters[(31 - t) % 4] + 30) << t;
    EXPECT_EQ(out[32 + t], 77 + 1 + 320u);
  }
}

// 64 live values do not fit into 32 registers.
TEST_P(MemoryOnEveryArch, SpilledRegistersComeBack) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  unsigned v[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) v[i] = in[i * 32 + threadIdx.x];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) sum = sum * 31 + (v[i] ^ v[(i * 29 + 7) % 64]);
  out[threadIdx.x] = sum;
})",
                                       GetParam(), {"-maxrregcount=32"});
  ASSERT_NE(compiled, nullptr);
  EXPECT_TRUE(compiled->has("STL") && compiled->has("LDL")) << "the test no longer spills";
  std::vector<uint32_t> in(64 * 32);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i * 2654435761u);
  Launch launch;
  launch.buffer("in", in).buffer("out", std::vector<uint32_t>(32));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto out = launch.values<uint32_t>("out");
  for (size_t t = 0; t < 32; ++t) {
    uint32_t sum = 0;
    for (size_t i = 0; i < 64; ++i) sum = sum * 31 + (in[i * 32 + t] ^ in[(i * 29 + 7) % 64 * 32 + t]);
    EXPECT_EQ(out[t], sum) << t;
  }
}

// Local memory grows while a kernel runs. Lanes write at ever deeper addresses and read back what they wrote.
TEST_P(MemoryOnEveryArch, DeepStacks) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(unsigned* out) {
  volatile unsigned deep[6000];
  const unsigned t = threadIdx.x;
  for (int i = 5999; i >= 0; i -= 250 - t) deep[i] = i * 33 + t;
  unsigned sum = 0;
  for (int i = 5999; i >= 0; i -= 250 - t) sum = sum * 3 + deep[i];
  out[t] = sum;
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.grid = {2, 1, 1};
  launch.buffer("out", std::vector<uint32_t>(32));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto out = launch.values<uint32_t>("out");
  for (uint32_t t = 0; t < 32; ++t) {
    uint32_t sum = 0;
    for (int i = 5999; i >= 0; i -= 250 - static_cast<int>(t))
      sum = sum * 3 + static_cast<uint32_t>(i) * 33 + t;
    EXPECT_EQ(out[t], sum) << t;
  }
}

// One pointer is global for some lanes, shared for others and local for the rest.
TEST_P(MemoryOnEveryArch, GenericAddresses) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
__noinline__ unsigned change(unsigned* p) { const unsigned before = *p; *p = before * 2 + 1; return before; }
extern "C" __global__ void kernel(unsigned* global, unsigned* out) {
  __shared__ unsigned shared[32];
  const unsigned t = threadIdx.x;
  unsigned local[4];
  for (int i = 0; i < 4; ++i) local[i] = t * 10 + i;
  shared[t] = t + 500;
  __syncthreads();
  unsigned* p = t % 3 == 0 ? global + t : t % 3 == 1 ? shared + t : local + t % 4;
  const unsigned before = change(p);
  __syncthreads();
  out[t] = before;
  out[32 + t] = local[t % 4] * 1000000 + shared[t];
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  std::vector<uint32_t> global(32);
  std::iota(global.begin(), global.end(), 900u);
  Launch launch;
  launch.buffer("global", global).buffer("out", std::vector<uint32_t>(64));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto out = launch.values<uint32_t>("out"), after = launch.values<uint32_t>("global");
  for (uint32_t t = 0; t < 32; ++t) {
    const uint32_t local = t * 10 + t % 4, shared = t + 500;
    const uint32_t before = t % 3 == 0 ? 900 + t : t % 3 == 1 ? shared : local;
    EXPECT_EQ(out[t], before) << t;
    EXPECT_EQ(out[32 + t],
              (t % 3 == 2 ? local * 2 + 1 : local) * 1000000 + (t % 3 == 1 ? shared * 2 + 1 : shared))
        << t;
    EXPECT_EQ(after[t], t % 3 == 0 ? (900 + t) * 2 + 1 : 900 + t) << t;
  }
}

// cp.async copies 4, 8 and 16 bytes. With fewer source bytes than the size, the rest is zero.
TEST_P(MemoryOnEveryArch, AsynchronousCopies) {
  NEED_NVRTC();
  if (GetParam() == isa::Arch::sm_75) GTEST_SKIP() << "sm_75 has no asynchronous copies";
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned box[32 * 8];
  const unsigned t = threadIdx.x;
  const unsigned to = (unsigned)__cvta_generic_to_shared(box + t * 8);
  const unsigned zero = t % 2 ? 0 : 4;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(to), "l"(in + t * 8) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"(to + 16), "l"(in + t * 8 + 4) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to + 24), "l"(in + t * 8 + 6) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(to + 28), "l"(in + t * 8 + 7), "r"(zero) : "memory");
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int i = 0; i < 8; ++i) out[t * 8 + i] = box[(31 - t) * 8 + i];
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  EXPECT_TRUE(compiled->has("LDGSTS"));
  std::vector<uint32_t> in(32 * 8);
  std::iota(in.begin(), in.end(), 1000u);
  Launch launch;
  launch.buffer("in", in).buffer("out", std::vector<uint32_t>(32 * 8));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto out = launch.values<uint32_t>("out");
  for (uint32_t t = 0; t < 32; ++t)
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t from = 31 - t;
      EXPECT_EQ(out[t * 8 + i], i == 7 && from % 2 == 1 ? 0 : in[from * 8 + i])
          << "thread " << t << " word " << i;
    }
}

// Registers and memory are zero at the start of each block, so no block sees what an earlier one left.
TEST_P(MemoryOnEveryArch, BlocksStartFresh) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(unsigned* out) {
  __shared__ unsigned box[32];
  const unsigned before = ((volatile unsigned*)box)[threadIdx.x];
  box[threadIdx.x] = 99;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = before + ((volatile unsigned*)box)[31 - threadIdx.x];
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.grid = {5, 1, 1};
  launch.buffer("out", std::vector<uint32_t>(160));
  ASSERT_EQ(launch.run(*compiled), "");
  for (const uint32_t x : launch.values<uint32_t>("out")) EXPECT_EQ(x, 99u);
}

TEST(LocalMemory, GrowsAndKeepsWhatItHolds) {
  LocalMemory local;
  for (int round = 0; round < 2; ++round) {
    uint32_t reached = 0;
    for (const uint32_t depth : {4u, 256u, 260u, 100u, 5000u, 0x8000u}) {
      local.reach(depth);
      for (uint32_t lane = 0; lane < 32; ++lane) {
        const bool is_new = depth > reached;
        EXPECT_TRUE(!is_new || *local.at(lane, depth) == std::byte{0})
            << "new bytes are zero, round " << round;
        *local.at(lane, depth) = static_cast<std::byte>(lane + depth / 4);
      }
      reached = std::max(reached, depth);
    }
    for (const uint32_t depth : {4u, 256u, 260u, 100u, 5000u, 0x8000u})
      for (uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(*local.at(lane, depth), static_cast<std::byte>(lane + depth / 4)) << depth;
    local.clear();
  }
}

// Compares with plain copying, for every width and all kinds of masks.
TEST(LaneWords, ReadAndWriteWhatTheActiveLanesPointTo) {
  uint32_t x = 1;
  const auto random = [&] { return x = x * 1664525u + 1013904223u; };
  for (int i = 0; i < 300; ++i) {
    const uint32_t words = 1u << i % 3, active = i % 2 == 0 ? kAllLanes : random() | 1u;
    std::vector<uint32_t> memory(256);
    for (uint32_t& word : memory) word = random();
    LanePointers pointers{};
    std::array<size_t, 32> places{};
    for (size_t l = 0; l < 32; ++l) {
      if ((active >> l & 1u) == 0) continue;  // the others' pointers are null
      places[l] = (random() >> 8) % (256 - words);
      pointers[l] = reinterpret_cast<std::byte*>(&memory[places[l]]);
    }
    std::vector<uint32_t> rows(4 * 32);
    for (uint32_t& word : rows) word = random();
    std::vector<uint32_t> read = rows, written = memory;
    for (size_t l = 0; l < 32; ++l)
      for (size_t w = 0; w < words && (active >> l & 1u) != 0; ++w) {
        read[w * 32 + l] = memory[places[l] + w];
        written[places[l] + w] = rows[w * 32 + l];
      }
    std::vector<uint32_t> got = rows;
    read_words(got.data(), pointers, words, active);
    EXPECT_EQ(got, read) << words << " words, lanes " << std::hex << active;
    write_words(rows.data(), pointers, words, active);
    EXPECT_EQ(memory, written) << words << " words, lanes " << std::hex << active;
  }
}

}  // namespace
}  // namespace gemmscope::machine
