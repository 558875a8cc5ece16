// What a small experiment declares beyond a kernel: expressions to type in, several launches on the same
// buffers, a reference of its own, and the picture that shows it.
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

// A macro whose value is a C expression of integers that the user types: a swizzle, an index.
struct Input {
  std::string name;   // the macro
  std::string title;  // for the panel
  std::string default_value;
  std::vector<std::string> names;  // variables of the source that may stand in it
};

// One of several launches, run in order on the same buffers.
struct LaunchStep {
  std::string title, entry;
  std::array<std::string, 3> block, grid;  // expressions
  std::string shared = "0";                // expression, bytes
  std::string when = "1";                  // expression: it runs if this is not 0
};

// What the result must be: an obvious kernel of the same file and parameters, run on the same data.
struct Check {
  std::string entry;  // empty: there is none
  std::array<std::string, 3> block, grid;
  std::vector<std::string> compare;  // buffers, by parameter name
  double tolerance = 0;              // relative to the largest magnitude of the reference; 0: bit for bit
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

// A table of a description: texts and numbers as text, a list as several.
using TableTexts = std::map<std::string, std::vector<std::string>>;
// Errors are sentences that start with the key. Expressions are not checked here, typed inputs are.
Result<Input> input_from(const TableTexts& table);
Result<LaunchStep> launch_step_from(const TableTexts& table);
Result<Check> check_from(const TableTexts& table);

// The expression as it goes into the macro: tokens apart by spaces, inside parentheses, so that nothing but
// one expression of integers can come of it. Allowed are decimal and hexadecimal numbers below 2^31, the
// names, parentheses, ~ ! - + * / % << >> < <= > >= == != & ^ | && || and ?:. Errors are sentences that quote
// the text and say what to do.
Result<std::string> checked_input(const Input& input, std::string_view text);
inline constexpr size_t kMostInputLength = 200;

}  // namespace gemmscope::catalog
