// The state of a traced block at the cursor: the elements that the instruction touches, and what has been
// read so far. Following the cursor step by step is cheap; a jump costs the records it passes.
#pragma once

#include <memory>
#include <utility>
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
  // The share of its passes of the main loop that a warp has begun, 0 to 1.
  float progress(int warp) const;
  // Whether this element of C, given by its tag, is stored by now.
  bool is_stored(metrics::Tag element) const;
  bool any_stored() const { return !store_records_.empty() && store_records_.front() <= record_; }
  // Changes with progress() and is_stored().
  uint64_t fill_version() const;

 private:
  void read_stores();

  std::shared_ptr<const experiment::BlockResult> block_;
  metrics::DataflowReplay replay_;
  metrics::ReadCounts reads_;
  std::vector<metrics::Touch> touches_;
  std::vector<std::pair<metrics::Tag, uint32_t>>
      stored_at_;                        // element of C, the record that stores it; by element
  std::vector<uint32_t> store_records_;  // ascending
  size_t record_ = 0;
};

}  // namespace gemmscope::scenes
