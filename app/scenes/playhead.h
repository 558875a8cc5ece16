// The state of a traced block at the cursor: the elements that the instruction touches, and what has been
// read so far. Following the cursor step by step is cheap; a jump costs the records it passes.
#pragma once

#include <memory>
#include <vector>

#include "experiment/results.h"
#include "metrics/dataflow.h"
#include "metrics/read_counts.h"

namespace gemmscope::scenes {

class Playhead {
 public:
  explicit Playhead(std::shared_ptr<const experiment::BlockResult> block);

  void seek(size_t record);
  size_t record() const { return record_; }
  const experiment::BlockResult& block() const { return *block_; }
  const std::vector<metrics::Touch>& touches() const { return touches_; }
  // Counts the records up to and including this one.
  const metrics::ReadCounts& reads() const { return reads_; }

 private:
  std::shared_ptr<const experiment::BlockResult> block_;
  metrics::DataflowReplay replay_;
  metrics::ReadCounts reads_;
  std::vector<metrics::Touch> touches_;
  size_t record_ = 0;
};

}  // namespace gemmscope::scenes
