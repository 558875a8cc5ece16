// Checks the syntax of typed inputs: one C expression of integers. The compiler evaluates it.
#include <algorithm>
#include <charconv>

#include "catalog/expression.h"
#include "catalog/lab.h"

namespace gemmscope::catalog {
namespace {

constexpr std::string_view kOperators[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                           "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",
                                           "<",  ">",  "~",  "!",  "?",  ":",  "(",  ")"};
constexpr int kMostDepth = 32;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A token is a part of the text, so that an error can give its place.
using Tokens = std::vector<std::string_view>;

Result<Tokens> tokens_of(std::string_view text) {
  Tokens tokens;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == '\t') {
      ++i;
      continue;
    }
    size_t length = 0;
    while (i + length < text.size() && is_word(text[i + length])) ++length;
    for (const std::string_view candidate : kOperators)
      if (length == 0 && text.substr(i, candidate.size()) == candidate) length = candidate.size();
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text[i]);
      const std::string shown =
          byte > 0x20 && byte < 0x7f ? std::string(1, text[i]) : fmt::format("byte {:#04x}", byte);
      return fail("{} is not allowed in it", shown);
    }
    tokens.push_back(text.substr(i, length));
    i += length;
  }
  return tokens;
}

bool is_number(std::string_view token) {
  const bool hexadecimal = token.starts_with("0x") || token.starts_with("0X");
  if (!hexadecimal && token.size() > 1 && token[0] == '0') return false;  // octal in C, decimal to a reader
  const std::string_view digits = hexadecimal ? token.substr(2) : token;
  int32_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  return error == std::errc{} && end == digits.data() + digits.size();
}

// chain = unary { binary unary } [ "?" chain ":" chain ];  unary = { "-" | "+" | "~" | "!" } primary
class Parser {
 public:
  Parser(const Tokens& tokens, const std::vector<std::string>& names) : tokens_(tokens), names_(names) {}

  Result<void> parse() {
    if (auto parsed = chain(0); !parsed) return parsed;
    if (at_ < tokens_.size()) return fail("an operator is missing before {}", tokens_[at_]);
    return {};
  }

 private:
  bool next_is(std::string_view token) const { return at_ < tokens_.size() && tokens_[at_] == token; }

  bool take_binary() {
    static constexpr std::string_view kBinary[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+",
                                                   "-",  "*",  "/",  "%",  "&",  "|",  "^",  "<",  ">"};
    if (at_ >= tokens_.size()) return false;
    if (std::find(std::begin(kBinary), std::end(kBinary), tokens_[at_]) == std::end(kBinary)) return false;
    ++at_;
    return true;
  }

  Result<void> chain(int depth) {
    if (depth > kMostDepth) return fail("it is nested too deeply");
    do {
      if (auto parsed = unary(depth); !parsed) return parsed;
    } while (take_binary());
    if (!next_is("?")) return {};
    ++at_;
    if (auto parsed = chain(depth + 1); !parsed) return parsed;
    if (!next_is(":")) return fail("a ? has no :");
    ++at_;
    return chain(depth + 1);
  }

  Result<void> unary(int depth) {
    while (next_is("-") || next_is("+") || next_is("~") || next_is("!")) ++at_;
    if (at_ >= tokens_.size()) return fail("a number or a name is missing at the end");
    const std::string_view token = tokens_[at_];
    if (token == "(") {
      ++at_;
      if (auto parsed = chain(depth + 1); !parsed) return parsed;
      if (!next_is(")")) return fail("a ) is missing");
      ++at_;
      return {};
    }
    if (!is_word(token[0])) return fail("a number or a name is missing before {}", token);
    const bool digit = token[0] >= '0' && token[0] <= '9';
    if (digit && !is_number(token)) return fail("{} is not a whole number below 2^31", token);
    if (!digit && std::find(names_.begin(), names_.end(), token) == names_.end())
      return fail("there is no {} here", token);
    ++at_;
    return {};
  }

  const Tokens& tokens_;
  const std::vector<std::string>& names_;
  size_t at_ = 0;
};

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace

Result<std::string> checked_input(const Input& input, std::string_view text) {
  const auto wrong = [&](const std::string& what) {
    return fail("{} = \"{}\": {}; type an integer expression of {} as in C, such as {}.", input.name,
                text.substr(0, kMostInputLength), what, list_of(input.names), input.default_value);
  };
  if (text.size() > kMostInputLength)
    return wrong(fmt::format("it is longer than {} characters", kMostInputLength));
  const Result<Tokens> tokens = tokens_of(text);
  if (!tokens) return wrong(tokens.error().message);
  if (const auto parsed = Parser(*tokens, input.names).parse(); !parsed)
    return wrong(tokens->empty() ? "it is empty" : parsed.error().message);
  std::string result = "(";
  for (const std::string_view token : *tokens) {
    if (result.size() > 1) result += ' ';
    result += token;
  }
  return result + ")";
}

}  // namespace gemmscope::catalog
