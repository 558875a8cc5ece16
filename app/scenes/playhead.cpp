#include "scenes/playhead.h"

#include <algorithm>

namespace gemmscope::scenes {

Playhead::Playhead(std::shared_ptr<const experiment::BlockResult> block)
    : block_(std::move(block)),
      replay_(block_->trace, block_->compiled->instructions, block_->layout),
      reads_(block_->trace, block_->layout) {
  const experiment::BlockResult& b = *block_;
  for (size_t i = 0; i < b.trace.records.size() && b.layout.is_gemm(); ++i)
    for (const machine::TraceAccess& access : b.trace.accesses_of(b.trace.records[i])) {
      if (access.space != machine::Space::global || access.direction == machine::Direction::load) continue;
      for (size_t lane = 0; lane < machine::kWarpLanes; ++lane)
        for (uint64_t byte = 0; (access.mask >> lane & 1u) != 0 && byte < access.width_bytes;
             byte += b.layout.buffers[metrics::kMatrixC].element_bytes)
          if (const metrics::Tag tag = metrics::tag_at(b.layout, access.addresses[lane] + byte))
            stored_at_.emplace(tag, i);
    }
  seek(0);
}

float Playhead::progress(int warp) const {
  if (warp < 0 || static_cast<size_t>(warp) >= block_->warp_records.size()) return 0;
  const std::vector<uint32_t>& own = block_->warp_records[static_cast<size_t>(warp)];
  const auto next = std::upper_bound(own.begin(), own.end(), record_);
  if (next == own.begin()) return 0;
  const float passes = static_cast<float>(block_->trace.records[own.back()].k_tile) + 1;
  return (static_cast<float>(block_->trace.records[*(next - 1)].k_tile) + 1) / passes;
}

bool Playhead::is_stored(metrics::Tag element) const {
  const auto stored = stored_at_.find(element);
  return stored != stored_at_.end() && stored->second <= record_;
}

void Playhead::seek(size_t record) {
  record_ = record;
  replay_.seek(record);
  touches_ = replay_.touches(block_->accumulators);
  reads_.seek(record + 1);
}

}  // namespace gemmscope::scenes
