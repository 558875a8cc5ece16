// Tests every value of every toggle of the workbench, every pair of values and every rule. The machine code
// of several architectures is executed on the CPU at sizes with ragged edges and compared with float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>

#include "catalog/catalog.h"
#include "experiment/pipeline.h"
#include "metrics/occupancy.h"
#include "toggle_space.h"

namespace gemmscope::experiment {
namespace {

constexpr isa::Arch kArchs[] = {isa::Arch::sm_86, isa::Arch::sm_80, isa::Arch::sm_89, isa::Arch::sm_90};
// The sizes give rows that no vector fits: those of A, those of B and C, none, and all.
constexpr catalog::Problem kProblems[] = {{37, 70, 19, 1.25f, 0.5f},
                                          {70, 36, 20, 1.25f, 0.0f},
                                          {35, 44, 18, 1.0f, 0.5f},
                                          {41, 33, 24, 1.25f, 0.5f}};

const catalog::Kernel& workbench() {
  static const catalog::Kernel kernel =
      catalog::read_kernel(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels/workbench/workbench.cu")
          .value();
  return kernel;
}
const ToggleSpace& space() {
  static const ToggleSpace space(workbench(), {}, isa::sm_number(kArchs[0]));
  return space;
}

// Without its rules the kernel accepts an illegal combination, so that it can be tried.
catalog::Kernel without_rules() {
  catalog::Kernel kernel = workbench();
  kernel.illegal.clear();
  return kernel;
}

struct Tried {
  std::string failure;  // a compile error, a fault
  std::shared_ptr<const CompiledKernel> compiled;
  bool right = false;
};

Tried try_out(const catalog::Kernel& kernel, const Combination& combination, isa::Arch arch,
              const catalog::Problem& problem) {
  Experiment e;
  e.kernel = kernel.id;
  e.problem = problem;
  e.toggles = space().toggles_of(combination);
  e.arch = arch;
  Tried tried;
  const auto compiled = compile_kernel(kernel, e);
  if (!compiled) return {compiled.error().message, nullptr, false};
  tried.compiled = *compiled;
  const auto grid = run_whole_grid(*compiled, e, {.threads = 1});
  if (!grid) return {grid.error().message, *compiled, false};
  tried.right = (*grid)->verification.right();
  return tried;
}

// Returns the machine code; empty if the kernel does not compile.
std::vector<std::string> expect_right(const Combination& combination, size_t number) {
  const isa::Arch arch = kArchs[number % std::size(kArchs)];
  const catalog::Problem& problem = kProblems[number / std::size(kArchs) % std::size(kProblems)];
  const Tried result = try_out(workbench(), combination, arch, problem);
  EXPECT_TRUE(result.failure.empty() && result.right)
      << space().text_of(combination) << " on " << isa::arch_name(arch) << ", M " << problem.m << " N "
      << problem.n << " K " << problem.k << ": " << (result.failure.empty() ? "C is wrong" : result.failure);
  return result.compiled == nullptr ? std::vector<std::string>() : result.compiled->text;
}

// A test stops after this much core time and says what it has left out. The kernel's text decides where it
// starts, so the next version is tested elsewhere. GEMMSCOPE_WORKBENCH_SECONDS=1000 leaves out nothing.
class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds) {
    if (const char* all = std::getenv("GEMMSCOPE_WORKBENCH_SECONDS")) seconds_ = std::atof(all);
  }
  bool over() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC > seconds_; }
  static size_t first_of(size_t count) { return std::hash<std::string>()(workbench().source) % count; }

 private:
  double seconds_;
  std::clock_t start_ = std::clock();
};

bool has_nvrtc() { return compile::nvrtc_version().has_value(); }

TEST(Workbench, SaysHowManyCombinationsThereAre) {
  EXPECT_TRUE(space().is_legal(space().defaults()));
  const uint64_t legal = space().count_legal();
  std::cout << fmt::format("{} of {} combinations are legal on {}\n", legal, space().count_all(),
                           isa::arch_name(kArchs[0]));
  EXPECT_GT(legal, 1'000'000u);
  // Estimates the legal share of all combinations from a random sample.
  std::mt19937_64 random(4);
  int legal_drawn = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    Combination combination;
    for (size_t t = 0; t < space().toggle_count(); ++t)
      combination.push_back(static_cast<int>(random() % static_cast<uint64_t>(space().value_count(t))));
    legal_drawn += space().is_legal(combination) ? 1 : 0;
  }
  const double share = static_cast<double>(legal) / static_cast<double>(space().count_all());
  EXPECT_NEAR(static_cast<double>(legal_drawn) / kDraws, share, 5 * std::sqrt(share / kDraws));
}

// Compares the tables that these tests use for counting with what a launch accepts.
TEST(Workbench, ALaunchIsRefusedWhereARuleHolds) {
  std::mt19937_64 random(3);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    Combination combination = space().random_legal(random);
    ASSERT_TRUE(space().is_legal(combination));
    for (int change = 0; change < 3; ++change) {
      const size_t toggle = random() % space().toggle_count();
      combination[toggle] = static_cast<int>(random() % static_cast<uint64_t>(space().value_count(toggle)));
    }
    const auto launch = catalog::launch_for(workbench(), {}, space().toggles_of(combination), 86);
    ASSERT_EQ(launch.has_value(), space().is_legal(combination)) << space().text_of(combination);
    if (launch) continue;
    ++refused;
    EXPECT_EQ(std::ranges::count(workbench().illegal, launch.error().message, &catalog::IllegalRule::why), 1)
        << launch.error().message;
  }
  EXPECT_GT(refused, 200);
}

// Finds a combination that breaks this rule and no other: it is legal once the rule is negated.
Combination breaking_only(size_t rule, int sm) {
  catalog::Kernel negated = workbench();
  negated.illegal[rule].when = "!(" + negated.illegal[rule].when + ")";
  const ToggleSpace of(negated, {}, sm);
  return of.completed(Combination(of.toggle_count(), ToggleSpace::kUnset));
}

// True if an SM lacks the threads for the blocks that __launch_bounds__ asks for. The compiler then ignores
// the number: the machine code is that of 32 blocks.
bool asks_for_too_many_blocks(const Combination& combination, isa::Arch arch,
                              const CompiledKernel& compiled) {
  std::map<std::string, int64_t> toggles = space().toggles_of(combination);
  const auto& block = compiled.launch.block;
  const metrics::BlockNeeds needs = {static_cast<int>(block[0] * block[1] * block[2]), 0, 0};
  const metrics::Occupancy held = metrics::occupancy(*metrics::sm_limits(isa::sm_number(arch)), needs);
  if (held.limits[static_cast<size_t>(metrics::OccupancyLimit::warps)].value() >= toggles.at("MIN_BLOCKS"))
    return false;
  catalog::Kernel kernel = without_rules();
  kernel.toggles[space().index_of("MIN_BLOCKS")].values.push_back(32);
  toggles["MIN_BLOCKS"] = 32;
  Experiment e;
  e.kernel = kernel.id;
  e.problem = kProblems[0];
  e.toggles = toggles;
  e.arch = arch;
  const auto more = compile_kernel(kernel, e);
  EXPECT_TRUE(more.has_value()) << more.error().message;
  return more && (*more)->text == compiled.text;
}

// No rule is implied by the others, and what it forbids does not work: the kernel does not compile, needs
// more than the device has, faults, gives a wrong result, spills, or does not change.
TEST(Workbench, EveryRuleIsNeeded) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const catalog::Kernel kernel = without_rules();
  for (size_t rule = 0; rule < space().rule_count(); ++rule) {
    const std::string& when = workbench().illegal[rule].when;
    const bool old = when.find("SM < 80") != std::string::npos;
    const bool limit_of_a_device = when.find("SM >= 80") != std::string::npos;
    const isa::Arch arch = old ? isa::Arch::sm_75 : limit_of_a_device ? isa::Arch::sm_86 : isa::Arch::sm_90;
    const ToggleSpace of(workbench(), {}, isa::sm_number(arch));
    const Combination combination = breaking_only(rule, isa::sm_number(arch));
    ASSERT_FALSE(combination.empty()) << "nothing breaks this rule alone: " << when;
    const auto reason =
        catalog::why_illegal(workbench(), {}, of.toggles_of(combination), isa::sm_number(arch));
    EXPECT_EQ(reason.value().value_or(""), workbench().illegal[rule].why);
    const Tried result = try_out(kernel, combination, arch, kProblems[0]);
    const bool in_local_memory =
        result.compiled != nullptr && result.compiled->resources.spill_store_bytes > 0;
    Combination with_prefetch = combination;
    with_prefetch[of.index_of("PREFETCH")] = 2;
    const bool no_effect =
        result.compiled != nullptr && combination != with_prefetch &&
        result.compiled->text == try_out(kernel, with_prefetch, arch, kProblems[0]).compiled->text;
    const bool too_many = limit_of_a_device && result.compiled != nullptr &&
                          asks_for_too_many_blocks(combination, arch, *result.compiled);
    std::cout << fmt::format("{}: {}: {}\n", workbench().illegal[rule].why.substr(0, 40),
                             of.text_of(combination),
                             !result.failure.empty() ? result.failure.substr(0, 90)
                             : !result.right         ? "wrong"
                             : in_local_memory       ? "in local memory"
                             : no_effect             ? "no effect"
                             : too_many              ? "more blocks than an SM has threads for"
                                                     : "right");
    EXPECT_TRUE(!result.failure.empty() || !result.right || in_local_memory || no_effect || too_many)
        << of.text_of(combination) << " works: " << when;
  }
}

size_t rule_about(std::string_view why) {
  const auto& rules = workbench().illegal;
  const auto found = std::ranges::find_if(
      rules, [&](const catalog::IllegalRule& rule) { return rule.why.find(why) != std::string::npos; });
  EXPECT_NE(found, rules.end()) << why;
  return static_cast<size_t>(found - rules.begin());
}

// The limits are not one element too strict or too lenient, compared with what a launch needs and with the
// tables of the devices. From sm_80 on the shared memory is that of the smallest device, sm_86, so that a
// combination is legal on all.
TEST(Workbench, RulesAboutADevicesLimitsEqualThoseLimits) {
  const size_t shared = rule_about("do not fit the shared memory"),
               threads = rule_about("does not have the threads");
  const catalog::Kernel kernel = without_rules();
  std::mt19937_64 random(5);
  for (const isa::Arch arch :
       {isa::Arch::sm_75, isa::Arch::sm_80, isa::Arch::sm_86, isa::Arch::sm_89, isa::Arch::sm_90}) {
    const int sm = isa::sm_number(arch);
    const ToggleSpace of(workbench(), {}, sm);
    const uint32_t most_shared =
        std::min(isa::most_shared_bytes(arch), isa::most_shared_bytes(isa::Arch::sm_86));
    const auto most_threads = static_cast<uint32_t>(metrics::sm_limits(sm)->threads);
    int without_room = 0, without_threads = 0, fitting = 0;
    for (int i = 0; i < 3000; ++i) {
      Combination combination;
      for (size_t t = 0; t < of.toggle_count(); ++t)
        combination.push_back(static_cast<int>(random() % static_cast<uint64_t>(of.value_count(t))));
      const auto toggles = of.toggles_of(combination);
      const auto launch = catalog::launch_for(kernel, {}, toggles, sm);
      if (!launch) continue;  // more than 1024 threads
      const bool fits = launch->dynamic_shared_bytes <= most_shared;
      const uint64_t resident = static_cast<uint64_t>(toggles.at("MIN_BLOCKS")) * launch->block[0] *
                                launch->block[1] * launch->block[2];
      ASSERT_EQ(of.breaks(shared, combination), !fits) << of.text_of(combination) << " on sm_" << sm;
      ASSERT_EQ(of.breaks(threads, combination), resident > most_threads)
          << of.text_of(combination) << " on sm_" << sm;
      without_room += fits ? 0 : 1;
      without_threads += resident > most_threads ? 1 : 0;
      fitting += fits && resident <= most_threads ? 1 : 0;
    }
    EXPECT_GT(std::min({without_room, without_threads, fitting}), 100) << "sm_" << sm;
  }
}

// Returns the value with as many defaults as are legal with it.
Combination near_default(size_t toggle, int value) {
  Combination combination(space().toggle_count(), ToggleSpace::kUnset);
  combination[toggle] = value;
  return space().completed(combination);
}

// Each value runs with as many defaults as are legal with it. Each toggle has an effect: changing it alone
// changes the machine code, at the defaults or, where these make both forms equal, with asynchronous copies.
TEST(Workbench, EveryValueOfEveryToggleIsRight) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const Budget budget(20);
  std::vector<std::vector<std::string>> plain;
  for (size_t number = 0; number < std::size(kArchs); ++number)
    plain.push_back(expect_right(space().defaults(), number));
  size_t number = 0, toggles = 0;
  for (; toggles < space().toggle_count() && !budget.over(); ++toggles) {
    const size_t toggle = (Budget::first_of(space().toggle_count()) + toggles) % space().toggle_count();
    bool does_something = false;
    for (int value = 0; value < space().value_count(toggle); ++value) {
      if (value == space().defaults()[toggle]) continue;
      const Combination combination = near_default(toggle, value);
      ASSERT_FALSE(combination.empty()) << workbench().toggles[toggle].name << " " << value;
      const std::vector<std::string> code = expect_right(combination, number);
      Combination alone = space().defaults();
      alone[toggle] = value;
      does_something |= combination == alone && code != plain[number % std::size(kArchs)];
      ++number;
    }
    if (!does_something) {
      Combination base = space().defaults();
      base[space().index_of("STAGES")] = 2;
      Combination changed = base;
      changed[toggle] = (base[toggle] + 1) % space().value_count(toggle);
      ASSERT_TRUE(space().is_legal(changed)) << workbench().toggles[toggle].name;
      EXPECT_NE(expect_right(changed, 0), expect_right(base, 0)) << workbench().toggles[toggle].name;
    }
  }
  std::cout << fmt::format("{} values of {} of {} toggles\n", number, toggles, space().toggle_count());
}

// The grid has 10 x 12 blocks: a whole square of 8 x 8 and smaller ones at both edges. A tile that no block
// computes stays NaN.
TEST(Workbench, EveryOrderOfTheBlocksCoversC) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  for (const int order : {1, 2}) {
    Combination combination(space().toggle_count(), ToggleSpace::kUnset);
    combination[space().index_of("BLOCK_ORDER")] = order;
    for (const char* size : {"BLOCK_M", "BLOCK_N"}) combination[space().index_of(size)] = 0;
    for (const char* size : {"THREAD_M", "THREAD_N"}) combination[space().index_of(size)] = 2;
    combination = space().completed(combination);
    ASSERT_FALSE(combination.empty());
    const Tried result = try_out(workbench(), combination, kArchs[0], {300, 370, 8, 1.0f, 0.0f});
    EXPECT_TRUE(result.right) << space().text_of(combination) << " " << result.failure;
    EXPECT_EQ(result.compiled->launch.grid, (std::array<uint32_t, 3>{12, 10, 1}));
  }
}

TEST(Workbench, EveryPairOfValuesIsRight) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const std::vector<Combination> sample = space().covering(2, 20);
  const Budget budget(12);
  size_t number = 0;
  for (; number < sample.size() && !budget.over(); ++number)
    expect_right(sample[(Budget::first_of(sample.size()) + number) % sample.size()], number);
  std::cout << fmt::format("{} of {} combinations that hold every pair of values\n", number, sample.size());
}

}  // namespace
}  // namespace gemmscope::experiment
