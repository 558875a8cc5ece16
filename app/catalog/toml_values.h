// Values of a TOML description, read with complaints that name the file, the line and the key.
#pragma once

// Header-only, without exceptions. Version 3.3 asserts that a key follows "[" and reports the same as an
// ordinary error two lines later; the assertion would end a debug build on a user's typing.
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

// A sentence may go over several lines of the file; it is one line on the screen.
std::string with_single_spaces(const std::string& text);

// The first complaint is kept, and reading goes on with empty values.
class TomlValues {
 protected:
  // `complete`: every key must be there. Expressions may use `names`.
  TomlValues(std::string file, bool complete, Values names)
      : complete_(complete), names_(std::move(names)), file_(std::move(file)) {}

  void complain(const toml::node& node, std::string_view key, std::string_view sentence);
  // Null, with a complaint unless it may be left out.
  const toml::node* required(const toml::table& table, std::string_view key, std::string_view full_key);
  // full_key: as a complaint names it; empty: like the key.
  std::string text(const toml::table& table, std::string_view key, std::string_view full_key = {});
  std::string optional_text(const toml::table& table, std::string_view key, std::string_view full_key);
  std::string identifier(const toml::table& table, std::string_view key, std::string_view full_key = {});
  std::string expression_of(const toml::node& node, std::string_view full_key);
  std::string expression(const toml::table& table, std::string_view key, std::string_view full_key);
  std::vector<int64_t> integers(const toml::table& table, std::string_view key, std::string_view full_key);
  // The text of a value that is a text, a number or a list of those; nothing for any other.
  static std::optional<std::vector<std::string>> texts_of(const toml::node& node);
  void reject_other_keys(const toml::table& table, std::string_view prefix,
                         const std::set<std::string_view>& known);

  const bool complete_;
  Values names_;
  std::optional<Error> error_;

 private:
  std::string file_;
};

}  // namespace gemmscope::catalog
