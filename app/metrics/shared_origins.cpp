#include "metrics/shared_origins.h"

#include <algorithm>

namespace gemmscope::metrics {

std::vector<Tag> shared_origins(const machine::Trace& trace,
                                const std::vector<isa::Instruction>& instructions, const MatrixLayout& layout,
                                size_t most_records) {
  std::vector<Tag> origins;
  DataflowReplay replay(trace, instructions, layout);
  const size_t records = std::min(trace.records.size(), most_records);
  const auto note = [&](uint64_t word) {
    const Tag tag = replay.shared_tag(word);
    if (tag == kNoTag) return;
    if (word >= origins.size()) origins.resize(word + 1, kNoTag);
    if (origins[word] == kNoTag) origins[word] = tag;
  };
  for (size_t i = 0; i < records; ++i)
    for (const machine::TraceAccess& access : trace.accesses_of(trace.records[i])) {
      if (access.space != machine::Space::shared || access.direction != machine::Direction::store) continue;
      replay.seek(std::min(i + 1, trace.records.size() - 1));
      const uint64_t words = access.path == machine::Path::matrix ? 4 : std::max(1, access.width_bytes / 4);
      for (size_t lane = 0; lane < machine::kWarpLanes; ++lane)
        for (uint64_t w = 0; (access.mask >> lane & 1u) != 0 && w < words; ++w)
          note(access.addresses[lane] / 4 + w);
    }
  return origins;
}

}  // namespace gemmscope::metrics
