#include "claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <set>

namespace gemmscope::claims {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string lower(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return result;
}

// "One" is left out, because it stands for a thing far more often than for a count.
bool is_number_word(const std::string& word) {
  static const std::set<std::string> kWords = {
      "two",      "three",    "four",    "five",     "six",      "seven",     "eight",   "nine",
      "ten",      "eleven",   "twelve",  "thirteen", "fourteen", "fifteen",   "sixteen", "seventeen",
      "eighteen", "nineteen", "twenty",  "thirty",   "forty",    "fifty",     "sixty",   "seventy",
      "eighty",   "ninety",   "hundred", "hundreds", "thousand", "thousands", "million", "millions",
      "dozen",    "dozens",   "twos",    "fours",    "eights",   "half",      "halves",  "halved",
      "halve",    "third",    "thirds",  "quarter",  "quarters", "eighth",    "eighths", "sixteenth",
      "tenth",    "percent",  "twice",   "once",     "double",   "doubles",   "doubled", "triple",
      "triples",  "tripled"};
  return kWords.count(word) != 0;
}

// True for a word whose number is a version, a model or a position: "Debian 12", "RTX 3080", "step 2".
bool names_its_number(const std::string& word) {
  static const std::set<std::string> kNames = {"step", "steps", "debian", "cuda", "toolkit", "rtx"};
  return kNames.count(word) != 0;
}

// True for the 17 of C++17.
bool is_after_plus_plus(std::string_view text, size_t at) {
  return at > 2 && text.substr(at - 2, 2) == "++" && is_word_char(text[at - 3]);
}

// Returns the end of a word, which may contain full stops that end no sentence: "93.8", "LDG.E.128",
// "cp.async".
size_t word_end(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && (is_word_char(text[end]) ||
                               (text[end] == '.' && end + 1 < text.size() && is_word_char(text[end + 1]))))
    ++end;
  return end;
}

// True for a kernel's name, such as "11_prefetch".
bool is_kernel_name(const std::string& word) {
  const size_t end = word.find_first_not_of("0123456789");
  return end != std::string::npos && word[end] == '_';
}

bool has_number(std::string_view sentence) {
  std::string before;
  for (size_t i = 0; i < sentence.size();) {
    if (!is_word_char(sentence[i])) {
      if (std::string_view(",;:(").find(sentence[i]) != std::string_view::npos) before.clear();
      ++i;
      continue;
    }
    const size_t end = word_end(sentence, i);
    const std::string word = lower(sentence.substr(i, end - i));
    const size_t next = std::min(end + 1, sentence.size());
    // A word that starts with a letter is a name, whatever digits follow: float4, sm_90, F1, 'K2'.
    const bool of_name = names_its_number(before) || is_after_plus_plus(sentence, i);
    const bool digits = is_digit(word[0]) && !of_name && !is_kernel_name(word);
    const bool words = is_number_word(word) && !(word == "double" && sentence.substr(next, 6) == "buffer");
    if (digits || words) return true;
    before = word;
    i = end;
  }
  return false;
}

bool ends_sentence(std::string_view text, size_t i) {
  if (i + 1 == text.size()) return true;
  return std::string_view(".?!").find(text[i]) != std::string_view::npos && text[i + 1] == ' ';
}

}  // namespace

std::vector<std::string> sentences_with_numbers(std::string_view text) {
  std::vector<std::string> sentences;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!ends_sentence(text, i)) continue;
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
    try {
      check();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace gemmscope::claims
