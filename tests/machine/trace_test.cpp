// Tests traces: the order of warps, the limit, and which loops count as passes over k.
#include "machine/record/trace.h"

#include <algorithm>
#include <bit>
#include <map>

#include "compiled_kernel.h"

namespace gemmscope::machine {
namespace {

// ---- main_loop_heads on hand-made code

using isa::Instruction;
using isa::Opcode;

Instruction at(uint32_t index, Opcode opcode) {
  Instruction instruction;
  instruction.address = index * isa::kInstructionBytes;
  instruction.opcode = opcode;
  return instruction;
}
// "B7" branches to instruction 7, "F" multiplies and adds, "E" ends, "." is something else.
std::vector<Instruction> code(const std::vector<std::string>& words) {
  std::vector<Instruction> result;
  for (uint32_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    Instruction instruction = at(i, word[0] == 'B' ? Opcode::bra
                                    : word == "F"  ? Opcode::ffma
                                    : word == "H"  ? Opcode::hmma
                                    : word == "E"  ? Opcode::exit
                                                   : Opcode::mov);
    if (word[0] == 'B') {
      instruction.operands[instruction.operand_count++] = {.kind = isa::OperandKind::predicate, .index = 0};
      isa::Operand target;
      target.kind = isa::OperandKind::target;
      target.value = std::stol(word.substr(1)) * isa::kInstructionBytes;
      instruction.operands[instruction.operand_count++] = target;
    }
    result.push_back(instruction);
  }
  return result;
}
using Heads = std::vector<uint32_t>;

TEST(MainLoopHeads, WithoutABackwardBranchThereIsNone) {
  EXPECT_EQ(main_loop_heads(code({"F", "B3", "F", "."})), Heads{});
  EXPECT_EQ(main_loop_heads({}), Heads{});
}
TEST(MainLoopHeads, ALoopThatMultiplies) {
  EXPECT_EQ(main_loop_heads(code({".", ".", "F", "B1", "."})), Heads{1});
  EXPECT_EQ(main_loop_heads(code({".", "H", "B1", "."})), Heads{1});
}
TEST(MainLoopHeads, ALoopThatOnlyMovesDoesNotCount) {
  EXPECT_EQ(main_loop_heads(code({"F", ".", ".", "B1", "."})), Heads{});
}
TEST(MainLoopHeads, TheOutermostOfNestedLoopsCounts) {
  EXPECT_EQ(main_loop_heads(code({".", ".", "F", "B2", ".", "B1", "."})), Heads{1});
  EXPECT_EQ(main_loop_heads(code({".", ".", "F", "B1", ".", "B1", "."})), Heads{1});
  EXPECT_EQ(main_loop_heads(code({".", ".", "F", "B2", "F", "B4", "B0", "."})), Heads{0});
}
// A wait whose turn stands behind the end: its branch goes back over the loop, but repeats only the question.
TEST(MainLoopHeads, ATurnBehindTheEndIsNoLoopAroundAll) {
  EXPECT_EQ(main_loop_heads(code({".", ".", "B7", "F", "B1", "E", "B6", ".", "B2"})), Heads{1});
  // It asks again there, and returns behind the question.
  EXPECT_EQ(main_loop_heads(code({".", ".", "B8", "F", ".", "B1", "E", "B7", ".", "B8", "B3"})), Heads{1});
}
TEST(MainLoopHeads, ConsecutiveLoopsAllCount) {
  EXPECT_EQ(main_loop_heads(code({".", "F", "B1", ".", "F", "B3"})), (Heads{1, 3}));
}
TEST(MainLoopHeads, ABranchToItselfIsPadding) {
  EXPECT_EQ(main_loop_heads(code({"F", ".", "B2", "."})), Heads{});
}

// ---- traces of kernels

constexpr const char* kDot = R"(
extern "C" __global__ void kernel(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += in[k] * in[k + threadIdx.x];
  out[threadIdx.x] = sum;
})";

class TraceOnEveryArch : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, TraceOnEveryArch, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

TEST_P(TraceOnEveryArch, PassesOfTheMainLoopAreCounted) {
  NEED_NVRTC();
  const auto compiled = compile_source(kDot, GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.block = {96, 1, 1};
  launch.buffer("in", std::vector<float>(128, 1.0f))
      .buffer("out", std::vector<float>(96))
      .scalar(int32_t{10});
  const auto trace = launch.trace(*compiled);
  ASSERT_TRUE(trace.has_value());
  EXPECT_TRUE(trace->complete);
  EXPECT_EQ(trace->warp_count, 3u);
  std::vector<int> last(3, -1), multiplies(3);
  const cubin::KernelCode& kernel = *compiled->cubin.find("kernel");
  for (const TraceRecord& record : trace->records) {
    ASSERT_GE(static_cast<int>(record.k_tile), last[record.warp]) << "passes only grow";
    last[record.warp] = record.k_tile;
    const Instruction instruction =
        isa::decode(kernel.words[2 * record.instruction], kernel.words[2 * record.instruction + 1],
                    16 * record.instruction, GetParam());
    if (instruction.opcode != Opcode::ffma) continue;
    EXPECT_EQ(static_cast<int>(record.k_tile), multiplies[record.warp]++) << "one a pass";
  }
  EXPECT_EQ(multiplies, (std::vector<int>{10, 10, 10}));
}

TEST_P(TraceOnEveryArch, WarpsTakeTurns) {
  NEED_NVRTC();
  const auto compiled = compile_source(kDot, GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.block = {128, 1, 1};
  launch.buffer("in", std::vector<float>(160, 1.0f))
      .buffer("out", std::vector<float>(128))
      .scalar(int32_t{5});
  const auto trace = launch.trace(*compiled);
  ASSERT_TRUE(trace.has_value());
  for (size_t i = 0; i < trace->records.size(); ++i) {
    const TraceRecord &first = trace->records[i - i % 4], &record = trace->records[i];
    EXPECT_EQ(record.warp, i % 4);
    EXPECT_EQ(record.instruction, first.instruction) << "all warps go the same way";
  }
}

// Records hold the masks, the guards and the addresses of active lanes.
TEST_P(TraceOnEveryArch, RecordsHoldMasksAndAddresses) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(unsigned* out) {
  if (threadIdx.x % 2 == 0) out[threadIdx.x * 3] = 7;
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  Launch launch;
  launch.block = {40, 1, 1};
  launch.buffer("out", std::vector<uint32_t>(128));
  const auto trace = launch.trace(*compiled);
  ASSERT_TRUE(trace.has_value());
  size_t stores = 0;
  uint64_t base = 0;
  for (const TraceRecord& record : trace->records) {
    EXPECT_EQ(record.executed & ~record.mask, 0u);
    EXPECT_EQ(record.mask & ~(record.warp == 0 ? kAllLanes : 0xffu), 0u)
        << "lanes that the block does not have";
    for (const TraceAccess& access : trace->accesses_of(record)) {
      ++stores;
      EXPECT_EQ(access.mask, record.warp == 0 ? 0x55555555u : 0x55u);
      EXPECT_EQ(access.mask, record.executed);
      if (record.warp == 0) base = access.addresses[0];
      for (size_t l = 0; l < 32; ++l) {
        if ((access.mask >> l & 1u) == 0) continue;
        EXPECT_EQ(access.addresses[l], base + (record.warp * 32 + l) * 12);
      }
    }
  }
  EXPECT_EQ(stores, 2u);
}

// Warps run to their end or issue in turns. These are two schedules of one program: counts and memory are the
// same.
TEST_P(TraceOnEveryArch, SchedulesGiveTheSameResult) {
  NEED_NVRTC();
  const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[90];
  unsigned x = in[threadIdx.x];
  for (unsigned i = 0; i < 3 + in[threadIdx.x] % 5; ++i) x = x * 5 + i;
  box[threadIdx.x] = x;
  __syncthreads();
  out[threadIdx.x] = box[89 - threadIdx.x] + x;
})",
                                       GetParam());
  ASSERT_NE(compiled, nullptr);
  std::vector<uint32_t> in(90);
  for (uint32_t i = 0; i < 90; ++i) in[i] = i * 31 % 17;
  Launch turns, straight;
  turns.block = straight.block = {90, 1, 1};  // the last warp is not full
  turns.buffer("in", in).buffer("out", std::vector<uint32_t>(90));
  straight.buffer("in", in).buffer("out", std::vector<uint32_t>(90));
  const auto trace = turns.trace(*compiled);
  ASSERT_TRUE(trace.has_value());
  ASSERT_EQ(straight.run(*compiled), "");
  EXPECT_EQ(turns.values<uint32_t>("out"), straight.values<uint32_t>("out"));
  std::vector<uint64_t> warps(straight.counts.warps.size()), threads(warps.size());
  for (const TraceRecord& record : trace->records) {
    ++warps[record.instruction];
    threads[record.instruction] += static_cast<uint64_t>(std::popcount(record.executed));
  }
  EXPECT_EQ(warps, straight.counts.warps);
  EXPECT_EQ(threads, straight.counts.threads);
}

// ---- uses of barrier objects

TEST(Trace, SaysWhichPhaseOfABarrierObjectAWarpArrivesInAndWaitsFor) {
  NEED_NVRTC();
  const auto source = compile_source(R"(
extern "C" __global__ void kernel(int* out) {
  __shared__ unsigned long long object;
  const unsigned at = (unsigned)__cvta_generic_to_shared(&object);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(at) : "memory");
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x % 32 == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
    asm volatile("{\n.reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again;\n}"
                 ::"r"(at), "r"(i & 1) : "memory");
  }
  out[threadIdx.x] = 1;
})",
                                     isa::Arch::sm_90);
  ASSERT_NE(source, nullptr);
  Launch launch;
  launch.block = {64, 1, 1};
  launch.buffer("out", std::vector<int32_t>(64));
  const auto trace = launch.trace(*source);
  ASSERT_TRUE(trace.has_value()) << trace.error().what;
  std::map<std::pair<ObjectUse::Kind, uint32_t>, int> uses;  // by kind and phase
  for (const TracedObjectUse& use : trace->object_uses) {
    ++uses[{use.kind, use.phase}];
    ASSERT_LT(use.record, trace->records.size());
    EXPECT_EQ(use.address, trace->object_uses.front().address);
  }
  using enum ObjectUse::Kind;
  EXPECT_EQ((uses[{initialise, 0}]), 1);
  for (uint32_t phase = 0; phase < 3; ++phase) {
    EXPECT_EQ((uses[{arrive, phase}]), 2) << phase;
    EXPECT_EQ((uses[{wait, phase}]), 2) << phase;
  }
  EXPECT_TRUE(std::ranges::is_sorted(trace->object_uses, {}, &TracedObjectUse::record));
}

}  // namespace
}  // namespace gemmscope::machine
