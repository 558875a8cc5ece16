// A range of the cursor, picture by picture.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "session/export_state.h"
#include "session/workspace.h"

namespace gemmscope::session {

// How many places the unit has: steps or accesses of the followed warp, cycles of the modelled timeline; 0
// without a trace, or without a model.
int64_t range_length(const ViewState& state, RangeUnit unit);
// Where the cursor is now, in that unit.
int64_t place_in_range(const ViewState& state, RangeUnit unit);
// Puts the cursor at that place. Nothing happens beyond the end.
void seek_in_range(Workspace& workspace, RangeUnit unit, int64_t place);

// "steps:0-120", "accesses:3-9", "cycles:0-4000:20": with every 20th cycle. Errors quote the text.
Result<ExportRange> parse_range(std::string_view text);
std::string range_text(const ExportRange& range);
// Why it cannot be shown, a sentence; empty: it can.
std::string why_no_range(const ViewState& state, const ExportRange& range);

}  // namespace gemmscope::session
