// Checks runs of instructions and the leaders of shared loads against their definitions, one operation after
// the other, on random code. One test has a loop that begins between a load and its leader.
#include "machine/translate/instruction_runs.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "machine/execute/grid.h"
#include "machine/lanes/lane_ops.h"
#include "machine/translate/result_rows.h"
#include "machine/translate/translate.h"

namespace gemmscope::machine {
namespace {

std::vector<MicroOp> random_code(std::mt19937& random) {
  std::vector<MicroOp> ops(random() % 60);
  for (MicroOp& op : ops) {
    const uint32_t kind = random() % 16;
    op.destination = static_cast<Row>(random() % 14);
    op.source = {static_cast<Row>(random() % 4), static_cast<Row>(random() % 4 == 0 ? 4 : kZeroRow), kZeroRow,
                 kZeroRow};
    op.lane = lane_ops()[kind % 2 == 0 ? LaneOp::mov : LaneOp::imad_wide];
    op.action = kind < 5     ? Action::lanes
                : kind < 13  ? Action::load_shared
                : kind == 13 ? Action::store_shared
                : kind == 14 ? Action::load_global
                             : Action::branch;
    op.width_bytes = static_cast<uint8_t>(4 << random() % 3);
    op.immediate = op.action == Action::load_shared && random() % 8 == 0 ? 2 : 0;
    op.offset = random() % 256 * 4;
    if (random() % 24 == 0) op.guard = 0;
  }
  return ops;
}

bool in_run(const MicroOp& op) { return op.guard == 7 && op.action != Action::branch; }

bool changes_a_register_of(const MicroOp& op, const MicroOp& load) {
  for (uint32_t i = 0; i < result_rows(op); ++i)
    if (op.destination + i == load.source[0] || op.destination + i == load.source[1]) return true;
  return false;
}

// Counts the consecutive operations from `from` on that satisfy `so`.
template <typename F>
size_t in_a_row(const std::vector<MicroOp>& ops, size_t from, F so) {
  size_t count = 0;
  while (from + count < ops.size() && so(ops[from + count])) ++count;
  return count;
}

// Returns how far before ops[load] its leader is: the first load of the same run of instructions with the
// same address and width, if no operation between them changes the address registers. 0: it has none.
size_t leader_of(const std::vector<MicroOp>& ops, size_t load) {
  const MicroOp& op = ops[load];
  size_t leader = load;
  if (op.action != Action::load_shared || !in_run(op)) return 0;
  for (size_t i = load; i-- > 0;) {
    const MicroOp& other = ops[i];
    if (!in_run(other) || changes_a_register_of(other, op)) break;
    if (other.action == Action::load_shared && other.source == op.source && other.immediate == op.immediate &&
        other.width_bytes == op.width_bytes)
      leader = i;
  }
  return load - leader;
}

TEST(InstructionRuns, RunsAndLeadersMatchTheirDefinition) {
  std::mt19937 random(1);
  size_t led = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::vector<MicroOp> ops = random_code(random);
    find_instruction_runs(ops);
    for (size_t pc = 0; pc < ops.size(); ++pc) {
      ASSERT_EQ(ops[pc].run_length, in_a_row(ops, pc, in_run));
      ASSERT_EQ(ops[pc].leader, leader_of(ops, pc)) << "operation " << pc;
      led += ops[pc].leader != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(led, 2'000u);
}

// In its second pass the loop's load must not take the distances that its leader had in the first.
TEST(InstructionRuns, ALoopMayBeginAfterALeader) {
  constexpr uint64_t kControl = 0x003fde0000000000;
  GlobalMemory memory;
  const uint64_t address = memory.allocate("out", 128);
  cubin::Cubin cubin;
  cubin.arch = isa::Arch::sm_86;
  cubin::KernelCode kernel;
  kernel.name = "kernel";
  kernel.static_shared_bytes = 512;  // so that wrong places would be in bounds
  kernel.words = {0x0000000000007919,
                  kControl | 0x2100,  // S2R R0, SR_TID.X
                  0x00000004000a7824,
                  kControl | 0x078e00ff,  // IMAD.SHL.U32 R10, R0, 0x4, RZ
                  (address & 0xffffffff) << 32 | 0x0a027810,
                  kControl | 0x7ffe0ff,  // IADD3 R2, R10, low, RZ
                  address >> 32 << 32 | 0x00037802,
                  kControl | 0xf00,  // MOV R3, high
                  0x0000007c0a087810,
                  kControl | 0x7ffe1ff,  // IADD3 R8, -R10, 0x7c, RZ
                  0x000000000a007388,
                  kControl | 0x800,  // STS [R10], R0
                  0x0000800a0a007388,
                  kControl | 0x800,  // STS [R10+0x80], R10
                  0x0000000a00047202,
                  kControl | 0xf00,  // MOV R4, R10
                  0x0000000004057984,
                  kControl | 0x800,  // LDS R5, [R4]
                  0x0000800004067984,
                  kControl | 0x800,  // LDS R6, [R4+0x80]: the loop
                  0x0000003000000947,
                  kControl | 0x3800000,  // @P0 BRA: the store
                  0x000000ffff00720c,
                  kControl | 0x3f02070,  // ISETP.EQ.U32.AND P0, PT, RZ, RZ, PT
                  0x0000000800047202,
                  kControl | 0xf00,  // MOV R4, R8
                  0xffffffb000007947,
                  kControl | 0x383ffff,  // BRA: the loop
                  0x0000000602007986,
                  0x003fde000c101904,  // STG.E [R2.64], R6
                  0x000000000000794d,
                  kControl | 0x3800000};  // EXIT
  LaunchConfig launch;
  launch.block = {32, 1, 1};
  const Result<Program> program = translate(cubin, kernel, launch, memory);
  ASSERT_TRUE(program.has_value()) << program.error().message;
  ASSERT_EQ(program->ops[9].leader, 1);
  const auto run = run_grid(*program, memory, {.threads = 1});
  ASSERT_TRUE(run.has_value()) << run.error().what;
  ASSERT_EQ(run->counts.warps[9], 2u);
  const std::span<std::byte> out = memory.bytes("out");
  for (uint32_t l = 0; l < kWarpLanes; ++l) {
    uint32_t word = 0;
    std::memcpy(&word, out.data() + size_t{4} * l, 4);
    EXPECT_EQ(word, 4 * (31 - l)) << "lane " << l;
  }
}

}  // namespace
}  // namespace gemmscope::machine
