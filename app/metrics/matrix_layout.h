// Which matrix element an address is: the buffers of a launch, as rows and columns.
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
  uint64_t bytes() const {
    return static_cast<uint64_t>(rows) * static_cast<uint64_t>(columns) * element_bytes;
  }
};

struct Element {
  uint8_t matrix = 0;  // index into MatrixLayout::buffers
  int64_t row = 0, column = 0;
  bool operator==(const Element&) const = default;
};

// For a GEMM the buffers are A, B, C in this order.
struct MatrixLayout {
  std::vector<MatrixBuffer> buffers;

  std::optional<Element> element_at(uint64_t address) const;
  uint64_t address_of(const Element& element) const;
};

inline constexpr uint8_t kMatrixA = 0, kMatrixB = 1, kMatrixC = 2;

}  // namespace gemmscope::metrics
