// A fault is reported with its place: the instruction, its address and source line, the block, the warp and
// the lane.
#include <fmt/format.h>

#include "compiled_kernel.h"

namespace gemmscope::machine {
namespace {

class Faults : public testing::TestWithParam<isa::Arch> {
 protected:
  // Runs the kernel and returns the fault's text.
  std::string fault_of(const std::string& source, Launch& launch) {
    const auto compiled = compile_source(source, GetParam());
    return compiled == nullptr ? "does not compile" : launch.run(*compiled);
  }
  void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, Faults, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

TEST_P(Faults, GlobalStorePastTheEnd) {
  NEED_NVRTC();
  Launch launch;
  launch.grid = {3, 2, 1};
  launch.block = {64, 1, 1};
  launch.buffer("out", std::vector<uint32_t>(64 * 5 + 40));
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel(unsigned* out) {
  const unsigned block = blockIdx.y * 3 + blockIdx.x;
  out[block * 64 + threadIdx.x] = 1;
})",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::out_of_bounds);
  EXPECT_EQ(launch.fault->block, (std::array<uint32_t, 3>{2, 1, 0}));
  EXPECT_EQ(launch.fault->warp, 1);
  EXPECT_EQ(launch.fault->lane, 8);
  expect_parts(text, {"test.cu:4: ", "STG.E", " at 0x", "a store of 4 bytes at the global address",
                      "0 bytes past the end of out", "block (2, 1, 0), warp 1, lane 8"});
}

TEST_P(Faults, GlobalLoadBeforeTheStartAndBetweenBuffers) {
  NEED_NVRTC();
  const std::string source = R"(
extern "C" __global__ void kernel(const unsigned* a, const unsigned* b, unsigned* out, long long offset) {
  out[threadIdx.x] = a[threadIdx.x] +
                     b[threadIdx.x - offset];
})";
  for (const int64_t offset : {int64_t{1}, int64_t{1000}, int64_t{1} << 40}) {
    Launch launch;
    launch.buffer("a", std::vector<uint32_t>(32))
        .buffer("b", std::vector<uint32_t>(32))
        .buffer("out", std::vector<uint32_t>(32));
    launch.scalar(offset);
    const std::string text = fault_of(source, launch);
    ASSERT_TRUE(launch.fault.has_value()) << offset;
    EXPECT_EQ(launch.fault->kind, FaultKind::out_of_bounds);
    EXPECT_EQ(launch.fault->lane, 0);
    expect_parts(text, {"test.cu:4: ", "LDG.E", "a load of 4 bytes at the global address", "warp 0, lane 0"});
    if (offset == 1) expect_parts(text, {"4 bytes before the start of b"});
  }
}

TEST_P(Faults, AWideAccessHalfOutsideABuffer) {
  NEED_NVRTC();
  Launch launch;
  launch.buffer("in", std::vector<uint32_t>(126)).buffer("out", std::vector<uint32_t>(128));
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; })",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::out_of_bounds);
  EXPECT_EQ(launch.fault->lane, 31);
  expect_parts(text, {"LDG.E.128", "16 bytes", "lane 31"});
}

TEST_P(Faults, Misaligned) {
  NEED_NVRTC();
  Launch launch;
  launch.buffer("in", std::vector<uint32_t>(64)).buffer("out", std::vector<uint32_t>(64));
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel(const char* in, float2* out) {
  out[threadIdx.x] = *(const float2*)(in + threadIdx.x * 8 + threadIdx.x / 5 * 4);
})",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::misaligned);
  EXPECT_EQ(launch.fault->lane, 5);
  expect_parts(text, {"test.cu:3: ", "LDG.E.64", "not a multiple of 8", "lane 5"});
}

TEST_P(Faults, SharedOutsideAndMisaligned) {
  NEED_NVRTC();
  const std::string source = R"(
extern "C" __global__ void kernel(unsigned* out, unsigned shift) {
  __shared__ unsigned box[64];
  *(volatile unsigned*)((char*)box + threadIdx.x * 4 + shift) = 7;
  __syncthreads();
  out[threadIdx.x] = box[threadIdx.x];
})";
  Launch fine;
  fine.buffer("out", std::vector<uint32_t>(32)).scalar(uint32_t{128});
  EXPECT_EQ(fault_of(source, fine), "");
  Launch outside;
  outside.buffer("out", std::vector<uint32_t>(32)).scalar(uint32_t{132});
  const std::string text = fault_of(source, outside);
  ASSERT_TRUE(outside.fault.has_value());
  EXPECT_EQ(outside.fault->kind, FaultKind::out_of_bounds);
  EXPECT_EQ(outside.fault->lane, 31);
  expect_parts(text, {"test.cu:4: ", "STS", "a store of 4 bytes at the shared address",
                      "the block's 256 bytes", "lane 31"});
  Launch before;
  before.buffer("out", std::vector<uint32_t>(32)).scalar(static_cast<uint32_t>(-4));
  expect_parts(fault_of(source, before), {"test.cu:4: ", "shared address", "lane 0"});
  ASSERT_TRUE(before.fault.has_value());
  EXPECT_EQ(before.fault->kind, FaultKind::out_of_bounds);
  Launch misaligned;
  misaligned.buffer("out", std::vector<uint32_t>(32)).scalar(uint32_t{2});
  expect_parts(fault_of(source, misaligned), {"test.cu:4: ", "STS", "not a multiple of 4", "lane 0"});
  ASSERT_TRUE(misaligned.fault.has_value());
  EXPECT_EQ(misaligned.fault->kind, FaultKind::misaligned);
}

TEST_P(Faults, LocalOutsideTheStack) {
  NEED_NVRTC();
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(32)).scalar(int32_t{20000});
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel(unsigned* out, int offset) {
  volatile unsigned local[64];
  for (int i = 0; i < 64; ++i) local[i * offset % 64] = i;
  out[threadIdx.x] = local[threadIdx.x - (threadIdx.x == 9 ? offset : 0)];
})",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::out_of_bounds);
  expect_parts(text, {"test.cu:5: ", "LDL", "local address", "outside the thread's stack", "warp 0, lane 9"});
}

// The two halves of a block wait at different barriers, each of which expects all threads.
TEST_P(Faults, DeadlockNamesTheWaitingWarpsAndBarriers) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {64, 1, 1};
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel() {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
})",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::deadlock);
  expect_parts(
      text, {"test.cu:4: ", "BAR.SYNC", " at 0x", "32 of 64 threads have arrived at barrier 1 (warp 0 at 0x",
             "32 of 64 threads have arrived at barrier 2 (warp 1 at 0x", "block (0, 0, 0), warp 0, lane 0"});
}

// The two halves of a warp wait for each other, but their masks name different lanes.
TEST_P(Faults, DeadlockWithinAWarp) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {64, 1, 1};
  launch.buffer("out", std::vector<uint32_t>(64));
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel(unsigned* out) {
  if (threadIdx.x % 2 == 0) {
    __syncwarp(0xffffffff);
    out[threadIdx.x] = 1;
  } else {
    __syncwarp(0xfffffffe);
    out[threadIdx.x] = 2;
  }
})",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value()) << text;
  EXPECT_EQ(launch.fault->kind, FaultKind::deadlock);
  expect_parts(text, {"test.cu:", "SYNC", " at 0x", "no warp can go on",
                      "lanes 0x55555555 of warp 0 wait at 0x", "lanes 0xaaaaaaaa of warp 1 wait at 0x",
                      "for the others of their warp", "block (0, 0, 0), warp 0, lane"});
}

TEST_P(Faults, AnEndlessLoopEndsWithTheBudget) {
  NEED_NVRTC();
  Launch launch;
  launch.limits.branch_budget = 100000;
  launch.buffer("out", std::vector<uint32_t>(32));
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel(volatile unsigned* out) {
  while (out[threadIdx.x] == 0)
    out[0] = 0;
})",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::budget_exhausted);
  expect_parts(text, {"test.cu:", "BRA", " at 0x", "endless loop", "block (0, 0, 0), warp 0, lane 0"});
}

TEST_P(Faults, Trap) {
  NEED_NVRTC();
  Launch launch;
  launch.block = {96, 1, 1};
  const std::string text = fault_of(R"(
extern "C" __global__ void kernel() {
  if (threadIdx.x == 70)
    __trap();
})",
                                    launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::trap);
  EXPECT_EQ(launch.fault->warp, 2);
  EXPECT_EQ(launch.fault->lane, 6);
  expect_parts(text, {"test.cu:4: ", "BPT.TRAP", " at 0x", "trap", "warp 2, lane 6"});
}

// An instruction that the decoder does not know is a fault only if a lane reaches it.
TEST_P(Faults, UnknownInstruction) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(unsigned* out, unsigned n) {
  if (threadIdx.x >= n)
    out[threadIdx.x] = 5;
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  cubin::KernelCode& code = compiled->cubin.kernels[0];
  uint32_t store = 0;
  while (isa::decode(code.words[2 * store], code.words[2 * store + 1], 16 * store, GetParam()).opcode !=
         isa::Opcode::stg)
    ++store;
  code.words[2 * store] = (code.words[2 * store] & ~0x1ffull) | 0x1ff;
  Launch met;
  met.buffer("out", std::vector<uint32_t>(32)).scalar(uint32_t{9});
  const std::string text = met.run(*compiled);
  ASSERT_TRUE(met.fault.has_value());
  EXPECT_EQ(met.fault->kind, FaultKind::unsupported_instruction);
  EXPECT_EQ(met.fault->instruction, store);
  expect_parts(text, {"test.cu:4: ", fmt::format("at {:#x}: ", 16 * store), "not in the instruction table",
                      "block (0, 0, 0), warp 0, lane"});
  Launch passed_by;
  passed_by.buffer("out", std::vector<uint32_t>(32)).scalar(uint32_t{32});
  EXPECT_EQ(passed_by.run(*compiled), "");
  code.words[2 * store] |= 0xf000;  // @!PT: no lane executes it
  Launch never;
  never.buffer("out", std::vector<uint32_t>(32)).scalar(uint32_t{9});
  EXPECT_EQ(never.run(*compiled), "");
}

// The decoder knows this instruction, but the machine does not execute it. Compilers emit no such instruction
// here, so the test puts one into the code.
TEST_P(Faults, UnsupportedInstruction) {
  NEED_NVRTC();
  const auto compiled =
      compile_source(R"(extern "C" __global__ void kernel(unsigned* out) { out[0] = 1; })", GetParam());
  ASSERT_NE(compiled, nullptr);
  cubin::KernelCode& code = compiled->cubin.kernels[0];
  constexpr uint64_t kHfma2 = 0x7231, kF32 = uint64_t{1} << (78 - 64);  // HFMA2.F32 R0, R0, R0, R0
  code.words[0] = kHfma2;
  code.words[1] = kF32;
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(32));
  const std::string text = launch.run(*compiled);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::unsupported_instruction);
  expect_parts(
      text, {"test.cu:1: ", "HFMA2.F32", " at 0x0", "compilers do not emit its .F32 form", "warp 0, lane 0"});
}

TEST_P(Faults, JumpOutOfTheCode) {
  NEED_NVRTC();
  const auto compiled =
      compile_source(R"(extern "C" __global__ void kernel(unsigned* out) { out[0] = 1; })", GetParam());
  ASSERT_NE(compiled, nullptr);
  cubin::KernelCode& code = compiled->cubin.kernels[0];
  uint32_t exit = 0;
  while (isa::decode(code.words[2 * exit], code.words[2 * exit + 1], 16 * exit, GetParam()).opcode !=
         isa::Opcode::exit)
    ++exit;
  code.words.resize(2 * exit);
  Launch launch;
  launch.buffer("out", std::vector<uint32_t>(32));
  const std::string text = launch.run(*compiled);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::bad_jump);
  expect_parts(text, {"past the end of the code", "block (0, 0, 0), warp 0, lane 0"});
}

TEST_P(Faults, Cancelled) {
  NEED_NVRTC();
  const std::atomic<bool> cancelled{true};
  Launch launch;
  launch.limits.cancelled = &cancelled;
  launch.buffer("out", std::vector<uint32_t>(32));
  fault_of(R"(extern "C" __global__ void kernel(volatile unsigned* out) { while (out[0] == 0) {} })", launch);
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::cancelled);
}

TEST_P(Faults, ALaunchThatDoesNotFitItsKernelIsRefused) {
  NEED_NVRTC();
  const std::string source = R"(extern "C" __global__ void kernel(unsigned* out, int n) { out[0] = n; })";
  Launch too_few;
  too_few.buffer("out", std::vector<uint32_t>(32));
  expect_parts(fault_of(source, too_few), {"kernel", "2 parameters, but the launch gives 1"});
  Launch too_wide;
  too_wide.buffer("out", std::vector<uint32_t>(32)).scalar(uint64_t{1});
  expect_parts(fault_of(source, too_wide), {"kernel", "parameter 1 has 4 bytes, but the launch gives 8"});
}

}  // namespace
}  // namespace gemmscope::machine
