// The map view's elements of a multiply-add must be those that the kernel computes: C(i, j) += A(i, k) * B(k,
// j), each product of the block exactly once.
#include "metrics/dataflow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "ladder_traces.h"

namespace gemmscope::metrics {
namespace {

constexpr catalog::Problem kProblem{64, 64, 64, 1.25f, 0.5f};

class LadderDataflow : public testing::TestWithParam<std::tuple<std::string, isa::Arch>> {
 protected:
  std::shared_ptr<const BlockResult> block(const catalog::Problem& problem = kProblem) const {
    return traced_block(std::get<0>(GetParam()), problem, std::get<1>(GetParam()));
  }
};
std::string test_name(const testing::TestParamInfo<LadderDataflow::ParamType>& test) {
  return "k" + std::get<0>(test.param) + "_" + isa::arch_name(std::get<1>(test.param));
}
INSTANTIATE_TEST_SUITE_P(Ladder, LadderDataflow,
                         testing::Combine(testing::ValuesIn(ladder_ids()),
                                          testing::Values(isa::Arch::sm_86, isa::Arch::sm_90)),
                         test_name);

bool uses_tensor_cores(const BlockResult& block) {
  return catalog::declared_grade(block.compiled->kernel) != catalog::Grade::fp32;
}
// Finds the instruction that multiplies. Kernels with tensor cores use FFMA only after the sums.
isa::Opcode product_opcode(const BlockResult& block) {
  return uses_tensor_cores(block) ? isa::Opcode::hmma : isa::Opcode::ffma;
}

// Returns the part of C that the block owns: its tile, clipped at C's edge.
struct Tile {
  int64_t first_row, first_column, rows, columns;
};
Tile tile_of(const BlockResult& block) {
  const Footprint& c = block.footprints[kMatrixC];
  return {c.first_row, c.first_column, c.rows, c.columns};
}

// The elements that one lane touches in one multiply-add.
struct LaneProduct {
  std::vector<Element> a, b, c_factor, c_result;
};
std::array<LaneProduct, 32> products_of(const std::vector<Touch>& touches) {
  std::array<LaneProduct, 32> lanes;
  for (const Touch& touch : touches) {
    LaneProduct& lane = lanes[touch.lane];
    if (touch.kind == TouchKind::accumulate) lane.c_result.push_back(touch.element);
    if (touch.kind != TouchKind::multiply) continue;
    (touch.element.matrix == kMatrixA   ? lane.a
     : touch.element.matrix == kMatrixB ? lane.b
                                        : lane.c_factor)
        .push_back(touch.element);
  }
  return lanes;
}

// A matrix instruction shows the elements of all lanes: each element of A with each of B of the same depth is
// a product.
void expect_every_tensor_product_once(const BlockResult& block) {
  const Tile tile = tile_of(block);
  const int64_t depth = block.layout.buffers[kMatrixA].columns;
  std::vector<uint8_t> shown(static_cast<size_t>(tile.rows * tile.columns * depth));
  DataflowReplay replay(block.trace, block.compiled->instructions, block.layout);
  for (size_t r = 0; r < block.trace.records.size(); ++r) {
    if (block.compiled->instructions[block.trace.records[r].instruction].opcode != isa::Opcode::hmma)
      continue;
    replay.seek(r);
    std::set<std::pair<int64_t, int64_t>> of[3];
    for (const Touch& touch : replay.touches(block.accumulators)) {
      ASSERT_EQ(touch.kind == TouchKind::accumulate, touch.element.matrix == kMatrixC);
      of[touch.element.matrix].insert({touch.element.row, touch.element.column});
    }
    ASSERT_EQ(of[kMatrixC].size(), 16u * 8u) << "record " << r;
    ASSERT_EQ(of[kMatrixA].size() * of[kMatrixB].size(),
              16u * 8u * (of[kMatrixA].size() == 256 ? 256u : 64u));
    for (const auto& [row, k] : of[kMatrixA])
      for (auto b = of[kMatrixB].lower_bound({k, 0}); b != of[kMatrixB].end() && b->first == k; ++b) {
        ASSERT_TRUE(of[kMatrixC].contains({row, b->second})) << "record " << r;
        ++shown[static_cast<size_t>((row * tile.columns + b->second) * depth + k)];
      }
  }
  EXPECT_EQ(std::ranges::count(shown, 1), static_cast<int64_t>(shown.size()));
}

TEST_P(LadderDataflow, EveryProductOfTheBlockIsShownExactlyOnce) {
  const auto traced = block();
  ASSERT_NE(traced, nullptr);
  if (uses_tensor_cores(*traced))
    return expect_every_tensor_product_once(*block({256, 128, 64, 1.25f, 0.5f}));
  const Tile tile = tile_of(*traced);
  const std::string& id = traced->compiled->kernel.id;
  const bool repeats_the_edge = id == "16_serpentine" || id == "17_split_k";
  std::map<std::tuple<int64_t, int64_t, int64_t>, int> shown;
  DataflowReplay replay(traced->trace, traced->compiled->instructions, traced->layout);
  for (size_t r = 0; r < traced->trace.records.size(); ++r) {
    if (traced->compiled->instructions[traced->trace.records[r].instruction].opcode != isa::Opcode::ffma)
      continue;
    replay.seek(r);
    for (const LaneProduct& lane : products_of(replay.touches(traced->accumulators))) {
      if (lane.a.empty() || lane.b.empty()) continue;
      ASSERT_EQ(lane.a.size(), 1u);
      ASSERT_EQ(lane.b.size(), 1u);
      // Steps 16 and 17 copy the last row and column again beyond the edge of C; what comes of it goes
      // nowhere.
      if (lane.c_result.empty() && repeats_the_edge) continue;
      ASSERT_EQ(lane.c_result.size(), 1u) << "record " << r << ": the product goes into no element of C";
      const Element &a = lane.a[0], &b = lane.b[0], &c = lane.c_result[0];
      ASSERT_EQ(c.matrix, kMatrixC);
      ASSERT_EQ(a.column, b.row) << "record " << r;
      ASSERT_EQ(a.row, c.row) << "record " << r;
      ASSERT_EQ(b.column, c.column) << "record " << r;
      ++shown[{c.row, c.column, a.column}];
    }
  }
  EXPECT_EQ(shown.size(), static_cast<size_t>(tile.rows * tile.columns * kProblem.k));
  for (const auto& [product, times] : shown) EXPECT_EQ(times, 1);
}

TEST_P(LadderDataflow, EveryElementOfTheTileHasOneOwner) {
  const auto traced = block();
  ASSERT_NE(traced, nullptr);
  const catalog::Launch& launch = traced->compiled->launch;
  const Tile tile = tile_of(*traced);
  EXPECT_EQ(tile.rows, std::min(launch.tile.block_m, kProblem.m));
  EXPECT_EQ(tile.columns, std::min(launch.tile.block_n, kProblem.n));
  EXPECT_EQ(traced->owners.size(), static_cast<size_t>(tile.rows * tile.columns));
  std::map<Tag, int> writes;
  for (const machine::TraceAccess& access : traced->trace.accesses) {
    if (access.space != machine::Space::global || access.direction != machine::Direction::store) continue;
    for (size_t l = 0; l < 32; ++l)
      for (uint64_t byte = 0; byte < access.width_bytes && (access.mask >> l & 1u) != 0; byte += 4)
        ++writes[tag_at(traced->layout, access.addresses[l] + byte)];
  }
  std::map<uint32_t, int> elements_of_thread;
  for (const auto& [tag, thread] : traced->owners) {
    EXPECT_EQ(writes[tag], 1);
    EXPECT_EQ(element_of(traced->layout, tag).matrix, kMatrixC);
    EXPECT_LT(thread, launch.block[0] * launch.block[1] * launch.block[2]);
    ++elements_of_thread[thread];
  }
  EXPECT_EQ(writes.size(), traced->owners.size());
  for (const auto& [thread, elements] : elements_of_thread)
    EXPECT_LE(elements, launch.tile.thread_m * launch.tile.thread_n) << "thread " << thread;
}

// The element of C of a multiply-add belongs to the thread that will write it.
TEST_P(LadderDataflow, AThreadAccumulatesOnlyWhatItOwns) {
  const auto traced = block();
  ASSERT_NE(traced, nullptr);
  DataflowReplay replay(traced->trace, traced->compiled->instructions, traced->layout);
  size_t checked = 0;
  for (size_t r = 0; r < traced->trace.records.size(); r += 7) {
    const machine::TraceRecord& record = traced->trace.records[r];
    if (traced->compiled->instructions[record.instruction].opcode != product_opcode(*traced)) continue;
    replay.seek(r);
    for (const Touch& touch : replay.touches(traced->accumulators)) {
      if (touch.kind != TouchKind::accumulate) continue;
      const auto owner =
          traced->owners.find(tag_at(traced->layout, traced->layout.address_of(touch.element)));
      ASSERT_NE(owner, traced->owners.end());
      ASSERT_EQ(owner->second, record.warp * 32u + touch.lane);
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000u);
}

TEST_P(LadderDataflow, DepthsLieInTheMatrixAndComeByAllOfThem) {
  const auto traced = block();
  ASSERT_NE(traced, nullptr);
  std::vector<std::set<int32_t>> of_products(traced->trace.warp_count);
  std::vector<bool> computes(traced->trace.warp_count);
  ASSERT_EQ(traced->depths.size(), traced->trace.records.size());
  for (size_t r = 0; r < traced->depths.size(); ++r) {
    const machine::TraceRecord& record = traced->trace.records[r];
    ASSERT_LT(traced->depths[r], kProblem.k);
    const bool product = traced->compiled->instructions[record.instruction].opcode == product_opcode(*traced);
    ASSERT_GE(traced->depths[r], computes[record.warp] ? 0 : -1) << "record " << r;
    if (product && traced->depths[r] >= 0) {
      computes[record.warp] = true;
      of_products[record.warp].insert(traced->depths[r]);
    }
  }
  // An HMMA multiplies 8 columns of A at a time, or 16 of bfloat16, and counts as the first of them.
  const catalog::Grade grade = catalog::declared_grade(traced->compiled->kernel);
  const int64_t columns = grade == catalog::Grade::fp32 ? 1 : grade == catalog::Grade::tf32 ? 8 : 16;
  std::set<int32_t> all_depths;
  for (int64_t k = 0; k < kProblem.k; k += columns) all_depths.insert(static_cast<int32_t>(k));
  // Warps whose rows or columns lie outside C have nothing to multiply.
  size_t complete = 0;
  for (const std::set<int32_t>& depths : of_products) complete += depths == all_depths ? 1 : 0;
  EXPECT_GE(complete, 2u);
}

// ---- the position moves freely

using TouchKey = std::tuple<int, int, int, int64_t, int64_t>;
std::vector<TouchKey> keys_of(const std::vector<Touch>& touches) {
  std::vector<TouchKey> keys;
  for (const Touch& t : touches)
    keys.emplace_back(static_cast<int>(t.kind), t.lane, t.element.matrix, t.element.row, t.element.column);
  return keys;
}

// The trace has more records than lie between two snapshots, so that seeking backward starts from one in the
// middle.
TEST_P(LadderDataflow, SeekingBackwardEqualsAFreshReplay) {
  const auto traced = block({64, 64, 640, 1.25f, 0.5f});
  ASSERT_NE(traced, nullptr);
  const size_t records = traced->trace.records.size();
  DataflowReplay moving(traced->trace, traced->compiled->instructions, traced->layout);
  std::mt19937_64 random(5);
  std::vector<size_t> positions = {records - 1, 0, 70000, 65536, 65535, records, 131071};
  for (int i = 0; i < 6; ++i) positions.push_back(random() % records);
  for (size_t position : positions) {
    position = std::min(position, records);
    SCOPED_TRACE(position);
    moving.seek(position);
    DataflowReplay fresh(traced->trace, traced->compiled->instructions, traced->layout);
    fresh.seek(position);
    EXPECT_EQ(keys_of(moving.touches(traced->accumulators)), keys_of(fresh.touches(traced->accumulators)));
    for (uint64_t word = 0; word < 12288; ++word)
      ASSERT_EQ(moving.shared_tag(word), fresh.shared_tag(word)) << word;
    if (position == records) continue;
    EXPECT_EQ(moving.depth_at_position(), fresh.depth_at_position());
    for (size_t next = position; next < std::min(position + 40, records); ++next) {
      moving.seek(next);
      fresh.seek(next);
      ASSERT_EQ(keys_of(moving.touches(traced->accumulators)), keys_of(fresh.touches(traced->accumulators)))
          << next;
    }
  }
}

}  // namespace
}  // namespace gemmscope::metrics
