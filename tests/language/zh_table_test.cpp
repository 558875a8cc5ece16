// assets/languages/zh.toml against itself and against the program's sources.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <fstream>
#include <iterator>
#include <set>

#include "catalog/catalog.h"
#include "language/read_phrases.h"

namespace gemmscope::language {
namespace {

namespace fs = std::filesystem;

fs::path zh_file() { return catalog::assets_folder() / "languages" / "zh.toml"; }

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Runs of letters, in lower case; a plural counts as its singular.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (word.ends_with('s')) word.pop_back();
    if (word.size() > 2) words.insert(word);
    word.clear();
  }
  return words;
}

TEST(ZhTable, IsReadWithTheSamePlaceholdersAndNothingTwice) {
  const Result<PhraseTable> table = read_phrases(zh_file());
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_GT(table->size(), 900u);
}

TEST(ZhTable, IsWrittenInChinese) {
  const toml::table parts = toml::parse(text_of(zh_file()));
  for (const auto& [heading, part] : parts)
    for (const auto& [english, value] : *part.as_table()) {
      const std::string translation = value.value_or(std::string());
      const bool kept = has_no_words(translation) || translation == english.str();
      EXPECT_TRUE(is_chinese(translation) || kept) << english.str() << " = " << translation;
      EXPECT_TRUE(has_no_words(english.str()) || !translation.empty()) << english.str();
    }
}

// An entry whose words the program has nowhere is a leftover.
TEST(ZhTable, HasNoEntryWhoseWordsTheProgramLacks) {
  std::string sources;
  for (const char* folder : {"app", "kernels", "assets/recordings"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(GEMMSCOPE_SOURCE_DIR) / folder))
      if (entry.is_regular_file()) sources += text_of(entry.path()) + "\n";
  const std::set<std::string> known = words_of(sources);
  const toml::table parts = toml::parse(text_of(zh_file()));
  for (const auto& [heading, part] : parts)
    for (const auto& [english, value] : *part.as_table())
      for (const std::string& word : words_of(std::string(english.str())))
        EXPECT_EQ(known.count(word), 1u) << '"' << english.str() << "\" has \"" << word << '"';
}

}  // namespace
}  // namespace gemmscope::language
