// Makes tags of matrix elements from addresses and takes them apart again.
#include "metrics/dataflow_parts.h"

namespace gemmscope::metrics {
namespace {

constexpr int kMatrixShift = 60, kIndexBits = 30;
constexpr Tag kIndexMask = (Tag{1} << kIndexBits) - 1;

}  // namespace

Tag pair_of(Tag low, Tag high) {
  low = first_of(low);
  high = first_of(high);
  if (low == kNoTag || high == kNoTag || low >> kMatrixShift != high >> kMatrixShift) return low;
  return low | ((high & kIndexMask) + 1) << kIndexBits;
}
Tag half_of(Tag word, uint64_t address) {
  if (second_of(word) == kNoTag) return word;
  return address % 4 == 0 ? first_of(word) : second_of(word);
}
Tag accessed_tag(const MatrixLayout& layout, const machine::TraceAccess& access, uint64_t address) {
  return access.width_bytes < 4 ? tag_at(layout, address) : word_tag_at(layout, address);
}

Tag tag_at(const MatrixLayout& layout, uint64_t address) {
  const std::optional<Element> element = layout.element_at(address);
  if (!element) return kNoTag;
  const auto index =
      static_cast<Tag>(element->row * layout.buffers[element->matrix].columns + element->column);
  if (index >= kIndexMask) return kNoTag;
  return static_cast<Tag>(element->matrix + 1) << kMatrixShift | index;
}

Tag word_tag_at(const MatrixLayout& layout, uint64_t address) {
  const Tag low = tag_at(layout, address);
  if (low == kNoTag || layout.buffers[(low >> kMatrixShift) - 1].element_bytes != 2) return low;
  return pair_of(low, tag_at(layout, address + 2));
}

Tag first_of(Tag tag) { return tag & ~(kIndexMask << kIndexBits); }
Tag second_of(Tag tag) {
  const Tag index = tag >> kIndexBits & kIndexMask;
  return index == 0 ? kNoTag : (tag >> kMatrixShift << kMatrixShift) | (index - 1);
}

Element element_of(const MatrixLayout& layout, Tag tag) {
  Element element;
  element.matrix = static_cast<uint8_t>((tag >> kMatrixShift) - 1);
  const auto index = static_cast<int64_t>(tag & kIndexMask);
  element.row = index / layout.buffers[element.matrix].columns;
  element.column = index % layout.buffers[element.matrix].columns;
  return element;
}

}  // namespace gemmscope::metrics
