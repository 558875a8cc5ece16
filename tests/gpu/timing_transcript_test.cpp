// Checks the values in a recorded conversation with a GPU about timings. device_timing_test recorded it, and
// transcript_test plays it back.
#include "transcript.h"

namespace gemmscope::gpu {
namespace {

class TimingTranscript : public testing::Test {
 protected:
  void SetUp() override {
    exchanges_ = read_transcript(transcript_folder() / "h200_timing.transcript");
    ASSERT_EQ(exchanges_.size(), 10u) << "hello, a right kernel, two times, a wrong and a missing one, the "
                                         "library and its time, a release, quit";
  }
  template <typename T>
  const T& reply(size_t i) const {
    return std::get<T>(exchanges_[i].reply.what);
  }
  std::vector<Exchange> exchanges_;
};

TEST_F(TimingTranscript, TheKernelIsRightAndTheWrongOneWrong) {
  const auto& facts = reply<DeviceFacts>(0);
  EXPECT_GT(facts.memory_gb_per_second, 100);
  EXPECT_GT(facts.fp32_lanes_per_sm, 0);
  EXPECT_GT(facts.l2_bytes, 0u);
  const auto& right = reply<Prepared>(1);
  EXPECT_TRUE(right.verification.checked);
  EXPECT_EQ(right.verification.against, "cuBLAS float64");
  EXPECT_EQ(right.verification.wrong_elements, 0u);
  EXPECT_GT(right.verification.largest_error, 0);
  EXPECT_LT(right.verification.largest_ratio, 1);
  const auto& gemm = *std::get<PrepareRequest>(exchanges_[1].request.what).gemm;
  EXPECT_GT(reply<Prepared>(4).verification.wrong_elements, static_cast<uint64_t>(gemm.m * gemm.n / 2));
  EXPECT_EQ(reply<RunnerError>(5).kind, ErrorKind::no_such_kernel);
  EXPECT_TRUE(std::holds_alternative<Released>(exchanges_[8].reply.what));
}

TEST_F(TimingTranscript, TheTimesArePlausible) {
  for (const size_t i : {2, 3, 7}) {
    EXPECT_GT(reply<TimeReply>(i).ms, 1e-4);
    EXPECT_LT(reply<TimeReply>(i).ms, 1) << "of a product of 64 x 48 x 32";
    EXPECT_LE(reply<TimeReply>(i).sm_clock_mhz, reply<DeviceFacts>(0).max_clock_mhz * 1.01);
  }
}

TEST_F(TimingTranscript, TheLibraryIsNamedAndRightWithinTf32) {
  const auto& library = reply<Prepared>(6);
  EXPECT_TRUE(library.library.starts_with("cuBLAS ")) << library.library;
  EXPECT_EQ(library.verification.wrong_elements, 0u);
  EXPECT_LT(library.verification.largest_ratio, 1);
}

}  // namespace
}  // namespace gemmscope::gpu
