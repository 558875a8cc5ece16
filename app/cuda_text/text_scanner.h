// Reads a text from left to right, piece by piece.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {

// A member that finds its piece moves behind it; one that does not leaves the position as it is.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text, size_t at = 0) : text_(text), at_(std::min(at, text.size())) {}

  size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  std::string_view rest() const { return text_.substr(at_); }

  bool take(std::string_view piece) {
    const bool found = rest().starts_with(piece);
    if (found) at_ += piece.size();
    return found;
  }
  // Takes one of these words and the white space behind it, which must be there.
  bool take_keyword(std::initializer_list<std::string_view> words) {
    const std::string_view word = rest().substr(0, end_of_word(text_, at_) - at_);
    if (std::find(words.begin(), words.end(), word) == words.end()) return false;
    const size_t before = at_;
    at_ += word.size();
    if (skip_blanks()) return true;
    at_ = before;
    return false;
  }
  // Returns true if there was white space.
  bool skip_blanks() {
    const size_t before = at_;
    while (!at_end() && is_blank_char(text_[at_])) ++at_;
    return at_ > before;
  }
  // These return the piece that was taken; empty if there is none.
  std::string_view take_word() { return taken(end_of_word(text_, at_)); }
  std::string_view take_all_of(std::string_view characters) {
    return taken(text_.find_first_not_of(characters, at_));
  }
  std::string_view take_none_of(std::string_view characters) {
    return taken(text_.find_first_of(characters, at_));
  }

 private:
  std::string_view taken(size_t end) {
    const size_t begin = at_;
    at_ = std::min(end, text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  size_t at_;
};

// Calls `read` with the position of each word. `read` returns the position behind what it has read there,
// from which the search goes on, or 0 for nothing.
template <typename Read>
void read_at_words(std::string_view text, const Read& read) {
  for (size_t at = 0; at < text.size();)
    at = std::max(is_word_char(text[at]) ? read(at) : size_t{0}, at + token_at(text, at).size());
}

}  // namespace gemmscope::cuda_text
