#include "catalog/description_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/description.h"
#include "catalog/toml_values.h"

namespace gemmscope::catalog {
namespace {

constexpr std::array kTileKeys = {"block_m", "block_n",  "block_k", "warp_m",
                                  "warp_n",  "thread_m", "thread_n"};

// "time.next_conflict": small letters, digits and underscores on both sides of one point.
bool is_command_id(std::string_view id) {
  const size_t point = id.find('.');
  return point != 0 && point != std::string_view::npos && point + 1 < id.size() &&
         id.find('.', point + 1) == std::string_view::npos &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string_view::npos;
}

// Reads one description into a Kernel.
class DescriptionReader : TomlValues {
 public:
  DescriptionReader(const toml::table& root, Kernel& kernel, bool complete)
      : TomlValues(kernel.path.string(), complete, {{"M", 0}, {"N", 0}, {"K", 0}},
                   std::string(kDescriptionHint)),
        root_(root),
        kernel_(kernel) {}

  std::optional<Error> read() {
    read_toggles();  // first, since expressions use their names
    read_defines();
    names_.insert(kernel_.constants.begin(), kernel_.constants.end());
    read_lab();
    kernel_.title = text(root_, "title");
    if (kernel_.launches.empty())
      kernel_.entry = complete_ ? identifier(root_, "entry") : text(root_, "entry");
    kernel_.changed = text(root_, "changed");
    kernel_.why = text(root_, "why");
    kernel_.look_at = text(root_, "look_at");
    read_show_me();
    if (kernel_.launches.empty()) {
      kernel_.block_expressions = three_expressions("block");
      kernel_.grid_expressions = three_expressions("grid");
      kernel_.shared_expression = expression(root_, "shared", "shared");
    }
    read_tile();
    read_divisibility();
    read_parameters();
    check_compared_buffers();
    read_architecture();
    read_factors();
    read_illegal();
    reject_other_keys(root_, "", {"title",           "entry",   "block",   "grid",         "shared",
                                  "changed",         "why",     "look_at", "tile",         "divisibility",
                                  "toggles",         "illegal", "defines", "parameters",   "inputs",
                                  "launches",        "check",   "picture", "architecture", "factors",
                                  "factors_rounded", "show_me"});
    return error_;
  }

 private:
  std::array<std::string, 3> three_expressions(std::string_view key) {
    std::array<std::string, 3> values;
    const toml::node* node = required(root_, key, key);
    if (node == nullptr) return values;
    const toml::array* list = node->as_array();
    if (!complete_ && list == nullptr) {  // one expression, or a list of one or two; the others are 1
      values = {expression_of(*node, key), "1", "1"};
      return values;
    }
    if (!complete_ && !list->empty() && list->size() < 3) {
      values = {"1", "1", "1"};
      for (size_t i = 0; i < list->size(); ++i) values[i] = expression_of(*list->get(i), key);
      return values;
    }
    if (list == nullptr || list->size() != 3) {
      complain(*node, key, "must be a list of three expressions: x, y, z");
      return values;
    }
    for (size_t i = 0; i < 3; ++i) values[i] = expression_of(*list->get(i), key);
    return values;
  }

  // Whether a command has this id is known to the window (session/show_me.h).
  void read_show_me() {
    const toml::node* node = root_.get("show_me");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->empty())
      return complain(*node, "show_me",
                      "must be a list of ids of commands, such as [\"time.next_conflict\"]");
    for (const toml::node& element : *list) {
      const std::string id = element.value_exact<std::string>().value_or("");
      if (!is_command_id(id))
        return complain(element, "show_me",
                        "has \"" + id + "\", which is no id of a command, such as \"time.next_conflict\"");
      kernel_.show_me.push_back(id);
    }
  }

  void read_tile() {
    if (!root_.contains("tile") && root_.contains("parameters")) return;  // not a product of matrices
    const toml::node* node = required(root_, "tile", "tile");
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) return complain(*node, "tile", "must be a table, [tile]");
    for (const char* key : kTileKeys) {
      if (!complete_ && !table->contains(key)) continue;
      kernel_.tile_expressions[key] = expression(*table, key, std::string("tile.") + key);
    }
    reject_other_keys(*table, "tile.", {kTileKeys.begin(), kTileKeys.end()});
  }

  void read_divisibility() {
    const toml::node* node = root_.get("divisibility");
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) return complain(*node, "divisibility", "must be a table, [divisibility]");
    for (const char* size : {"M", "N", "K"}) {
      if (!table->contains(size)) continue;
      kernel_.divisibility[size] = expression(*table, size, std::string("divisibility.") + size);
    }
    reject_other_keys(*table, "divisibility.", {"M", "N", "K"});
  }

  // Reads a table of a small experiment with one of catalog/lab.h's functions.
  template <typename T>
  std::optional<T> lab_table(const toml::node& node, std::string_view key,
                             Result<T> (*from)(const TableTexts&)) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return complain(node, key, "must be a table"), std::nullopt;
    TableTexts texts;
    for (const auto& [name, value] : *table) {
      const auto read = texts_of(value);
      if (!read) {
        complain(value, key, "has a value that is not a text in quotes, a number or a list of those");
        return std::nullopt;
      }
      texts[std::string(name.str())] = *read;
    }
    Result<T> made = from(texts);
    if (!made) return complain(node, key, "is wrong: " + made.error().message), std::nullopt;
    return *std::move(made);
  }

  template <typename T>
  std::vector<T> lab_tables(std::string_view key, Result<T> (*from)(const TableTexts&)) {
    std::vector<T> made;
    const toml::node* node = root_.get(key);
    if (node == nullptr) return made;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->empty())
      return complain(*node, key, "must be tables, [[" + std::string(key) + "]]"), made;
    for (const toml::node& element : *list)
      if (auto one = lab_table(element, key, from)) made.push_back(*std::move(one));
    return made;
  }

  void check_expressions(std::string_view key, const std::vector<std::string>& expressions) {
    for (const std::string& e : expressions)
      if (const auto checked = check_expression(e, names_); !checked)
        complain(*root_.get(key), key, "has an invalid expression: " + checked.error().message);
  }

  void read_lab() {
    kernel_.inputs = lab_tables("inputs", input_from);
    for (const Input& input : kernel_.inputs)
      if (is_function(input.name) || !names_.emplace(input.name, 0).second)
        complain(*root_.get("inputs"), "inputs", "has a name that is taken already: " + input.name);
    // Only the compiler knows the value of an input.
    for (const Input& input : kernel_.inputs) names_.erase(input.name);
    kernel_.launches = lab_tables("launches", launch_step_from);
    for (const LaunchStep& step : kernel_.launches) {
      check_expressions("launches", {step.block.begin(), step.block.end()});
      check_expressions("launches", {step.grid.begin(), step.grid.end()});
      check_expressions("launches", {step.shared, step.when});
    }
    if (!kernel_.launches.empty()) {
      const LaunchStep& first = kernel_.launches.front();
      kernel_.entry = first.entry;
      kernel_.block_expressions = first.block;
      kernel_.grid_expressions = first.grid;
      kernel_.shared_expression = first.shared;
      for (const char* key : {"entry", "block", "grid", "shared"})
        if (const toml::node* node = root_.get(key)) complain(*node, key, "is already given in [[launches]]");
    }
    if (const toml::node* node = root_.get("check"))
      if (const auto check = lab_table(*node, "check", check_from)) {
        kernel_.check = *check;
        check_expressions("check", {check->block.begin(), check->block.end()});
        check_expressions("check", {check->grid.begin(), check->grid.end()});
      }
    if (const toml::node* node = root_.get("picture")) {
      const auto picture = picture_from_name(node->value_or(std::string{}));
      kernel_.picture = picture.value_or(Picture::none);
      if (!picture) complain(*node, "picture", "must be " + picture_names());
    }
  }

  void check_compared_buffers() {
    for (const std::string& name : kernel_.check.compare)
      if (std::none_of(kernel_.parameters.begin(), kernel_.parameters.end(), [&](const Parameter& p) {
            return p.kind == Parameter::Kind::buffer && p.name == name;
          }))
        complain(*root_.get("check"), "check", "compares " + name + ", but no buffer has this name");
  }

  void read_architecture() {
    const toml::node* node = root_.get("architecture");
    if (node == nullptr) return;
    const auto number = node->value_exact<int64_t>();
    if (!number || *number < 10 || *number > 999)
      return complain(*node, "architecture", "must be the number in sm_NN, such as 80");
    kernel_.architecture = static_cast<int>(*number);
  }

  void read_factors() {
    const toml::node* node = root_.get("factors");
    if (node != nullptr && node->value_exact<std::string>() != "tf32")
      return complain(*node, "factors", "must be \"tf32\"; other factors follow from the matrices' types");
    kernel_.tf32 = node != nullptr;
    const toml::node* rounded = root_.get("factors_rounded");
    if (rounded == nullptr) return;
    if (node == nullptr) return complain(*rounded, "factors_rounded", "needs \"factors\" as well");
    kernel_.rounded_expression = expression_of(*rounded, "factors_rounded");
  }

  void read_defines() {
    const toml::node* node = root_.get("defines");
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) return complain(*node, "defines", "must be a table, [defines]");
    for (const auto& [key, value] : *table) {
      const std::string name(key.str());
      const auto number = value.value_exact<int64_t>();
      if (!number || !is_name(name) || is_function(name) || !names_.emplace(name, 0).second)
        complain(value, "defines." + name, "must be a new name with an integer");
      kernel_.defines[name] = number.value_or(0);
    }
  }

  void read_parameters() {
    const toml::node* node = root_.get("parameters");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) return complain(*node, "parameters", "must be tables, [[parameters]]");
    for (const toml::node& element : *list) {
      const toml::table* table = element.as_table();
      if (table == nullptr) return complain(element, "parameters", "must be tables, [[parameters]]");
      read_parameter(*table);
    }
  }

  void read_parameter(const toml::table& table) {
    std::map<std::string, std::string> keys;
    for (const auto& [key, value] : table) {
      const auto number = value.value_exact<int64_t>();
      const auto decimal = value.value_exact<double>();
      if (!number && !decimal && !value.is_string())
        return complain(value, "parameters", "has a value that is neither a text in quotes nor a number");
      keys[std::string(key.str())] = number    ? std::to_string(*number)
                                     : decimal ? fmt::format("{}", *decimal)
                                               : *value.value_exact<std::string>();
    }
    const Result<Parameter> parameter = parameter_from(keys);
    if (!parameter) return complain(table, "parameters", "is wrong: " + parameter.error().message);
    if (const auto checked = check_parameter(*parameter, names_); !checked)
      return complain(table, "parameters", "is wrong: " + checked.error().message);
    for (const Parameter& other : kernel_.parameters)
      if (parameter->role != 0 && other.role == parameter->role)
        return complain(table, "parameters", "is wrong: another matrix has this role already");
    kernel_.parameters.push_back(*parameter);
  }

  void read_toggles() {
    const toml::node* node = root_.get("toggles");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) return complain(*node, "toggles", "must be tables, [[toggles]]");
    for (const toml::node& element : *list) {
      const toml::table* table = element.as_table();
      if (table == nullptr) return complain(element, "toggles", "must be tables, [[toggles]]");
      read_toggle(*table);
    }
  }

  void read_toggle(const toml::table& table) {
    Toggle toggle;
    toggle.name = identifier(table, "name", "toggles.name");
    toggle.title = text(table, "title", "toggles.title");
    toggle.values = integers(table, "values", "toggles.values");
    if (const toml::node* node = required(table, "default", "toggles.default")) {
      const auto value = node->value_exact<int64_t>();
      toggle.default_value = value.value_or(0);
      if (!value || std::find(toggle.values.begin(), toggle.values.end(), *value) == toggle.values.end()) {
        complain(*node, "toggles.default", "must be one of the values");
      }
    }
    toggle.labels = labels(table, toggle.values.size());
    toggle.group = optional_text(table, "group", "toggles.group");
    toggle.help = optional_text(table, "help", "toggles.help");
    reject_other_keys(table, "toggles.", {"name", "title", "values", "default", "labels", "group", "help"});
    if (is_function(toggle.name) || !names_.emplace(toggle.name, 0).second) {
      complain(table, "toggles.name", "is taken already: " + toggle.name);
    }
    kernel_.toggles.push_back(std::move(toggle));
  }

  std::vector<std::string> labels(const toml::table& table, size_t count) {
    std::vector<std::string> labels;
    const toml::node* node = table.get("labels");
    if (node == nullptr) return labels;
    const toml::array* list = node->as_array();
    for (size_t i = 0; list != nullptr && i < list->size(); ++i)
      labels.push_back(with_single_spaces(list->get(i)->value_exact<std::string>().value_or("")));
    if (labels.size() != count || std::count(labels.begin(), labels.end(), "") != 0)
      complain(*node, "toggles.labels", "must be a list of texts, one for each value");
    return labels;
  }

  // Reads the combinations of toggles that do not exist. Their conditions may name the architecture.
  void read_illegal() {
    const toml::node* node = root_.get("illegal");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) return complain(*node, "illegal", "must be tables, [[illegal]]");
    names_.emplace("SM", 0);
    for (const toml::node& element : *list) {
      const toml::table* table = element.as_table();
      if (table == nullptr) return complain(element, "illegal", "must be tables, [[illegal]]");
      for (const char* key : {"when", "why"})
        if (!table->contains(key)) complain(*table, std::string("illegal.") + key, "is missing");
      kernel_.illegal.push_back(
          {expression(*table, "when", "illegal.when"), optional_text(*table, "why", "illegal.why")});
      reject_other_keys(*table, "illegal.", {"when", "why"});
    }
  }

  const toml::table& root_;
  Kernel& kernel_;
};

// Returns the text with two letters for each byte beyond ASCII.
std::string spelled_in_ascii(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>('g' + (byte >> 4));
      result += static_cast<char>('g' + (byte & 15));
    }
  }
  return result;
}

}  // namespace

Result<void> read_keys(const std::string& description, Kernel& kernel, bool complete) {
  // To report a mistake, toml++ 3.3 reads on and asks of any character whether it is white space, which is
  // unsafe beyond ASCII (see stray_character). So the first parse checks an ASCII copy for mistakes.
  toml::parse_result parsed = toml::parse(spelled_in_ascii(description));
  if (parsed) parsed = toml::parse(description);
  if (!parsed) {
    return fail("{}:{}: the description is not valid TOML: {}; {}.", kernel.path.string(),
                parsed.error().source().begin.line, parsed.error().description(), kDescriptionHint);
  }
  if (auto error = DescriptionReader(parsed.table(), kernel, complete).read())
    return tl::unexpected(*std::move(error));
  return {};
}

}  // namespace gemmscope::catalog
