#include "catalog/by_size.h"

#include <algorithm>

#include "catalog/toml_values.h"

namespace gemmscope::catalog {
namespace {

constexpr double kPicosecondsPerUs = 1e6;

class SizeTableReader : TomlValues {
 public:
  explicit SizeTableReader(const std::string& file)
      : TomlValues(file, true, {}, "the comments of kernels/by_size.toml describe the format") {}

  Result<SizeTable> read(const toml::table& root) {
    SizeTable table;
    reject_other_keys(root, "", {"kernel", "device", "toggles", "possible", "cost", "choices", "names"});
    table.kernel = text(root, "kernel");
    table.device = text(root, "device");
    table.possible = text(root, "possible");
    table.cost = text(root, "cost");
    if (const toml::node* node = required(root, "toggles", "toggles"))
      table.toggles = texts_of(*node).value_or(std::vector<std::string>());
    read_choices(root, table);
    read_names(root, table);
    if (error_) return tl::unexpected(*error_);
    return table;
  }

 private:
  const toml::array* list(const toml::table& root, std::string_view key) {
    const toml::node* node = required(root, key, key);
    if (node != nullptr && (node->as_array() == nullptr || node->as_array()->empty()))
      complain(*node, key, "must be a list that is not empty");
    return node == nullptr ? nullptr : node->as_array();
  }

  void read_choices(const toml::table& root, SizeTable& table) {
    const toml::array* const choices = list(root, "choices");
    if (choices == nullptr) return;
    for (const toml::node& choice : *choices) {
      table.choices.emplace_back();
      if (choice.as_array() == nullptr || choice.as_array()->empty())
        return complain(choice, "choices", "must hold lists of tables");
      for (const toml::node& option : *choice.as_array()) {
        if (option.as_table() == nullptr) return complain(option, "choices", "must hold lists of tables");
        Values& values = table.choices.back().emplace_back();
        for (const auto& [name, value] : *option.as_table()) {
          if (!value.is_integer()) return complain(value, name.str(), "must be a whole number");
          values.emplace(name.str(), value.value_or(int64_t{0}));
        }
      }
    }
  }

  void read_names(const toml::table& root, SizeTable& table) {
    const toml::array* const names = list(root, "names");
    if (names == nullptr) return;
    for (const toml::node& entry : *names) {
      if (entry.as_table() == nullptr || entry.as_table()->size() != 1)
        return complain(entry, "names", "must hold tables of one name and its expression");
      for (const auto& [name, value] : *entry.as_table()) {
        table.names.emplace_back(name.str(), with_single_spaces(value.value_or(std::string())));
        if (table.names.back().second.empty()) return complain(value, name.str(), "must be an expression");
      }
    }
  }
};

// Adds the candidate with these values, if it is possible.
Result<void> add_candidate(const SizeTable& table, Values values, std::vector<SizedVariant>& found) {
  const auto possible = evaluate(table.possible, values);
  if (!possible) return tl::unexpected(possible.error());
  if (*possible == 0) return {};
  SizedVariant variant{.kernel = table.kernel, .toggles = {}};
  for (const std::string& toggle : table.toggles) {
    const auto value = values.find(toggle);
    if (value == values.end()) return fail("no choice gives toggle {} a value", toggle);
    variant.toggles[toggle] = value->second;
  }
  for (const auto& [name, expression] : table.names) {
    const auto value = evaluate(expression, values);
    if (!value) return tl::unexpected(value.error());
    values[name] = *value;
  }
  const auto cost = evaluate(table.cost, values);
  if (!cost) return tl::unexpected(cost.error());
  variant.cost_us = static_cast<double>(*cost) / kPicosecondsPerUs;
  found.push_back(std::move(variant));
  return {};
}

Result<void> add_candidates(const SizeTable& table, size_t choice, const Values& values,
                            std::vector<SizedVariant>& found) {
  if (choice == table.choices.size()) return add_candidate(table, values, found);
  for (const Values& option : table.choices[choice]) {
    Values next = values;
    for (const auto& [name, value] : option) next[name] = value;
    if (auto added = add_candidates(table, choice + 1, next, found); !added) return added;
  }
  return {};
}

}  // namespace

std::filesystem::path size_table_path() { return kernels_folder() / "by_size.toml"; }

Result<SizeTable> read_size_table(const std::filesystem::path& path) {
  const toml::parse_result parsed = toml::parse_file(path.string());
  if (!parsed)
    return fail("{}:{}: {}; the comments of kernels/by_size.toml describe the format.", path.string(),
                parsed.error().source().begin.line, parsed.error().description());
  return SizeTableReader(path.string()).read(parsed.table());
}

Result<std::vector<SizedVariant>> variants_by_size(const SizeTable& table, const Problem& problem) {
  std::vector<SizedVariant> found;
  const Values sizes = {{"M", problem.m}, {"N", problem.n}, {"K", problem.k}};
  if (auto added = add_candidates(table, 0, sizes, found); !added)
    return fail("The table of variants by size has no value for {} x {} x {}: {}.", problem.m, problem.n,
                problem.k, added.error().message);
  if (found.empty())
    return fail("The table of variants by size has none for {} x {} x {}; choose a kernel by its name.",
                problem.m, problem.n, problem.k);
  std::ranges::stable_sort(found, {}, &SizedVariant::cost_us);
  return found;
}

Result<SizedVariant> fastest_by_size(const Problem& problem) {
  const Result<SizeTable> table = read_size_table(size_table_path());
  if (!table) return tl::unexpected(table.error());
  auto variants = variants_by_size(*table, problem);
  if (!variants) return tl::unexpected(variants.error());
  return std::move(variants->front());
}

}  // namespace gemmscope::catalog
