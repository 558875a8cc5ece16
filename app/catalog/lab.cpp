#include "catalog/lab.h"

#include <algorithm>
#include <charconv>

#include "catalog/expression.h"

namespace gemmscope::catalog {
namespace {

constexpr std::pair<const char*, Picture> kPictures[] = {
    {"none", Picture::none},
#define PICTURE(name, ...) {#name, Picture::name},
#include "catalog/pictures.def"
#undef PICTURE
};

Result<std::string> one_text(const TableTexts& table, const std::string& key,
                             const char* otherwise = nullptr) {
  const auto found = table.find(key);
  if (found == table.end() && otherwise != nullptr) return std::string(otherwise);
  if (found == table.end() || found->second.size() != 1 || found->second[0].empty())
    return fail("\"{}\" must be given, with one value", key);
  return found->second[0];
}

Result<std::array<std::string, 3>> three_texts(const TableTexts& table, const std::string& key) {
  const auto found = table.find(key);
  if (found == table.end() || found->second.empty() || found->second.size() > 3)
    return fail("\"{}\" must be a list of one to three expressions: x, y, z", key);
  std::array<std::string, 3> result = {"1", "1", "1"};
  std::copy(found->second.begin(), found->second.end(), result.begin());
  return result;
}

Result<std::string> name_text(const TableTexts& table, const std::string& key) {
  Result<std::string> text = one_text(table, key);
  if (text && !is_name(*text)) return fail("\"{}\" must be a C identifier", key);
  return text;
}

Result<void> check_keys(const TableTexts& table, std::initializer_list<std::string_view> known) {
  for (const auto& [key, values] : table)
    if (std::find(known.begin(), known.end(), key) == known.end()) return fail("\"{}\" is unknown", key);
  return {};
}

// Assigns values and keeps the first error.
class Assigner {
 public:
  template <typename T>
  void operator()(T& target, Result<T> value) {
    if (value)
      target = *std::move(value);
    else if (!error_)
      error_ = value.error();
  }
  void operator()(Result<void> checked) {
    if (!checked && !error_) error_ = checked.error();
  }
  template <typename T>
  Result<T> done(T value) {
    if (error_) return tl::unexpected(*error_);
    return value;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace

std::optional<Picture> picture_from_name(std::string_view name) {
  for (const auto& [known, picture] : kPictures)
    if (name == known) return picture;
  return std::nullopt;
}

const char* picture_name(Picture picture) {
  for (const auto& [name, known] : kPictures)
    if (picture == known) return name;
  return "";
}

std::string picture_names() {
  std::string names;
  for (const auto& [name, picture] : kPictures) {
    if (picture == Picture::none) continue;
    if (!names.empty()) names += picture == std::prev(std::end(kPictures))->second ? " or " : ", ";
    names += name;
  }
  return names;
}

Result<Input> input_from(const TableTexts& table) {
  Input input;
  Assigner assign;
  assign(input.name, name_text(table, "name"));
  assign(input.title, one_text(table, "title"));
  assign(input.default_value, one_text(table, "default"));
  assign(check_keys(table, {"name", "title", "default", "names"}));
  if (const auto names = table.find("names"); names != table.end()) input.names = names->second;
  if (input.names.empty() || !std::all_of(input.names.begin(), input.names.end(), is_name))
    assign(Result<void>(fail("\"names\" must be a list of C identifiers")));
  Result<Input> made = assign.done(input);
  if (!made) return made;
  if (const auto checked = checked_input(input, input.default_value); !checked)
    return fail("\"default\": {}", checked.error().message);
  return made;
}

Result<LaunchStep> launch_step_from(const TableTexts& table) {
  LaunchStep step;
  Assigner assign;
  assign(step.entry, name_text(table, "entry"));
  assign(step.title, one_text(table, "title"));
  assign(step.block, three_texts(table, "block"));
  assign(step.grid, three_texts(table, "grid"));
  assign(step.shared, one_text(table, "shared", "0"));
  assign(step.when, one_text(table, "when", "1"));
  assign(check_keys(table, {"entry", "title", "block", "grid", "shared", "when"}));
  return assign.done(step);
}

Result<Check> check_from(const TableTexts& table) {
  Check check;
  Assigner assign;
  assign(check.entry, name_text(table, "entry"));
  assign(check.block, three_texts(table, "block"));
  assign(check.grid, three_texts(table, "grid"));
  if (const auto compare = table.find("compare"); compare != table.end()) check.compare = compare->second;
  if (check.compare.empty()) assign(Result<void>(fail("\"compare\" must name the buffers to compare")));
  std::string tolerance;
  assign(tolerance, one_text(table, "tolerance", "0"));
  const auto [end, error] =
      std::from_chars(tolerance.data(), tolerance.data() + tolerance.size(), check.tolerance);
  if (error != std::errc{} || end != tolerance.data() + tolerance.size() ||
      !(check.tolerance >= 0 && check.tolerance < 1))
    assign(Result<void>(fail("\"tolerance\" must be a number from 0 to below 1")));
  assign(check_keys(table, {"entry", "block", "grid", "compare", "tolerance"}));
  return assign.done(check);
}

}  // namespace gemmscope::catalog
