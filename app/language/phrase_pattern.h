// An English phrase with placeholders for what varies, as in "{} blocks of {#} warps on {=}".
//   {}   words, which are translated in their turn
//   {#}  a number with its unit, or a name with a number: no spaces, at least one digit
//   {=}  kept as it is: a name, code, what somebody typed
// A translation names them in the order of the English, {} after {}, or by number: "{1} … {0}". Braces
// themselves are written twice.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gemmscope::language {

enum class Placeholder : unsigned char { words, number, verbatim };

class PhrasePattern {
 public:
  // Fails when a brace has no partner or holds something else.
  static Result<PhrasePattern> parse(std::string_view english);

  bool has_placeholders() const { return !placeholders_.empty(); }
  const std::vector<Placeholder>& placeholders() const { return placeholders_; }
  // The text before, between and after the placeholders; one more than there are placeholders.
  const std::vector<std::string>& literals() const { return literals_; }
  size_t literal_length() const { return literal_length_; }

  // Fills `contents` with what the placeholders stand for. Each holds at least a character, and the first
  // ones as few as possible.
  bool match(std::string_view text, std::vector<std::string_view>& contents) const;

 private:
  bool match_from(size_t index, std::string_view rest, std::vector<std::string_view>& contents) const;

  std::vector<Placeholder> placeholders_;
  std::vector<std::string> literals_;
  size_t literal_length_ = 0;
};

// The translation of a pattern: text and the numbers of the placeholders in it.
class FilledPhrase {
 public:
  // `count`: how many placeholders the English has; each has to be used at least once.
  static Result<FilledPhrase> parse(std::string_view translation, size_t count);

  std::string fill(const std::vector<std::string>& contents) const;
  const std::vector<std::string>& literals() const { return literals_; }

 private:
  std::vector<std::string> literals_;
  std::vector<size_t> order_;
};

// Has no spaces and at least one digit.
bool is_number_like(std::string_view text);

}  // namespace gemmscope::language
