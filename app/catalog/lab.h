// What a small experiment declares in addition to a kernel: typed expressions, several launches on the same
// buffers, its own reference, and its picture.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gemmscope::catalog {

// A macro whose value is a C expression of integers that the user types, such as a swizzle or an index.
struct Input {
  std::string name;   // the macro
  std::string title;  // for the panel
  std::string default_value;
  std::vector<std::string> names;  // variables of the source that it may use
};

// One of several launches, run in order on the same buffers.
struct LaunchStep {
  std::string title, entry;
  std::array<std::string, 3> block, grid;  // expressions
  std::string shared = "0";                // expression, bytes
  std::string when = "1";                  // expression: the step runs if it is not 0
};

// The expected result: a simple kernel of the same file, with the same parameters, runs on the same data.
struct Check {
  std::string entry;  // empty: no check
  std::array<std::string, 3> block, grid;
  std::vector<std::string> compare;  // buffers, by parameter name
  double tolerance = 0;              // relative to the reference's largest magnitude; 0: equal bits
  bool given() const { return !entry.empty(); }
  bool operator==(const Check&) const = default;
};

// The picture that the window shows first.
enum class Picture : uint8_t {
  none,
#define PICTURE(name, ...) name,
#include "catalog/pictures.def"
#undef PICTURE
};
std::optional<Picture> picture_from_name(std::string_view name);
const char* picture_name(Picture picture);
std::string picture_names();  // "banks, sectors … or loads"

// A table of a description. Texts and numbers become text; a list becomes several texts.
using TableTexts = std::map<std::string, std::vector<std::string>>;
// Errors are sentences that begin with the key. These functions check typed inputs but no expressions.
Result<Input> input_from(const TableTexts& table);
Result<LaunchStep> launch_step_from(const TableTexts& table);
Result<Check> check_from(const TableTexts& table);

// Returns the macro's value: the tokens with spaces between them, inside parentheses, so that it can only be
// one expression of integers. It may use decimal and hexadecimal numbers below 2^31, the names, parentheses,
// ~ ! - + * / % << >> < <= > >= == != & ^ | && || and ?:. Errors are sentences that quote the text and say
// what to do.
Result<std::string> checked_input(const Input& input, std::string_view text);
inline constexpr size_t kMostInputLength = 200;

}  // namespace gemmscope::catalog
