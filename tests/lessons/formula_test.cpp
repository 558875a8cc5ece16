#include "lessons/formula.h"

#include <gtest/gtest.h>

namespace gemmscope::lessons {
namespace {

TEST(Formula, ComputesOverNames) {
  EXPECT_DOUBLE_EQ(compute("before / after", {{"before", 9}, {"after", 4}}).value(), 2.25);
  EXPECT_EQ(compute("a < b && b < 10", {{"a", 3}, {"b", 5}}).value(), 1);
  EXPECT_EQ(compute("a == b", {{"a", 3}, {"b", 5}}).value(), 0);
}

TEST(Formula, ListsTheNamesThatItUses) {
  EXPECT_EQ(names_in("b + a * b").value(), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(names_in("2 + 3").value().empty());
}

TEST(Formula, SaysWhatIsWrong) {
  EXPECT_NE(compute("a +", {{"a", 1}}).error().message.find("a +"), std::string::npos);
  EXPECT_FALSE(compute("a + unknown", {{"a", 1}}));
  EXPECT_FALSE(compute("1 / a", {{"a", 0}})) << "infinite";
  EXPECT_FALSE(names_in("(a"));
}

}  // namespace
}  // namespace gemmscope::lessons
