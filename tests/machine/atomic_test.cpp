// Tests atomic operations: their results, that no thread's operation is lost, and what an observer sees of
// them.
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "compiled_kernel.h"
#include "machine/lanes/atomic_operation.h"

namespace gemmscope::machine {
namespace {

uint32_t f32(AtomicKind kind, AtomicType type, uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(apply_atomic(kind, type, a, b, 0));
}

TEST(AtomicOperation, Integers) {
  const auto u32 = [](AtomicKind kind, uint32_t a, uint32_t b) {
    return apply_atomic(kind, AtomicType::u32, a, b, 0);
  };
  EXPECT_EQ(u32(AtomicKind::add, 0xffffffff, 2), 1u);
  EXPECT_EQ(u32(AtomicKind::minimum, 0x80000000, 1), 1u);
  EXPECT_EQ(u32(AtomicKind::maximum, 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(apply_atomic(AtomicKind::minimum, AtomicType::s32, 0x80000000, 1, 0), 0x80000000u);
  EXPECT_EQ(apply_atomic(AtomicKind::maximum, AtomicType::s64, ~0ull, 1, 0), 1u);
  EXPECT_EQ(apply_atomic(AtomicKind::maximum, AtomicType::u64, ~0ull, 1, 0), ~0ull);
  // The rules are from the CUDA C++ Programming Guide, atomicInc and atomicDec.
  EXPECT_EQ(u32(AtomicKind::increment, 4, 5), 5u);
  EXPECT_EQ(u32(AtomicKind::increment, 5, 5), 0u);
  EXPECT_EQ(u32(AtomicKind::increment, 9, 5), 0u);
  EXPECT_EQ(u32(AtomicKind::decrement, 0, 5), 5u);
  EXPECT_EQ(u32(AtomicKind::decrement, 6, 5), 5u);
  EXPECT_EQ(u32(AtomicKind::decrement, 3, 5), 2u);
  EXPECT_EQ(u32(AtomicKind::bit_xor, 0xff, 0x0f), 0xf0u);
  EXPECT_EQ(apply_atomic(AtomicKind::compare_swap, AtomicType::u64, 7, 9, 7), 9u);
  EXPECT_EQ(apply_atomic(AtomicKind::compare_swap, AtomicType::u64, 8, 9, 7), 8u);
}

TEST(AtomicOperation, DenormalsAreFlushedWhereTheTypeSaysSo) {
  EXPECT_EQ(f32(AtomicKind::add, AtomicType::f32, 1, 2), 3u);
  EXPECT_EQ(f32(AtomicKind::add, AtomicType::f32_flush, 1, 2), 0u);
  EXPECT_EQ(f32(AtomicKind::add, AtomicType::f32_flush, 0x80000001, 0x80000000), 0x80000000u);
  EXPECT_EQ(f32(AtomicKind::add, AtomicType::f32_flush, 0x00800001, 0x80800000), 0u);
  EXPECT_EQ(f32(AtomicKind::add, AtomicType::f32, 0x7f800000, 0xff800000), 0x7fffffffu);
  EXPECT_EQ(f32(AtomicKind::maximum, AtomicType::f32, 0x7fc00000, 0xbf800000), 0xbf800000u);
}

// Returns all values of a 16-bit format in ascending order, computed from the format's definition.
std::map<double, uint32_t> all_values(int fraction_bits, int exponent_bits) {
  std::map<double, uint32_t> values;
  const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  for (uint32_t bits = 0; bits < 0x8000; ++bits) {
    const int exponent = static_cast<int>(bits >> fraction_bits);
    if (exponent == top) continue;
    const double fraction = (bits & ((1u << fraction_bits) - 1)) * std::exp2(-fraction_bits);
    values[exponent == 0 ? fraction * std::exp2(1 - bias) : (1 + fraction) * std::exp2(exponent - bias)] =
        bits;
  }
  return values;
}

// A sum of two halves is the nearest value of the format; a tie goes to the even one.
void check_sums(AtomicType type, int fraction_bits, int exponent_bits) {
  const auto values = all_values(fraction_bits, exponent_bits);
  std::vector<double> of_bits(0x8000, std::numeric_limits<double>::quiet_NaN());
  for (const auto& [value, bits] : values) of_bits[bits] = value;
  uint32_t seed = 12345;
  for (int i = 0; i < 20000; ++i) {
    const auto next = [&] { return (seed = seed * 1664525 + 1013904223) >> 16; };
    uint32_t a = next() & 0xffff, b = next() & 0xffff;
    if (i % 2 == 0) b = (a ^ 0x8000) + (next() & 63) - 32, b &= 0xffff;  // near cancellation
    const double x = of_bits[a & 0x7fff] * (a >> 15 != 0 ? -1 : 1),
                 y = of_bits[b & 0x7fff] * (b >> 15 != 0 ? -1 : 1);
    if (std::isnan(x) || std::isnan(y)) continue;
    const double sum = x + y, size = std::fabs(sum);
    const auto above = values.lower_bound(size);
    if (above == values.end()) continue;  // beyond the largest: may round to infinity
    uint32_t wanted = above->second;
    if (above->first != size) {
      const auto below = std::prev(above);
      const double up = above->first - size, down = size - below->first;
      if (down < up || (down == up && below->second % 2 == 0)) wanted = below->second;
    }
    if (sum < 0 || (sum == 0 && std::signbit(sum))) wanted |= 0x8000;
    const auto got = static_cast<uint32_t>(apply_atomic(AtomicKind::add, type, a | b << 16, b | a << 16, 0));
    ASSERT_EQ(got, wanted | wanted << 16) << std::hex << a << " + " << b;
  }
}
TEST(AtomicOperation, SumsOfHalfPairs) { check_sums(AtomicType::f16_pair, 10, 5); }
TEST(AtomicOperation, SumsOfBrainFloatPairs) { check_sums(AtomicType::bf16_pair, 7, 8); }
TEST(AtomicOperation, HalvesOverflowToInfinityAndNanIsCanonical) {
  EXPECT_EQ(f32(AtomicKind::add, AtomicType::f16_pair, 0x7bff7c00, 0x7bfffc00), 0x7c007fffu);
}

class AtomicOnEveryArch : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, AtomicOnEveryArch, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

constexpr const char* kCounting = R"(
extern "C" __global__ void kernel(unsigned* sum, unsigned long long* wide, float* f, unsigned* tickets, unsigned short* pairs) {
  atomicAdd(sum, threadIdx.x);
  atomicAdd(wide, 0x100000001ull);
  atomicAdd(f, 1.0f);
  tickets[atomicAdd(sum + 1, 1u)] += 1;
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(pairs), "r"(0x3c003c00) : "memory");
})";

// Many blocks run on several threads of the CPU. No addition may be lost, and no ticket given twice.
TEST_P(AtomicOnEveryArch, NothingIsLostBetweenBlocks) {
  NEED_NVRTC();
  const auto compiled = compile_source(kCounting, GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.threads = 4;
  launch.grid = {32, 1, 1};
  launch.block = {64, 1, 1};
  launch.buffer("sum", std::vector<uint32_t>(2)).buffer("wide", std::vector<uint64_t>(1));
  launch.buffer("f", std::vector<float>(1)).buffer("tickets", std::vector<uint32_t>(2048));
  launch.buffer("pairs", std::vector<uint16_t>(2));
  ASSERT_EQ(launch.run(*compiled), "");
  EXPECT_EQ(launch.values<uint32_t>("sum"), (std::vector<uint32_t>{32 * 64 * 63 / 2, 2048}));
  EXPECT_EQ(launch.values<uint64_t>("wide"), std::vector<uint64_t>{2048 * 0x100000001ull});
  EXPECT_EQ(launch.values<float>("f"), std::vector<float>{2048});
  EXPECT_EQ(launch.values<uint32_t>("tickets"), std::vector<uint32_t>(2048, 1));
  EXPECT_EQ(launch.values<uint16_t>("pairs"), std::vector<uint16_t>(2, 0x6800));  // 2048
}

// The kernel runs long enough for the CPU's threads to meet at the same words.
TEST(AtomicOnManyThreads, NoAdditionIsLost) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(unsigned* sums, float* f) {
  for (int i = 0; i < 200; ++i) {
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(sums + (i & 1)) : "memory");
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f + (threadIdx.x & 1)), "f"(1.0f) : "memory");
  }
})",
                                       isa::Arch::sm_90);
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.threads = 4;
  launch.grid = {256, 1, 1};
  launch.buffer("sums", std::vector<uint32_t>(2)).buffer("f", std::vector<float>(2));
  ASSERT_EQ(launch.run(*compiled), "");
  EXPECT_EQ(launch.values<uint32_t>("sums"), std::vector<uint32_t>(2, 256 * 32 * 100));
  EXPECT_EQ(launch.values<float>("f"), std::vector<float>(2, 256 * 16 * 200));
}

TEST_P(AtomicOnEveryArch, TheObserverSeesAtomicsAndReductions) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(unsigned* out) {
  __shared__ unsigned box[32];
  box[threadIdx.x] = 1;
  __syncthreads();
  atomicMin(out + threadIdx.x, 3u);
  out[64 + threadIdx.x] = atomicExch(out + 32 + threadIdx.x, 3u) + atomicOr(box + (threadIdx.x ^ 1), threadIdx.x);
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(96));
  const auto trace = launch.trace(*compiled);
  ASSERT_TRUE(trace.has_value()) << trace.error().what;
  std::map<std::pair<Space, Direction>, int> seen;
  for (const TraceAccess& access : trace->accesses) {
    ++seen[{access.space, access.direction}];
    EXPECT_EQ(access.mask, kAllLanes);
  }
  EXPECT_EQ((seen[{Space::global, Direction::reduce}]), 1);
  EXPECT_EQ((seen[{Space::global, Direction::atomic}]), 1);
  EXPECT_EQ((seen[{Space::shared, Direction::atomic}]), 1);
  EXPECT_EQ((seen[{Space::global, Direction::load}]), 0);
  EXPECT_EQ((seen[{Space::global, Direction::store}]), 1);
}

TEST_P(AtomicOnEveryArch, AFaultNamesTheOperation) {
  NEED_NVRTC();
  const auto compiled = compile_source(
      R"(extern "C" __global__ void kernel(unsigned* out) { out[0] = atomicExch(out + 8 + threadIdx.x, 1u); })",
      GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(32));
  const std::string text = launch.run(*compiled);
  EXPECT_NE(text.find("an atomic operation of 4 bytes at the global address"), std::string::npos) << text;
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->lane, 24);
}

}  // namespace
}  // namespace gemmscope::machine
