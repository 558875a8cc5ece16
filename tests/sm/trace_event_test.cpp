// Chrome trace events: one JSON value whose slices nest, with the cycles of the timeline.
#include "sm/trace_event.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace gemmscope::sm {
namespace {

using nlohmann::json;

TimelineStep step(uint32_t instruction, uint32_t issued, uint32_t results) {
  TimelineStep s;
  s.instruction = instruction;
  s.issued = s.done = issued;
  s.results = results;
  return s;
}

// Two blocks one after the other on one warp slot, and a second warp on another sub-core.
Timeline two_blocks() {
  Timeline timeline;
  timeline.cycles = 60;
  timeline.blocks = {{{0, 0, 0}, 0, 0, 20}, {{5, 1, 0}, 0, 25, 50}};
  timeline.warps.resize(3);
  timeline.warps[0] = {0, 0, 0, 2, {step(0, 2, 0), step(1, 12, 10)}};
  timeline.warps[1] = {0, 1, 1, 4, {step(0, 5, 0)}};
  timeline.warps[2] = {1, 0, 0, 25, {step(0, 30, 0), step(1, 49, 0)}};
  return timeline;
}

json written(const Timeline& timeline, const std::vector<std::string>& texts) {
  SmConfig config;
  config.name = "A \"quoted\" device";
  config.clock_mhz = 1000;
  std::ostringstream out;
  write_trace_events(out, timeline, config, {"kernel", texts, {}});
  return json::parse(out.str());
}

std::vector<json> slices(const json& trace, const std::string& category) {
  std::vector<json> list;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X" && event["cat"] == category) list.push_back(event);
  return list;
}

TEST(TraceEvents, HoldEveryInstructionWithItsWait) {
  const json trace = written(two_blocks(), {"LDS R0, [R1]", "FFMA R2, R0, R0, R2"});
  EXPECT_EQ(trace["otherData"]["device"], "A \"quoted\" device");
  const std::vector<json> instructions = slices(trace, "instruction");
  ASSERT_EQ(instructions.size(), 5u);
  const json& waits = instructions[1];
  EXPECT_EQ(waits["name"], "FFMA R2, R0, R0, R2");
  EXPECT_EQ(waits["ts"], 3) << "after the first instruction";
  EXPECT_EQ(waits["dur"], 10) << "until it has issued in cycle 12";
  EXPECT_EQ(waits["args"]["long_scoreboard"], 7.0);
  EXPECT_EQ(waits["args"]["not_selected"], 2.0);
  EXPECT_EQ(waits["args"]["issued"], 12);
}

TEST(TraceEvents, NestKernelSmBlockWarpInstruction) {
  const json trace = written(two_blocks(), {"a", "b"});
  std::map<int, std::vector<json>> tracks;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X") tracks[event["tid"]].push_back(event);
  ASSERT_EQ(tracks.size(), 3u) << "the kernel's, and two warp slots";
  const std::vector<std::string> order = {"kernel", "sm", "block", "warp", "instruction"};
  for (const auto& [track, events] : tracks) {
    std::vector<std::pair<double, double>> open;  // by depth
    for (const json& event : events) {
      const auto depth = static_cast<size_t>(
          std::find(order.begin(), order.end(), event["cat"].get<std::string>()) - order.begin());
      ASSERT_LE(depth, open.size()) << event;
      open.resize(depth);
      const double begin = event["ts"], end = begin + event["dur"].get<double>();
      if (depth > 0) {
        EXPECT_GE(begin, open.back().first) << event;
        EXPECT_LE(end, open.back().second) << event;
      }
      open.emplace_back(begin, end);
    }
  }
  EXPECT_EQ(slices(trace, "block").size(), 3u) << "one for each warp";
  EXPECT_EQ(slices(trace, "block")[1]["name"], "block (5, 1, 0)") << "on the slot of the first block's warp";
}

TEST(TraceEvents, OfNothingAreStillJson) {
  EXPECT_TRUE(slices(written(Timeline{}, {}), "instruction").empty());
}

}  // namespace
}  // namespace gemmscope::sm
