// Compares the helper that counts and samples combinations with enumerating them all.
#include "toggle_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace gemmscope::experiment {
namespace {

catalog::Kernel kernel(const std::vector<int>& value_counts, std::vector<catalog::IllegalRule> rules) {
  catalog::Kernel k;
  k.id = "small";
  for (size_t t = 0; t < value_counts.size(); ++t) {
    catalog::Toggle toggle;
    toggle.name = std::string(1, static_cast<char>('A' + t));
    for (int v = 0; v < value_counts[t]; ++v) toggle.values.push_back(v);
    k.toggles.push_back(toggle);
  }
  k.illegal = std::move(rules);
  return k;
}

std::vector<Combination> all(const ToggleSpace& space) {
  std::vector<size_t> toggles(space.toggle_count());
  for (size_t i = 0; i < toggles.size(); ++i) toggles[i] = i;
  return space.product(toggles);
}

// Returns every choice of values of `strength` toggles, as text.
std::set<std::string> choices(const std::vector<Combination>& combinations, int strength) {
  std::set<std::string> result;
  for (const Combination& c : combinations)
    for (size_t a = 0; a < c.size(); ++a)
      for (size_t b = a + 1; b < c.size(); ++b) {
        if (strength == 2) result.insert(fmt::format("{}{} {}{}", a, c[a], b, c[b]));
        for (size_t d = b + 1; strength == 3 && d < c.size(); ++d)
          result.insert(fmt::format("{}{} {}{} {}{}", a, c[a], b, c[b], d, c[d]));
      }
  return result;
}

TEST(ToggleSpace, CountsAndCoversWhatIsLegal) {
  for (const catalog::Kernel& k :
       {kernel({2, 3, 4, 2, 2}, {}),
        kernel({2, 3, 4, 2, 3},
               {{"A == 1 && B == 2", "x"}, {"B + C > 4", "y"}, {"D && E == 2 && M > 3", "z"}}),
        kernel({3, 3, 3, 3}, {{"A == B", "x"}, {"B == C", "y"}, {"C == A", "z"}})}) {
    const ToggleSpace space(k, {}, 86);
    const std::vector<Combination> legal = all(space);
    EXPECT_EQ(space.count_legal(), legal.size());
    Combination fixed(space.toggle_count(), ToggleSpace::kUnset);
    fixed[1] = 2;
    EXPECT_EQ(space.count_legal(fixed), static_cast<size_t>(std::ranges::count_if(
                                            legal, [](const Combination& c) { return c[1] == 2; })));
    for (const int strength : {2, 3}) {
      const std::vector<Combination> sample = space.covering(strength, 1);
      EXPECT_EQ(choices(sample, strength), choices(legal, strength));
      EXPECT_LT(sample.size(), legal.size() + 1);
      EXPECT_EQ(sample, space.covering(strength, 1)) << "not the same each time";
      for (const Combination& combination : sample) EXPECT_TRUE(space.is_legal(combination));
    }
  }
}

TEST(ToggleSpace, RandomOnesAreLegal) {
  const catalog::Kernel k = kernel({3, 3, 3, 3}, {{"A == B", "x"}, {"B == C", "y"}, {"C == A", "z"}});
  const ToggleSpace space(k, {}, 86);
  std::mt19937_64 random(2);
  std::set<Combination> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(space.random_legal(random));
  EXPECT_EQ(seen.size(), 18u);
  for (const Combination& combination : seen) EXPECT_TRUE(space.is_legal(combination));
}

}  // namespace
}  // namespace gemmscope::experiment
