#include "session/fuzzy_match.h"

#include <gtest/gtest.h>

#include <string>

namespace gemmscope::session {
namespace {

std::string matched(std::string_view pattern, std::string_view text) {
  const auto match = fuzzy_match(pattern, text);
  if (!match) return "-";
  std::string marks(text.size(), '.');
  for (const std::size_t at : match->positions) marks[at] = text[at];
  return marks;
}

TEST(FuzzyMatch, LettersInOrder) {
  EXPECT_EQ(matched("sf", "Step forward"), "S....f......");
  EXPECT_EQ(matched("FORW", "Step forward"), ".....forw...");
  EXPECT_EQ(matched("fs", "Step forward"), "-");
  EXPECT_EQ(matched("", "Step forward"), "............");
  EXPECT_EQ(matched("stepforwardx", "Step forward"), "-");
}

TEST(FuzzyMatch, PrefersWordsAndRuns) {
  EXPECT_EQ(matched("nc", "Next bank conflict"), "N.........c.......");
  EXPECT_EQ(matched("ban", "blackboard bank"), "...........ban.");
  EXPECT_GT(fuzzy_match("step", "Step back")->score, fuzzy_match("step", "Set the problem")->score);
}

TEST(FuzzyMatch, SpacesAreIgnored) { EXPECT_EQ(matched("st fo", "Step forward"), "St...fo....."); }

}  // namespace
}  // namespace gemmscope::session
