#include "session/code_state.h"

#include <algorithm>

namespace gemmscope::session {

scenes::CountSource code_counts_of(const ViewState& state) {
  return scenes::choose_counts(state.code.scope, state.compiled.get(), state.block.get(), state.grid.get());
}

std::optional<scenes::CodeCounts> counted_code(const ViewState& state) {
  const scenes::CountSource source = code_counts_of(state);
  if (source.counters == nullptr) return std::nullopt;
  return scenes::count_code(*state.compiled, *source.counters, state.model.get());
}

std::vector<scenes::CodeMark> code_marks_of(const ViewState& state) {
  const auto findings = [&](const auto& result) -> std::span<const machine::Finding> {
    if (result == nullptr || result->compiled != state.compiled) return {};
    return result->findings;
  };
  return scenes::code_marks(state.compiled.get(), state.failure ? &state.failure->failure : nullptr,
                            findings(state.block), findings(state.grid),
                            state.grid != nullptr && state.grid->compiled == state.compiled
                                ? std::span(state.grid->other_findings)
                                : std::span<const experiment::OtherFinding>{});
}

std::optional<size_t> first_execution(const ViewState& state, uint32_t instruction) {
  if (!is_tracing(state)) return std::nullopt;
  const std::vector<machine::TraceRecord>& records = state.block->trace.records;
  const auto find = [&](int warp) -> std::optional<size_t> {
    const auto found = std::find_if(records.begin(), records.end(), [&](const machine::TraceRecord& record) {
      return record.instruction == instruction && (warp < 0 || record.warp == warp);
    });
    if (found == records.end()) return std::nullopt;
    return static_cast<size_t>(found - records.begin());
  };
  const std::optional<size_t> own = find(state.playback.warp);
  return own || state.playback.warp < 0 ? own : find(-1);
}

}  // namespace gemmscope::session
