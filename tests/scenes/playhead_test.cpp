// A playhead's state depends only on its position, not on how it got there.
#include "scenes/playhead.h"

#include <gtest/gtest.h>

#include <chrono>

#include "scene_blocks.h"
#include "scenes/cursor.h"

namespace gemmscope::scenes {
namespace {

bool same(const std::vector<metrics::Touch>& a, const std::vector<metrics::Touch>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const metrics::Touch& x, const metrics::Touch& y) {
                      return x.kind == y.kind && x.lane == y.lane && x.element == y.element;
                    });
}

bool same_reads(const Playhead& a, const Playhead& b) {
  for (const uint8_t matrix : {metrics::kMatrixA, metrics::kMatrixB}) {
    const metrics::MatrixBuffer& buffer = a.block().layout.buffers[matrix];
    for (int64_t row = 0; row < buffer.rows; ++row)
      for (int64_t column = 0; column < buffer.columns; ++column)
        if (a.reads().reads({matrix, row, column}) != b.reads().reads({matrix, row, column})) return false;
  }
  return true;
}

TEST(Playhead, ForwardAndBackwardAgree) {
  std::mt19937 random(3);
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    const size_t last = block->trace.records.size() - 1;
    Playhead wandering(block);
    std::vector<size_t> stops = {last, 0, last / 2, last / 2 + 1, last / 2, 1, last};
    for (int i = 0; i < 8; ++i) stops.push_back(random() % (last + 1));
    for (const size_t stop : stops) {
      wandering.seek(stop);
      Playhead fresh(block);
      fresh.seek(stop);
      ASSERT_EQ(wandering.record(), stop);
      ASSERT_TRUE(same(wandering.touches(), fresh.touches())) << kernel << ", record " << stop;
      ASSERT_TRUE(same_reads(wandering, fresh)) << kernel << ", record " << stop;
    }
  }
}

TEST(Playhead, SteppingBackReversesSteppingForward) {
  const BlockPointer block = small_block("11_prefetch");
  ASSERT_NE(block, nullptr);
  constexpr size_t kSteps = 1500;
  Playhead playhead(block);
  std::vector<std::vector<metrics::Touch>> forward;
  for (size_t i = 0; i < kSteps; ++i) {
    playhead.seek(i);
    forward.push_back(playhead.touches());
  }
  for (size_t i = kSteps; i-- > 0;) {
    playhead.seek(i);
    ASSERT_TRUE(same(playhead.touches(), forward[i])) << "record " << i;
  }
}

TEST(Playhead, ReadsCountTheRecordsUpToTheCursor) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  size_t load = 0;  // the first
  while (playhead.touches().empty()) playhead.seek(++load);
  const metrics::Element element = playhead.touches()[0].element;
  const auto lanes = std::count_if(playhead.touches().begin(), playhead.touches().end(),
                                   [&](const metrics::Touch& touch) { return touch.element == element; });
  EXPECT_EQ(playhead.reads().reads(element), static_cast<uint32_t>(lanes));
  playhead.seek(load - 1);
  EXPECT_EQ(playhead.reads().reads(element), 0u);
  playhead.seek(block->trace.records.size() - 1);
  // Every thread of the 16 x 16 block walks along its own row of A.
  EXPECT_EQ(playhead.reads().reads({metrics::kMatrixA, 0, 0}), 16u);
  EXPECT_EQ(playhead.reads().reads({metrics::kMatrixB, 63, 15}), 16u);
  EXPECT_EQ(playhead.reads().reads({metrics::kMatrixA, 16, 0}), 0u);
}

}  // namespace
}  // namespace gemmscope::scenes
