// Maps addresses to matrix elements: the buffers of a launch as rows and columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gemmscope::metrics {

struct MatrixBuffer {
  std::string name;      // "A"
  uint64_t address = 0;  // of element (0, 0)
  int64_t rows = 0, columns = 0;
  uint32_t element_bytes = 4;
  bool column_major = false;
  int64_t leading_dimension = 0;  // elements from one row (column, if column-major) to the next; 0: no gaps
  int64_t line() const { return column_major ? rows : columns; }  // elements that are contiguous
  int64_t pitch() const { return leading_dimension > 0 ? leading_dimension : line(); }
  uint64_t elements() const { return static_cast<uint64_t>(pitch() * (column_major ? columns : rows)); }
  uint64_t bytes() const { return elements() * element_bytes; }
  uint64_t index_of(int64_t row, int64_t column) const {
    return static_cast<uint64_t>(column_major ? column * pitch() + row : row * pitch() + column);
  }
};

struct Element {
  uint8_t matrix = 0;  // index into MatrixLayout::buffers
  int64_t row = 0, column = 0;
  bool operator==(const Element&) const = default;
};

// For a GEMM the buffers are A, B, C in this order; another kernel has none.
struct MatrixLayout {
  std::vector<MatrixBuffer> buffers;
  bool is_gemm() const { return buffers.size() == 3; }

  std::optional<Element> element_at(uint64_t address) const;
  uint64_t address_of(const Element& element) const;
};

inline constexpr uint8_t kMatrixA = 0, kMatrixB = 1, kMatrixC = 2, kNoMatrix = 255;

}  // namespace gemmscope::metrics
