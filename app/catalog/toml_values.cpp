#include "catalog/toml_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace gemmscope::catalog {

std::string with_single_spaces(const std::string& text) {
  std::istringstream words(text);
  std::string result, word;
  while (words >> word) result += (result.empty() ? "" : " ") + word;
  return result;
}

void TomlValues::complain(const toml::node& node, std::string_view key, std::string_view sentence) {
  if (error_) return;
  // The root begins at the first line, but toml++ says line 0 for an empty document.
  const auto line = std::max<uint32_t>(1, node.source().begin.line);
  error_ = Error{fmt::format("{}:{}: key \"{}\" {}; {}.", file_, line, key, sentence, hint_)};
}

const toml::node* TomlValues::required(const toml::table& table, std::string_view key,
                                       std::string_view full_key) {
  const toml::node* node = table.get(key);
  const bool in_list = full_key.starts_with("toggles.");
  if (node == nullptr && (complete_ || in_list)) complain(table, full_key, "is missing");
  return node;
}

std::string TomlValues::text(const toml::table& table, std::string_view key, std::string_view full_key) {
  if (full_key.empty()) full_key = key;
  const toml::node* node = required(table, key, full_key);
  if (node == nullptr) return {};
  const std::string value = with_single_spaces(node->value_or(std::string{}));
  if (!node->is_string() || value.empty())
    complain(*node, full_key, "must be a text in quotes that is not empty");
  return value;
}

std::string TomlValues::optional_text(const toml::table& table, std::string_view key,
                                      std::string_view full_key) {
  return table.contains(key) ? text(table, key, full_key) : std::string();
}

std::string TomlValues::identifier(const toml::table& table, std::string_view key,
                                   std::string_view full_key) {
  const std::string value = text(table, key, full_key);
  const toml::node* node = table.get(key);
  if (node != nullptr && !is_name(value)) {
    complain(*node, full_key.empty() ? key : full_key, "must be a C identifier");
  }
  return value;
}

std::string TomlValues::expression_of(const toml::node& node, std::string_view full_key) {
  const auto number = node.value_exact<int64_t>();
  const std::string value =
      number ? std::to_string(*number) : with_single_spaces(node.value_exact<std::string>().value_or(""));
  if (!number && !node.is_string()) complain(node, full_key, "must be an integer or an expression in quotes");
  const auto checked = check_expression(value, names_);
  if (!checked) complain(node, full_key, "is not a valid expression: " + checked.error().message);
  return value;
}

std::string TomlValues::expression(const toml::table& table, std::string_view key,
                                   std::string_view full_key) {
  const toml::node* node = required(table, key, full_key);
  return node == nullptr ? "" : expression_of(*node, full_key);
}

std::vector<int64_t> TomlValues::integers(const toml::table& table, std::string_view key,
                                          std::string_view full_key) {
  std::vector<int64_t> values;
  const toml::node* node = required(table, key, full_key);
  if (node == nullptr) return values;
  const toml::array* list = node->as_array();
  bool good = list != nullptr && !list->empty();
  for (size_t i = 0; good && i < list->size(); ++i) {
    const auto value = list->get(i)->value_exact<int64_t>();
    good = value && std::find(values.begin(), values.end(), *value) == values.end();
    if (good) values.push_back(*value);
  }
  if (!good) complain(*node, full_key, "must be a list of different integers");
  return values;
}

std::optional<std::vector<std::string>> TomlValues::texts_of(const toml::node& node) {
  if (const toml::array* list = node.as_array()) {
    std::vector<std::string> texts;
    for (const toml::node& element : *list) {
      const auto text = element.is_array() ? std::nullopt : texts_of(element);
      if (!text) return std::nullopt;
      texts.push_back(text->front());
    }
    return texts;
  }
  if (const auto number = node.value_exact<int64_t>()) return std::vector{std::to_string(*number)};
  if (const auto decimal = node.value_exact<double>()) return std::vector{fmt::format("{}", *decimal)};
  if (const auto text = node.value_exact<std::string>()) return std::vector{with_single_spaces(*text)};
  return std::nullopt;
}

void TomlValues::reject_other_keys(const toml::table& table, std::string_view prefix,
                                   const std::set<std::string_view>& known) {
  for (const auto& [key, node] : table) {
    if (!known.count(key.str())) complain(node, std::string(prefix) + std::string(key.str()), "is unknown");
  }
}

}  // namespace gemmscope::catalog
