#include "claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace gemmscope::claims {
namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A word such as "float4" or "sm_90" is a name; "16", "84.4" and "128-bit" hold a number.
bool is_number(std::string_view word) {
  static const std::set<std::string_view> kWords = {
      "half",   "halves", "third", "quarter", "eighth", "sixteenth", "twice", "once",    "double", "two",
      "three",  "four",   "fours", "five",    "six",    "seven",     "eight", "sixteen", "thirty", "hundred",
      "hundreds", "thousand"};
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  if (kWords.count(lower) != 0) return true;
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
}

bool has_number(std::string_view sentence) {
  std::string_view before;
  for (size_t i = 0; i < sentence.size();) {
    if (!is_word_char(sentence[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < sentence.size() && is_word_char(sentence[end])) ++end;
    const std::string_view word = sentence.substr(i, end - i);
    const bool part_of_name = i > 0 && sentence[i - 1] == '.' && i > 1 && is_word_char(sentence[i - 2]) &&
                              std::isalpha(static_cast<unsigned char>(sentence[i - 2])) != 0;
    const bool names_a_step = before == "step" || before == "steps";
    if (is_number(word) && !part_of_name && !names_a_step) return true;
    before = word;
    i = end;
  }
  return false;
}

}  // namespace

std::vector<std::string> sentences_with_numbers(std::string_view text) {
  std::vector<std::string> sentences;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool ends = (text[i] == '.' || text[i] == '?' || text[i] == '!') &&
                      (i + 1 == text.size() || text[i + 1] == ' ');
    if (!ends && i + 1 < text.size()) continue;
    const std::string sentence(text.substr(begin, i + 1 - begin));
    if (has_number(sentence)) sentences.push_back(sentence);
    begin = i + 2;
  }
  return sentences;
}

void check_claims(const std::map<std::string, std::string>& texts, const Claims& claims) {
  std::set<std::string> found;
  for (const auto& [place, text] : texts)
    for (const std::string& sentence : sentences_with_numbers(text)) {
      found.insert(sentence);
      EXPECT_TRUE(claims.count(sentence) != 0) << place << " has a number that nothing checks: " << sentence;
    }
  for (const auto& [sentence, check] : claims) {
    EXPECT_TRUE(found.count(sentence) != 0) << "this claim stands nowhere any more: " << sentence;
    SCOPED_TRACE(sentence);
    check();
  }
}

}  // namespace gemmscope::claims
