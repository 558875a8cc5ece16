// The search for the fastest variant: the space, the way through it, what is kept of it, and what of it a GPU
// is to measure. Times are made up, but for one test.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "experiment/devices.h"
#include "experiment/tune_choice.h"
#include "experiment/tune_search.h"

namespace gemmscope::experiment {
namespace {

namespace fs = std::filesystem;
using Toggles = std::map<std::string, int64_t>;

constexpr const char* kWhyIllegal = "X and Y cannot both be 3.";

catalog::Toggle toggle(const std::string& name, std::vector<int64_t> values) {
  catalog::Toggle toggle;
  toggle.name = toggle.title = name;
  toggle.default_value = values.front();
  toggle.values = std::move(values);
  return toggle;
}

// 4 x 4 x `width` combinations; one in 16 is illegal.
catalog::Kernel made_up_kernel(int64_t width = 4) {
  catalog::Kernel kernel;
  kernel.id = kernel.entry = "made_up";
  kernel.source = "the text of made_up";
  kernel.path = "made_up.cu";
  kernel.block_expressions = {"32", "1", "1"};
  kernel.grid_expressions = {"1", "1", "1"};
  kernel.shared_expression = "0";
  std::vector<int64_t> many;
  for (int64_t i = 0; i < width; ++i) many.push_back(i);
  kernel.toggles = {toggle("X", {0, 1, 2, 3}), toggle("Y", {0, 1, 2, 3}), toggle("Z", many)};
  kernel.illegal = {{"X == 3 && Y == 3", kWhyIllegal}};
  return kernel;
}

TuneSpace space_of(catalog::Kernel kernel, Toggles toggles = {},
                   const std::vector<AllowedValues>& allowed = {}) {
  Experiment around;
  around.kernel = kernel.id;
  around.problem = {32, 32, 32, 1, 0};
  around.arch = isa::Arch::sm_90;
  around.toggles = std::move(toggles);
  auto space = make_tune_space(std::move(kernel), std::move(around), allowed);
  EXPECT_TRUE(space) << space.error().message;
  return *std::move(space);
}

int64_t value(const Toggles& toggles, const std::string& name) {
  const auto found = toggles.find(name);
  return found == toggles.end() ? 0 : found->second;
}

// The fastest is X=2 Y=2 Z=1. From X=0 no single change of X or Y helps, only both.
double made_up_ms(const Toggles& toggles) {
  const int64_t x = value(toggles, "X"), y = value(toggles, "Y"), z = value(toggles, "Z");
  const double valley = x == 2 && y == 2 ? 1 : x == 0 && y == 0 ? 2 : 2.05;
  return valley + 0.1 * static_cast<double>(std::abs(z - 1));
}

// Makes up prices and counts how often each was asked for.
class MadeUpPrices {
 public:
  PriceFunction function() {
    return [this](const Toggles& toggles, TunePrice& price, const std::atomic<bool>&) {
      const std::lock_guard lock(mutex_);
      ++asked[toggles];
      if (asked.size() >= stop_after) stop = true;
      price = {made_up_ms(toggles), 40, 2, "compute", ""};
      return true;
    };
  }
  std::map<Toggles, int> asked;
  size_t stop_after = SIZE_MAX;
  std::atomic<bool> stop{false};

 private:
  std::mutex mutex_;
};

class Tune : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("gemmscope_tune_{}", getpid());
    fs::create_directories(folder_);
    path_ = folder_ / "state";
    fs::remove(path_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  TuneState state(bool resume = false) {
    auto opened = TuneState::open(path_, resume, device_);
    EXPECT_TRUE(opened) << opened.error().message;
    return *std::move(opened);
  }
  std::string why_not_opened(bool resume) const {
    const auto opened = TuneState::open(path_, resume, device_);
    return opened ? "" : opened.error().message;
  }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }
  void set_text(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  fs::path folder_, path_;
  sm::SmConfig device_ = *find_device("h200");
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Tune, TheSpaceIsEveryCombinationOfTheAllowedValues) {
  const TuneSpace all = space_of(made_up_kernel());
  EXPECT_EQ(all.combinations(), 64);
  const std::vector<TunePlace> places = all.places();
  EXPECT_EQ(std::set(places.begin(), places.end()).size(), 64u);
  EXPECT_EQ(all.toggles_at(all.start()), Toggles());
  EXPECT_EQ(all.why_illegal({3, 3, 0}), kWhyIllegal);
  EXPECT_EQ(all.why_illegal({3, 2, 0}), "");

  const TuneSpace some = space_of(made_up_kernel(), {{"Z", 2}}, {{"X", {1, 2}}, {"Y", {}}});
  EXPECT_EQ(some.combinations(), 8);
  EXPECT_EQ(some.toggles_at(some.start()), (Toggles{{"X", 1}, {"Z", 2}})) << "X=0 is not allowed";
  EXPECT_EQ(some.place_of({{"X", 2}, {"Y", 3}, {"Z", 2}}), (TunePlace{1, 3}));
  EXPECT_EQ(some.place_of({{"X", 2}, {"Y", 3}}), std::nullopt) << "Z does not vary, and is 2";
  EXPECT_EQ(some.place_of({{"X", 3}, {"Z", 2}}), std::nullopt);
}

TEST_F(Tune, ASpaceThatDoesNotExistIsRefusedByName) {
  const auto why_not = [](const std::vector<AllowedValues>& allowed) {
    const auto space = make_tune_space(made_up_kernel(), {}, allowed);
    return space ? "" : space.error().message;
  };
  EXPECT_EQ(why_not({{"NONE", {}}}), "made_up has no toggle NONE");
  EXPECT_EQ(why_not({{"X", {7}}}), "toggle X of made_up has no value 7; it has 0, 1, 2, 3");
  EXPECT_EQ(why_not({{"X", {}}, {"X", {1}}}), "toggle X is given twice");
  catalog::Kernel plain = made_up_kernel();
  plain.toggles.clear();
  const auto none = make_tune_space(plain, {}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "made_up has no toggles, so there is nothing to tune");
}

TEST_F(Tune, ASmallSpaceIsLookedAtWhollyAndEachPlaceOnce) {
  MadeUpPrices prices;
  TuneState kept = state();
  const TuneSpace space = space_of(made_up_kernel());
  const TuneResult result = run_tune(space, prices.function(), kept);
  EXPECT_TRUE(result.exhaustive);
  EXPECT_EQ(result.entries.size(), 60u);
  EXPECT_EQ(prices.asked.size(), 60u);
  for (const auto& [toggles, times] : prices.asked) EXPECT_EQ(times, 1);
  EXPECT_EQ(result.entries[ranking(result).front()].toggles, (Toggles{{"X", 2}, {"Y", 2}, {"Z", 1}}));
  EXPECT_EQ(refusals(result), (std::map<std::string, size_t>{{kWhyIllegal, 4}}));
  EXPECT_EQ(coverage_sentence(result), "All 60 legal combinations of 64 were looked at.");
}

// The pair of X and Y is found although each alone is slower, and few of the places are looked at.
TEST_F(Tune, ALargeSpaceIsDescendedThroughSinglesAndPairs) {
  MadeUpPrices prices;
  prices.stop_after = 600;
  TuneState kept = state();
  catalog::Kernel wide = made_up_kernel(200);
  wide.toggles.push_back(toggle("W", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const TuneSpace large = space_of(wide);
  ASSERT_GT(large.combinations(), TuneSearch::kMostListed);
  TuneOptions options;
  options.cancelled = &prices.stop;
  const TuneResult result = run_tune(large, prices.function(), kept, options);
  EXPECT_FALSE(result.exhaustive);
  EXPECT_FALSE(result.legal);
  const Toggles best = result.entries[ranking(result).front()].toggles;
  EXPECT_EQ(value(best, "X"), 2);
  EXPECT_EQ(value(best, "Y"), 2);
  EXPECT_EQ(value(best, "Z"), 1);
  const std::string sentence = coverage_sentence(result);
  EXPECT_TRUE(contains(sentence, " of 32,000 combinations, legal or not, were looked at, by descent"))
      << sentence;
  EXPECT_TRUE(contains(sentence, "others may be faster.")) << sentence;
}

TEST_F(Tune, ASearchWhoseStartIsIllegalBeginsBesideIt) {
  const TuneSpace space = space_of(made_up_kernel(), {{"X", 3}, {"Y", 3}});
  TuneSearch search(space);
  const std::vector<TunePlace> first = search.next(1);
  ASSERT_EQ(first.size(), 1u);
  const TunePlace start = space.start();
  int different = 0;
  for (size_t i = 0; i < start.size(); ++i) different += first[0][i] != start[i] ? 1 : 0;
  EXPECT_EQ(different, 1);
}

TEST_F(Tune, AnInterruptedSearchGoesOnWithoutRepeating) {
  const TuneSpace space = space_of(made_up_kernel());
  MadeUpPrices before, after;
  before.stop_after = 25;
  {
    TuneState kept = state();
    TuneOptions options;
    options.cancelled = &before.stop;
    const TuneResult part = run_tune(space, before.function(), kept, options);
    EXPECT_TRUE(part.cancelled);
    EXPECT_FALSE(part.exhaustive);
    EXPECT_GE(part.entries.size(), 25u);
    EXPECT_LT(part.entries.size(), 60u);
  }
  set_text(text().substr(0, text().size() - 10));  // as if it had been killed while it wrote
  TuneState kept = state(true);
  const size_t known = kept.known_prices();
  EXPECT_EQ(known, before.asked.size() - 1) << "the last line was cut off";
  const TuneResult whole = run_tune(space, after.function(), kept);
  EXPECT_TRUE(whole.exhaustive);
  EXPECT_EQ(whole.recalled, known);
  EXPECT_EQ(whole.priced, 60 - known);
  EXPECT_EQ(after.asked.size(), 60 - known);
  EXPECT_EQ(state(true).known_prices(), 60u) << "the cut line did not swallow the next";
}

TEST_F(Tune, ABudgetThatIsSpentIsSaid) {
  MadeUpPrices prices;
  TuneState kept = state();
  TuneOptions options;
  options.most_seconds = 0;
  const TuneResult result = run_tune(space_of(made_up_kernel()), prices.function(), kept, options);
  EXPECT_TRUE(result.out_of_time);
  EXPECT_EQ(coverage_sentence(result),
            "0 of 60 legal combinations were looked at, by descent over single changes and pairs from the "
            "variant as chosen and from 0 other starts; others may be faster.");
}

TEST_F(Tune, TheStateIsRefusedWhereItBelongsToSomethingElse) {
  EXPECT_TRUE(contains(why_not_opened(true), "--resume: there is no ")) << why_not_opened(true);
  state();
  EXPECT_TRUE(contains(why_not_opened(false), "--resume goes on with it")) << why_not_opened(false);
  catalog::Kernel kernel = made_up_kernel();
  ASSERT_TRUE(state(true).add_kernel(kernel));
  ASSERT_TRUE(state(true).add_kernel(kernel));
  kernel.source += " ";
  const auto other_text = state(true).add_kernel(kernel);
  ASSERT_FALSE(other_text);
  EXPECT_TRUE(contains(other_text.error().message, "another text of made_up")) << other_text.error().message;
  device_.sms += 1;
  EXPECT_TRUE(contains(why_not_opened(true), "other numbers of NVIDIA H200")) << why_not_opened(true);
  set_text("{\"gemmscope_recording\": 1}\n");
  EXPECT_TRUE(contains(why_not_opened(true), "is not the state of a search")) << why_not_opened(true);
  set_text("{\"gemmscope_tune\": 99}\n");
  EXPECT_TRUE(contains(why_not_opened(true), "another version")) << why_not_opened(true);
}

// Any line of the file may be damaged: it is passed over, and nothing worse happens.
TEST_F(Tune, DamagedLinesArePassedOver) {
  const TuneKey key{"made_up", 32, 32, 32, {{"X", 2}}};
  const TunePrice price{0.5, 40, 2, "compute", ""}, refused{0, 0, 0, "", "It does not fit."};
  {
    TuneState kept = state();
    ASSERT_TRUE(kept.add(key, price));
    ASSERT_TRUE(kept.add({"made_up", 32, 32, 32, {}}, refused));
  }
  const std::string whole = text();
  for (const char* line :
       {"", "{", "[]", "7", "null", "{\"kernel\":3}", "{\"size\":[1,2,3],\"kernel\":\"k\"}",
        "{\"kernel\":\"k\",\"size\":[1,2],\"toggles\":{},\"ms\":1}",
        "{\"kernel\":\"k\",\"size\":[1,2,3],\"toggles\":{},\"ms\":-1}",
        "{\"kernel\":\"k\",\"size\":[1,2,3],\"toggles\":{},\"ms\":\"fast\"}",
        "{\"process\":0,\"size\":[1,2,3],\"recording\":\"{}\"}", "{\"kernel\":\"k\",\"text\":7}",
        "\xff\xfe"}) {
    set_text(whole + line + "\n");
    const TuneState kept = state(true);
    EXPECT_EQ(kept.known_prices(), 2u) << line;
    EXPECT_EQ(kept.find(key), price) << line;
    EXPECT_EQ(kept.find({"made_up", 32, 32, 32, {}}), refused) << line;
    EXPECT_EQ(kept.measured(0, {1, 2, 3, 1, 0}), nullptr) << line;
  }
}

Timings some_timings() {
  Timings timings;
  timings.problem = {32, 32, 32, 1, 0};
  timings.device.name = "Fake GPU";
  for (const auto& [x, ms] : {std::pair<int64_t, double>{1, 1.5}, {2, 1.0}, {3, 2.0}}) {
    TimedVariant variant;
    variant.id = variant.title = "made_up";
    variant.toggles = {{"X", x}};
    variant.samples = {{0, ms, 1000}};
    timings.variants.push_back(variant);
  }
  return timings;
}

TEST_F(Tune, KeepsWhatAProcessMeasured) {
  {
    TuneState kept = state();
    ASSERT_TRUE(kept.add_measured(1, some_timings()));
  }
  const TuneState kept = state(true);
  EXPECT_EQ(kept.measured(0, {32, 32, 32, 1, 0}), nullptr);
  EXPECT_EQ(kept.measured(1, {32, 32, 64, 1, 0}), nullptr);
  const Timings* measured = kept.measured(1, {32, 32, 32, 1, 0});
  ASSERT_NE(measured, nullptr);
  ASSERT_EQ(measured->variants.size(), 3u);
  EXPECT_EQ(measured->variants[1].toggles, (Toggles{{"X", 2}}));
  EXPECT_EQ(measured->variants[1].samples[0].ms, 1.0);
}

TuneResult result_of(const std::vector<std::pair<Toggles, double>>& times) {
  TuneResult result;
  result.kernel = "made_up";
  for (const auto& [toggles, ms] : times)
    result.entries.push_back({toggles, {ms, 40, 2, "compute", ms > 0 ? "" : "It does not compile."}});
  return result;
}

TEST_F(Tune, TheFastestAreMeasuredAndTheVariantAsGiven) {
  const Toggles given = {{"X", 3}}, broken = {{"X", 9}};
  // Z changes nothing: where X is 1 the model cannot tell its values apart.
  const TuneResult result = result_of({{given, 2.0},
                                       {{{"X", 1}, {"Z", 1}}, 1.0},
                                       {{{"X", 1}}, 1.0},
                                       {{{"X", 2}}, 1.02},
                                       {{{"Y", 1}}, 1.06},
                                       {broken, 0}});
  const auto names = [&](const TuneLimits& limits, const std::vector<VariantKey>& always) {
    std::vector<Toggles> toggles;
    for (const TunedVariant& variant : choose_to_measure({result}, always, limits))
      toggles.push_back(variant.key.toggles);
    return toggles;
  };
  const Toggles one = {{"X", 1}}, two = {{"X", 2}}, y = {{"Y", 1}};
  EXPECT_EQ(names({.keep = 1}, {}), (std::vector<Toggles>{one}));
  EXPECT_EQ(names({.keep = 1, .within = 3}, {}), (std::vector<Toggles>{one, two}));
  EXPECT_EQ(names({.keep = 2}, {{"made_up", given}}), (std::vector<Toggles>{one, two, given}));
  EXPECT_EQ(names({.keep = 9}, {{"made_up", two}}), (std::vector<Toggles>{one, two, y, given}));
  EXPECT_EQ(names({.keep = 9, .most = 2}, {}), (std::vector<Toggles>{one, two}));
  const auto chosen = choose_to_measure({result}, {{"made_up", two}}, {.keep = 2});
  EXPECT_EQ(chosen[0].alike, 1u);
  EXPECT_FALSE(chosen[0].chosen);
  EXPECT_TRUE(chosen[1].chosen);
}

// X=1, 2, 3 measured 1.5, 1, 2 ms; the model has 1, 1.02, 2: two of three pairs in the same order.
TEST_F(Tune, TheOrdersOfModelAndGpuAreCompared) {
  const TuneResult result = result_of({{{{"X", 1}}, 1.0}, {{{"X", 2}}, 1.02}, {{{"X", 3}}, 2.0}});
  const auto variants = choose_to_measure({result}, {}, {.keep = 3});
  EXPECT_NEAR(*rank_agreement(variants, some_timings()), 1.0 / 3, 1e-12);
  EXPECT_EQ(rank_agreement({variants[0]}, some_timings()), std::nullopt);
}

// The model refuses what does not compile and what does not fit an SM, each with its reason.
TEST_F(Tune, TheModelSaysWhyItRefuses) {
  catalog::Kernel kernel = made_up_kernel();
  kernel.source = R"(
extern "C" __global__ void made_up(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                   int N, int K) {
  static_assert(X != 1, "X is 1");
  extern __shared__ float tile[];
  tile[threadIdx.x] = A[threadIdx.x];
  __syncthreads();
  C[threadIdx.x] = tile[31 - threadIdx.x];
})";
  kernel.shared_expression = "1024 + (X == 2) * 200 * 1024";
  const TuneSpace space = space_of(kernel, {}, {{"X", {}}});
  device_.compute_capability = 86;  // its SM has 100 KiB of shared memory
  TuneState kept = state();
  const TuneResult result = run_tune(space, modelled_price(space, device_), kept);
  ASSERT_EQ(result.entries.size(), 4u);
  std::map<int64_t, TunePrice> by_x;
  for (const TuneEntry& entry : result.entries) by_x[value(entry.toggles, "X")] = entry.price;
  EXPECT_GT(by_x[0].milliseconds, 0);
  EXPECT_GT(by_x[0].registers, 0);
  EXPECT_FALSE(by_x[0].bound.empty());
  EXPECT_TRUE(contains(by_x[1].refused, "compile")) << by_x[1].refused;
  EXPECT_TRUE(contains(by_x[2].refused, "does not fit on an SM")) << by_x[2].refused;
  EXPECT_EQ(ranking(result).size(), 2u);
}

}  // namespace
}  // namespace gemmscope::experiment
