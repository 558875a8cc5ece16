#include "own_kernel/foreign_text.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace gemmscope::own_kernel {
namespace {

constexpr size_t kMostName = 200;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// As the compiler's first phases leave it: trigraphs replaced, lines joined that end in a backslash.
std::string spliced(std::string_view text) {
  std::string joined;
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
        i = end;
        continue;
      }
    }
    joined += c;
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

bool is_plain_header(std::string_view named) {
  const char close = named.starts_with('<') ? '>' : '"';
  if (!named.starts_with('<') && !named.starts_with('"')) return false;
  const size_t end = named.find(close, 1);
  if (end == std::string_view::npos || end == 1) return false;
  const std::string_view name = named.substr(1, end - 1);
  const bool relative = name[0] != '/' && name[0] != '~' && name.find('\\') == std::string_view::npos;
  return relative && name.find("..") == std::string_view::npos && name.find(':') == std::string_view::npos;
}

Result<void> check_line(std::string_view name, std::string_view line) {
  line = skip(line);
  // A comment may have begun lines before and end here: what follows it is looked at, too.
  if (const size_t end = line.find("*/"); end != std::string_view::npos && !line.starts_with('#'))
    return check_line(name, line.substr(end + 2));
  if (line.starts_with('#'))
    line = skip(line.substr(1));
  else if (line.starts_with("%:"))
    line = skip(line.substr(2));
  else
    return {};
  if (takes_word(line, "embed") || takes_word(line, "import"))
    return fail("{}: a kernel from elsewhere may not embed or import files.", name);
  const bool includes = takes_word(line, "include") || takes_word(line, "include_next");
  if (includes && !is_plain_header(line))
    return fail(
        "{}: a kernel from elsewhere may include headers by name only, such as <cuda_fp16.h>: no path, no "
        "\"..\", no "
        "macro.",
        name);
  return {};
}

}  // namespace

Result<void> check_foreign_text(std::string_view name, std::string_view text) {
  const bool plain_name = !name.empty() && name.size() <= kMostName && name[0] != '.' && name[0] != '-' &&
                          std::ranges::none_of(name, [](char c) {
                            return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
                          });
  if (!plain_name)
    return fail("A kernel from elsewhere must have a plain name, without a path; this one is \"{}\".",
                std::string(name.substr(0, 60)));
  if (text.find('\0') != std::string_view::npos)
    return fail("{}: the text of the kernel has a NUL character.", name);
  const std::string joined = spliced(text);
  std::string_view rest = joined;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (Result<void> checked = check_line(name, rest.substr(0, end)); !checked) return checked;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

}  // namespace gemmscope::own_kernel
