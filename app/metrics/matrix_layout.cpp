#include "metrics/matrix_layout.h"

namespace gemmscope::metrics {

std::optional<Element> MatrixLayout::element_at(uint64_t address) const {
  for (size_t b = 0; b < buffers.size(); ++b) {
    const MatrixBuffer& buffer = buffers[b];
    const uint64_t offset = address - buffer.address;
    if (address < buffer.address || offset >= buffer.bytes()) continue;
    const auto index = static_cast<int64_t>(offset / buffer.element_bytes);
    const int64_t line = index / buffer.pitch(), along = index % buffer.pitch();
    if (along >= buffer.line()) return std::nullopt;  // a gap between rows
    return buffer.column_major ? Element{static_cast<uint8_t>(b), along, line}
                               : Element{static_cast<uint8_t>(b), line, along};
  }
  return std::nullopt;
}

uint64_t MatrixLayout::address_of(const Element& element) const {
  const MatrixBuffer& buffer = buffers[element.matrix];
  return buffer.address + buffer.index_of(element.row, element.column) * buffer.element_bytes;
}

}  // namespace gemmscope::metrics
