#include "catalog/expression.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gemmscope::catalog {
namespace {

// Enough for any launch. The limit keeps a malicious file from exhausting the stack.
constexpr int kMaxDepth = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

std::optional<int64_t> add(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}
std::optional<int64_t> subtract(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  return result;
}
std::optional<int64_t> multiply(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}
// The three divisions need b != 0. Only the lowest number divided by -1 gives a quotient that does not fit.
std::optional<int64_t> divide(int64_t a, int64_t b) {
  if (b == -1) return subtract(0, a);
  return a / b;
}
std::optional<int64_t> shift_left(int64_t a, int64_t b) {
  if (b < 0 || b > 62) return std::nullopt;
  return multiply(a, int64_t{1} << b);
}
std::optional<int64_t> shift_right(int64_t a, int64_t b) {
  if (b < 0 || b > 63) return std::nullopt;
  return a >> b;
}
std::optional<int64_t> bits_or(int64_t a, int64_t b) { return a | b; }
std::optional<int64_t> bits_xor(int64_t a, int64_t b) { return a ^ b; }
std::optional<int64_t> bits_and(int64_t a, int64_t b) { return a & b; }
std::optional<int64_t> remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
std::optional<int64_t> ceil_div(int64_t a, int64_t b) {
  if (b == -1) return subtract(0, a);
  const bool rounds_up = a % b != 0 && (a < 0) == (b < 0);
  return a / b + (rounds_up ? 1 : 0);
}

// A recursive-descent parser that computes while it reads. After a failure every step returns at once.
class Parser {
 public:
  Parser(std::string_view text, const Values& values, bool computes)
      : text_(text), values_(values), computes_(computes) {}

  Result<int64_t> parse() {
    const int64_t value = parse_choice();
    if (!failure_ && !at_end()) fail_here("an operator");
    if (failure_) return fail("{} in the expression \"{}\"", *failure_, text_);
    return value;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool at_end() {
    peek();
    return at_ >= text_.size();
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view wanted) {
    peek();
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  void fail_with(std::string sentence) {
    if (!failure_) failure_ = std::move(sentence);
  }
  void fail_here(std::string_view wanted) {
    if (at_end()) {
      fail_with(fmt::format("{} is missing at the end", wanted));
    } else if (text_[at_] > ' ' && text_[at_] <= '~') {
      fail_with(fmt::format("expected {} instead of \"{}\" (character {})", wanted, text_[at_], at_ + 1));
    } else {  // a part of a multi-byte character would make the message invalid UTF-8
      fail_with(fmt::format("expected {} at character {}", wanted, at_ + 1));
    }
  }
  int64_t checked(std::optional<int64_t> value, int64_t a, std::string_view operation, int64_t b) {
    if (!value) fail_with(fmt::format("{} {} {} overflows 64 bits", a, operation, b));
    return value.value_or(0);
  }
  using Operation = std::optional<int64_t> (*)(int64_t, int64_t);
  int64_t apply(Operation operation, int64_t a, std::string_view name, int64_t b) {
    if (!computes_ || failure_) return 0;
    return checked(operation(a, b), a, name, b);
  }
  int64_t apply_division(Operation operation, int64_t a, std::string_view name, int64_t b) {
    if (!computes_ || failure_) return 0;
    if (b == 0) {
      fail_with("division by zero");
      return 0;
    }
    return checked(operation(a, b), a, name, b);
  }

  // True for `op` alone: not for "||" where "|" is wanted.
  bool take_single(char op) {
    if (peek() != op || (at_ + 1 < text_.size() && text_[at_ + 1] == op)) return false;
    ++at_;
    return true;
  }

  // As in C, the right side of "||" and "&&" is read but not computed if the left side decides, so
  // "N != 0 && M / N > 2" does not divide by zero.
  bool parse_side(bool decided, int64_t (Parser::*side)()) {
    const bool computes = computes_;
    computes_ = computes_ && !decided;
    const bool value = (this->*side)() != 0;
    computes_ = computes;
    return value;
  }

  // Reads one of the two sides of "?" and computes it only if it is wanted.
  int64_t parse_branch(bool wanted) {
    if (depth_ >= kMaxDepth) {
      fail_with(fmt::format("more than {} levels of nesting", kMaxDepth));
      return 0;
    }
    ++depth_;
    const bool computes = computes_;
    computes_ = computes_ && wanted;
    const int64_t value = parse_choice();
    computes_ = computes;
    --depth_;
    return value;
  }

  int64_t parse_choice() {
    const int64_t value = parse_either();
    if (failure_ || !take('?')) return value;
    const int64_t yes = parse_branch(value != 0);
    if (!failure_ && !take(':')) fail_here("\":\"");
    const int64_t no = failure_ ? 0 : parse_branch(value == 0);
    return value != 0 ? yes : no;
  }

  int64_t parse_either() {
    int64_t value = parse_both();
    while (!failure_ && take("||")) {
      const bool right = parse_side(value != 0, &Parser::parse_both);
      value = value != 0 || right ? 1 : 0;
    }
    return value;
  }

  int64_t parse_both() {
    int64_t value = parse_bit_or();
    while (!failure_ && take("&&")) {
      const bool right = parse_side(value == 0, &Parser::parse_bit_or);
      value = value != 0 && right ? 1 : 0;
    }
    return value;
  }

  int64_t parse_bit_or() {
    int64_t value = parse_bit_xor();
    while (!failure_ && take_single('|')) value = apply(bits_or, value, "|", parse_bit_xor());
    return value;
  }
  int64_t parse_bit_xor() {
    int64_t value = parse_bit_and();
    while (!failure_ && take('^')) value = apply(bits_xor, value, "^", parse_bit_and());
    return value;
  }
  int64_t parse_bit_and() {
    int64_t value = parse_comparison();
    while (!failure_ && take_single('&')) value = apply(bits_and, value, "&", parse_comparison());
    return value;
  }

  int64_t parse_comparison() {
    const int64_t left = parse_shift();
    if (failure_) return 0;
    const std::string_view operation = take_comparison();
    if (operation.empty()) return left;
    const int64_t right = parse_shift();
    if (!failure_ && !take_comparison().empty())
      fail_with(fmt::format("comparisons do not chain (character {}); join two with \"&&\"", at_));
    if (operation == "==") return left == right ? 1 : 0;
    if (operation == "!=") return left != right ? 1 : 0;
    if (operation == "<=") return left <= right ? 1 : 0;
    if (operation == ">=") return left >= right ? 1 : 0;
    return (operation == "<" ? left < right : left > right) ? 1 : 0;
  }
  std::string_view take_comparison() {
    for (const std::string_view operation : {"==", "!=", "<=", ">=", "<", ">"})
      if (take(operation)) return operation;
    return {};
  }

  int64_t parse_shift() {
    int64_t value = parse_sum();
    while (!failure_) {
      if (take("<<")) {
        value = apply(shift_left, value, "<<", parse_sum());
      } else if (take(">>")) {
        value = apply(shift_right, value, ">>", parse_sum());
      } else {
        break;
      }
    }
    return value;
  }

  int64_t parse_sum() {
    int64_t value = parse_product();
    while (!failure_) {
      if (take('+')) {
        value = apply(add, value, "+", parse_product());
      } else if (take('-')) {
        value = apply(subtract, value, "-", parse_product());
      } else {
        break;
      }
    }
    return value;
  }

  int64_t parse_product() {
    int64_t value = parse_factor();
    while (!failure_) {
      if (take('*')) {
        value = apply(multiply, value, "*", parse_factor());
      } else if (take('/')) {
        value = apply_division(divide, value, "/", parse_factor());
      } else if (take('%')) {
        value = apply_division(remainder, value, "%", parse_factor());
      } else {
        break;
      }
    }
    return value;
  }

  int64_t parse_factor() {
    if (depth_ >= kMaxDepth) {
      fail_with(fmt::format("more than {} levels of nesting", kMaxDepth));
      return 0;
    }
    ++depth_;
    const int64_t value = parse_nested_factor();
    --depth_;
    return value;
  }

  int64_t parse_nested_factor() {
    const char next = peek();
    if (is_digit(next)) return parse_number();
    if (is_name_start(next)) return parse_name();
    if (take('-')) return apply(subtract, 0, "-", parse_factor());
    if (take('!')) return parse_factor() == 0 ? 1 : 0;
    if (take('~')) return ~parse_factor();
    if (take('(')) {
      const int64_t value = parse_choice();
      if (!failure_ && !take(')')) fail_here("\")\"");
      return value;
    }
    fail_here("a number, a name or \"(\"");
    return 0;
  }

  int64_t parse_number() {
    int64_t value = 0;
    const bool hexadecimal = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
    if (hexadecimal) at_ += 2;
    const char* begin = text_.data() + at_;
    const auto [end, error] =
        std::from_chars(begin, text_.data() + text_.size(), value, hexadecimal ? 16 : 10);
    if (hexadecimal && (end == begin || value < 0)) {
      fail_here("a hexadecimal number");
      return 0;
    }
    if (error != std::errc{}) {
      fail_with("a number overflows 64 bits");
      return 0;
    }
    at_ += static_cast<size_t>(end - begin);
    return value;
  }

  int64_t parse_name() {
    const size_t begin = at_;
    const auto skip_name = [&] {
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    };
    skip_name();
    while (at_ + 1 < text_.size() && text_[at_] == '.' && is_name_start(text_[at_ + 1])) {
      ++at_;
      skip_name();
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (is_function(name)) return parse_call(name);
    const auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    std::string known;
    for (const auto& [other, value] : values_) known += (known.empty() ? "" : ", ") + other;
    fail_with(fmt::format("unknown name \"{}\" (known: {})", name, known));
    return 0;
  }

  int64_t parse_call(std::string_view function) {
    if (!take('(')) {
      fail_here("\"(\"");
      return 0;
    }
    const int64_t a = parse_choice();
    if (!failure_ && !take(',')) fail_here("\",\"");
    const int64_t b = failure_ ? 0 : parse_choice();
    if (!failure_ && !take(')')) fail_here("\")\"");
    if (function == "min") return std::min(a, b);
    if (function == "max") return std::max(a, b);
    return apply_division(ceil_div, a, "divided by", b);
  }

  const std::string_view text_;
  const Values& values_;
  bool computes_;
  size_t at_ = 0;
  int depth_ = 0;
  std::optional<std::string> failure_;
};

}  // namespace

Result<int64_t> evaluate(std::string_view expression, const Values& values) {
  return Parser(expression, values, true).parse();
}

Result<void> check_expression(std::string_view expression, const Values& values) {
  return Parser(expression, values, false).parse().map([](int64_t) {});
}

bool is_name(std::string_view text) {
  return !text.empty() && is_name_start(text.front()) && std::all_of(text.begin(), text.end(), is_name_part);
}

bool is_function(std::string_view name) { return name == "ceil_div" || name == "min" || name == "max"; }

}  // namespace gemmscope::catalog
