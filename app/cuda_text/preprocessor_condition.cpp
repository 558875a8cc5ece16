#include "cuda_text/preprocessor_condition.h"

#include "catalog/expression.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

// Replaces "defined X" and "defined(X)" by 1 or 0.
std::string with_defined_replaced(std::string_view text, const Macros& macros) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const std::string_view word = token_at(text, i);
    i += word.size();
    const size_t end = i;
    if (word != "defined") {
      result += word;
      continue;
    }
    size_t at = text.find_first_not_of(" \t(", end);
    if (at == std::string_view::npos) return "?";
    const size_t behind = end_of_word(text, at);
    result += macros.find(std::string(text.substr(at, behind - at))) != nullptr ? "1" : "0";
    const bool bracket = text.substr(end, at - end).find('(') != std::string_view::npos;
    i = bracket ? std::min(text.find(')', behind), text.size() - 1) + 1 : behind;
  }
  return result;
}

// Writes numbers in decimal without suffixes, and names as 0 ("true" as 1). Returns nothing for a call or a
// malformed hexadecimal number.
std::optional<std::string> as_numbers(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    std::string word(token_at(text, i));
    i += word.size();
    if (!is_word_char(word[0])) {
      result += word;
      continue;
    }
    if (starts_name(word[0])) {
      const size_t next = text.find_first_not_of(' ', i);
      if (next != std::string::npos && text[next] == '(') return std::nullopt;
      result += word == "true" ? "1" : "0";
      continue;
    }
    while (std::string("uUlL").find(word.back()) != std::string::npos) word.pop_back();
    if (word.starts_with("0x") || word.starts_with("0X")) {
      if (word.size() > 2 + 15 || word.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos ||
          word.size() == 2)
        return std::nullopt;
      word = std::to_string(std::stoll(word, nullptr, 16));
    }
    result += word;
  }
  return result;
}

}  // namespace

std::optional<bool> holds(std::string_view text, const Macros& macros,
                          const std::set<std::string>& undecided) {
  if (text.size() > kMostStatement) return std::nullopt;
  const std::string expanded = macros.expanded(with_defined_replaced(text, macros));
  if (expanded.size() > kMostStatement) return std::nullopt;
  for (const std::string& name : undecided)
    if (has_word(expanded, name)) return std::nullopt;
  const auto numbers = as_numbers(squeezed(expanded));
  const auto value = numbers ? catalog::evaluate(*numbers, {}) : Result<int64_t>(tl::unexpected(Error{}));
  return value ? std::optional(*value != 0) : std::nullopt;
}

}  // namespace gemmscope::cuda_text
