// Checks the values in a recorded conversation with a GPU about a lab and its reference. device_timing_test
// recorded it, and transcript_test plays it back.
#include "transcript.h"

namespace gemmscope::gpu {
namespace {

TEST(LabTranscript, TheLabIsRightAndWithAnotherReferenceWrong) {
  const std::vector<Exchange> exchanges = read_transcript(transcript_folder() / "h200_lab.transcript");
  ASSERT_EQ(exchanges.size(), 5u) << "hello, a right lab, its time, a wrong one, quit";
  const auto& right = std::get<Prepared>(exchanges[1].reply.what).verification;
  EXPECT_TRUE(right.checked);
  EXPECT_EQ(right.wrong_elements, 0u);
  EXPECT_EQ(right.against, "its reference, the kernel reference");
  EXPECT_GT(std::get<TimeReply>(exchanges[2].reply.what).ms, 1e-4);
  const auto& wrong = std::get<Prepared>(exchanges[3].reply.what).verification;
  EXPECT_EQ(wrong.wrong_elements, 37u * 11) << "it leaves the results NaN";
  EXPECT_EQ(wrong.against, "its reference, the kernel scale");
}

}  // namespace
}  // namespace gemmscope::gpu
