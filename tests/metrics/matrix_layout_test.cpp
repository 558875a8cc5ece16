#include "metrics/matrix_layout.h"

#include <gtest/gtest.h>

#include "metrics/dataflow.h"

namespace gemmscope::metrics {
namespace {

MatrixLayout small_layout() {
  MatrixLayout layout;
  layout.buffers = {{"A", 0x1000, 3, 5, 4}, {"B", 0x2000, 5, 7, 4}, {"C", 0x3000, 3, 7, 4}};
  return layout;
}

TEST(MatrixLayout, EveryByteOfEveryElementIsThatElement) {
  const MatrixLayout layout = small_layout();
  for (uint8_t b = 0; b < 3; ++b)
    for (int64_t row = 0; row < layout.buffers[b].rows; ++row)
      for (int64_t column = 0; column < layout.buffers[b].columns; ++column) {
        const Element element{b, row, column};
        const uint64_t address = layout.address_of(element);
        for (uint64_t byte = 0; byte < 4; ++byte) EXPECT_EQ(layout.element_at(address + byte), element);
        EXPECT_EQ(element_of(layout, tag_at(layout, address)), element);
      }
}

TEST(MatrixLayout, OutsideIsNoElement) {
  const MatrixLayout layout = small_layout();
  for (const uint64_t address :
       {0ull, 0xfffull, 0x1000ull + 60, 0x1fffull, 0x2000ull + 140, 0x3000ull + 84, ~0ull}) {
    EXPECT_EQ(layout.element_at(address), std::nullopt) << address;
    EXPECT_EQ(tag_at(layout, address), kNoTag) << address;
  }
}

TEST(MatrixLayout, TagsAreDistinct) {
  const MatrixLayout layout = small_layout();
  std::set<Tag> tags;
  for (const MatrixBuffer& buffer : layout.buffers)
    for (uint64_t byte = 0; byte < buffer.bytes(); byte += 4)
      tags.insert(tag_at(layout, buffer.address + byte));
  EXPECT_EQ(tags.size(), 15u + 35 + 21);
  EXPECT_FALSE(tags.contains(kNoTag));
}

}  // namespace
}  // namespace gemmscope::metrics
