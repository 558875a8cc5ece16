#include "scenes/paired_cursor.h"

#include "experiment/changed_code.h"

namespace gemmscope::scenes {

using experiment::BlockResult;

namespace {

std::optional<Anchored> at_cycle(const PairingInput& input) {
  if (input.to_places == nullptr) return std::nullopt;
  const int followed = input.followed < static_cast<int>(input.to->trace.warp_count) ? input.followed : 0;
  const auto step = input.to_places->step_at(0, followed, input.to_cycle);
  if (!step) return std::nullopt;
  return Anchored{{input.to_places->record_of(*step), kAllWavefronts}, followed, AnchorMatch::same_role};
}

}  // namespace

std::optional<Anchored> same_instruction(const BlockResult& from, const BlockResult& to, Cursor cursor,
                                         int followed) {
  const machine::TraceRecord& here = from.trace.records[cursor.record];
  const auto wanted = experiment::place_in(*to.compiled, *from.compiled, here.instruction);
  if (!wanted || here.warp >= to.warp_records.size()) return std::nullopt;
  size_t earlier = 0;
  for (const uint32_t record : from.warp_records[here.warp]) {
    if (record >= cursor.record) break;
    if (from.trace.records[record].instruction == here.instruction) ++earlier;
  }
  for (const uint32_t record : to.warp_records[here.warp])
    if (to.trace.records[record].instruction == *wanted && earlier-- == 0)
      return Anchored{{record, cursor.wavefront}, followed, AnchorMatch::same_line};
  return std::nullopt;
}

Anchored paired_cursor(Pairing pairing, const PairingInput& input) {
  if (pairing == Pairing::cycle)
    if (const auto found = at_cycle(input)) return *found;
  if (const auto found = same_instruction(*input.from, *input.to, input.cursor, input.followed))
    return *found;
  const AccessAnchor anchor = anchor_of(*input.from, input.cursor, input.followed);
  return pairing == Pairing::pass ? find_in_pass(anchor, *input.to) : find_anchor(anchor, *input.to);
}

double timeline_shift(const experiment::ModelResult& model, uint32_t block, double cycle,
                      const experiment::ModelResult& pinned, bool at_pass) {
  if (pinned.stages.empty() || block >= model.stages.size()) return 0;
  if (!at_pass)
    return static_cast<double>(model.timeline.blocks[block].begin) - pinned.timeline.blocks[0].begin;
  const auto& own = model.stages[block].pass_begins;
  const auto& other = pinned.stages[0].pass_begins;
  const uint32_t pass = pass_at(model.stages[block], cycle);
  if (pass >= own.size() || pass >= other.size()) return 0;
  return static_cast<double>(own[pass]) - other[pass];
}

}  // namespace gemmscope::scenes
