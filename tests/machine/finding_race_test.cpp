// Finds races on shared memory. A kernel that just avoids the race stands beside each.
#include "finding_case.h"

namespace gemmscope::machine {
namespace {

class SharedRaces : public FindingCase {};
INSTANTIATE_TEST_SUITE_P(Archs, SharedRaces, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

std::string kernel_with(const std::string& body) {
  return "\nextern \"C\" __global__ void kernel(unsigned* in, unsigned* out) {\n"
         "  __shared__ volatile unsigned s[256];\n"
         "  const unsigned t = threadIdx.x;\n" +
         body + "}\n";
}

TEST_P(SharedRaces, ReadOfWhatAnotherWarpWrites) {
  NEED_NVRTC();
  run(kernel_with("  s[t] = in[t];\n  out[t] = s[t ^ 32];\n"), launch_of(128));
  ASSERT_EQ(findings.size(), 2u) << "warp 0 finds nothing yet, warp 1 writes what warp 0 has read";
  EXPECT_EQ(findings[0].kind, FindingKind::uninitialised_shared);
  EXPECT_EQ(findings[1].kind, FindingKind::shared_race);
}

// The words are initialised, so the missing barrier is the only mistake.
TEST_P(SharedRaces, WriteThenReadWithoutABarrier) {
  NEED_NVRTC();
  const std::string fill = "  s[t] = 0;\n  __syncthreads();\n  s[t] = in[t];\n",
                    read = "  out[t] = s[t ^ 32];\n";
  expect_one(kernel_with(fill + read), launch_of(128), FindingKind::shared_race,
             {"test.cu:", "LDS", "STS", "the shared address", "with no barrier between them",
              "the other is test.cu:", "of warp "});
  EXPECT_EQ(findings[0].warp / 2, findings[0].other_warp / 2);
  EXPECT_NE(findings[0].warp, findings[0].other_warp);
  EXPECT_EQ(findings[0].lane, findings[0].other_lane);
  expect_none(kernel_with(fill + "  __syncthreads();\n" + read), launch_of(128));
  // Lanes of one warp need no barrier.
  expect_none(kernel_with(fill + "  out[t] = s[t ^ 16];\n"), launch_of(128));
}

// The loop overwrites the tile while slower warps still read it: its second barrier is missing.
TEST_P(SharedRaces, OverwritingATileThatIsStillRead) {
  NEED_NVRTC();
  const auto loop = [](const std::string& last) {
    return kernel_with(
        "  unsigned sum = 0;\n"
        "#pragma unroll 1\n  for (int k = 0; k < 4; ++k) {\n"
        "    s[t] = in[t] + k;\n"
        "    __syncthreads();\n"
        "    sum += s[t ^ 64];\n" +
        last + "  }\n  out[t] = sum;\n");
  };
  expect_one(loop(""), launch_of(128), FindingKind::shared_race, {"STS", "LDS", "test.cu:8", "test.cu:10"});
  expect_none(loop("    __syncthreads();\n"), launch_of(128));
}

TEST_P(SharedRaces, TwoWarpsWriteOneWord) {
  NEED_NVRTC();
  const auto source = [](const std::string& index) {
    return kernel_with("  s[" + index + "] = t;\n  __syncthreads();\n  out[t] = s[t & 31];\n");
  };
  expect_one(source("t & 31"), launch_of(64), FindingKind::shared_race,
             {"test.cu:5: ", "STS", "writes the shared address", "another warp wrote"});
  expect_none(source("t"), launch_of(64));
}

TEST_P(SharedRaces, TwoLanesWriteOneWord) {
  NEED_NVRTC();
  const auto source = [](const std::string& value) {
    return kernel_with("  s[t / 2] = " + value + ";\n  __syncthreads();\n  out[t] = s[t / 2];\n");
  };
  expect_one(
      source("in[t]"), launch_of(32), FindingKind::shared_race,
      {"test.cu:5: ", "STS", "two lanes of one instruction write different values", "warp 0, lane 1)"});
  EXPECT_EQ(findings[0].other_lane, 0);
  expect_none(source("in[t / 2]"), launch_of(32));
}

// Two warps that write two bytes of one word do not race.
TEST_P(SharedRaces, BytesOfAWord) {
  NEED_NVRTC();
  const auto source = [](const std::string& index) {
    return kernel_with("  ((volatile unsigned char*)s)[" + index +
                       "] = 3;\n  __syncthreads();\n  out[t] = ((volatile unsigned char*)s)[t];\n");
  };
  expect_none(source("t % 32 * 2 + t / 32"), launch_of(64));
  run(source("t / 32 * 32 + t % 32 - (t == 32)"), launch_of(64));
  ASSERT_EQ(findings.size(), 2u) << "byte 31 has two writers, byte 32 none";
  EXPECT_NE(findings[0].kind, findings[1].kind);
}

// A barrier of two warps orders those two and no others.
TEST_P(SharedRaces, NamedBarriersOrderTheWarpsThatWaitAtThem) {
  NEED_NVRTC();
  const auto source = [](const std::string& from) {
    return kernel_with(
        "  s[t] = 0;\n"
        "  __syncthreads();\n"
        "  s[t] = in[t];\n"
        "  asm volatile(\"bar.sync %0, 64;\" :: \"r\"(1 + t / 64) : \"memory\");\n"
        "  out[t] = s[" +
        from + "];\n");
  };
  expect_none(source("t ^ 32"), launch_of(128));
  expect_one(source("t ^ 64"), launch_of(128), FindingKind::shared_race,
             {"test.cu:9: ", "LDS", "test.cu:7: STS"});
}

// A producer signals "full" with bar.arrive, and a consumer waits for it with bar.sync; "empty" goes the
// other way.
TEST_P(SharedRaces, ProducerAndConsumer) {
  NEED_NVRTC();
  const auto source = [](const std::string& wait_until_empty) {
    return kernel_with(
        "  if (t < 32) {\n"
        "    for (int k = 0; k < 4; ++k) {\n"
        "      if (k > 0) " +
        wait_until_empty +
        "\n"
        "      s[t] = in[t + k];\n"
        "      asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\");\n"
        "    }\n"
        "  } else {\n"
        "    unsigned sum = 0;\n"
        "    for (int k = 0; k < 4; ++k) {\n"
        "      asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n"
        "      sum += s[t - 32];\n"
        "      if (k < 3) asm volatile(\"bar.arrive 2, 64;\" ::: \"memory\");\n"
        "    }\n"
        "    out[t] = sum;\n"
        "  }\n");
  };
  expect_none(source("asm volatile(\"bar.sync 2, 64;\" ::: \"memory\");"), launch_of(64));
}

TEST_P(SharedRaces, ARaceInEachBlockIsOneFinding) {
  NEED_NVRTC();
  Launch launch = launch_of(128);
  launch.grid = {6, 1, 1};
  const auto compiled = compile_source(
      kernel_with("  s[t] = 0;\n  __syncthreads();\n  s[t] = in[t];\n  out[t] = s[t ^ 32];\n"), GetParam());
  ASSERT_NE(compiled, nullptr);
  ASSERT_EQ(launch.run(*compiled), "");
  ASSERT_EQ(launch.findings.size(), 1u);
  EXPECT_EQ(launch.findings[0].block, (std::array<uint32_t, 3>{0, 0, 0}));
  EXPECT_EQ(launch.findings[0].times % 6, 0u);
}

}  // namespace
}  // namespace gemmscope::machine
