#include "cuda_text/include_directives.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace gemmscope::cuda_text {
namespace {

using Form = IncludeDirective::Form;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// As the compiler's first phases leave it: trigraphs replaced, lines joined that end in a backslash. The ends
// of joined lines follow after the line, so that it keeps its number.
std::string spliced(std::string_view text) {
  std::string joined;
  size_t owed = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string_view rest = text.substr(i);
    char c = rest[0];
    size_t length = 1;
    if (rest.starts_with("?\?/")) c = '\\', length = 3;
    if (rest.starts_with("?\?=")) c = '#', length = 3;
    if (c == '\\') {
      // The compiler also takes blanks between the backslash and the end of the line.
      size_t end = i + length;
      while (end < text.size() && is_blank(text[end])) ++end;
      if (end < text.size() && text[end] == '\n') {
        ++owed;
        i = end;
        continue;
      }
    }
    joined += c;
    if (c == '\n') joined.append(std::exchange(owed, 0), '\n');
    i += length - 1;
  }
  return joined;
}

// Skips blanks and comments within the line.
std::string_view skip(std::string_view line) {
  for (;;) {
    while (!line.empty() && is_blank(line[0])) line.remove_prefix(1);
    if (!line.starts_with("/*")) return line;
    const size_t end = line.find("*/", 2);
    if (end == std::string_view::npos) return {};
    line.remove_prefix(end + 2);
  }
}

bool takes_word(std::string_view& line, std::string_view word) {
  if (!line.starts_with(word)) return false;
  const char next = line.size() > word.size() ? line[word.size()] : ' ';
  if (std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '_') return false;
  line = skip(line.substr(word.size()));
  return true;
}

IncludeDirective named(std::string_view text) {
  const bool angled = text.starts_with('<');
  if (!angled && !text.starts_with('"')) return {};
  const size_t end = text.find(angled ? '>' : '"', 1);
  if (end == std::string_view::npos || end == 1) return {};
  return {angled ? Form::angled : Form::quoted, std::string(text.substr(1, end - 1))};
}

// What follows # or %: on the line; nothing: the line is no directive.
std::optional<std::string_view> after_hash(std::string_view line) {
  for (;;) {
    line = skip(line);
    // A comment may have begun lines before and end here: what follows it is looked at, too.
    const size_t end = line.find("*/");
    if (line.starts_with('#') || end == std::string_view::npos) break;
    line.remove_prefix(end + 2);
  }
  if (line.starts_with('#')) return skip(line.substr(1));
  if (line.starts_with("%:")) return skip(line.substr(2));
  return {};
}

std::optional<IncludeDirective> directive_of(std::string_view text) {
  const std::optional<std::string_view> directive = after_hash(text);
  if (!directive) return {};
  std::string_view line = *directive;
  if (takes_word(line, "embed") || takes_word(line, "import")) return IncludeDirective{Form::embedded};
  if (takes_word(line, "include") || takes_word(line, "include_next")) return named(line);
  return {};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Behind __has_include: (<a header's name without a path>).
bool asks_for_header(std::string_view line) {
  line = skip(line);
  if (!line.starts_with('(')) return false;
  line = skip(line.substr(1));
  const std::string_view name = line.substr(0, line.find('>'));
  return name.starts_with('<') && !name.starts_with("</") && name.find("..") == std::string_view::npos;
}

bool probes_files(std::string_view text) {
  constexpr std::string_view kAsks = "__has_include";
  if (text.find("__has_embed") != std::string_view::npos) return true;
  for (size_t at = text.find(kAsks); at != std::string_view::npos; at = text.find(kAsks, at + 1))
    if (!asks_for_header(text.substr(at + kAsks.size()))) return true;
  const std::optional<std::string_view> directive = after_hash(text);
  if (!directive || directive->empty()) return false;
  std::string_view line = *directive;
  if (!takes_word(line, "line") && !is_digit(line[0])) return false;
  return !std::ranges::all_of(line, [](char c) { return is_digit(c) || is_blank(c); });
}

}  // namespace

int line_that_probes_files(std::string_view text) {
  const std::string joined = spliced(text);
  std::string_view rest = joined;
  for (int line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (probes_files(rest.substr(0, end))) return line;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}

std::vector<IncludeDirective> include_directives(std::string_view text) {
  std::vector<IncludeDirective> found;
  const std::string joined = spliced(text);
  std::string_view rest = joined;
  for (int line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (std::optional<IncludeDirective> one = directive_of(rest.substr(0, end))) {
      one->line = line;
      found.push_back(*std::move(one));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

}  // namespace gemmscope::cuda_text
