#include "scenes/source_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gemmscope::scenes {
namespace {

using drawing::Role;

constexpr std::array<std::string_view, 37> kKeywords = {
    "alignas",   "auto",       "bool",       "break",      "char",         "const",
    "constexpr", "continue",   "do",         "double",     "else",         "extern",
    "false",     "float",      "float2",     "float4",     "for",          "if",
    "inline",    "int",        "return",     "size_t",     "static",       "struct",
    "template",  "true",       "typename",   "unsigned",   "using",        "void",
    "while",     "__global__", "__device__", "__shared__", "__restrict__", "__launch_bounds__",
    "__align__"};

bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::vector<Token> tokens_of_source(std::string_view line) {
  std::vector<Token> tokens;
  const size_t comment = line.find("//");
  const std::string_view code = line.substr(0, comment);
  const size_t first = code.find_first_not_of(' ');
  if (first != std::string_view::npos && code[first] == '#') {
    tokens.push_back({code, Role::accent});
  } else {
    for (size_t i = 0; i < code.size();) {
      size_t end = i + 1;
      const bool word = word_character(code[i]);
      while (end < code.size() && word_character(code[end]) == word) ++end;
      const std::string_view piece = code.substr(i, end - i);
      const bool keyword = word && std::find(kKeywords.begin(), kKeywords.end(), piece) != kKeywords.end();
      tokens.push_back({piece, keyword ? Role::accent : Role::text});
      i = end;
    }
  }
  if (comment != std::string_view::npos) tokens.push_back({line.substr(comment), Role::text_dim});
  return tokens;
}

std::vector<Token> tokens_of_sass(std::string_view text, Role mnemonic_role) {
  std::vector<Token> tokens;
  if (text.ends_with(" ;")) text.remove_suffix(2);
  if (text.starts_with('@')) {
    const size_t space = std::min(text.find(' '), text.size() - 1) + 1;
    tokens.push_back({text.substr(0, space), Role::warning});
    text.remove_prefix(space);
  }
  const size_t space = std::min(text.find(' '), text.size());
  tokens.push_back({text.substr(0, space), mnemonic_role});
  if (space < text.size()) tokens.push_back({text.substr(space), Role::text});
  return tokens;
}

}  // namespace gemmscope::scenes
