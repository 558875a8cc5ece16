// Barrier objects (mbarrier) and the bulk copies that arrive at them, where a plain output does not show it:
// who waits, what is reported, what is refused. tests/instructions/async compares values with a GPU's.
#include "machine/state/barrier_object.h"

#include <array>

#include "finding_case.h"
#include "machine/state/tensor_map.h"

namespace gemmscope::machine {
namespace {

// ---- the word

BarrierObject initialised(uint32_t count) {
  const uint64_t less = (1u << 20) - count;
  return BarrierObject(less << 43 | less << 1);  // as code on sm_90 computes it
}

TEST(BarrierObjectWord, CountsArrivalsAndTurnsItsParity) {
  BarrierObject object = initialised(3);
  EXPECT_EQ(object.arrivals(), 3u);
  EXPECT_EQ(object.missing(), 3u);
  EXPECT_FALSE(object.arrive(2));
  EXPECT_EQ(object.missing(), 1u);
  EXPECT_FALSE(object.parity());
  EXPECT_TRUE(object.arrive(1));
  EXPECT_TRUE(object.parity());
  EXPECT_EQ(object.missing(), 3u);
  EXPECT_FALSE(BarrierObject(0).is_initialised());
}

TEST(BarrierObjectWord, WaitsForBytesThatMayComeFirst) {
  BarrierObject object = initialised(1);
  EXPECT_FALSE(object.copied(48));
  EXPECT_EQ(object.expected_bytes(), -48);
  EXPECT_FALSE(object.arrive(1, 64));
  EXPECT_EQ(object.missing(), 0u);
  EXPECT_FALSE(object.parity());
  EXPECT_TRUE(object.copied(16));
  EXPECT_EQ(object.expected_bytes(), 0);
  EXPECT_TRUE(object.parity());
}

TEST(BarrierObjectWord, TakesTheLargestCounts) {
  BarrierObject object = initialised((1u << 20) - 1);
  EXPECT_EQ(object.arrivals(), (1u << 20) - 1);
  EXPECT_FALSE(object.arrive(1, (1 << 20) - 1));
  EXPECT_EQ(object.expected_bytes(), (1 << 20) - 1);
  EXPECT_FALSE(object.arrive((1u << 20) - 2));
  EXPECT_TRUE(object.copied((1 << 20) - 1));
}

// ---- kernels

const std::string kObjects = R"(
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned object, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(object), "r"(count) : "memory");
}
__device__ void arrive(unsigned object) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(object) : "memory");
}
__device__ void expect(unsigned object, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(object), "r"(bytes) : "memory");
}
__device__ void wait(unsigned object, unsigned parity) {
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(object),
      "r"(parity)
      : "memory");
}
__device__ void copy(unsigned to, const void* from, unsigned bytes, unsigned object) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(object)
               : "memory");
}
)";

class BarrierObjects : public FindingCase {};
INSTANTIATE_TEST_SUITE_P(Archs, BarrierObjects, testing::Values(isa::Arch::sm_90),
                         [](const auto& test) { return isa::arch_name(test.param); });

// Four warps go through two buffers six times. The placeholders stand for the waits.
std::string pipeline(const std::string& wait_full, const std::string& wait_empty) {
  return kObjects + R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned box[2][128];
  __shared__ __align__(8) unsigned long long full[2], empty[2];
  const unsigned t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < 2; ++i) init(at(&full[i]), 1), init(at(&empty[i]), 4);
  __syncthreads();
  unsigned sum = 0;
#pragma unroll 1
  for (int turn = 0; turn < 6; ++turn) {
    const int i = turn % 2;
    if (t == 0) {
      if (turn >= 2) )" +
         wait_empty + R"(
      expect(at(&full[i]), 512);
      copy(at(box[i]), in + turn, 512, at(&full[i]));
    }
    )" + wait_full +
         R"(
    sum += ((volatile unsigned*)box[i])[t ^ 37];
    __syncwarp();
    if (t % 32 == 0) arrive(at(&empty[i]));
  }
  out[t] = sum;
})";
}
const std::string kFull = "wait(at(&full[i]), turn / 2 % 2);",
                  kEmpty = "wait(at(&empty[i]), (turn / 2 - 1) % 2);";

// A bulk copy starts at a multiple of 16 bytes.
std::string stepped(std::string source) {
  source.replace(source.find("in + turn,"), 10, "in + 4 * turn,");
  return source;
}

TEST_P(BarrierObjects, ARightPipelineHasNoFindings) {
  NEED_NVRTC();
  expect_none(stepped(pipeline(kFull, kEmpty)), launch_of(128));
}

TEST_P(BarrierObjects, ItsValuesAreThoseOfEachTurn) {
  NEED_NVRTC();
  const auto compiled = compile_source(stepped(pipeline(kFull, kEmpty)), GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch = launch_of(128);
  ASSERT_EQ(launch.run(*compiled), "");
  for (uint32_t t = 0; t < 128; ++t) {
    uint32_t sum = 0;
    for (uint32_t turn = 0; turn < 6; ++turn) sum += ((t ^ 37) + 4 * turn) * 7 + 1;
    ASSERT_EQ(launch.values<uint32_t>("out")[t], sum) << t;
  }
}

TEST_P(BarrierObjects, AWaitThatIsMissingForTheBytes) {
  NEED_NVRTC();
  run(kObjects + R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned box[128];
  __shared__ __align__(8) unsigned long long object;
  if (threadIdx.x == 0) {
    init(at(&object), 1);
    expect(at(&object), 512);
    copy(at(box), in, 512, at(&object));
  }
  __syncthreads();
  out[threadIdx.x] = ((volatile unsigned*)box)[threadIdx.x];
})",
      launch_of(128));
  ASSERT_GE(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::shared_race);
  EXPECT_NE(texts[0].find("to which a bulk copy writes, without having seen the end of the phase"),
            std::string::npos)
      << texts[0];
}

// The second copy waits for one of the warps that read what the first has brought.
TEST_P(BarrierObjects, ACopyThatDoesNotWaitForAllItsReaders) {
  NEED_NVRTC();
  run(kObjects + R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned box[128];
  __shared__ __align__(8) unsigned long long full[2], empty;
  const unsigned t = threadIdx.x;
  if (t == 0) init(at(&full[0]), 1), init(at(&full[1]), 1), init(at(&empty), 1);
  __syncthreads();
  if (t == 96) {
    expect(at(&full[0]), 512);
    copy(at(box), in, 512, at(&full[0]));
  }
  wait(at(&full[0]), 0);
  out[t] = ((volatile unsigned*)box)[t];
  __syncwarp();
  if (t == 0) arrive(at(&empty));
  if (t == 96) {
    wait(at(&empty), 0);
    expect(at(&full[1]), 512);
    copy(at(box), in + 4, 512, at(&full[1]));
    wait(at(&full[1]), 0);
  }
})",
      launch_of(128));
  ASSERT_GE(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::shared_race);
  EXPECT_NE(texts[0].find("which a thread of another warp read"), std::string::npos) << texts[0];
}

// A try_wait is issued once, however long its warp waits.
TEST_P(BarrierObjects, WaitingIssuesNothing) {
  NEED_NVRTC();
  const auto compiled = compile_source(kObjects + R"(
extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ __align__(8) unsigned long long object;
  if (threadIdx.x == 0) init(at(&object), 1);
  __syncthreads();
  if (threadIdx.x / 32 == 1) {
    unsigned x = 1;
#pragma unroll 1
    for (int i = 0; i < 10000; ++i) x = x * 3 + in[i % 7];
    out[1] = x;
    if (threadIdx.x == 32) arrive(at(&object));
  } else {
    wait(at(&object), 0);
  }
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch = launch_of(64);
  ASSERT_EQ(launch.run(*compiled), "");
  const auto program = launch.translated(*compiled);
  ASSERT_TRUE(program.has_value());
  uint64_t tries = 0;
  for (size_t i = 0; i < program->ops.size(); ++i)
    if (program->ops[i].action == Action::object_test) tries += launch.counts.warps[i];
  EXPECT_EQ(tries, 1u);
}

// ---- what is refused

std::string fault_of(const std::string& body, isa::Arch arch) {
  const auto compiled = compile_source(kObjects +
                                           R"(extern "C" __global__ void kernel(unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned box[64];
  __shared__ __align__(8) unsigned long long object;
)" + body + "\n  out[threadIdx.x] = box[threadIdx.x];\n}",
                                       arch);
  if (compiled == nullptr) return "does not compile";
  Launch launch;
  launch.buffer("in", std::vector<uint32_t>(64)).buffer("out", std::vector<uint32_t>(64));
  return launch.run(*compiled);
}

TEST_P(BarrierObjects, FaultsSayWhatIsWrong) {
  NEED_NVRTC();
  const std::array<std::pair<const char*, const char*>, 6> cases = {
      {{"wait(at(&object), 0);", "has not been initialised"},
       {"if (threadIdx.x == 0) { init(at(&object), 1); arrive(at(&object) + 4); }", "not a multiple of 8"},
       {"if (threadIdx.x == 0) { init(at(&object), 2); wait(at(&object), 0); }",
        "lacks 2 of 2 arrivals and 0 bytes"},
       {"if (threadIdx.x == 0) { init(at(&object), 1); expect(at(&object), 48); copy(at(box), in, 32, "
        "at(&object)); "
        "wait(at(&object), 0); }",
        "lacks 0 of 1 arrivals and 16 bytes"},
       {"if (threadIdx.x == 0) { init(at(&object), 1); copy(at(box), in + 60, 32, at(&object)); }",
        "a bulk copy of 16 bytes at the global address"},
       {"if (threadIdx.x == 0) { init(at(&object), 1); copy(at(box) + 8, in, 16, at(&object)); }",
        "a bulk copy to the shared address"}}};
  for (const auto& [body, text] : cases) {
    const std::string fault = fault_of(body, GetParam());
    EXPECT_NE(fault.find(text), std::string::npos) << body << ": " << fault;
  }
}

// Lane 0 does not wait, and its register holds no address of shared memory.
TEST_P(BarrierObjects, ADeadlockNamesTheObjectOfTheLaneThatWaits) {
  NEED_NVRTC();
  const std::string fault = fault_of(
      "if (threadIdx.x == 0) init(at(&object), 5); __syncwarp(); "
      "const unsigned place = threadIdx.x == 3 ? at(&object) : 0xfffff0 + in[threadIdx.x]; "
      "asm volatile(\"{\\n.reg .pred p, q;\\nsetp.eq.u32 q, %2, 3;\\nagain:\\n@q "
      "mbarrier.try_wait.parity.shared.b64 p, "
      "[%0], %1;\\n@!q setp.eq.u32 p, 0, 0;\\n@!p bra again;\\n}\" ::\"r\"(place), \"r\"(0), "
      "\"r\"(threadIdx.x) : "
      "\"memory\");",
      GetParam());
  EXPECT_NE(fault.find("lacks 5 of 5 arrivals"), std::string::npos) << fault;
}

TEST_P(BarrierObjects, MoreArrivalsThanAreMissing) {
  NEED_NVRTC();
  const std::string fault = fault_of(
      "if (threadIdx.x == 0) { init(at(&object), 2); asm volatile(\"mbarrier.arrive.shared.b64 _, [%0], 3;\" "
      "::\"r\"(at(&object)) : \"memory\"); }",
      GetParam());
  EXPECT_NE(fault.find("3 more arrivals"), std::string::npos) << fault;
}

// ---- boxes of tensors

struct Box {
  uint8_t dimensions, swizzle;
  std::array<int, 3> size, box, corner;
};

// An NVIDIA H200 gave the bits that this test expects for the same boxes (driver 580.159.04, 2026-11-23).
constexpr std::array kBoxes = {
    Box{2, 128, {40, 20, 1}, {32, 8, 1}, {0, 0, 0}},   Box{2, 128, {40, 20, 1}, {32, 8, 1}, {28, 15, 0}},
    Box{2, 128, {40, 20, 1}, {32, 8, 1}, {-4, -2, 0}}, Box{2, 64, {40, 20, 1}, {16, 8, 1}, {8, 3, 0}},
    Box{2, 32, {40, 20, 1}, {8, 8, 1}, {36, 13, 0}},   Box{2, 0, {40, 20, 1}, {12, 5, 1}, {32, 18, 0}},
    Box{2, 128, {39, 20, 1}, {32, 8, 1}, {16, 1, 0}},  Box{3, 0, {20, 6, 5}, {8, 2, 3}, {16, 5, 3}},
    Box{3, 64, {20, 6, 5}, {16, 2, 3}, {-4, 4, -1}}};

const std::string kCopyBox = kObjects + R"(
struct alignas(64) TensorMap { unsigned char bytes[128]; };
extern "C" __global__ void kernel(const __grid_constant__ TensorMap map, const unsigned* in, unsigned* out,
                                  int dimensions, int x, int y, int z, int bytes) {
  extern __shared__ __align__(1024) unsigned box[];
  __shared__ __align__(8) unsigned long long object;
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) box[i] = 0xeeeeeeee;
  if (threadIdx.x == 0) init(at(&object), 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(at(&object), bytes);
    if (dimensions == 2)
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
          ::"r"(at(box)), "l"(&map), "r"(x), "r"(y), "r"(at(&object)) : "memory");
    else
      asm volatile(
          "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
          ::"r"(at(box)), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(at(&object)) : "memory");
  }
  wait(at(&object), 0);
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = box[i];
})";

constexpr uint32_t kWords = 1024;

// The word that lies at place `i` of a box without swizzling.
uint32_t word_of(const Box& b, int i, const std::vector<uint32_t>& in) {
  const int x = i % b.box[0] + b.corner[0], y = i / b.box[0] % b.box[1] + b.corner[1],
            z = i / b.box[0] / b.box[1] + b.corner[2];
  const bool inside = x >= 0 && x < b.size[0] && y >= 0 && y < b.size[1] && z >= 0 && z < b.size[2];
  const int row = (b.size[0] + 3) / 4 * 4;
  const int index = (z * b.size[1] + y) * row + x;
  return inside ? in[static_cast<size_t>(index)] : 0;
}

// Runs the kernel on a box of numbers from 1 on.
std::string copy_box(const Box& b, const CompiledSource& compiled, std::vector<uint32_t>& in,
                     std::vector<uint32_t>& out) {
  in.resize(kWords);
  for (uint32_t i = 0; i < kWords; ++i) in[i] = i + 1;
  TensorMap map;
  map.address = GlobalMemory().allocate("in", kWords * 4);  // that of the launch's first buffer, too
  map.dimensions = b.dimensions;
  map.swizzle_bytes = b.swizzle;
  const uint64_t row_bytes = (static_cast<uint64_t>(b.size[0]) + 3) / 4 * 16;
  map.stride_bytes = {4, row_bytes, row_bytes * static_cast<uint64_t>(b.size[1])};
  for (size_t d = 0; d < 3; ++d)
    map.size[d] = static_cast<uint32_t>(b.size[d]), map.box[d] = static_cast<uint32_t>(b.box[d]);
  Launch launch;
  launch.block = {64, 1, 1};
  launch.dynamic_shared_bytes = 4096;
  launch.scalar(tensor_map_bytes(map)).buffer("in", in).buffer("out", std::vector<uint32_t>(kWords));
  launch.scalar(int{b.dimensions}).scalar(b.corner[0]).scalar(b.corner[1]).scalar(b.corner[2]);
  launch.scalar(static_cast<int>(map.box_bytes()));
  std::string fault = launch.run(compiled);
  out = launch.values<uint32_t>("out");
  out.resize(map.box_bytes() / 4);
  return fault;
}

class Boxes : public testing::TestWithParam<Box> {};
INSTANTIATE_TEST_SUITE_P(All, Boxes, testing::ValuesIn(kBoxes));

TEST_P(Boxes, AreThoseOfTheTensorAndZeroOutside) {
  NEED_NVRTC();
  static const auto compiled = compile_source(kCopyBox, isa::Arch::sm_90);
  ASSERT_NE(compiled, nullptr);
  const Box& b = GetParam();
  std::vector<uint32_t> in, out;
  ASSERT_EQ(copy_box(b, *compiled, in, out), "");
  for (uint32_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[swizzled(4 * i, b.swizzle) / 4], word_of(b, static_cast<int>(i), in)) << i;
}

TEST(BoxesRefused, ThoseThatTheHardwareRefuses) {
  NEED_NVRTC();
  const auto compiled = compile_source(kCopyBox, isa::Arch::sm_90);
  ASSERT_NE(compiled, nullptr);
  std::vector<uint32_t> in, out;
  const std::string fault = copy_box({2, 0, {40, 20, 1}, {12, 5, 1}, {33, 18, 0}}, *compiled, in, out);
  EXPECT_NE(fault.find("starts at column 33 of the tensor"), std::string::npos) << fault;
}

TEST(BoxesRefused, BytesThatAreNoTensorMap) {
  NEED_NVRTC();
  const auto compiled = compile_source(kCopyBox, isa::Arch::sm_90);
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.dynamic_shared_bytes = 2048;
  launch.scalar(std::array<std::byte, TensorMap::kBytes>{});
  launch.buffer("in", std::vector<uint32_t>(4)).buffer("out", std::vector<uint32_t>(4));
  launch.scalar(2).scalar(0).scalar(0).scalar(0).scalar(512);
  const std::string fault = launch.run(*compiled);
  EXPECT_NE(fault.find("there is no tensor map at"), std::string::npos) << fault;
}

}  // namespace
}  // namespace gemmscope::machine
