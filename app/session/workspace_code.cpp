// Jumps in the code: to an instruction, to the worst one, to a mistake.
#include <fmt/format.h>

#include "scenes/code_scene.h"
#include "session/code_state.h"
#include "session/workspace.h"

namespace gemmscope::session {

// Selects and shows the instruction, and moves time to its first execution. A followed warp that never
// executes it gives way to one that does.
void Workspace::to_instruction(uint32_t instruction) {
  pause();
  state_.code.selected = instruction;
  state_.code.reveal_line = 0;
  ++state_.code.reveals;
  const std::optional<size_t> record = first_execution(state_, instruction);
  if (!record) return;
  const int warp = state_.block->trace.records[*record].warp;
  if (state_.playback.warp != scenes::kAllWarps && state_.playback.warp != warp) follow(warp);
  seek({*record, scenes::kAllWavefronts});
}

// Where a page asks for the instruction, no command goes to it.
bool Workspace::asked_for_point() {
  const bool asked = state_.lesson.asks_for_point();
  if (asked) state_.note = "The page asks for it: put the cursor there yourself, or reveal.";
  return asked;
}

void Workspace::to_worst(std::optional<scenes::CodeColumn> column, bool forward) {
  if (asked_for_point()) return;
  const std::optional<scenes::CodeCounts> counts = counted_code(state_);
  if (!counts) return;
  if (column) state_.code.rank_by = *column;
  if (!column) state_.code.rank_by = scenes::ranking_column(state_.code, *counts);
  const std::optional<uint32_t> found =
      scenes::next_worst(*counts, state_.code.rank_by, state_.code.selected, forward);
  if (found) return to_instruction(*found);
  const scenes::ColumnName& name = scenes::column_name(state_.code.rank_by);
  state_.note = fmt::format("No instruction has {} {}.", name.group, name.name);
}

namespace {

// The column that has the number by instruction; none for what belongs to the kernel as a whole.
std::optional<scenes::CodeColumn> column_of(scenes::KeyNumber number) {
  using scenes::CodeColumn;
  using scenes::KeyNumber;
  switch (number) {
    case KeyNumber::warp_instructions:
      return CodeColumn::executions;
    case KeyNumber::port_cycles:
      return CodeColumn::lost_ports;
    case KeyNumber::global_sectors:
      return CodeColumn::sectors;
    case KeyNumber::excess_sectors:
      return CodeColumn::excess_sectors;
    case KeyNumber::wavefronts:
      return CodeColumn::wavefronts;
    case KeyNumber::excess_wavefronts:
      return CodeColumn::excess_wavefronts;
    case KeyNumber::time:
      return CodeColumn::stalled;
    default:
      return std::nullopt;
  }
}

}  // namespace

void Workspace::to_most(scenes::KeyNumber number) {
  if (asked_for_point()) return;
  const scenes::CountSource source = code_counts_of(state_);
  const std::optional<scenes::CodeCounts> counts = counted_code(state_);
  if (!counts) return;
  if (const auto found = scenes::top_contributor(number, *state_.compiled, *source.counters, *counts)) {
    // The column that tells why is shown, also where there is room for one alone.
    if (const auto column = column_of(number); column && !state_.code.sorted) state_.code.rank_by = *column;
    const scenes::Cursor before = state_.cursor;
    to_instruction(*found);
    if (number == scenes::KeyNumber::blocks_per_sm)
      state_.note = "Registers limit the blocks on an SM: here is the first use of the highest.";
    else if (state_.cursor.record == before.record)
      state_.note = "The cursor is there already.";
    return;
  }
  pause();
  state_.note = scenes::no_contributor_text(number, *state_.compiled);
}

void Workspace::sort_instructions() {
  if (asked_for_point()) return;
  const std::optional<scenes::CodeCounts> counts = counted_code(state_);
  if (!counts) return;
  state_.code.sorted = !state_.code.sorted;
  state_.code.rank_by = scenes::ranking_column(state_.code, *counts);
}

void Workspace::to_mark(bool forward) {
  const std::vector<scenes::CodeMark> marks = code_marks_of(state_);
  if (marks.empty()) return;
  const auto count = static_cast<int>(marks.size());
  int& at = state_.code.mark;
  at = at < 0 || at >= count ? (forward ? 0 : count - 1) : (at + (forward ? 1 : count - 1)) % count;
  const scenes::CodeMark& mark = marks[static_cast<size_t>(at)];
  if (mark.instruction >= 0) return to_instruction(static_cast<uint32_t>(mark.instruction));
  state_.code.selected.reset();
  state_.code.reveal_line = mark.line;
  ++state_.code.reveals;
}

// Shows a block that fails as far as it came, at the instruction that failed.
void Workspace::show_fault(const experiment::Failure& failure) {
  show_block(failure.until_fault);
  if (!state_.has_trace()) return;
  if (failure.fault->warp >= 0 && state_.playback.warp != scenes::kAllWarps) follow(failure.fault->warp);
  const std::vector<machine::TraceRecord>& records = state_.block->trace.records;
  for (size_t i = records.size(); i-- > 0;) {
    const bool same_warp = failure.fault->warp < 0 || records[i].warp == failure.fault->warp;
    if (!same_warp || records[i].instruction != failure.fault->instruction) continue;
    seek({i, scenes::kAllWavefronts});
    break;
  }
  placed_ = {state_.cursor,
             state_.playback.warp};  // the user's own place comes back when the fault is mended
  state_.code.selected = failure.fault->instruction;
  ++state_.code.reveals;
}

}  // namespace gemmscope::session
