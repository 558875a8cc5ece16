#include "scenes/playhead.h"

#include <algorithm>

namespace gemmscope::scenes {

Playhead::Playhead(std::shared_ptr<const experiment::BlockResult> block)
    : block_(std::move(block)),
      replay_(block_->trace, block_->compiled->instructions, block_->layout),
      reads_(block_->trace, block_->layout) {
  if (block_->layout.is_gemm()) read_stores();
  seek(0);
}

void Playhead::read_stores() {
  const machine::Trace& trace = block_->trace;
  const metrics::MatrixLayout& layout = block_->layout;
  const uint32_t element_bytes = layout.buffers[metrics::kMatrixC].element_bytes;
  for (uint32_t i = 0; i < trace.records.size(); ++i)
    for (const machine::TraceAccess& access : trace.accesses_of(trace.records[i])) {
      if (access.space != machine::Space::global || access.direction == machine::Direction::load) continue;
      if (store_records_.empty() || store_records_.back() != i) store_records_.push_back(i);
      for (size_t lane = 0; lane < machine::kWarpLanes; ++lane)
        for (uint64_t byte = 0; (access.mask >> lane & 1u) != 0 && byte < access.width_bytes;
             byte += element_bytes)
          if (const metrics::Tag tag = metrics::tag_at(layout, access.addresses[lane] + byte))
            stored_at_.emplace_back(tag, i);
    }
  std::sort(stored_at_.begin(), stored_at_.end());  // of an element's stores the first comes first
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
  if (!any_stored()) return false;
  const auto stored = std::lower_bound(stored_at_.begin(), stored_at_.end(), std::pair(element, uint32_t{0}));
  return stored != stored_at_.end() && stored->first == element && stored->second <= record_;
}

uint64_t Playhead::fill_version() const {
  auto version = static_cast<uint64_t>(
      std::upper_bound(store_records_.begin(), store_records_.end(), record_) - store_records_.begin());
  for (size_t warp = 0; warp < block_->warp_records.size(); ++warp) {
    const std::vector<uint32_t>& own = block_->warp_records[warp];
    const auto next = std::upper_bound(own.begin(), own.end(), record_);
    const uint64_t pass = next == own.begin() ? 0 : block_->trace.records[*(next - 1)].k_tile + uint64_t{1};
    version = (version ^ pass) * 0x9e3779b97f4a7c15ull + (version >> 29);
  }
  return version;
}

void Playhead::seek(size_t record) {
  record_ = record;
  replay_.seek(record);
  touches_ = replay_.touches(block_->accumulators);
  reads_.seek(record + 1);
}

}  // namespace gemmscope::scenes
