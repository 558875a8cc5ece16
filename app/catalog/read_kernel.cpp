// The one file that includes toml++ (header-only, without exceptions). Version 3.3 asserts that a key follows
// "[" and reports the same as an ordinary error two lines later; the assertion would end a debug build on a
// user's typing.
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "catalog/description.h"
#include "catalog/expression.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxSourceBytes = 4 << 20;
constexpr std::array kTileKeys = {"block_m", "block_n",  "block_k", "warp_m",
                                  "warp_n",  "thread_m", "thread_n"};
constexpr std::string_view kMark = "//!";
constexpr std::string_view kHint = "kernels/README.md describes the format";

}  // namespace

Result<std::string> read_source(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return fail("{}: there is no such file.", path.string());
  if (fs::file_size(path, error) > kMaxSourceBytes) {
    return fail("{}: larger than 4 MiB; this is hardly a kernel.", path.string());
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("{}: the file cannot be read; check its permissions.", path.string());
  return text.str();
}

namespace {

// The lines "//! …" that open the file, without the mark: line n of the result is line n of the file.
std::string description_of(std::string_view source) {
  std::string description;
  while (source.substr(0, kMark.size()) == kMark) {
    const size_t end = std::min(source.find('\n'), source.size());
    description += source.substr(kMark.size(), end - kMark.size());
    description += '\n';
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return description;
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// The place of a character beyond ASCII where toml++ 3.3 asks whether it is white space: outside quotes and
// comments, and in a text after a backslash. For U+00A1 to U+0499 its answer is undefined behaviour; TOML
// allows them there in no case but the last, after a line that ends with a backslash.
std::optional<size_t> stray_character(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char quote = text[i];
    if (!is_ascii(quote)) return i;
    if (quote == '#') i = std::min(text.find('\n', i), text.size());
    if (quote != '"' && quote != '\'') continue;
    const std::string_view triple = quote == '"' ? R"(""")" : "'''";
    const bool multi_line = text.substr(i, 3) == triple;
    const std::string_view close = multi_line ? triple : triple.substr(0, 1);
    for (i += close.size(); i < text.size() && text.substr(i, close.size()) != close; ++i) {
      if (text[i] == '\n' && !multi_line) break;  // not closed: an error of TOML's
      if (text[i] != '\\' || quote != '"') continue;
      const size_t next = std::min(text.find_first_not_of(" \t\r\n", i + 1), text.size());
      if (next < text.size() && !is_ascii(text[next])) return next;
      ++i;
    }
    if (text.substr(i, close.size()) == close) i += close.size() - 1;
  }
  return std::nullopt;
}

// A sentence may go over several lines of the file; it is one line on the screen.
std::string with_single_spaces(const std::string& text) {
  std::istringstream words(text);
  std::string result, word;
  while (words >> word) result += (result.empty() ? "" : " ") + word;
  return result;
}

// Reads one description into a Kernel. The first complaint is kept, and reading goes on with empty values.
class DescriptionReader {
 public:
  DescriptionReader(const toml::table& root, Kernel& kernel, bool complete)
      : root_(root), kernel_(kernel), complete_(complete) {}

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
    reject_other_keys(
        root_, "",
        {"title",   "entry",    "block",        "grid",    "shared",       "changed", "why",
         "look_at", "tile",     "divisibility", "toggles", "illegal",      "defines", "parameters",
         "inputs",  "launches", "check",        "picture", "architecture", "factors", "factors_rounded"});
    return error_;
  }

 private:
  void complain(const toml::node& node, std::string_view key, std::string_view sentence) {
    if (error_) return;
    // The root's own place is the first line; toml++ leaves it 0 for an empty document.
    const auto line = std::max<uint32_t>(1, node.source().begin.line);
    error_ =
        Error{fmt::format("{}:{}: key \"{}\" {}; {}.", kernel_.path.string(), line, key, sentence, kHint)};
  }

  const toml::node* required(const toml::table& table, std::string_view key, std::string_view full_key) {
    const toml::node* node = table.get(key);
    const bool in_list = full_key.starts_with("toggles.");
    if (node == nullptr && (complete_ || in_list)) complain(table, full_key, "is missing");
    return node;
  }

  std::string text(const toml::table& table, std::string_view key, std::string_view full_key = {}) {
    if (full_key.empty()) full_key = key;
    const toml::node* node = required(table, key, full_key);
    if (node == nullptr) return {};
    const std::string value = with_single_spaces(node->value_or(std::string{}));
    if (!node->is_string() || value.empty())
      complain(*node, full_key, "must be a text in quotes that is not empty");
    return value;
  }

  std::string identifier(const toml::table& table, std::string_view key, std::string_view full_key = {}) {
    const std::string value = text(table, key, full_key);
    const toml::node* node = table.get(key);
    if (node != nullptr && !is_name(value)) {
      complain(*node, full_key.empty() ? key : full_key, "must be a C identifier");
    }
    return value;
  }

  std::string expression_of(const toml::node& node, std::string_view full_key) {
    const auto number = node.value_exact<int64_t>();
    const std::string value =
        number ? std::to_string(*number) : with_single_spaces(node.value_exact<std::string>().value_or(""));
    if (!number && !node.is_string())
      complain(node, full_key, "must be an integer or an expression in quotes");
    const auto checked = check_expression(value, names_);
    if (!checked) complain(node, full_key, "is no valid expression: " + checked.error().message);
    return value;
  }

  std::string expression(const toml::table& table, std::string_view key, std::string_view full_key) {
    const toml::node* node = required(table, key, full_key);
    return node == nullptr ? "" : expression_of(*node, full_key);
  }

  std::array<std::string, 3> three_expressions(std::string_view key) {
    std::array<std::string, 3> values;
    const toml::node* node = required(root_, key, key);
    if (node == nullptr) return values;
    const toml::array* list = node->as_array();
    if (!complete_ && list == nullptr) {  // one expression, or one or two in a list: the others are 1
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

  // The text of a value that is a text, a number or a list of those; nothing for any other.
  static std::optional<std::vector<std::string>> texts_of(const toml::node& node) {
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

  // A table of a small experiment, read by one of catalog/lab.h's functions.
  template <typename T>
  std::optional<T> lab_table(const toml::node& node, std::string_view key,
                             Result<T> (*from)(const TableTexts&)) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return complain(node, key, "must be a table"), std::nullopt;
    TableTexts texts;
    for (const auto& [name, value] : *table) {
      const auto read = texts_of(value);
      if (!read) {
        complain(value, key, "has a value that is neither a text in quotes nor a number nor a list of those");
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
        complain(*root_.get(key), key, "has no valid expression: " + checked.error().message);
  }

  void read_lab() {
    kernel_.inputs = lab_tables("inputs", input_from);
    for (const Input& input : kernel_.inputs)
      if (is_function(input.name) || !names_.emplace(input.name, 0).second)
        complain(*root_.get("inputs"), "inputs", "has a name that is taken already: " + input.name);
    // An input's value is known to the compiler alone.
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
        if (const toml::node* node = root_.get(key)) complain(*node, key, "stands in [[launches]] already");
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
      if (!picture)
        complain(*node, "picture", "must be banks, sectors, occupancy, atomics, traffic or pipeline");
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
    if (node == nullptr) return complain(*rounded, "factors_rounded", "needs \"factors\" beside it");
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
        return complain(table, "parameters", "is wrong: there is a matrix of this role already");
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

  std::string optional_text(const toml::table& table, std::string_view key, std::string_view full_key) {
    return table.contains(key) ? text(table, key, full_key) : std::string();
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

  // Combinations of toggles that there are not. Their conditions may name the architecture.
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

  std::vector<int64_t> integers(const toml::table& table, std::string_view key, std::string_view full_key) {
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

  void reject_other_keys(const toml::table& table, std::string_view prefix,
                         const std::set<std::string_view>& known) {
    for (const auto& [key, node] : table) {
      if (!known.count(key.str())) complain(node, std::string(prefix) + std::string(key.str()), "is unknown");
    }
  }

  const toml::table& root_;
  Kernel& kernel_;
  const bool complete_;
  Values names_ = {{"M", 0}, {"N", 0}, {"K", 0}};
  std::optional<Error> error_;
};

}  // namespace

Result<void> read_description(Kernel& kernel, bool complete) {
  const std::string path = kernel.path.string();
  const std::string description = description_of(kernel.source);
  if (description.empty() && complete) {
    return fail("{}:1: there is no description: the file must start with lines \"//! key = value\"; {}.",
                path, kHint);
  }
  if (const auto at = stray_character(description)) {
    const auto end = description.begin() + static_cast<ptrdiff_t>(*at);
    return fail(
        "{}:{}: the description is no valid TOML: outside quotes only ASCII characters may stand; {}.", path,
        1 + std::count(description.begin(), end, '\n'), kHint);
  }
  const toml::parse_result parsed = toml::parse(description);
  if (!parsed) {
    return fail("{}:{}: the description is no valid TOML: {}; {}.", path, parsed.error().source().begin.line,
                parsed.error().description(), kHint);
  }
  if (auto error = DescriptionReader(parsed.table(), kernel, complete).read())
    return tl::unexpected(*std::move(error));
  return {};
}

Result<Kernel> read_kernel(const fs::path& path) {
  auto source = read_source(path);
  if (!source) return tl::unexpected(source.error());
  Kernel kernel;
  kernel.id = path.stem().string();
  kernel.path = path;
  kernel.folder = path.parent_path().filename().string();
  kernel.source = *std::move(source);
  if (auto read = read_description(kernel, true); !read) return tl::unexpected(read.error());
  return kernel;
}

}  // namespace gemmscope::catalog
