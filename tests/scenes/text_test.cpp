#include "scenes/text.h"

#include <gtest/gtest.h>

#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

TEST(Text, GroupedNumbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(123456), "123,456");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Text, ShortNumbers) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(9999), "9,999");
  EXPECT_EQ(short_number(10'000), "10.0 k");
  EXPECT_EQ(short_number(456'000), "456 k");
  EXPECT_EQ(short_number(1'230'000), "1.23 M");
  EXPECT_EQ(short_number(33'554'432), "33.6 M");
  EXPECT_EQ(short_number(2.5e9), "2.50 G");
  EXPECT_EQ(short_number(7e12), "7.00 T");
}

// A number has three digits, and rounding must not make them four.
TEST(Text, ShortNumbersRoundIntoTheNextUnit) {
  EXPECT_EQ(short_number(999'499), "999 k");
  EXPECT_EQ(short_number(999'999), "1.00 M");
  EXPECT_EQ(short_number(999'999'999), "1.00 G");
  EXPECT_EQ(short_number(9'999'999), "10.0 M");
  EXPECT_EQ(short_number(99'999'999), "100 M");
}

TEST(Text, ShortBytes) {
  EXPECT_EQ(short_bytes(0), "0 B");
  EXPECT_EQ(short_bytes(512), "512 B");
  EXPECT_EQ(short_bytes(1024), "1 KB");
  EXPECT_EQ(short_bytes(1025), "1025 B");
  EXPECT_EQ(short_bytes(16 * 1024), "16 KB");
  EXPECT_EQ(short_bytes(16 * 1024 + 512), "16.5 KB");
}

uint32_t lanes_in(const std::string& text) {
  uint32_t lanes = 0;
  for (size_t at = 0; at < text.size();) {
    size_t used = 0;
    const int first = std::stoi(text.substr(at), &used);
    int last = first;
    at += used;
    if (text.compare(at, 3, "\u2013") == 0) {
      last = std::stoi(text.substr(at + 3), &used);
      at += 3 + used;
    }
    for (int lane = first; lane <= last; ++lane) lanes |= 1u << lane;
    if (text.compare(at, 2, ", ") == 0) at += 2;
  }
  return lanes;
}

TEST(Text, LaneLists) {
  EXPECT_EQ(lane_list(0), "");
  EXPECT_EQ(lane_list(1), "0");
  EXPECT_EQ(lane_list(0b11), "0, 1");
  EXPECT_EQ(lane_list(0b111), "0\u20132");
  EXPECT_EQ(lane_list(0x100f), "0\u20133, 12");
  EXPECT_EQ(lane_list(0xffffffff), "0\u201331");
  EXPECT_EQ(lane_list(0x80000000), "31");
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    const auto lanes = static_cast<uint32_t>(random() & (round % 2 == 0 ? random() : ~0u));
    ASSERT_EQ(lanes_in(lane_list(lanes)), lanes) << lane_list(lanes);
  }
}

TEST(Text, NamesOfElementsAndInstructions) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(element_text(block->layout, {metrics::kMatrixA, 3, 7}), "A(3, 7)");
  EXPECT_EQ(element_text(block->layout, {metrics::kMatrixC, 63, 0}), "C(63, 0)");
  const experiment::CompiledKernel& compiled = *block->compiled;
  for (size_t i = 0; i < compiled.instructions.size(); ++i) {
    const std::string text = instruction_text(compiled, i);
    ASSERT_FALSE(text.ends_with(";")) << text;
    ASSERT_EQ(text + " ;", compiled.text[i]);
  }
}

TEST(Text, PlacesNameALineOfTheKernelsFiles) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  const experiment::CompiledKernel& compiled = *block->compiled;
  size_t named = 0;
  for (size_t i = 0; i < compiled.instructions.size(); ++i) {
    const std::string place = place_text(compiled, i);
    if (place.empty()) continue;
    ++named;
    const size_t colon = place.find(':');
    ASSERT_NE(colon, std::string::npos) << place;
    const std::string name = place.substr(0, colon);
    const auto file = std::find_if(compiled.files.begin(), compiled.files.end(),
                                   [&](const experiment::SourceFile& f) { return f.name == name; });
    ASSERT_NE(file, compiled.files.end()) << place;
    EXPECT_LE(std::stoul(place.substr(colon + 1)), file->lines.size()) << place;
  }
  EXPECT_GT(named, compiled.instructions.size() / 2);
  experiment::CompiledKernel without_lines;
  without_lines.places.emplace_back();
  EXPECT_EQ(place_text(without_lines, 0), "");
}

}  // namespace
}  // namespace gemmscope::scenes
