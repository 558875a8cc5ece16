#include "language/phrase_table.h"

#include <gtest/gtest.h>

#include "language/current_language.h"

namespace gemmscope::language {
namespace {

PhraseTable table_of(std::initializer_list<std::pair<const char*, const char*>> entries) {
  PhraseTable table;
  for (const auto& [english, chinese] : entries) {
    const Result<void> added = table.add(english, chinese);
    EXPECT_TRUE(added) << added.error().message;
  }
  return table;
}

PhraseTable some() {
  return table_of({{"warps", "线程束"},
                   {"shared memory", "共享内存"},
                   {"{#} blocks of {}", "{}个线程块，{}"},
                   {"{} in {#} steps", "{1}步内{0}"},
                   {"limited by {}", "受{}限制"},
                   {"opens {=}", "打开 {}"},
                   {"One more fits.", "还能放一个。"}});
}

TEST(PhraseTable, TranslatesWholePhrases) {
  EXPECT_EQ(some().translate("warps").text, "线程束");
  EXPECT_TRUE(some().translate("warps").complete);
}

TEST(PhraseTable, TranslatesWhatAPlaceholderHolds) {
  EXPECT_EQ(some().translate("3 blocks of warps").text, "3个线程块，线程束");
  EXPECT_EQ(some().translate("limited by shared memory in 4 steps").text, "受4步内共享内存限制");
}

TEST(PhraseTable, LeavesNamesAlone) {
  EXPECT_EQ(some().translate("opens warps").text, "打开 warps");
  EXPECT_TRUE(some().translate("opens some file.cu").complete);
}

TEST(PhraseTable, SaysWhatStayedEnglish) {
  EXPECT_FALSE(some().translate("the lattice").complete);
  EXPECT_EQ(some().translate("the lattice").text, "the lattice");
  EXPECT_FALSE(some().translate("3 blocks of mice").complete);
}

TEST(PhraseTable, TakesApartLinesPartsAndSentences) {
  EXPECT_EQ(some().translate("warps\nshared memory").text, "线程束\n共享内存");
  EXPECT_EQ(some().translate("warps · R12").text, "线程束 · R12");
  EXPECT_EQ(some().translate("One more fits. One more fits.").text, "还能放一个。还能放一个。");
  EXPECT_EQ(some().translate("warps; limited by warps").text, "线程束；受线程束限制");
  EXPECT_EQ(some().translate("warps, shared memory, R12").text, "线程束，共享内存，R12");
  EXPECT_EQ(some().translate("warps, something else").text, "warps, something else")
      << "a list is whole or not at all";
  EXPECT_EQ(some().translate("limited by warps.").text, "受线程束限制。");
  EXPECT_EQ(some().translate("  warps ").text, "  线程束 ");
}

TEST(PhraseTable, TakesTheMostSpecificPattern) {
  const PhraseTable table = table_of({{"{} fits", "甲{}"}, {"{} block fits", "乙{}"}});
  EXPECT_EQ(table.translate("1 block fits").text, "乙1");
  EXPECT_EQ(table.translate("1 fits").text, "甲1");
}

TEST(PhraseTable, TakesThePatternWithoutRestBeforeAMoreSpecificOne) {
  const PhraseTable table =
      table_of({{"{} of words", "甲{}"}, {"many {}", "乙{}"}, {"pairs of words", "词对"}});
  EXPECT_EQ(table.translate("many pairs of words").text, "乙词对");
}

TEST(PhraseTable, NumbersUnitsAndCodeHaveNoWords) {
  for (const char* text : {"1,234", "12.5 KB", "FFMA", "LDS.128 R4, [R2+0x40]", "sm_86", "TFLOP/s", "ms",
                           "B012345", "32 × 33", "GiB", "m16n8k8", "tile_through_shared"})
    EXPECT_TRUE(has_no_words(text)) << text;
  for (const char* text : {"warps", "3 warps", "Map", "L2 flushed", "a (modelled)"})
    EXPECT_FALSE(has_no_words(text)) << text;
}

TEST(PhraseTable, TakesBothEndingsOfACountedWord) {
  const PhraseTable table = table_of({{"{#} block(s) on {#} SM(s)", "{} 块 {} 个 SM"}});
  EXPECT_EQ(table.translate("1 block on 68 SMs").text, "1 块 68 个 SM");
  EXPECT_EQ(table.translate("2 blocks on 1 SM").text, "2 块 1 个 SM");
  EXPECT_EQ(table.size(), 4u);
}

TEST(PhraseTable, RefusesTheSamePhraseTwice) {
  PhraseTable table = some();
  EXPECT_FALSE(table.add("warps", "线程束"));
  EXPECT_FALSE(table.add("limited by {}", "受{}限制"));
}

TEST(PhraseTable, NamesWhatWasNeverUsed) {
  const PhraseTable table = table_of({{"warps", "线程束"}, {"blocks", "块"}, {"{#} a", "{} 甲"}});
  (void)table.translate("warps");
  EXPECT_EQ(table.unused(), (std::vector<std::string>{"blocks", "{#} a"}));
}

TEST(PhraseTable, EndsForWhatNestsWithoutEnd) {
  const PhraseTable table = table_of({{"{} {}", "{}{}"}});
  const std::string text(3000, 'a');
  EXPECT_EQ(table.translate(text + " " + text).text, text + text);
}

TEST(CurrentLanguage, EnglishIsTheTextItself) {
  const std::string text = "warps";
  EXPECT_EQ(translated(text).data(), text.data());
}

TEST(CurrentLanguage, SwitchesLive) {
  set_table(some());
  ASSERT_TRUE(set_language(Language::chinese, ""));
  EXPECT_EQ(translated("warps"), "线程束");
  EXPECT_EQ(translated("线程束"), "线程束");
  ASSERT_TRUE(set_language(Language::english, ""));
  EXPECT_EQ(translated("warps"), "warps");
  set_table({});
}

TEST(CurrentLanguage, ForgetsTranslationsBeyondItsBytes) {
  set_table(some());
  ASSERT_TRUE(set_language(Language::chinese, ""));
  size_t most = 0;
  for (int i = 0; i < 60'000; ++i) {
    translated("a text with the number " + std::to_string(i) + " and nothing else");
    if (i % 100 == 0) forget_old_translations();
    most = std::max(most, translation_bytes());
  }
  EXPECT_GT(most, kMostTranslationBytes) << "there were enough of them";
  forget_old_translations();
  EXPECT_LE(translation_bytes(), kMostTranslationBytes);
  ASSERT_TRUE(set_language(Language::english, ""));
  set_table({});
  EXPECT_EQ(translation_bytes(), 0u);
}

TEST(CurrentLanguage, FollowsTheEnvironment) {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) unsetenv(name);
  EXPECT_EQ(language_of_environment(), Language::english);
  setenv("LANG", "zh_CN.UTF-8", 1);
  EXPECT_EQ(language_of_environment(), Language::chinese);
  setenv("LC_ALL", "C", 1);
  EXPECT_EQ(language_of_environment(), Language::english);
  unsetenv("LC_ALL");
  unsetenv("LANG");
}

TEST(CurrentLanguage, ATableThatIsMissingIsSaid) {
  set_table({});
  const Result<void> set = set_language(Language::chinese, "/nowhere");
  ASSERT_FALSE(set);
  EXPECT_NE(set.error().message.find("/nowhere/languages/zh.toml"), std::string::npos);
  EXPECT_EQ(current_language(), Language::english);
}

}  // namespace
}  // namespace gemmscope::language
