// Tests which variants of a kernel the prebuilt pack has to hold.
#include "catalog/packed_variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace gemmscope::catalog {
namespace {

Toggle toggle(std::string name, std::vector<int64_t> values, int64_t default_value) {
  Toggle t;
  t.name = t.title = std::move(name);
  t.values = std::move(values);
  t.default_value = default_value;
  return t;
}

Kernel small_kernel() {
  Kernel kernel;
  kernel.id = "small";
  kernel.folder = "workbench";
  kernel.block_expressions = kernel.grid_expressions = {"1", "1", "1"};
  kernel.shared_expression = "0";
  kernel.toggles = {toggle("WIDE", {0, 1}, 0), toggle("DEEP", {1, 2, 4}, 2)};
  kernel.illegal = {{"WIDE && SM < 80", "too old"}, {"WIDE == 1 && DEEP == 4", "too deep"}};
  return kernel;
}

// Too many combinations to ship all of them.
Kernel large_kernel() {
  Kernel kernel = small_kernel();
  std::vector<int64_t> many(50);
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int64_t>(i);
  kernel.toggles.push_back(toggle("MANY", many, 0));
  return kernel;
}

TEST(PackedVariants, AreAllLegalCombinationsOfFewToggles) {
  EXPECT_EQ(packed_variants(small_kernel(), 90),
            (std::vector<ToggleValues>{
                {}, {{"WIDE", 1}}, {{"DEEP", 1}}, {{"DEEP", 4}}, {{"DEEP", 1}, {"WIDE", 1}}}));
  EXPECT_EQ(packed_variants(small_kernel(), 75),
            (std::vector<ToggleValues>{{}, {{"DEEP", 1}}, {{"DEEP", 4}}}));
}

TEST(PackedVariants, AreEveryValueAloneOfManyToggles) {
  const auto variants = packed_variants(large_kernel(), 89);
  EXPECT_EQ(variants.size(), 1 + 1 + 2 + 49u);
  EXPECT_TRUE(variants.front().empty());
  for (const ToggleValues& toggles : variants) EXPECT_LE(toggles.size(), 1u);
}

// On the architectures of the window and of the H200.
TEST(PackedVariants, HaveThePairsOfTheWorkbench) {
  EXPECT_EQ(packed_variants(large_kernel(), 86), packed_variants(large_kernel(), 90));
  const auto variants = packed_variants(large_kernel(), 90);
  const std::set<ToggleValues> all(variants.begin(), variants.end());
  EXPECT_EQ(all.size(), variants.size()) << "a variant is there twice";
  // Of 2 values with 49, 1 with 49, and 1 with 2, of which one is illegal.
  EXPECT_EQ(variants.size(), 53 + 2 * 49 + 49 + 1u);
  EXPECT_FALSE(all.contains({{"WIDE", 1}, {"DEEP", 4}}));
  Kernel lab = large_kernel();
  lab.folder = "labs";
  EXPECT_EQ(packed_variants(lab, 90).size(), 53u);
}

TEST(PackedVariants, AreNoneForAnArchitectureThatTheKernelDoesNotKnow) {
  Kernel kernel = small_kernel();
  kernel.architecture = 80;
  EXPECT_TRUE(packed_variants(kernel, 75).empty());
}

}  // namespace
}  // namespace gemmscope::catalog
