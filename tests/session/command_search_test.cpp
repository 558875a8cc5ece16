#include "session/command_search.h"

#include <gtest/gtest.h>

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

class Search : public testing::Test {
 protected:
  void add(std::string title, std::string category, bool enabled = true, bool in_palette = true) {
    Command command{.id = fmt::format("c{}", table_.all().size()),
                    .title = std::move(title),
                    .category = std::move(category),
                    .run = [] {}};
    command.enabled = [enabled] { return enabled; };
    command.in_palette = in_palette;
    ASSERT_TRUE(table_.add(command));
  }
  std::vector<std::string> titles(std::string_view pattern) {
    std::vector<std::string> result;
    for (const CommandMatch& match : search_commands(table_, pattern)) result.push_back(match.command->title);
    return result;
  }
  CommandTable table_;
};

TEST_F(Search, BestFirst) {
  add("Set problem size", "Kernel");
  add("Step back", "Time");
  add("Next bank conflict", "Time");
  EXPECT_EQ(titles("step").front(), "Step back");
  EXPECT_EQ(titles("conf"), (std::vector<std::string>{"Next bank conflict"}));
  EXPECT_TRUE(titles("zzz").empty());
}

TEST_F(Search, CategoriesCountToo) {
  add("Step back", "Time");
  add("Open", "File");
  EXPECT_EQ(titles("file open"), (std::vector<std::string>{"Open"}));
}

TEST_F(Search, AnEmptyQueryListsAllWithDisabledLastAndNoHidden) {
  add("Alpha", "X", false);
  add("Beta", "X");
  add("Gamma", "X", true, false);
  EXPECT_EQ(titles(""), (std::vector<std::string>{"Beta", "Alpha"}));
}

}  // namespace
}  // namespace gemmscope::session
