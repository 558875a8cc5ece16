#include "scenes/playhead.h"

namespace gemmscope::scenes {

Playhead::Playhead(std::shared_ptr<const experiment::BlockResult> block)
    : block_(std::move(block)),
      replay_(block_->trace, block_->compiled->instructions, block_->layout),
      reads_(block_->trace, block_->layout) {
  seek(0);
}

void Playhead::seek(size_t record) {
  record_ = record;
  replay_.seek(record);
  touches_ = replay_.touches(block_->accumulators);
  reads_.seek(record + 1);
}

}  // namespace gemmscope::scenes
