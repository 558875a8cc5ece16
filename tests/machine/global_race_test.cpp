// Blocks store to the same global memory. The value that remains and the report must not depend on the number
// of threads.
#include "finding_case.h"

namespace gemmscope::machine {
namespace {

class GlobalRace : public testing::TestWithParam<isa::Arch> {
 protected:
  struct Outcome {
    std::vector<uint32_t> values;
    std::vector<std::string> texts;
    bool operator==(const Outcome&) const = default;
  };

  // Runs 64 blocks of 64 threads; `body` has `t` (threadIdx.x), `b` (blockIdx.x) and 256 words `out`.
  Outcome run(const std::string& body, int threads) {
    const auto compiled = compile_source(
        "extern \"C\" __global__ void kernel(unsigned* in, unsigned* out) {\n"
        "  const unsigned t = threadIdx.x, b = blockIdx.x;\n" +
            body + "\n}",
        GetParam());
    if (compiled == nullptr) return {};
    Launch launch;
    launch.grid = {64, 1, 1};
    launch.block = {64, 1, 1};
    launch.threads = threads;
    launch.buffer("in", std::vector<uint32_t>(256, 5)).buffer("out", std::vector<uint32_t>(256, 999));
    EXPECT_EQ(launch.run(*compiled), "");
    for (const Finding& finding : launch.findings) EXPECT_EQ(finding.kind, FindingKind::global_race);
    return {launch.values<uint32_t>("out"), launch.finding_texts};
  }
  // Runs repeatedly with 1, 2 and 4 threads and expects equal results.
  Outcome run(const std::string& body) {
    const Outcome alone = run(body, 1);
    for (const int threads : {2, 4})
      for (int again = 0; again < 5; ++again)
        EXPECT_EQ(run(body, threads), alone) << threads << " threads\n"
                                             << fmt::format("{}", fmt::join(alone.texts, "\n"));
    return alone;
  }
  void expect_none(const std::string& body) {
    const Outcome outcome = run(body);
    EXPECT_TRUE(outcome.texts.empty()) << outcome.texts.front();
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, GlobalRace, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

TEST_P(GlobalRace, OfDifferentValuesIsReportedAndTheLastBlockWins) {
  NEED_NVRTC();
  const Outcome outcome = run("  if (t == 0) out[3] = b;");
  ASSERT_EQ(outcome.texts.size(), 1u);
  for (const char* part :
       {"test.cu:3: ", "STG.E", "12 bytes into out, where another block stores a different",
        "the order of the blocks (block (63, 0, 0))"})
    EXPECT_NE(outcome.texts[0].find(part), std::string::npos) << part << " is not in: " << outcome.texts[0];
  EXPECT_EQ(outcome.values[3], 63u);
}

TEST_P(GlobalRace, StoresOfOneValueAreNone) {
  NEED_NVRTC();
  expect_none("  out[t] = in[t];");
  expect_none("  if (t == 0) out[3] = 7;");
}

// For every width, one of two blocks stores a value that differs in one byte.
TEST_P(GlobalRace, CountsTheWords) {
  NEED_NVRTC();
  const std::pair<const char*, const char*> cases[] = {
      {"out[t] = b == 17 ? t + 1000 : t;", "; 64 times)"},
      {"out[t] = b == 17 && t == 40 ? 0 : t;", "(block (63, 0, 0))"},
      {"((uint4*)out)[t] = make_uint4(t, b / 63, 1, 2);", "; 64 times)"},
      {"((uint2*)out)[63 - t] = make_uint2(t, b);", "; 64 times)"},
      {"((unsigned short*)out)[t] = b;", "; 32 times)"},
      {"((unsigned char*)out)[t] = b;", "; 16 times)"},
      {"out[2 * t] = b;", "; 64 times)"},
      {"out[t / 32] = b;", "; 2 times)"}};
  for (const auto& [body, times] : cases) {
    const Outcome outcome = run(std::string("  ") + body);
    ASSERT_EQ(outcome.texts.size(), 1u) << body;
    EXPECT_NE(outcome.texts[0].find(times), std::string::npos) << body << ": " << outcome.texts[0];
  }
}

TEST_P(GlobalRace, StoresToNeighbouringWordsAreNone) {
  NEED_NVRTC();
  for (const char* body :
       {"  if (t < 4) ((unsigned char*)out)[4 * b + t] = b;",
        "  if (t < 2) ((unsigned short*)out)[2 * b + t] = b;", "  if (t == 0) out[b] = b, out[b] = t;",
        "  if (t < 2) out[2 * b + t] = b;", "  if (t == 0) ((uint4*)out)[b] = make_uint4(b, b, b, b);"})
    expect_none(body);
}

// A block that first stores another value and then the common one has still raced.
TEST_P(GlobalRace, SeesValuesThatABlockOverwrites) {
  NEED_NVRTC();
  EXPECT_EQ(run("  ((volatile unsigned*)out)[t] = b;\n  __syncthreads();\n  out[t] = 5;").texts.size(), 1u);
}

// Blocks may pass a ticket to one another.
TEST_P(GlobalRace, IsNotSeenBehindAFenceOrAnAtomicOperation) {
  NEED_NVRTC();
  for (const char* ordered : {"__threadfence();", "if (atomicAdd(out + 255, 1u) == 100000) return;"})
    EXPECT_TRUE(run(std::string("  ") + ordered + "\n  if (t == 0) out[3] = 7 * (b & 0);").texts.empty());
  const std::string after = "  __threadfence();\n  if (t == 0) out[3] = b;";
  EXPECT_TRUE(run(after, 4).texts.empty());
  // Stores before the fence are still seen.
  EXPECT_EQ(run("  if (t == 0) out[3] = b;\n  __threadfence();", 4).texts.size(), 1u);
}

}  // namespace
}  // namespace gemmscope::machine
