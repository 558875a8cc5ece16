#include "metrics/matrix_layout.h"

namespace gemmscope::metrics {

std::optional<Element> MatrixLayout::element_at(uint64_t address) const {
  for (size_t b = 0; b < buffers.size(); ++b) {
    const MatrixBuffer& buffer = buffers[b];
    const uint64_t offset = address - buffer.address;
    if (address < buffer.address || offset >= buffer.bytes()) continue;
    const auto index = static_cast<int64_t>(offset / buffer.element_bytes);
    return Element{static_cast<uint8_t>(b), index / buffer.columns, index % buffer.columns};
  }
  return std::nullopt;
}

uint64_t MatrixLayout::address_of(const Element& element) const {
  const MatrixBuffer& buffer = buffers[element.matrix];
  return buffer.address +
         static_cast<uint64_t>(element.row * buffer.columns + element.column) * buffer.element_bytes;
}

}  // namespace gemmscope::metrics
