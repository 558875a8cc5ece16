#include "language/phrase_pattern.h"

#include <gtest/gtest.h>

#include <random>

namespace gemmscope::language {
namespace {

PhrasePattern pattern_of(const std::string& english) {
  Result<PhrasePattern> pattern = PhrasePattern::parse(english);
  EXPECT_TRUE(pattern) << english;
  return pattern ? *pattern : PhrasePattern();
}

std::vector<std::string> match(const std::string& english, std::string_view text) {
  std::vector<std::string_view> contents;
  if (!pattern_of(english).match(text, contents)) return {};
  return {contents.begin(), contents.end()};
}

using Contents = std::vector<std::string>;

TEST(PhrasePattern, FindsWhatVaries) {
  EXPECT_EQ(match("{} of {}", "3 of 15"), (Contents{"3", "15"}));
  EXPECT_EQ(match("step {#} of {#}", "step 1,234 of 9,000"), (Contents{"1,234", "9,000"}));
  EXPECT_EQ(match("{} stores {}", "warp 3 stores A"), (Contents{"warp 3", "A"}));
  EXPECT_EQ(match("{} a {}", "b a a a c"), (Contents{"b", "a a c"})) << "the first as short as possible";
}

TEST(PhrasePattern, ANumberHasADigitAndNoSpace) {
  EXPECT_EQ(match("{#} warps", "8 warps"), (Contents{"8"}));
  EXPECT_TRUE(match("{#} warps", "all warps").empty());
  EXPECT_TRUE(match("{#} warps", "3 of 8 warps").empty());
  EXPECT_EQ(match("{#} to {#}", "sm_80 to 0x1f"), (Contents{"sm_80", "0x1f"}));
  // What does not fit a number is tried further on.
  EXPECT_EQ(match("{} is {#}", "what it is is 3"), (Contents{"what it is", "3"}));
}

TEST(PhrasePattern, PlaceholdersAreNeverEmpty) {
  EXPECT_TRUE(match("{} warps", " warps").empty());
  EXPECT_TRUE(match("a{}b{}c", "abxc").empty());
  EXPECT_TRUE(match("a{}a", "a").empty()) << "the ends do not overlap";
}

TEST(PhrasePattern, DoubledBracesAreBraces) {
  EXPECT_EQ(match("f({{{}}})", "f({1})"), (Contents{"1"}));
  EXPECT_FALSE(PhrasePattern::parse("a { b"));
  EXPECT_FALSE(PhrasePattern::parse("a } b"));
  EXPECT_FALSE(PhrasePattern::parse("a {0} b")) << "numbers are for the translation";
  EXPECT_FALSE(PhrasePattern::parse("{}{}")) << "where the first ends cannot be told";
}

TEST(FilledPhrase, OrdersByNumber) {
  EXPECT_EQ(FilledPhrase::parse("{1}的{0}", 2)->fill({"a", "b"}), "b的a");
  EXPECT_EQ(FilledPhrase::parse("{}，{}", 2)->fill({"a", "b"}), "a，b");
  EXPECT_EQ(FilledPhrase::parse("{{{}}}", 1)->fill({"a"}), "{a}");
}

TEST(FilledPhrase, UsesEveryPlaceholderAndNoOther) {
  EXPECT_FALSE(FilledPhrase::parse("{0}", 2));
  EXPECT_FALSE(FilledPhrase::parse("{}{}", 1));
  EXPECT_FALSE(FilledPhrase::parse("{5}", 1));
  EXPECT_FALSE(FilledPhrase::parse("{x}", 1));
}

// Tries every way of dividing the text among the placeholders.
bool slow_match(const PhrasePattern& pattern, size_t index, std::string_view text) {
  const std::string& literal = pattern.literals()[index];
  if (!text.starts_with(literal)) return false;
  text.remove_prefix(literal.size());
  if (index == pattern.placeholders().size()) return text.empty();
  for (size_t length = 1; length <= text.size(); ++length) {
    const std::string_view held = text.substr(0, length);
    if (pattern.placeholders()[index] == Placeholder::number && !is_number_like(held)) continue;
    if (slow_match(pattern, index + 1, text.substr(length))) return true;
  }
  return false;
}

TEST(PhrasePattern, AgreesWithTryingEveryDivision) {
  std::mt19937 random(7);
  const auto letters = [&](int most, const char* alphabet) {
    std::string text;
    for (auto n = random() % static_cast<unsigned>(most + 1); n > 0; --n) text += alphabet[random() % 4];
    return text;
  };
  int matched = 0;
  for (int i = 0; i < 40'000; ++i) {
    std::string english = letters(2, "ab 1");
    for (auto n = 1 + random() % 3; n > 0; --n)
      english += (random() % 3 == 0 ? "{#}" : "{}") + letters(2, "ab 1");
    const Result<PhrasePattern> pattern = PhrasePattern::parse(english);
    if (!pattern) continue;
    const std::string text = letters(9, "ab 1");
    std::vector<std::string_view> contents;
    const bool found = pattern->match(text, contents);
    ASSERT_EQ(found, slow_match(*pattern, 0, text)) << english << " | " << text;
    if (!found) continue;
    ++matched;
    std::string joined = pattern->literals().front();
    for (size_t k = 0; k < contents.size(); ++k)
      joined += std::string(contents[k]) + pattern->literals()[k + 1];
    ASSERT_EQ(joined, text) << english;
  }
  EXPECT_GT(matched, 1000);
}

}  // namespace
}  // namespace gemmscope::language
