// Tests illegal combinations: the rules of the description, and the choices that remain.
#include "catalog/illegal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

Toggle toggle(std::string name, std::vector<int64_t> values, int64_t default_value) {
  Toggle t;
  t.name = t.title = std::move(name);
  t.values = std::move(values);
  t.default_value = default_value;
  return t;
}

// WIDE needs sm_80 or later and excludes DEEP 2. DEEP 4 needs an M of at least 64.
Kernel small_kernel() {
  Kernel kernel;
  kernel.id = "small";
  kernel.block_expressions = kernel.grid_expressions = {"1", "1", "1"};
  kernel.shared_expression = "0";
  kernel.toggles = {toggle("WIDE", {0, 1}, 0), toggle("DEEP", {1, 2, 4}, 1)};
  kernel.illegal = {{"WIDE && SM < 80", "too old"},
                    {"WIDE == 1 && DEEP == 2", "too deep"},
                    {"DEEP == 4 && M < 64", "too few rows"}};
  return kernel;
}

std::string why(const std::map<std::string, int64_t>& toggles, const Problem& problem = {},
                int sm = kNewestSm) {
  const auto reason = why_illegal(small_kernel(), problem, toggles, sm);
  EXPECT_TRUE(reason) << reason.error().message;
  return reason && *reason ? **reason : "";
}

TEST(Illegal, TheFirstRuleThatHoldsSaysWhy) {
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({{"WIDE", 1}}), "");
  EXPECT_EQ(why({{"WIDE", 1}}, {}, 75), "too old");
  EXPECT_EQ(why({{"WIDE", 1}, {"DEEP", 2}}), "too deep");
  EXPECT_EQ(why({{"WIDE", 1}, {"DEEP", 2}}, {}, 75), "too old");
  EXPECT_EQ(why({{"DEEP", 4}}), "");
  EXPECT_EQ(why({{"DEEP", 4}}, {.m = 63}), "too few rows");
}

TEST(Illegal, ALaunchIsRefusedWithTheSentence) {
  const Kernel kernel = small_kernel();
  EXPECT_TRUE(launch_for(kernel, {}, {{"WIDE", 1}}));
  const auto launch = launch_for(kernel, {}, {{"WIDE", 1}, {"DEEP", 2}});
  ASSERT_FALSE(launch);
  EXPECT_EQ(launch.error().message, "too deep");
  EXPECT_FALSE(launch_for(kernel, {}, {{"WIDE", 1}}, 75));
}

TEST(Illegal, ARuleThatCannotBeComputedIsAnError) {
  Kernel kernel = small_kernel();
  kernel.illegal = {{"M / WIDE > 3", "never"}};
  const auto launch = launch_for(kernel, {}, {});
  ASSERT_FALSE(launch);
  EXPECT_EQ(launch.error().message,
            "Kernel small, key illegal.when: division by zero in the expression \"M / WIDE > 3\".");
  EXPECT_FALSE(launch_for(small_kernel(), {}, {{"DEEP", 3}})) << "no value of DEEP";
}

std::vector<std::vector<std::string>> reasons(const std::map<std::string, int64_t>& toggles,
                                              const Problem& problem = {}, int sm = kNewestSm) {
  std::vector<std::vector<std::string>> result;
  for (const auto& choices : toggle_choices(small_kernel(), problem, toggles, sm)) {
    result.emplace_back();
    for (const ToggleChoice& choice : choices) result.back().push_back(choice.why_not);
  }
  return result;
}

using Reasons = std::vector<std::vector<std::string>>;

TEST(Illegal, ChoicesSayWhyNot) {
  EXPECT_EQ(reasons({}), (Reasons{{"", ""}, {"", "", ""}}));
  EXPECT_EQ(reasons({}, {.m = 8}, 75), (Reasons{{"", "too old"}, {"", "", "too few rows"}}));
  EXPECT_EQ(reasons({{"WIDE", 1}}), (Reasons{{"", ""}, {"", "too deep", ""}}));
  EXPECT_EQ(reasons({{"DEEP", 2}}), (Reasons{{"", "too deep"}, {"", "", ""}}));
  EXPECT_EQ(reasons({{"NONE", 1}, {"DEEP", 9}}), (Reasons{{"", ""}, {"", "", ""}})) << "counts as default";
}

// A combination may become illegal when the size or the architecture changes. From there every choice that
// breaks no further rule is open.
TEST(Illegal, AWayOutStaysOpen) {
  EXPECT_EQ(reasons({{"WIDE", 1}, {"DEEP", 2}}), (Reasons{{"", ""}, {"", "", ""}}));
  EXPECT_EQ(reasons({{"WIDE", 1}, {"DEEP", 4}}, {.m = 8}), (Reasons{{"", ""}, {"", "too deep", ""}}));
}

// The choices and the launch must apply the same rules.
TEST(Illegal, ChoicesAgreeWithLaunches) {
  const Kernel kernel = small_kernel();
  for (const int sm : {75, 90})
    for (const int64_t m : {8, 256})
      for (const int64_t wide : {0, 1})
        for (const int64_t deep : {1, 2, 4}) {
          const std::map<std::string, int64_t> now = {{"WIDE", wide}, {"DEEP", deep}};
          if (!launch_for(kernel, {.m = m}, now, sm)) continue;
          const auto choices = toggle_choices(kernel, {.m = m}, now, sm);
          for (size_t t = 0; t < choices.size(); ++t)
            for (const ToggleChoice& choice : choices[t]) {
              auto next = now;
              next[kernel.toggles[t].name] = choice.value;
              const auto launch = launch_for(kernel, {.m = m}, next, sm);
              EXPECT_EQ(launch.has_value(), choice.why_not.empty());
              if (!launch) {
                EXPECT_EQ(launch.error().message, choice.why_not);
              }
            }
        }
}

TEST(Illegal, TheDescriptionIsRead) {
  const auto kernel = read_kernel(std::filesystem::path(GEMMSCOPE_TEST_DATA) / "catalog/labelled.cu");
  ASSERT_TRUE(kernel) << kernel.error().message;
  ASSERT_EQ(kernel->toggles.size(), 2u);
  const Toggle& order = kernel->toggles[0];
  EXPECT_EQ(order.labels, (std::vector<std::string>{"rows", "Hilbert"}));
  EXPECT_EQ(order.group, "Blocks");
  EXPECT_EQ(order.help, "Two lines of help.");
  EXPECT_EQ(order.label_of(4), "Hilbert");
  EXPECT_EQ(order.label_of(3), "3");
  EXPECT_EQ(kernel->toggles[1].label_of(2), "2");
  EXPECT_EQ(kernel->toggles[1].group + kernel->toggles[1].help, "");
  ASSERT_EQ(kernel->illegal.size(), 1u);
  EXPECT_EQ(kernel->illegal[0].when, "ORDER == 4 && (PAD > 1 || SM < 80)");
  EXPECT_EQ(kernel->illegal[0].why, "Because.");
}

}  // namespace
}  // namespace gemmscope::catalog
