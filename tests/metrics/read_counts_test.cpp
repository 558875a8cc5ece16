#include "metrics/read_counts.h"

#include <gtest/gtest.h>

#include <random>

#include "ladder_traces.h"

namespace gemmscope::metrics {
namespace {

using Counts = std::map<std::tuple<int, int64_t, int64_t>, uint32_t>;

// Counts the reads of the first `records` records from scratch.
Counts reads_until(const BlockResult& block, size_t records) {
  Counts counts;
  for (size_t r = 0; r < records; ++r)
    for (const machine::TraceAccess& access : block.trace.accesses_of(block.trace.records[r])) {
      if (access.space != machine::Space::global || access.direction != machine::Direction::load) continue;
      for (size_t l = 0; l < 32; ++l)
        for (uint64_t byte = 0; byte < access.width_bytes && (access.mask >> l & 1u) != 0; byte += 2)
          for (size_t b = 0; b < block.layout.buffers.size(); ++b) {
            const MatrixBuffer& buffer = block.layout.buffers[b];
            const uint64_t address = access.addresses[l] + byte;
            if (address < buffer.address || address >= buffer.address + buffer.bytes()) continue;
            if ((address - buffer.address) % buffer.element_bytes != 0) continue;
            const auto index = static_cast<int64_t>((address - buffer.address) / buffer.element_bytes);
            ++counts[{static_cast<int>(b), index / buffer.columns, index % buffer.columns}];
          }
    }
  return counts;
}

void expect_equal(const ReadCounts& counts, const Counts& wanted, const BlockResult& block) {
  uint64_t total = 0, wanted_total = 0;
  for (uint8_t b = 0; b < block.layout.buffers.size(); ++b)
    for (int64_t row = 0; row < block.layout.buffers[b].rows; ++row)
      for (int64_t column = 0; column < block.layout.buffers[b].columns; ++column)
        total += counts.reads({b, row, column});
  for (const auto& [key, count] : wanted) {
    const auto& [b, row, column] = key;
    EXPECT_EQ(counts.reads({static_cast<uint8_t>(b), row, column}), count)
        << b << " " << row << " " << column;
    wanted_total += count;
  }
  EXPECT_EQ(total, wanted_total) << "an element has reads that never happened";
}

class LadderReadCounts : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, LadderReadCounts, testing::ValuesIn(ladder_ids()),
                         [](const auto& test) { return fmt::format("k{}", test.param); });

TEST_P(LadderReadCounts, SeekingEitherWayEqualsCountingFromScratch) {
  const auto block = traced_block(GetParam(), {40, 36, 24, 1.0f, 0.5f});
  ASSERT_NE(block, nullptr);
  const size_t records = block->trace.records.size();
  ReadCounts counts(block->trace, block->layout);
  expect_equal(counts, {}, *block);
  std::mt19937_64 random(3);
  std::vector<size_t> positions = {records,     0, records / 2, records / 2, records / 2 + 1, records / 2 - 1,
                                   records + 5, 1};
  for (int i = 0; i < 8; ++i) positions.push_back(random() % (records + 1));
  for (const size_t position : positions) {
    SCOPED_TRACE(position);
    counts.seek(position);
    expect_equal(counts, reads_until(*block, std::min(position, records)), *block);
  }
}

TEST_P(LadderReadCounts, TheMaximumIsThatOfTheWholeTrace) {
  const auto block = traced_block(GetParam(), {40, 36, 24, 1.0f, 0.5f});
  ASSERT_NE(block, nullptr);
  const ReadCounts counts(block->trace, block->layout);
  std::array<uint32_t, 3> most{};
  for (const auto& [key, count] : reads_until(*block, block->trace.records.size())) {
    uint32_t& m = most[static_cast<size_t>(std::get<0>(key))];
    m = std::max(m, count);
  }
  for (uint8_t b = 0; b < 3; ++b) EXPECT_EQ(counts.most(b), most[b]);
}

// The footprint is the smallest rectangle: nothing outside is touched, and something along each side is.
TEST_P(LadderReadCounts, FootprintsAreTight) {
  const auto block = traced_block(GetParam(), {40, 36, 24, 1.0f, 0.5f});
  ASSERT_NE(block, nullptr);
  const std::vector<Footprint> found = footprints(block->trace, block->layout);
  ASSERT_EQ(found.size(), 3u);
  std::array<std::set<int64_t>, 3> rows, columns;
  for (const machine::TraceAccess& access : block->trace.accesses)
    for (size_t l = 0; l < 32; ++l) {
      if (access.space != machine::Space::global || (access.mask >> l & 1u) == 0) continue;
      for (uint64_t byte = 0; byte < access.width_bytes; byte += 2) {
        const auto element = block->layout.element_at(access.addresses[l] + byte);
        ASSERT_TRUE(element.has_value());
        rows[element->matrix].insert(element->row);
        columns[element->matrix].insert(element->column);
      }
    }
  for (size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(found[b].first_row, *rows[b].begin());
    EXPECT_EQ(found[b].first_row + found[b].rows - 1, *rows[b].rbegin());
    EXPECT_EQ(found[b].first_column, *columns[b].begin());
    EXPECT_EQ(found[b].first_column + found[b].columns - 1, *columns[b].rbegin());
  }
}

}  // namespace
}  // namespace gemmscope::metrics
