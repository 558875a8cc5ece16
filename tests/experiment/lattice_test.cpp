// The ablation lattice: which points there are, what is said of them, and what the budget leaves out.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "experiment/devices.h"
#include "experiment/live_lattice.h"

namespace gemmscope::experiment {
namespace {

constexpr const char* kWhyIllegal = "So much work with such a stride is too much.";

// A kernel of one block. STRIDE makes bank conflicts, WORK makes it longer, UNUSED changes nothing.
catalog::Kernel small_kernel() {
  catalog::Kernel kernel;
  kernel.id = kernel.entry = "small";
  kernel.title = "Small";
  kernel.path = "small.cu";
  kernel.source = R"(
extern "C" __global__ void small(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                 int N, int K) {
  __shared__ float tile[32 * STRIDE];
  const int lane = threadIdx.x;
  tile[lane * STRIDE] = A[lane];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < K * WORK; ++k) sum += tile[(lane + k) % 32 * STRIDE];
  C[lane] = sum;
})";
  kernel.block_expressions = {"32", "1", "1"};
  kernel.grid_expressions = {"1", "1", "1"};
  kernel.shared_expression = "0";
  for (const auto& [name, values] : {std::pair<std::string, std::vector<int64_t>>{"STRIDE", {1, 2, 32}},
                                     {"WORK", {1, 4}},
                                     {"UNUSED", {0, 1}}}) {
    catalog::Toggle toggle;
    toggle.name = toggle.title = name;
    toggle.values = values;
    toggle.default_value = values.front();
    kernel.toggles.push_back(toggle);
  }
  kernel.illegal = {{"STRIDE == 32 && WORK == 4", kWhyIllegal}};
  return kernel;
}

LatticeRequest request_of(std::map<std::string, int64_t> toggles = {}) {
  LatticeRequest request{small_kernel(), {}, *find_device("h200"), {}, true};
  request.around.kernel = "small";
  request.around.problem = {32, 32, 32, 1, 0};
  request.around.toggles = std::move(toggles);
  request.around.arch = isa::Arch::sm_90;
  request.device.launch_interval_us = 0;  // so small a problem is done before the host starts the next
  return request;
}

std::vector<std::string> names(const Lattice& lattice, const std::vector<size_t>& indices) {
  std::vector<std::string> result;
  for (const size_t i : indices) result.push_back(lattice.entries[i].point.name);
  return result;
}

const LatticeEntry& entry_of(const Lattice& lattice, const std::string& name) {
  for (const LatticeEntry& entry : lattice.entries)
    if (entry.point.name == name) return entry;
  throw std::out_of_range(name);
}

Lattice plan(std::map<std::string, int64_t> toggles = {}, const std::vector<std::string>& vary = {},
             bool with_pairs = true) {
  const LatticeRequest request = request_of(std::move(toggles));
  return plan_lattice(request.kernel, request.around, vary, with_pairs);
}

// Entries as if they were computed.
Lattice made_up() {
  Lattice lattice = plan();
  double ms = 1;
  for (LatticeEntry& entry : lattice.entries) {
    entry.computed = true;
    entry.milliseconds = ms;
    entry.registers = 32;
    ms *= 0.9;
  }
  return lattice;
}

TEST(LatticePlan, HasTheChosenVariantEverySingleChangeAndEveryLegalPair) {
  const Lattice lattice = plan();
  std::vector<std::string> found;
  for (const LatticeEntry& entry : lattice.entries) found.push_back(entry.point.name);
  EXPECT_EQ(found, (std::vector<std::string>{"as chosen", "STRIDE=2", "STRIDE=32", "WORK=4", "UNUSED=1",
                                             "STRIDE=2, WORK=4", "STRIDE=2, UNUSED=1", "STRIDE=32, UNUSED=1",
                                             "WORK=4, UNUSED=1"}));
  EXPECT_EQ(lattice.singles, 4u);
  EXPECT_EQ(lattice.pairs, 4u);
  ASSERT_EQ(lattice.left_out.size(), 1u);
  EXPECT_EQ(lattice.left_out[0].why, kWhyIllegal);
  EXPECT_EQ(lattice.left_out[0].points, 1u);
}

TEST(LatticePlan, GoesAroundTheChosenVariantNotTheDefaults) {
  const Lattice lattice = plan({{"STRIDE", 32}});
  EXPECT_EQ(lattice.entries.front().point.toggles, (std::map<std::string, int64_t>{{"STRIDE", 32}}));
  EXPECT_TRUE(entry_of(lattice, "STRIDE=1").point.toggles.empty());
  // WORK=4 is illegal here alone, but a pair leads out of it.
  EXPECT_THROW(entry_of(lattice, "WORK=4"), std::out_of_range);
  EXPECT_NO_THROW(entry_of(lattice, "STRIDE=1, WORK=4"));
}

TEST(LatticePlan, VariesOnlyWhatIsAskedFor) {
  EXPECT_EQ(plan({}, {"WORK", "UNUSED"}).entries.size(), 4u);
  EXPECT_EQ(plan({}, {}, false).entries.size(), 5u);
}

TEST(LatticeOrder, PairsOfGoodSinglesComeFirst) {
  Lattice lattice = plan();
  lattice.entries[0].milliseconds = 10;
  lattice.entries[1].milliseconds = 20;  // STRIDE=2
  lattice.entries[2].milliseconds = 5;   // STRIDE=32
  lattice.entries[3].milliseconds = 8;   // WORK=4; UNUSED=1 has no time
  EXPECT_EQ(names(lattice, pairs_by_promise(lattice)),
            (std::vector<std::string>{"STRIDE=32, UNUSED=1", "WORK=4, UNUSED=1", "STRIDE=2, WORK=4",
                                      "STRIDE=2, UNUSED=1"}));
}

TEST(LatticeOrder, SortsByAnyColumnWithMissingValuesLast) {
  Lattice lattice = made_up();
  lattice.entries[2].milliseconds = 0;
  lattice.entries[3].computed = false;
  std::vector<size_t> rows = sorted_entries(lattice, {});
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows.front(), 8u);
  EXPECT_EQ(rows.back(), 2u);
  rows = sorted_entries(lattice, {LatticeColumn::time, true, false});
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 2u);
  EXPECT_EQ(sorted_entries(lattice, {LatticeColumn::registers, false, true}).front(), 0u);
  EXPECT_EQ(sorted_entries(lattice, {LatticeColumn::time, false, true}).size(), 4u);
  for (int i = 0; i < kLatticeColumns; ++i) {
    const auto column = static_cast<LatticeColumn>(i);
    EXPECT_EQ(column_of(column_name(column)), column);
  }
  EXPECT_FALSE(column_of("speed"));
}

TEST(LatticeBest, IsTheShortestAndOfEqualOnesTheOneWithFewestChanges) {
  Lattice lattice = made_up();
  EXPECT_EQ(best_entry(lattice), &lattice.entries.back());
  lattice.entries[1].milliseconds = lattice.entries.back().milliseconds;
  EXPECT_EQ(best_entry(lattice), &lattice.entries[1]);
  lattice.entries[0].milliseconds = 0.01;
  EXPECT_EQ(best_sentence(lattice), "Best of 9: the variant as chosen.");
  EXPECT_EQ(best_sentence(plan()), "");
}

TEST(LatticeTimes, AreThoseOfTheSameDeviceSizeAndToggles) {
  Lattice lattice = made_up();
  lattice.device = "NVIDIA H200";
  Timings timings;
  timings.provenance = Provenance::recorded;
  timings.device.name = "NVIDIA H200";
  timings.problem = lattice.problem;
  TimedVariant variant;
  variant.id = "small";
  variant.toggles = {{"WORK", 4}};
  for (const double ms : {1.0, 3.0, 2.0}) variant.samples.push_back({0, ms, 0});
  timings.variants = {variant};
  Timings other = timings;
  other.problem.k = 64;
  add_times(lattice, other);
  other = timings;
  other.l2_flushed = true;
  add_times(lattice, other);
  other = timings;
  other.device.name = "NVIDIA A100";
  add_times(lattice, other);
  EXPECT_EQ(entry_of(lattice, "WORK=4").timed_ms, 0);
  add_times(lattice, timings);
  EXPECT_EQ(entry_of(lattice, "WORK=4").timed_ms, 2);
  EXPECT_EQ(entry_of(lattice, "STRIDE=2").timed_ms, 0);
  EXPECT_EQ(sorted_entries(lattice, {LatticeColumn::timed, false, false}).front(), 3u);
}

TEST(LatticeRun, ModelsEveryPoint) {
  LatticeMemory memory;
  const Lattice lattice = run_lattice(request_of(), memory, {.threads = 2});
  EXPECT_TRUE(lattice.finished);
  EXPECT_FALSE(lattice.out_of_time);
  EXPECT_EQ(lattice.computed(), lattice.entries.size());
  for (const LatticeEntry& entry : lattice.entries) {
    EXPECT_GT(entry.milliseconds, 0.0005) << entry.point.name << ": " << entry.trouble;
    EXPECT_GT(entry.registers, 8) << entry.point.name;
    EXPECT_GT(entry.blocks_per_sm, 1) << entry.point.name;
  }
  EXPECT_EQ(entry_of(lattice, "as chosen").excess_wavefronts, 0);
  // A load in each of 32 passes and a store: the lanes' words are all in one bank, or in every other one.
  EXPECT_EQ(entry_of(lattice, "STRIDE=32").excess_wavefronts, 33 * 31);
  EXPECT_EQ(entry_of(lattice, "STRIDE=2").excess_wavefronts, 33);
  EXPECT_GT(entry_of(lattice, "WORK=4").milliseconds, entry_of(lattice, "as chosen").milliseconds);
  EXPECT_EQ(entry_of(lattice, "UNUSED=1").milliseconds, entry_of(lattice, "as chosen").milliseconds);
  EXPECT_EQ(best_entry(lattice), &lattice.entries[0]);
}

TEST(LatticeRun, SaysWhatTheBudgetLeftOutAndGoesOnFromThere) {
  LatticeMemory memory;
  const Lattice none = run_lattice(request_of(), memory, {.threads = 1, .most_seconds = 0});
  EXPECT_TRUE(none.out_of_time);
  EXPECT_EQ(none.computed(), 0u);
  EXPECT_NE(coverage_sentence(none).find("0 of 9 points"), std::string::npos);
  EXPECT_NE(coverage_sentence(none).find("not computed"), std::string::npos);
  const Lattice all = run_lattice(request_of(), memory, {.threads = 1});
  EXPECT_EQ(all.computed(), 9u);
  const Lattice known = run_lattice(request_of(), memory, {.threads = 1, .most_seconds = 0});
  EXPECT_FALSE(known.out_of_time);
  EXPECT_EQ(known.computed(), 9u);
  // Another variant in the middle shares points with this one; another size shares none.
  EXPECT_GT(run_lattice(request_of({{"WORK", 4}}), memory, {.most_seconds = 0}).computed(), 4u);
  LatticeRequest longer = request_of();
  longer.around.problem.k = 64;
  EXPECT_EQ(run_lattice(longer, memory, {.most_seconds = 0}).computed(), 0u);
}

TEST(LatticeRun, APointThatCannotBeModelledSaysWhy) {
  LatticeRequest request = request_of();
  request.kernel.source = "#if WORK == 4\n#error no such work\n#endif\n" + request.kernel.source;
  LatticeMemory memory;
  const Lattice lattice = run_lattice(request, memory);
  const LatticeEntry& broken = entry_of(lattice, "WORK=4");
  EXPECT_TRUE(broken.computed);
  EXPECT_FALSE(broken.has_time());
  EXPECT_NE(broken.trouble.find("no such work"), std::string::npos) << broken.trouble;
  EXPECT_TRUE(entry_of(lattice, "STRIDE=2").has_time());
}

TEST(LiveLattice, GivesTheNewestRequestsLatticeOnly) {
  LiveLattice live([] {});
  live.want(request_of());
  live.want(request_of({{"WORK", 4}}));
  std::shared_ptr<const Lattice> newest;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while ((newest == nullptr || !newest->finished) && std::chrono::steady_clock::now() < deadline) {
    if (auto taken = live.take()) newest = std::move(taken);
    if (newest != nullptr) {
      ASSERT_EQ(newest->entries.front().point.toggles.count("WORK"), 1u);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_NE(newest, nullptr);
  EXPECT_EQ(newest->computed(), newest->entries.size());
  live.want(request_of());
  live.cancel();
  EXPECT_EQ(live.take(), nullptr);
}

}  // namespace
}  // namespace gemmscope::experiment
