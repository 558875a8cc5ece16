// The table of what changed, against the numbers to watch and figures worked out by hand.
#include "scenes/comparison.h"

#include <gtest/gtest.h>

#include "experiment/devices.h"
#include "experiment/grid_sampling.h"
#include "experiment/modelled_time.h"
#include "layout_checks.h"
#include "modelled_blocks.h"
#include "scenes/compare_table_scene.h"
#include "scenes/key_times.h"

namespace gemmscope::scenes {
namespace {

const CompareRow* find(const Comparison& comparison, const std::string& id) {
  const auto found = std::ranges::find(comparison.rows, id, &CompareRow::id);
  return found == comparison.rows.end() ? nullptr : &*found;
}

// What A and B are compared by, kept as long as the test program runs.
struct Results {
  BlockPointer block;
  std::shared_ptr<const experiment::GridResult> grid;
  Modelled model;
  std::shared_ptr<const experiment::ModelledTime> time;

  ComparedSide side() const {
    ComparedSide side;
    side.block = block.get();
    side.grid = grid.get();
    side.sample = model.model->sample.get();
    side.device = &model.model->device;
    side.modelled = time.get();
    return side;
  }
};

const Results& results(const std::string& kernel, const catalog::Problem& problem = {128, 128, 128}) {
  static std::map<std::pair<std::string, int64_t>, Results> made;
  Results& result = made[{kernel, problem.m}];
  if (result.time != nullptr) return result;
  result.model = modelled(kernel, problem);
  result.block = result.model.block;
  const auto grid = experiment::count_grid(result.block->compiled, result.block->experiment, {}, 1e9);
  EXPECT_TRUE(grid.has_value());
  result.grid = *grid;
  const auto time = experiment::model_time(*result.model.model->sample, result.model.model->device);
  EXPECT_TRUE(time.has_value());
  result.time = *time;
  return result;
}

KeyNumbers numbers_of(const Results& of) {
  KeyNumbers numbers = numbers_of_code(*of.block->compiled);
  numbers.block = key_counts(metrics::summarize(of.block->counters, of.block->compiled->instructions));
  numbers.grid = key_counts(of.grid->summary);
  return numbers;
}

TEST(Comparison, HasTheNumbersToWatch) {
  const Results &a = results("08_transposed_tile"), &b = results("09_conflict_free");
  const Comparison comparison = compare(a.side(), b.side());
  EXPECT_EQ(comparison.basis, "whole grid, exact");
  EXPECT_EQ(comparison.caution, "");
  const KeyNumbers before = numbers_of(a), now = numbers_of(b);
  const std::pair<const char*, KeyNumber> rows[] = {{"warp_instructions", KeyNumber::warp_instructions},
                                                    {"flops", KeyNumber::flops},
                                                    {"global_sectors", KeyNumber::global_sectors},
                                                    {"excess_sectors", KeyNumber::excess_sectors},
                                                    {"shared_wavefronts", KeyNumber::wavefronts},
                                                    {"bank_conflicts", KeyNumber::excess_wavefronts},
                                                    {"registers", KeyNumber::registers},
                                                    {"spilled_bytes", KeyNumber::spills},
                                                    {"blocks_per_sm", KeyNumber::blocks_per_sm}};
  for (const auto& [id, number] : rows) {
    const CompareRow* const row = find(comparison, id);
    ASSERT_NE(row, nullptr) << id;
    const KeyChange change = change_of(number, now, &before);
    EXPECT_EQ(row->change.now, change.now) << id;
    EXPECT_EQ(row->change.before, change.before) << id;
    if (row->a == row->b) continue;
    EXPECT_EQ(row->factor, factor_text(change)) << id;
    EXPECT_EQ(row->verdict, verdict_of(number, change)) << id;
  }
  EXPECT_EQ(find(comparison, "bank_conflicts")->b, "0");
  EXPECT_EQ(find(comparison, "bank_conflicts")->verdict, 1);
  const CompareRow* const time = find(comparison, "modelled_ms");
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->change.before, a.time->milliseconds);
  EXPECT_EQ(time->change.now, b.time->milliseconds);
  EXPECT_EQ(time->note, "modelled, NVIDIA H200");
  EXPECT_NE(comparison.headline.find("(modelled)"), std::string::npos) << comparison.headline;
  EXPECT_TRUE(comparison.reason.starts_with("B ")) << comparison.reason;
}

// The conflicts of each kind of access add up to those of all.
TEST(Comparison, DividesConflictsByAccess) {
  const Results &a = results("08_transposed_tile"), &b = results("09_conflict_free");
  const Comparison comparison = compare(a.side(), b.side());
  double of_a = 0, of_b = 0;
  for (const CompareRow& row : comparison.rows)
    if (row.group == CompareGroup::conflicts) of_a += *row.change.before, of_b += *row.change.now;
  EXPECT_GT(of_a, 0);
  EXPECT_EQ(of_a, find(comparison, "bank_conflicts")->change.before);
  EXPECT_EQ(of_b, find(comparison, "bank_conflicts")->change.now);
  const CompareRow* const store = find(comparison, "the store of A's tile");
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->note, "wavefronts a request 4 \u2192 1");
}

TEST(Comparison, OfOneExperimentWithItself) {
  const Results& a = results("08_transposed_tile");
  const Comparison comparison = compare(a.side(), a.side());
  EXPECT_EQ(comparison.a, comparison.b);
  EXPECT_NE(comparison.headline.find("the same"), std::string::npos);
  for (const CompareRow& row : comparison.rows) {
    EXPECT_EQ(row.a, row.b) << row.id;
    EXPECT_EQ(row.factor, "") << row.id;
    EXPECT_EQ(row.verdict, 0) << row.id;
    EXPECT_FALSE(is_listed(row)) << row.id;
  }
}

// Counts of different sizes are for 1,000 FLOPs, and times become rates.
TEST(Comparison, OfDifferentSizesIsByFlop) {
  const Results &small = results("08_transposed_tile"),
                &large = results("08_transposed_tile", {256, 256, 256});
  const Comparison comparison = compare(small.side(), large.side());
  EXPECT_EQ(comparison.a, "128³");
  EXPECT_EQ(comparison.b, "256³");
  EXPECT_NE(comparison.caution.find("1,000 FLOPs"), std::string::npos);
  const CompareRow* const wavefronts = find(comparison, "shared_wavefronts");
  ASSERT_NE(wavefronts, nullptr);
  for (const auto& [results, value] :
       {std::pair(&small, wavefronts->change.before), std::pair(&large, wavefronts->change.now)}) {
    const KeyCounts counts = *numbers_of(*results).grid;
    EXPECT_DOUBLE_EQ(*value,
                     1e3 * static_cast<double>(counts.wavefronts) / static_cast<double>(counts.flops));
  }
  EXPECT_EQ(find(comparison, "flops"), nullptr);
  EXPECT_EQ(find(comparison, "modelled_ms")->factor, "");
  const CompareRow* const rate = find(comparison, "modelled_tflops");
  ASSERT_NE(rate, nullptr);
  EXPECT_NEAR(*rate->change.now, 2.0 * 256 * 256 * 256 / large.time->milliseconds / 1e9, 1e-9);
  EXPECT_EQ(rate->verdict, 1) << "a larger product is faster on a GPU of 132 SMs";
}

TEST(Comparison, SaysWhatCannotBeModelled) {
  const Results &a = results("08_transposed_tile"), &b = results("09_conflict_free");
  ComparedSide without = b.side();
  without.modelled = nullptr;
  without.sample = nullptr;
  without.no_model = "IMMA has no modelled time.";
  const Comparison comparison = compare(a.side(), without);
  const CompareRow* const time = find(comparison, "modelled_ms");
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->b, "\u2013");
  EXPECT_EQ(time->note, "B is not modelled: IMMA has no modelled time.");
  EXPECT_TRUE(is_listed(*time));
  EXPECT_EQ(comparison.reason, "");
  EXPECT_NE(comparison.headline, "");
}

// Recorded times are compared if they are of one GPU and one day.
TEST(Comparison, TakesTimesOfOneDevice) {
  const Results &a = results("08_transposed_tile"), &b = results("09_conflict_free");
  using experiment::Provenance;
  ComparedSide first = a.side(), second = b.side();
  first.timed = {{2, Provenance::recorded, "NVIDIA A100", "2026-01-01"},
                 {3, Provenance::recorded, "NVIDIA H200", "2026-01-02"}};
  second.timed = {{1, Provenance::recorded, "NVIDIA H200", "2026-01-02"}};
  const Comparison comparison = compare(first, second);
  const CompareRow* const time = find(comparison, "timed_ms");
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->change.before, 3);
  EXPECT_EQ(time->factor, "\u00f73");
  EXPECT_EQ(time->note, "recorded, NVIDIA H200, 2026-01-02");
  EXPECT_EQ(comparison.headline, "B is 3 times as fast as A (recorded)");
  EXPECT_TRUE(comparison.reason.starts_with("In the model: B ")) << comparison.reason;
}

TEST(Comparison, OfBlocksUntilTheGridIsCounted) {
  const Results &a = results("08_transposed_tile"), &b = results("09_conflict_free");
  ComparedSide first = a.side(), second = b.side();
  first.grid = nullptr;
  const Comparison comparison = compare(first, second);
  EXPECT_EQ(comparison.basis, "one block each, exact");
  EXPECT_EQ(find(comparison, "shared_wavefronts")->change.now,
            static_cast<double>(numbers_of(b).block->wavefronts));
}

TEST(CompareTable, ListsWhatChangedWithoutOverlap) {
  const Results &a = results("08_transposed_tile"), &b = results("09_conflict_free");
  const Comparison comparison = compare(a.side(), b.side());
  for (const float width : {260.0f, 452.0f, 780.0f, 1600.0f}) {
    const CompareTableMetrics metrics{{1, 18, 15, 7.5f, 7, 15}, 22, 36, 30, 8.5f};
    const CompareTableScene scene = layout_compare_table(comparison, {0, 0, width, 300}, metrics);
    EXPECT_EQ(scene.lines.size(), static_cast<size_t>(std::ranges::count_if(comparison.rows, is_listed)));
    float bottom = 0;
    for (const CompareLine& line : scene.lines) {
      EXPECT_GE(line.rect.top, bottom);
      bottom = line.rect.bottom;
      float right = line.rect.left;
      for (const drawing::Rect& part : {line.name, line.a, line.b, line.factor, line.mark}) {
        EXPECT_GE(part.left, right) << width;
        right = part.right;
      }
      EXPECT_LE(right, width + 1) << width;
      EXPECT_TRUE(line.note.empty() || line.note.left >= right);
    }
    EXPECT_GE(scene.same.top, bottom);
    EXPECT_GE(scene.height, scene.same.bottom - 1);
  }
  EXPECT_NE(same_text(comparison).find("FLOPs"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::scenes
