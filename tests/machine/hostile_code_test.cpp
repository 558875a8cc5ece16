// Code that no compiler emits must end with a fault, in time. Fuzzing (tests/fuzz) found these cases; some
// are variants of its findings.
#include <gtest/gtest.h>

#include "machine/execute/grid.h"
#include "machine/translate/translate.h"

namespace gemmscope::machine {
namespace {

using Words = std::vector<uint64_t>;  // lo, hi, lo, hi, … of sm_86

constexpr uint64_t kControl = 0x003fde0000000000;

Result<Program> translate_words(const Words& words, GlobalMemory& memory, const LaunchConfig& launch = {},
                                uint32_t static_shared_bytes = 0) {
  cubin::Cubin cubin;
  cubin.arch = isa::Arch::sm_86;
  cubin::KernelCode kernel;
  kernel.name = "kernel";
  kernel.words = words;
  kernel.static_shared_bytes = static_shared_bytes;
  return translate(cubin, kernel, launch, memory);
}

Fault fault_of(const Words& words) {
  GlobalMemory memory;
  const auto program = translate_words(words, memory);
  if (!program) return {FaultKind::none, 0, {}, -1, -1, 0, program.error().message};
  GridOptions options;
  options.threads = 1;
  options.limits.branch_budget = 1000;
  const auto run = run_grid(*program, memory, options);
  return run ? Fault{} : Fault(run.error());
}

TEST(HostileCode, ACallOfItselfUsesTheBudget) {
  const Fault fault = fault_of({0xfffffff000007944, kControl | 0x3c3ffff});  // CALL.REL.NOINC 0x0
  EXPECT_EQ(fault.kind, FaultKind::budget_exhausted) << fault.what;
}

TEST(HostileCode, AReturnToItselfUsesTheBudget) {
  const Fault fault =
      fault_of({0xfffffff002007950, kControl | 0x3c3ffff});  // RET.REL.NODEC R2 0x0, R2 = R3 = 0
  EXPECT_EQ(fault.kind, FaultKind::budget_exhausted) << fault.what;
}

// The index of its target does not fit into 32 bits; truncated, it would be 0.
TEST(HostileCode, ACallFarBeyondTheCode) {
  const Fault fault = fault_of({0xfffffff000007944, kControl | 0x3c0000f});  // CALL.REL.NOINC 0x1000000000
  EXPECT_EQ(fault.kind, FaultKind::bad_jump) << fault.what;
}

TEST(HostileCode, AJumpWhoseAddressWraps) {
  const Fault fault = fault_of({0xffffffff00027802, kControl | 0xf00,        // MOV R2, 0xffffffff
                                0x7fffffff00037802, kControl | 0xf00,        // MOV R3, 0x7fffffff
                                0x00000fd002007950, kControl | 0x3c00000});  // RET.REL.NODEC R2 0x1000
  EXPECT_EQ(fault.kind, FaultKind::bad_jump) << fault.what;
}

// A micro-op names its rows with 16 bits.
TEST(HostileCode, MoreConstantsThanRows) {
  Words words;
  for (uint64_t i = 1; i <= 70'000; ++i) {
    words.push_back(i << 32 | 0x00057802);  // MOV R5, i
    words.push_back(kControl | 0xf00);
  }
  GlobalMemory memory;
  const auto program = translate_words(words, memory);
  ASSERT_TRUE(program.has_value()) << program.error().message;
  EXPECT_LE(program->row_count(), 0x10000u);
  EXPECT_EQ(program->unsupported.front(), "");
  EXPECT_EQ(program->unsupported.back(), "the code has more constants than the machine has rows");
  for (size_t i = 0; i < program->ops.size() && program->unsupported[i].empty(); ++i)
    ASSERT_EQ(program->constants[program->ops[i].source[0] - size_t{kConstantRow}][0], i + 1);
  EXPECT_EQ(fault_of(words).kind, FaultKind::unsupported_instruction);
}

TEST(HostileCode, MoreSharedMemoryThanAnSmHas) {
  GlobalMemory memory;
  const Words exit = {0x000000000000794d, kControl | 0x3800000};
  LaunchConfig launch;
  launch.dynamic_shared_bytes = 0xfffffff0;
  const auto program = translate_words(exit, memory, launch, 1 << 20);
  ASSERT_FALSE(program.has_value());
  EXPECT_EQ(
      program.error().message,
      "kernel: it takes 1048576 bytes of shared memory and the launch gives 4294967280 more, but an SM has "
      "233472");
  launch.dynamic_shared_bytes = 200 * 1024;
  EXPECT_TRUE(translate_words(exit, memory, launch, 28 * 1024).has_value());
}

}  // namespace
}  // namespace gemmscope::machine
