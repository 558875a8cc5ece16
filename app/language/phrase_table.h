// English phrases and their translations (assets/languages/zh.toml). Pure: no screen, no file.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "language/phrase_pattern.h"

namespace gemmscope::language {

struct Translation {
  std::string text;
  bool complete = true;  // nothing of it stayed English that has words
};

class PhraseTable {
 public:
  // Fails when the phrase is there already, or the placeholders of the two differ. "{#} block(s)" stands for
  // "{#} block" and "{#} blocks".
  Result<void> add(std::string_view english, std::string_view translation);

  // The whole phrase; else its lines and its parts between " · "; of each the most specific pattern that
  // matches; else its sentences. What has no entry stays as it is.
  Translation translate(std::string_view english) const;

  bool empty() const { return exact_.empty() && patterns_.empty(); }
  size_t size() const { return exact_.size() + patterns_.size(); }
  // The characters of all translations beyond ASCII, ascending.
  std::vector<uint32_t> characters() const;
  // The English of every entry that no translate() has used so far.
  std::vector<std::string> unused() const;

 private:
  struct Entry {
    std::string english;
    PhrasePattern pattern;
    FilledPhrase translation;
    mutable bool used = false;  // by the one thread that draws
  };
  struct Exact {
    std::string translation;
    mutable bool used = false;
  };

  bool translate_pattern(std::string_view text, int depth, Translation& to) const;
  Translation fill(const Entry& entry, const std::vector<std::string_view>& contents, int depth) const;
  // `closed`: a full stop at the end belongs to what is around it.
  Translation translate(std::string_view english, int depth, bool closed = false) const;
  bool translate_parts(std::string_view text, std::string_view between, int depth, Translation& to) const;

  std::map<std::string, Exact, std::less<>> exact_;
  // The most specific first: the one with most characters outside of its placeholders.
  std::multimap<size_t, Entry, std::greater<>> patterns_;
};

// Has no English words, so that it is the same in every language: numbers, units, names of instructions.
bool has_no_words(std::string_view text);
// Has a character of Chinese.
bool is_chinese(std::string_view text);

}  // namespace gemmscope::language
