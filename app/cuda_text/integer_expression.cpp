#include "cuda_text/integer_expression.h"

#include <array>
#include <charconv>

#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

using Value = std::optional<int64_t>;

struct Binary {
  const char* text;
  int rank;  // higher binds tighter
};
// A longer operator comes before its own beginning.
constexpr Binary kBinaries[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                                {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                                {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

Value applied(std::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? Value() : result;
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Value() : result;
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Value() : result;
  if (op == "/" || op == "%") {
    if (b == 0 || (a == INT64_MIN && b == -1)) return {};
    return op == "/" ? a / b : a % b;
  }
  if (op == "<<" || op == ">>") {
    if (b < 0 || b > 62 || a < 0 || (op == "<<" && a > INT64_MAX >> b)) return {};
    return op == "<<" ? a << b : a >> b;
  }
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "&&") return a != 0 && b != 0;
  if (op == "||") return a != 0 || b != 0;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  return op == "<" ? a < b : a > b;
}

class Reader {
 public:
  Reader(std::string_view text, const IntegerNames& names) : text_(text), names_(names) {}

  Value whole() {
    const Value value = choice();
    skip();
    return at_ == text_.size() ? value : Value();
  }

 private:
  static constexpr int kDeepest = 64;  // of brackets and signs: no text overflows the stack

  void skip() {
    while (at_ < text_.size() && is_blank_char(text_[at_])) ++at_;
  }
  bool take(std::string_view piece) {
    skip();
    if (!text_.substr(at_).starts_with(piece)) return false;
    at_ += piece.size();
    return true;
  }

  Value choice() {
    const Value condition = binary(1);
    if (!take("?")) return condition;
    const Value yes = choice();
    if (!take(":")) return {};
    const Value no = choice();
    return !condition ? Value() : *condition != 0 ? yes : no;
  }

  // The side that && and || do not need may be unknown.
  Value binary(int least_rank) {
    Value left = unary();
    while (const Binary* op = next_operator(least_rank)) {
      const Value right = binary(op->rank + 1);
      const std::string_view text = op->text;
      if (left && ((text == "&&" && *left == 0) || (text == "||" && *left != 0)))
        left = *left != 0 ? 1 : 0;
      else
        left = left && right ? applied(text, *left, *right) : Value();
    }
    return left;
  }

  const Binary* next_operator(int least_rank) {
    skip();
    for (const Binary& op : kBinaries) {
      if (!text_.substr(at_).starts_with(op.text)) continue;
      if (op.rank < least_rank) return nullptr;
      at_ += std::string_view(op.text).size();
      return &op;
    }
    return nullptr;
  }

  Value unary() {
    if (++depth_ > kDeepest) return {};
    const Value value = unary_within();
    --depth_;
    return value;
  }

  Value unary_within() {
    if (take("-")) {
      const Value value = unary();
      return value ? applied("-", 0, *value) : value;
    }
    if (take("+")) return unary();
    if (take("~")) {
      const Value value = unary();
      return value ? Value(~*value) : value;
    }
    if (take("!")) {
      const Value value = unary();
      return value ? Value(*value == 0) : value;
    }
    if (take("(")) return in_brackets();
    return name_or_number();
  }

  // After "(": an expression, or a type to which the value behind ")" is cast.
  Value in_brackets() {
    const size_t end = text_.find(')', at_);
    if (end != std::string_view::npos && bytes_of_type(text_.substr(at_, end - at_)) != 0) {
      at_ = end + 1;
      return unary();
    }
    const Value value = choice();
    return take(")") ? value : Value();
  }

  Value name_or_number() {
    skip();
    const size_t begin = at_;
    at_ = end_of_word(text_, at_);
    std::string word(text_.substr(begin, at_ - begin));
    if (word.empty()) return {};
    if (word == "sizeof") return size_of();
    if (!starts_name(word[0])) return number(word);
    if (word == "true" || word == "false") return word == "true" ? 1 : 0;
    const auto known = names_.find(word);
    return known == names_.end() ? Value() : known->second;
  }

  Value size_of() {
    if (!take("(")) return {};
    const size_t end = text_.find(')', at_);
    if (end == std::string_view::npos) return {};
    const uint32_t bytes = bytes_of_type(text_.substr(at_, end - at_));
    at_ = end + 1;
    return bytes == 0 ? Value() : bytes;
  }

  static Value number(std::string_view text) {
    while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos)
      text.remove_suffix(1);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
      base = 16;
      text.remove_prefix(2);
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? Value(value) : Value();
  }

  std::string_view text_;
  const IntegerNames& names_;
  size_t at_ = 0;
  int depth_ = 0;
};

struct BasicType {
  const char* name;
  uint32_t bytes;
};
constexpr BasicType kTypes[] = {{"float", 4},          {"int", 4},           {"unsigned", 4},
                                {"unsigned int", 4},   {"uint", 4},          {"int32_t", 4},
                                {"uint32_t", 4},       {"char", 1},          {"unsigned char", 1},
                                {"signed char", 1},    {"int8_t", 1},        {"uint8_t", 1},
                                {"bool", 1},           {"short", 2},         {"unsigned short", 2},
                                {"int16_t", 2},        {"uint16_t", 2},      {"half", 2},
                                {"__half", 2},         {"bfloat16", 2},      {"__nv_bfloat16", 2},
                                {"nv_bfloat16", 2},    {"double", 8},        {"long", 8},
                                {"long long", 8},      {"unsigned long", 8}, {"unsigned long long", 8},
                                {"size_t", 8},         {"int64_t", 8},       {"uint64_t", 8},
                                {"float2", 8},         {"int2", 8},          {"uint2", 8},
                                {"float4", 16},        {"int4", 16},         {"uint4", 16},
                                {"double2", 16},       {"half2", 4},         {"__half2", 4},
                                {"__nv_bfloat162", 4}, {"nv_bfloat162", 4},  {"float3", 12},
                                {"int3", 12}};

}  // namespace

std::optional<int64_t> integer_value(std::string_view expression, const IntegerNames& names) {
  return Reader(expression, names).whole();
}

uint32_t bytes_of_type(std::string_view type) {
  const std::string plain = squeezed(type);
  for (const BasicType& known : kTypes)
    if (plain == known.name) return known.bytes;
  return 0;
}

}  // namespace gemmscope::cuda_text
