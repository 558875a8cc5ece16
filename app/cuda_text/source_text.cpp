#include "cuda_text/source_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "cuda_text/text_scanner.h"

namespace gemmscope::cuda_text {
namespace {

size_t end_of_literal(const std::string& text, size_t at) {
  const char quote = text[at];
  for (size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return at + 1;
}

// A quote after a digit is a separator, as in 1'000, and begins no literal.
bool starts_literal(const std::string& text, size_t at) {
  return text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word_char(text[at - 1])));
}

}  // namespace

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank_char(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
size_t end_of_word(std::string_view text, size_t at) {
  while (at < text.size() && is_word_char(text[at])) ++at;
  return at;
}
std::string_view token_at(std::string_view text, size_t at) {
  return text.substr(at, std::max(end_of_word(text, at), at + 1) - at);
}
std::string last_component(const std::string& name) { return name.substr(name.rfind(':') + 1); }

void blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < std::min(end, text.size()); ++i)
    if (text[i] != '\n') text[i] = ' ';
}

void blank_comments_and_literals(std::string& text) {
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      const size_t end = std::min(text.find('\n', i), text.size());
      blank(text, i, end), i = end;
    } else if (text.compare(i, 2, "/*") == 0) {
      const size_t close = text.find("*/", i + 2), end = close == std::string::npos ? text.size() : close + 2;
      blank(text, i, end), i = end;
    } else if (starts_literal(text, i)) {
      const size_t end = end_of_literal(text, i);
      // extern "C" stays readable.
      if (text.compare(i, end - i, "\"C\"") != 0) blank(text, i, end);
      i = end;
    } else {
      ++i;
    }
  }
}

std::vector<std::string> take_directives(std::string& text) {
  std::vector<std::string> directives;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    const size_t first = text.find_first_not_of(" \t", begin);
    if (first < end && text[first] == '#') {
      const auto continues = [&] {
        const size_t last = text.find_last_not_of(" \t\r", end - 1);
        return end < text.size() && last != std::string::npos && last >= begin && text[last] == '\\';
      };
      while (continues()) end = std::min(text.find('\n', end + 1), text.size());
      directives.push_back(text.substr(begin, end - begin));
      blank(text, begin, end);
    }
    begin = end + 1;
  }
  return directives;
}

size_t behind_bracket(std::string_view text, size_t at) {
  const char open = text[at], close = open == '(' ? ')' : open == '{' ? '}' : open == '[' ? ']' : '>';
  int depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word_char(text[at - 1]);
    const size_t end = at + word.size();
    if (starts && (end == text.size() || !is_word_char(text[end]))) return true;
  }
  return false;
}

std::string replaced_word(std::string_view text, std::string_view word, std::string_view by) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const std::string_view token = token_at(text, at);
    result += token == word ? by : token;
    at += token.size();
  }
  return result;
}

int line_of(std::string_view text, size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
}

std::optional<std::pair<std::string, size_t>> definition_of(std::string_view text, std::string_view name,
                                                            size_t at) {
  for (size_t i = text.rfind(name, at); i != std::string::npos && i > 0; i = text.rfind(name, i - 1)) {
    size_t end = i + name.size();
    if (is_word_char(text[i - 1]) || text[i - 1] == '.' || end >= text.size() || is_word_char(text[end]))
      continue;
    end = text.find_first_not_of(" \t\r\n", end);
    if (end == std::string::npos || text[end] != '=' || text.substr(end, 2) == "==") continue;
    int depth = 0;
    size_t stop = end + 1;
    for (; stop < text.size(); ++stop) {
      const char c = text[stop];
      depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
      if (c == ';' || (c == ',' && depth == 0) || depth < 0) break;
    }
    return std::pair(squeezed(text.substr(end + 1, stop - end - 1)), i);
  }
  return std::nullopt;
}

std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (!is_blank_char(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string searchable(std::string_view text) {
  const std::string all = squeezed(text);
  std::string result;
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find_first_of(";{}", begin), all.size() - 1) + 1;
    if (end - begin <= kMostStatement) result.append(all, begin, end - begin);
    begin = end;
  }
  return result;
}

std::optional<MacroDefinition> macro_definition(std::string_view directive) {
  TextScanner scan(directive);
  scan.skip_blanks();
  if (!scan.take("#")) return std::nullopt;
  scan.skip_blanks();
  if (!scan.take("define") || !scan.skip_blanks()) return std::nullopt;
  const std::string_view name = scan.take_word();
  if (name.empty()) return std::nullopt;
  return MacroDefinition{name, scan.rest()};
}

std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) {
      const char c = text[i];
      depth += c == '(' || c == '[' || c == '{' || c == '<' ? 1 : 0;
      depth -= c == ')' || c == ']' || c == '}' || c == '>' ? 1 : 0;
      if (c != ',' || depth > 0) continue;
    }
    const std::string part = squeezed(text.substr(begin, i - begin));
    if (!part.empty() || i < text.size()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

}  // namespace gemmscope::cuda_text
