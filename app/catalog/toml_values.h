// Reads values of a TOML description. Complaints name the file, the line and the key.
#pragma once

// toml++ is used header-only and without exceptions. Version 3.3 asserts that a key follows "[" and reports
// the same as an ordinary error two lines later. The assertion would abort a debug build on a typing error.
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "catalog/expression.h"

namespace gemmscope::catalog {

// Joins a sentence that spans several lines of the file to one line for the screen.
std::string with_single_spaces(const std::string& text);

// Keeps the first complaint and reads on with empty values.
class TomlValues {
 protected:
  // If `complete`, every key is required. Expressions may use `names`. Each complaint ends with the hint.
  TomlValues(std::string file, bool complete, Values names, std::string hint)
      : complete_(complete), names_(std::move(names)), file_(std::move(file)), hint_(std::move(hint)) {}

  void complain(const toml::node& node, std::string_view key, std::string_view sentence);
  // Returns null if the key is missing, and complains unless it is optional.
  const toml::node* required(const toml::table& table, std::string_view key, std::string_view full_key);
  // A complaint uses full_key, or the key if full_key is empty.
  std::string text(const toml::table& table, std::string_view key, std::string_view full_key = {});
  std::string optional_text(const toml::table& table, std::string_view key, std::string_view full_key);
  std::string identifier(const toml::table& table, std::string_view key, std::string_view full_key = {});
  std::string expression_of(const toml::node& node, std::string_view full_key);
  std::string expression(const toml::table& table, std::string_view key, std::string_view full_key);
  std::vector<int64_t> integers(const toml::table& table, std::string_view key, std::string_view full_key);
  // Returns the texts of a text, a number or a list of these; nothing for any other value.
  static std::optional<std::vector<std::string>> texts_of(const toml::node& node);
  void reject_other_keys(const toml::table& table, std::string_view prefix,
                         const std::set<std::string_view>& known);

  const bool complete_;
  Values names_;
  std::optional<Error> error_;

 private:
  std::string file_, hint_;
};

}  // namespace gemmscope::catalog
