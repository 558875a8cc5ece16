#include "catalog/expression.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>

namespace gemmscope::catalog {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
const Values kValues = {{"M", 300}, {"N", 128}, {"K", -7}, {"LOWEST", kMin}, {"HIGHEST", kMax}};

int64_t value_of(std::string_view expression) {
  const auto value = evaluate(expression, kValues);
  EXPECT_TRUE(value) << expression << ": " << (value ? "" : value.error().message);
  return value.value_or(-999999);
}

std::string error_of(std::string_view expression) {
  const auto value = evaluate(expression, kValues);
  EXPECT_FALSE(value) << expression << " = " << value.value_or(0);
  return value ? "" : value.error().message;
}

TEST(Expression, PrecedenceAndAssociativity) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("10 - 3 - 2"), 5);
  EXPECT_EQ(value_of("100 / 7 / 2"), 7);
  EXPECT_EQ(value_of("100 / (7 / 2)"), 33);
  EXPECT_EQ(value_of("17 % 10 * 2"), 14);
  EXPECT_EQ(value_of("-2 * -3"), 6);
  EXPECT_EQ(value_of("- - 2"), 2);
  EXPECT_EQ(value_of("2--3"), 5);
  EXPECT_EQ(value_of("  42\t"), 42);
}

TEST(Expression, NamesAndFunctions) {
  EXPECT_EQ(value_of("M*N"), 38400);
  EXPECT_EQ(value_of("ceil_div(M, N)"), 3);
  EXPECT_EQ(value_of("ceil_div(256, N)"), 2);
  EXPECT_EQ(value_of("min(M, max(N, 200)) + 1"), 201);
  EXPECT_EQ(value_of("ceil_div(min(M, 5), max(2, K))"), 3);
}

TEST(Expression, DivisionRoundsAsInC) {
  EXPECT_EQ(value_of("K / 2"), -3);
  EXPECT_EQ(value_of("K % 2"), -1);
  EXPECT_EQ(value_of("7 / -2"), -3);
  EXPECT_EQ(value_of("ceil_div(K, 2)"), -3);
  EXPECT_EQ(value_of("ceil_div(K, -2)"), 4);
  EXPECT_EQ(value_of("ceil_div(7, -2)"), -3);
}

TEST(Expression, TheEdgesOf64Bits) {
  EXPECT_EQ(value_of("9223372036854775807"), kMax);
  EXPECT_EQ(value_of("-9223372036854775807 - 1"), kMin);
  EXPECT_EQ(value_of("LOWEST % -1"), 0);
  EXPECT_EQ(value_of("ceil_div(HIGHEST, 2)"), kMax / 2 + 1);
  for (const char* expression : {"HIGHEST + 1", "LOWEST - 1", "HIGHEST * 2", "LOWEST / -1", "-LOWEST",
                                 "ceil_div(LOWEST, -1)", "9223372036854775808", "M * 99999999999999999999"}) {
    EXPECT_NE(error_of(expression).find("overflows 64 bits"), std::string::npos) << expression;
  }
}

TEST(Expression, Conditions) {
  EXPECT_EQ(value_of("M > N"), 1);
  EXPECT_EQ(value_of("M < N"), 0);
  EXPECT_EQ(value_of("M >= 300 && N <= 128 && M != N"), 1);
  EXPECT_EQ(value_of("1 + 2 == 3 && 7 % 2 > 0"), 1) << "sums before comparisons, comparisons before &&";
  EXPECT_EQ(value_of("1 || 0 && 0"), 1) << "&& before ||";
  EXPECT_EQ(value_of("!M + 1"), 1);
  EXPECT_EQ(value_of("!!M"), 1);
  EXPECT_EQ(value_of("!(M == 300) || K"), 1) << "any value but 0 is true";
  EXPECT_EQ(value_of("4 * (M > N) + (M == 300)"), 5);
  EXPECT_EQ(value_of("max(M > 1, M < 1)"), 1);
  EXPECT_NE(error_of("1 < M < 3").find("comparisons do not chain (character 7)"), std::string::npos);
  for (const char* expression :
       {"M = 3", "M &", "M |", "M || ", "&& M", "M == ", "M === 3", "M !", "!", "M <> N"})
    EXPECT_FALSE(error_of(expression).empty()) << expression;
}

TEST(Expression, BitsAndShiftsBindAsInC) {
  EXPECT_EQ(value_of("12 ^ 10"), 6);
  EXPECT_EQ(value_of("12 | 3 ^ 2 & 3"), 13) << "& before ^ before |";
  EXPECT_EQ(value_of("5 & 6 == 6"), 1) << "comparisons before &";
  EXPECT_EQ(value_of("1 << 2 + 1"), 8) << "sums before shifts";
  EXPECT_EQ(value_of("256 >> 2 >> 1"), 32);
  EXPECT_EQ(value_of("1 << 3 > 7"), 1) << "shifts before comparisons";
  EXPECT_EQ(value_of("3 ^ (9 >> 1 & 3) << 2"), 3);
  EXPECT_EQ(value_of("K >> 1"), -4) << "the sign is kept";
  EXPECT_EQ(value_of("~0 & 0xFf"), 255);
  EXPECT_EQ(value_of("0x10 + 0X0a"), 26);
  EXPECT_EQ(value_of("1 | 0 || 1 / 0"), 1);
  for (const char* expression : {"1 << 63", "1 << -1", "1 >> 64", "HIGHEST << 1"})
    EXPECT_NE(error_of(expression).find("overflows 64 bits"), std::string::npos) << expression;
}

// Every pair of operators, against the same expression compiled as C++.
TEST(Expression, PairsOfOperatorsAgreeWithCpp) {
  const int64_t a = 300, b = 128, c = 5;
  const Values values = {{"a", a}, {"b", b}, {"c", c}};
#define AGREES(expression) \
  EXPECT_EQ(evaluate(#expression, values).value_or(-1), int64_t{expression}) << #expression
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
  AGREES(a ^ b & c);
  AGREES(a & b ^ c);
  AGREES(a | b & c);
  AGREES(a | b ^ c);
  AGREES(a ^ b | c);
  AGREES(a >> c ^ b);
  AGREES(a ^ b >> c);
  AGREES(a & b >> c);
  AGREES(a + b >> c);
  AGREES(a >> c - 2);
  AGREES(a % c << c);
  AGREES(a ^ b == c);
  AGREES(a == 300 & c);
  AGREES(a < b ? a : c);
  AGREES(a > b ? b > c ? 1 : 2 : 3);
  AGREES(a ? b : c ? 1 : 2);
#pragma GCC diagnostic pop
#undef AGREES
}

TEST(Expression, OnlyTheChosenSideIsComputed) {
  EXPECT_EQ(value_of("M > 0 ? 7 : 1 / 0"), 7);
  EXPECT_EQ(value_of("(M < 0 ? 1 / 0 : 2) + 6 / 2"), 5);
  EXPECT_NE(error_of("M ? 1").find("\":\" is missing"), std::string::npos);
}

TEST(Expression, NamesMayHaveMembers) {
  const Values values = {{"threadIdx.x", 5}, {"threadIdx.y", 2}};
  EXPECT_EQ(evaluate("threadIdx.y * 8 + threadIdx.x", values).value_or(-1), 21);
  EXPECT_EQ(evaluate("threadIdx.z", values).error().message,
            "unknown name \"threadIdx.z\" (known: threadIdx.x, threadIdx.y) in the expression "
            "\"threadIdx.z\"");
}

TEST(Expression, ASideThatDoesNotMatterIsNotEvaluated) {
  EXPECT_EQ(value_of("N - 128 != 0 && M / (N - 128) > 2"), 0);
  EXPECT_EQ(value_of("N == 128 || M / (N - 128) > 2"), 1);
  EXPECT_EQ(value_of("0 && (1 / 0 || HIGHEST + 1)"), 0);
  EXPECT_EQ(value_of("(0 && 1 / 0) + 5 / 2"), 2) << "what follows is computed again";
  EXPECT_NE(error_of("1 && 1 / 0").find("division by zero"), std::string::npos);
  EXPECT_NE(error_of("1 / 0 && 0").find("division by zero"), std::string::npos);
  EXPECT_FALSE(error_of("0 && NOBODY").empty()) << "names must be known all the same";
}

TEST(Expression, DivisionByZero) {
  for (const char* expression : {"1 / 0", "M % (N - 128)", "ceil_div(M, 0)", "0 / 0"}) {
    EXPECT_NE(error_of(expression).find("division by zero"), std::string::npos) << expression;
  }
}

TEST(Expression, SyntaxErrorsNameThePlace) {
  EXPECT_EQ(error_of(""), "a number, a name or \"(\" is missing at the end in the expression \"\"");
  EXPECT_EQ(error_of("M + "), "a number, a name or \"(\" is missing at the end in the expression \"M + \"");
  EXPECT_EQ(error_of("M N"), "expected an operator instead of \"N\" (character 3) in the expression \"M N\"");
  EXPECT_EQ(error_of("3M"), "expected an operator instead of \"M\" (character 2) in the expression \"3M\"");
  EXPECT_EQ(error_of("(M"), "\")\" is missing at the end in the expression \"(M\"");
  EXPECT_EQ(error_of("max(M)"), "expected \",\" instead of \")\" (character 6) in the expression \"max(M)\"");
  EXPECT_EQ(error_of("max"), "\"(\" is missing at the end in the expression \"max\"");
  for (const char* expression : {")", "()", "*", "1 +* 2", "max(1,)", "max(,1)", "max(1,2,3)", "M.N", "1.5",
                                 "M(1)", "1;", "0x", "0xg", "0x8000000000000000", "M.", ".M", "\"", "é"}) {
    EXPECT_FALSE(error_of(expression).empty()) << expression;
  }
}

TEST(Expression, UnknownNamesListTheKnown) {
  EXPECT_EQ(error_of("M + m"),
            "unknown name \"m\" (known: HIGHEST, K, LOWEST, M, N) in the expression \"M + m\"");
}

TEST(Expression, EmbeddedZeroIsAnError) {
  EXPECT_FALSE(evaluate(std::string_view("1\0+2", 4), kValues));
  EXPECT_FALSE(evaluate(std::string_view("1\0", 2), kValues));
}

TEST(Expression, DeepNestingIsAnError) {
  EXPECT_EQ(value_of(std::string(50, '(') + "5" + std::string(50, ')')), 5);
  for (const char* opening : {"(", "-", "!", "min(1,", "1 && (", "0 || (", "1 ? ", "0 ? 1 : ", "~"}) {
    std::string expression;
    for (int i = 0; i < 100000; ++i) expression += opening;
    const auto value = evaluate(expression + "5", kValues);
    ASSERT_FALSE(value);
    EXPECT_NE(value.error().message.find("levels of nesting"), std::string::npos);
  }
}

TEST(Expression, CheckingDoesNoArithmetic) {
  const Values names = {{"M", 0}};
  EXPECT_TRUE(check_expression("1 / M + 9223372036854775807 * 2", names));
  EXPECT_FALSE(check_expression("1 / N", names));
  EXPECT_FALSE(check_expression("1 /", names));
}

// A random tree, its text, and its value in 128-bit arithmetic, which is absent if it is an error.
struct RandomTree {
  std::string text;
  std::optional<__int128> value;
};

std::optional<__int128> applied(char operation, std::optional<__int128> a, std::optional<__int128> b) {
  if (!a || !b) return std::nullopt;
  if ((operation == '/' || operation == '%') && *b == 0) return std::nullopt;
  const __int128 value = operation == '+'   ? *a + *b
                         : operation == '-' ? *a - *b
                         : operation == '*' ? *a * *b
                         : operation == '/' ? *a / *b
                                            : *a % *b;
  if (value < kMin || value > kMax) return std::nullopt;
  return value;
}

// "&&", "||" and comparisons. The right side of the first two counts only if the left does not decide.
RandomTree random_condition(const RandomTree& a, const RandomTree& b, uint64_t choice) {
  const char* const operations[] = {"==", "!=", "<", "<=", ">", ">=", "&&", "||"};
  const size_t operation = choice % 8;
  RandomTree tree{"(" + a.text + ") " + operations[operation] + " (" + b.text + ")", std::nullopt};
  if (!a.value) return tree;
  if (operation >= 6 && (*a.value != 0) == (operation == 7)) {
    tree.value = operation == 7;
    return tree;
  }
  if (!b.value) return tree;
  const __int128 x = *a.value, y = *b.value;
  const bool values[] = {x == y, x != y, x<y, x <= y, x> y, x >= y, y != 0, y != 0};
  tree.value = values[operation];
  return tree;
}

RandomTree random_tree(std::mt19937_64& random, int depth) {
  if (depth == 0 || random() % 4 == 0) {
    if (random() % 3 == 0) {
      const auto value = std::next(kValues.begin(), static_cast<int64_t>(random() % kValues.size()));
      return {value->first, value->second};
    }
    const int64_t number = static_cast<int64_t>(random() >> (1 + random() % 63));
    return {std::to_string(number), number};
  }
  const RandomTree a = random_tree(random, depth - 1), b = random_tree(random, depth - 1);
  switch (random() % 12) {
    case 8:
    case 9:
    case 10:
      return random_condition(a, b, random());
    case 11: {
      RandomTree tree{"!(" + a.text + ")", std::nullopt};
      if (a.value) tree.value = *a.value == 0;
      return tree;
    }
    case 0:
      return {"-(" + a.text + ")", applied('-', 0, a.value)};
    case 1:
    case 2: {
      const bool wants_min = random() % 2 == 0;
      std::optional<__int128> value;
      if (a.value && b.value) value = wants_min ? std::min(*a.value, *b.value) : std::max(*a.value, *b.value);
      return {(wants_min ? "min(" : "max(") + a.text + ", " + b.text + ")", value};
    }
    default: {
      const char operation = "+-*/%"[random() % 5];
      return {"(" + a.text + ") " + operation + " (" + b.text + ")", applied(operation, a.value, b.value)};
    }
  }
}

TEST(ExpressionProperty, AgreesWith128BitArithmetic) {
  std::mt19937_64 random(20211121);
  int values = 0, errors = 0;
  for (int i = 0; i < 20000; ++i) {
    const RandomTree tree = random_tree(random, 5);
    const auto value = evaluate(tree.text, kValues);
    ASSERT_EQ(value.has_value(), tree.value.has_value())
        << tree.text << (value ? "" : ": " + value.error().message);
    if (value) {
      ASSERT_EQ(*value, static_cast<int64_t>(*tree.value)) << tree.text;
    }
    ++(value ? values : errors);
  }
  EXPECT_GT(values, 5000);
  EXPECT_GT(errors, 500);
}

TEST(ExpressionProperty, CeilDivIsTheSmallestCover) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const int64_t a = static_cast<int64_t>(random() % 2000000) - 1000000;
    const int64_t b = static_cast<int64_t>(random() % 1000) + 1;
    const int64_t blocks = value_of(fmt::format("ceil_div({}, {})", a, b));
    ASSERT_GE(blocks * b, a);
    ASSERT_LT((blocks - 1) * b, a);
  }
}

TEST(ExpressionProperty, AnyBytesGiveAValueOrAnError) {
  std::mt19937_64 random(11);
  const std::string alphabet("()+-*/%, MNK09ceil_divmax\0\xff\t=!<>&|", 35);
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (size_t length = random() % 20; length > 0; --length) text += alphabet[random() % alphabet.size()];
    const auto value = evaluate(text, kValues);
    if (!value) {
      ASSERT_FALSE(value.error().message.empty());
    }
  }
}

}  // namespace
}  // namespace gemmscope::catalog
