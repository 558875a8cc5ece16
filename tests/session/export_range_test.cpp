// Ranges of the cursor: read, refused with a sentence, and walked.
#include "session/export_range.h"

#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

TEST(ExportRange, IsReadAndWritten) {
  const auto range = parse_range("cycles:0-4000:20");
  ASSERT_TRUE(range) << range.error().message;
  EXPECT_EQ(range->unit, RangeUnit::cycles);
  EXPECT_EQ(range->first, 0);
  EXPECT_EQ(range->last, 4000);
  EXPECT_EQ(range->every, 20);
  EXPECT_EQ(range->count(), 201);
  EXPECT_EQ(range_text(*range), "cycles:0-4000:20");
  EXPECT_EQ(parse_range("steps:7-7")->count(), 1);
}

TEST(ExportRange, WhatIsNoneIsQuoted) {
  for (const char* bad :
       {"", "steps", "steps:", "steps:1", "steps:2-1", "steps:-1-4", "bytes:0-3", "steps:0-3:0",
        "steps:0-3:1:1", "steps:0-99999999999999999999", "steps:0-3x", "steps:0-20000"}) {
    const auto range = parse_range(bad);
    ASSERT_FALSE(range) << bad;
    EXPECT_NE(range.error().message.find("\"" + std::string(bad) + "\""), std::string::npos)
        << range.error().message;
  }
}

TEST(ExportRange, WalksStepsAndAccesses) {
  WorkspaceDriver driver(small_experiment("07_register_tile"));
  ASSERT_TRUE(driver.settle());
  driver.workspace().follow(1);
  const ViewState& state = driver.state();
  const int64_t steps = range_length(state, RangeUnit::steps),
                accesses = range_length(state, RangeUnit::accesses);
  ASSERT_EQ(steps, static_cast<int64_t>(state.block->warp_records[1].size()));
  ASSERT_GT(accesses, 4);
  ASSERT_LT(accesses, steps);
  for (int64_t i = 0; i < accesses; ++i) {
    seek_in_range(driver.workspace(), RangeUnit::accesses, i);
    EXPECT_GT(state.record().access_count, 0);
    EXPECT_EQ(state.record().warp, 1);
    EXPECT_EQ(place_in_range(state, RangeUnit::accesses), i);
  }
  seek_in_range(driver.workspace(), RangeUnit::steps, steps - 1);
  const scenes::Cursor last = state.cursor;
  seek_in_range(driver.workspace(), RangeUnit::steps, steps);
  EXPECT_EQ(state.cursor, last) << "beyond the end";
  EXPECT_EQ(why_no_range(state, {RangeUnit::steps, 0, steps - 1, 1}), "");
  EXPECT_NE(why_no_range(state, {RangeUnit::steps, 0, steps, 1}), "");
}

TEST(ExportRange, WalksCyclesOfTheModel) {
  WorkspaceDriver driver(small_experiment("07_register_tile"));
  ASSERT_TRUE(driver.settle());
  const ViewState& state = driver.state();
  ASSERT_NE(state.places, nullptr) << state.no_model;
  ASSERT_GT(range_length(state, RangeUnit::cycles), 100);
  seek_in_range(driver.workspace(), RangeUnit::cycles, 100);
  EXPECT_EQ(place_in_range(state, RangeUnit::cycles), 100);
}

}  // namespace
}  // namespace gemmscope::session
