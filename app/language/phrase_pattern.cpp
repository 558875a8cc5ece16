#include "language/phrase_pattern.h"

#include <algorithm>
#include <charconv>

namespace gemmscope::language {
namespace {

// Splits a text at its placeholders. `take` gets what stands between two braces.
template <typename Take>
Result<void> split(std::string_view text, std::vector<std::string>& literals, const Take& take) {
  literals.assign(1, "");
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool doubled = at + 1 < text.size() && text[at + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      literals.back() += c;
      ++at;
    } else if (c == '{') {
      const size_t end = text.find('}', at);
      if (end == std::string_view::npos) return fail("\"{}\" has a {{ without its }}.", text);
      if (!take(text.substr(at + 1, end - at - 1)))
        return fail("\"{}\" has an unknown placeholder {}.", text, text.substr(at, end - at + 1));
      literals.emplace_back();
      at = end;
    } else if (c == '}') {
      return fail("\"{}\" has a }} without its {{.", text);
    } else {
      literals.back() += c;
    }
  }
  return {};
}

bool may_hold(Placeholder placeholder, std::string_view text) {
  return !text.empty() && (placeholder != Placeholder::number || is_number_like(text));
}

}  // namespace

bool is_number_like(std::string_view text) {
  return text.find(' ') == std::string_view::npos && text.find('\n') == std::string_view::npos &&
         std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Result<PhrasePattern> PhrasePattern::parse(std::string_view english) {
  PhrasePattern pattern;
  const auto take = [&](std::string_view inside) {
    if (inside.empty())
      pattern.placeholders_.push_back(Placeholder::words);
    else if (inside == "#")
      pattern.placeholders_.push_back(Placeholder::number);
    else if (inside == "=")
      pattern.placeholders_.push_back(Placeholder::verbatim);
    else
      return false;
    return true;
  };
  if (Result<void> done = split(english, pattern.literals_, take); !done) return tl::unexpected(done.error());
  for (const std::string& literal : pattern.literals_) pattern.literal_length_ += literal.size();
  for (size_t i = 1; i + 1 < pattern.literals_.size(); ++i)
    if (pattern.literals_[i].empty())
      return fail("\"{}\" has two placeholders with nothing between them.", english);
  return pattern;
}

bool PhrasePattern::match(std::string_view text, std::vector<std::string_view>& contents) const {
  contents.clear();
  const std::string& first = literals_.front();
  const std::string& last = literals_.back();
  if (placeholders_.empty()) return text == first;
  if (text.size() < literal_length_ + placeholders_.size()) return false;
  if (!text.starts_with(first) || !text.ends_with(last)) return false;
  return match_from(0, text.substr(first.size(), text.size() - first.size() - last.size()), contents);
}

// `rest` begins with what placeholder `index` holds and ends before the last literal.
bool PhrasePattern::match_from(size_t index, std::string_view rest,
                               std::vector<std::string_view>& contents) const {
  if (index + 1 == placeholders_.size()) {
    if (!may_hold(placeholders_[index], rest)) return false;
    contents.push_back(rest);
    return true;
  }
  const std::string& next = literals_[index + 1];
  for (size_t at = rest.find(next, 1); at != std::string_view::npos; at = rest.find(next, at + 1)) {
    if (!may_hold(placeholders_[index], rest.substr(0, at))) continue;
    contents.push_back(rest.substr(0, at));
    if (match_from(index + 1, rest.substr(at + next.size()), contents)) return true;
    contents.pop_back();
  }
  return false;
}

Result<FilledPhrase> FilledPhrase::parse(std::string_view translation, size_t count) {
  FilledPhrase phrase;
  size_t next = 0;
  const auto take = [&](std::string_view inside) {
    size_t number = next;
    if (inside.empty()) {
      ++next;
    } else {
      const auto [end, error] = std::from_chars(inside.data(), inside.data() + inside.size(), number);
      if (error != std::errc() || end != inside.data() + inside.size()) return false;
    }
    phrase.order_.push_back(number);
    return true;
  };
  if (Result<void> done = split(translation, phrase.literals_, take); !done)
    return tl::unexpected(done.error());
  for (size_t i = 0; i < count; ++i)
    if (std::ranges::find(phrase.order_, i) == phrase.order_.end())
      return fail("\"{}\" leaves out placeholder {} of the English.", translation, i);
  for (const size_t number : phrase.order_)
    if (number >= count)
      return fail("\"{}\" has a placeholder {}, and the English has only {}.", translation, number, count);
  return phrase;
}

std::string FilledPhrase::fill(const std::vector<std::string>& contents) const {
  std::string text = literals_.front();
  for (size_t i = 0; i < order_.size(); ++i) {
    text += contents[order_[i]];
    text += literals_[i + 1];
  }
  return text;
}

}  // namespace gemmscope::language
