#include "session/export_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace gemmscope::session {
namespace {

// The positions among the warp's steps that access memory.
std::vector<int64_t> accesses_of(const experiment::BlockResult& block, int warp) {
  std::vector<int64_t> positions;
  const auto steps = static_cast<int64_t>(scenes::step_count(block, warp));
  for (int64_t i = 0; i < steps; ++i)
    if (block.trace.records[scenes::record_at(block, warp, static_cast<size_t>(i))].access_count > 0)
      positions.push_back(i);
  return positions;
}

bool take_number(std::string_view& text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number >= 0;
}
bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

int64_t range_length(const ViewState& state, RangeUnit unit) {
  if (!state.has_trace()) return 0;
  switch (unit) {
    case RangeUnit::steps:
      return static_cast<int64_t>(scenes::step_count(*state.block, state.playback.warp));
    case RangeUnit::accesses:
      return static_cast<int64_t>(accesses_of(*state.block, state.playback.warp).size());
    case RangeUnit::cycles:
      return state.places == nullptr ? 0 : static_cast<int64_t>(state.model->timeline.cycles);
  }
  return 0;
}

int64_t place_in_range(const ViewState& state, RangeUnit unit) {
  if (!state.has_trace()) return 0;
  const int warp = state.playback.warp;
  const auto step = static_cast<int64_t>(scenes::position_of(*state.block, warp, state.cursor.record));
  if (unit == RangeUnit::steps) return step;
  if (unit == RangeUnit::cycles) return static_cast<int64_t>(state.pipeline.cycle);
  const std::vector<int64_t> positions = accesses_of(*state.block, warp);
  const auto next = std::ranges::lower_bound(positions, step);
  return std::min<int64_t>(next - positions.begin(), std::max<int64_t>(0, std::ssize(positions) - 1));
}

void seek_in_range(Workspace& workspace, RangeUnit unit, int64_t place) {
  const ViewState& state = workspace.state();
  if (place < 0 || place >= range_length(state, unit)) return;
  if (unit == RangeUnit::cycles) return workspace.seek_cycle(static_cast<double>(place));
  const int warp = state.playback.warp;
  if (unit == RangeUnit::accesses) place = accesses_of(*state.block, warp)[static_cast<size_t>(place)];
  workspace.seek({scenes::record_at(*state.block, warp, static_cast<size_t>(place)), scenes::kAllWavefronts});
}

Result<ExportRange> parse_range(std::string_view text) {
  const std::string_view whole = text;
  const auto wrong = [&] {
    return fail(
        "\"{}\" is no range: write steps:0-120, accesses:3-9 or cycles:0-4000:20, which takes every 20th "
        "cycle.",
        whole);
  };
  ExportRange range;
  const size_t colon = text.find(':');
  const auto unit = std::ranges::find(kRangeUnitNames, text.substr(0, colon));
  if (colon == std::string_view::npos || unit == std::end(kRangeUnitNames)) return wrong();
  range.unit = static_cast<RangeUnit>(unit - std::begin(kRangeUnitNames));
  text.remove_prefix(colon + 1);
  if (!take_number(text, range.first) || !take(text, '-') || !take_number(text, range.last)) return wrong();
  if (!text.empty() && (!take(text, ':') || !take_number(text, range.every))) return wrong();
  if (!text.empty() || range.every < 1 || range.last < range.first) return wrong();
  if (range.count() > kMostFrames)
    return fail("\"{}\" has {} pictures; {} are the most.", whole, range.count(), kMostFrames);
  return range;
}

std::string range_text(const ExportRange& range) {
  return fmt::format("{}:{}-{}:{}", kRangeUnitNames[static_cast<size_t>(range.unit)], range.first, range.last,
                     range.every);
}

std::string why_no_range(const ViewState& state, const ExportRange& range) {
  const int64_t length = range_length(state, range.unit);
  if (length == 0)
    return range.unit == RangeUnit::cycles ? "There is no modelled timeline to go through."
                                           : "The followed warp has none of these.";
  if (range.count() < 1) return "The last picture comes before the first.";
  if (range.last >= length) return fmt::format("The last one is {}.", length - 1);
  if (range.count() > kMostFrames)
    return fmt::format("These are {} pictures; {} are the most.", range.count(), kMostFrames);
  return "";
}

}  // namespace gemmscope::session
