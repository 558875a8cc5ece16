// Counts how often a traced block has read each element of each matrix from global memory, up to a record.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/record/trace.h"
#include "metrics/matrix_layout.h"

namespace gemmscope::metrics {

// The rows and columns of a matrix that a block touches; empty (rows 0) if it touches none.
struct Footprint {
  int64_t first_row = 0, first_column = 0, rows = 0, columns = 0;
  bool contains(int64_t row, int64_t column) const {
    return row >= first_row && row < first_row + rows && column >= first_column &&
           column < first_column + columns;
  }
};
std::vector<Footprint> footprints(const machine::Trace& trace, const MatrixLayout& layout);

// Seeking adds or subtracts the reads of the records in between, so scrubbing costs only the records passed.
class ReadCounts {
 public:
  ReadCounts(const machine::Trace& trace, const MatrixLayout& layout);

  void seek(size_t record);  // counts the reads of the records before this one
  // Times that the element was read so far; 0 outside the footprint.
  uint32_t reads(const Element& element) const;
  // The largest count of a matrix at the end of the trace: the end of the colour scale.
  uint32_t most(uint8_t matrix) const { return final_most_[matrix]; }

 private:
  void add(size_t record, uint32_t change);

  const machine::Trace& trace_;
  const MatrixLayout& layout_;
  std::vector<Footprint> footprints_;
  std::vector<std::vector<uint32_t>> counts_;  // by matrix, row-major over the footprint
  std::vector<uint32_t> final_most_;
  size_t position_ = 0;
};

}  // namespace gemmscope::metrics
