// How many distinct lines of a buffer blocks load: of each block, and of all together.
#pragma once

#include <cstdint>
#include <vector>

namespace gemmscope::sm {

// Of one buffer, for at most 255 blocks one after the other.
class LineCounter {
 public:
  static constexpr uint32_t kMostBlocks = 255;

  // Lines from `first` to before `end`.
  LineCounter(uint32_t first, uint32_t end) : first_(first), end_(end) {}

  // The present block loads the line. Lines of other buffers are not counted.
  void add(uint32_t line) {
    if (line < first_ || line >= end_) return;
    if (last_block_.empty()) last_block_.resize(end_ - first_, 0);
    uint8_t& last = last_block_[line - first_];
    if (last == block_) return;
    if (last == 0) ++distinct_;
    ++of_blocks_;
    last = block_;
  }
  void end_block() { ++block_; }

  uint64_t of_blocks() const { return of_blocks_; }  // distinct lines of each block, summed
  uint64_t distinct() const { return distinct_; }    // lines that any block loads

 private:
  uint32_t first_, end_;
  std::vector<uint8_t> last_block_;  // that loaded the line, from 1; 0: none has
  uint8_t block_ = 1;
  uint64_t of_blocks_ = 0, distinct_ = 0;
};

}  // namespace gemmscope::sm
