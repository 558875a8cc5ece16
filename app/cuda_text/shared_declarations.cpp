#include "cuda_text/shared_declarations.h"

#include <algorithm>
#include <optional>

#include "cuda_text/source_text.h"
#include "cuda_text/text_scanner.h"

namespace gemmscope::cuda_text {
namespace {

constexpr uint64_t kMostBytes = 1u << 20;  // more than any block has: a guess that went wrong
constexpr int64_t kMostCopies = 16;

uint64_t rounded_up(uint64_t value, uint64_t unit) {
  return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

// "tile[32][33]": the name and its dimensions, an empty text for [].
struct Declarator {
  std::string name;
  std::vector<std::string> dimensions;
};

std::optional<Declarator> read_declarator(std::string_view text) {
  TextScanner scan(text);
  scan.skip_blanks();
  Declarator declarator{std::string(scan.take_word()), {}};
  if (declarator.name.empty() || !starts_name(declarator.name[0])) return std::nullopt;
  for (scan.skip_blanks(); !scan.at_end(); scan.skip_blanks()) {
    const size_t end = scan.rest()[0] == '[' ? behind_bracket(text, scan.at()) : std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    declarator.dimensions.emplace_back(text.substr(scan.at() + 1, end - scan.at() - 2));
    scan = TextScanner(text, end);
  }
  return declarator;
}

// What one element of a declaration holds.
struct ElementType {
  uint64_t bytes = 0, alignment = 1;
  bool plain = false;                 // a number or a vector of numbers
  std::vector<DeclaredArray> arrays;  // of a struct
};

class Reader {
 public:
  Reader(const SourceOutline& outline, IntegerNames names) : outline_(outline), names_(std::move(names)) {
    for (const auto& [name, value] : outline.constants) names_.emplace(name, value);
    read_constants();
  }

  // Reads "float a[4][4], b[4][4]" or, of a variable, the same with qualifiers before it.
  bool read_declaration(std::string_view text, std::vector<SharedVariable>& variables) const {
    SharedVariable common;
    TextScanner scan(text);
    const std::string type = take_type(scan, common);
    const std::optional<ElementType> element = type_named(type);
    if (!element) return false;
    common.alignment = std::max(common.alignment, element->alignment);
    for (const std::string& part : split_arguments(scan.rest())) {
      const std::optional<Declarator> declarator = read_declarator(part);
      SharedVariable variable = common;
      if (!declarator || !fill(variable, *declarator, type, *element)) return false;
      variables.push_back(std::move(variable));
    }
    return true;
  }

 private:
  // Constants may be expressions that the outline does not evaluate, such as LAYOUT == 1 ? 4 : 0.
  void read_constants() {
    const std::string_view text = outline_.clean;
    read_at_words(text, [&](size_t at) -> size_t {
      TextScanner scan(text, at);
      if (!scan.take_keyword({"const", "constexpr"})) return 0;
      while (scan.take_keyword({"const", "constexpr", "static", "inline", "unsigned", "int", "size_t", "long",
                                "uint32_t", "int64_t", "bool", "auto"})) {
      }
      const size_t begin = scan.at();
      const std::string_view list = scan.take_none_of(";{}");
      if (!scan.take(";")) return 0;
      for (const std::string& part : split_arguments(list)) {
        TextScanner one(part);
        one.skip_blanks();
        const std::string name(one.take_word());
        one.skip_blanks();
        if (name.empty() || !one.take("=")) return begin;
        if (const std::optional<int64_t> value = integer_value(one.rest(), names_))
          names_.emplace(name, *value);
      }
      return scan.at();
    });
  }

  // Takes the words before the first name that is declared; of them the qualifiers go into `variable`.
  static std::string take_type(TextScanner& scan, SharedVariable& variable) {
    std::string type;
    for (;;) {
      scan.skip_blanks();
      TextScanner ahead = scan;
      const std::string word(ahead.take_word());
      if (word.empty()) return type;
      if (word == "__align__" || word == "alignas") {
        ahead.skip_blanks();
        ahead.take("(");
        const std::optional<int64_t> bytes = integer_value(ahead.take_none_of(")"), {});
        if (bytes && *bytes > 0) variable.alignment = static_cast<uint64_t>(*bytes);
        ahead.take(")");
        scan = ahead;
        continue;
      }
      variable.external |= word == "extern";
      const bool qualifier = word == "__shared__" || word == "extern" || word == "static" ||
                             word == "volatile" || word == "const" || word == "struct";
      TextScanner behind = ahead;
      behind.skip_blanks();
      const bool last =
          behind.at_end() || std::string_view("[,;=").find(behind.rest()[0]) != std::string_view::npos;
      if (!qualifier && last) return type;  // the word is the first name
      if (!qualifier) type += (type.empty() ? "" : " ") + word;
      scan = ahead;
    }
  }

  std::optional<ElementType> type_named(const std::string& name, int depth = 0) const {
    constexpr int kDeepest = 8;
    if (depth > kDeepest) return std::nullopt;
    if (const uint32_t bytes = bytes_of_type(name); bytes != 0) {
      const uint64_t alignment = bytes == 12 ? 4 : bytes;
      return ElementType{bytes, alignment, true, {}};
    }
    if (const auto alias = outline_.type_names.find(name); alias != outline_.type_names.end())
      return type_named(alias->second, depth + 1);
    for (const OutlineType& type : outline_.types)
      if (type.name == name) return struct_type(type);
    return std::nullopt;
  }

  // A struct that holds nothing but numbers and arrays of them.
  std::optional<ElementType> struct_type(const OutlineType& type) const {
    const std::string_view text = std::string_view(outline_.clean).substr(type.begin, type.end - type.begin);
    const size_t open = text.find('{');
    if (open == std::string_view::npos || !text.starts_with("struct") ||
        text.substr(0, open).find(':') != std::string_view::npos)
      return std::nullopt;
    const size_t end = behind_bracket(text, open);
    if (end == std::string_view::npos) return std::nullopt;
    ElementType whole;
    TextScanner scan(text.substr(open + 1, end - open - 2));
    for (;;) {
      const std::string_view member = scan.take_none_of(";");
      if (squeezed(member).empty()) break;
      std::vector<SharedVariable> variables;
      if (!scan.take(";") || !add_member(whole, member)) return std::nullopt;
    }
    whole.bytes = rounded_up(whole.bytes, whole.alignment);
    return whole.bytes == 0 ? std::nullopt : std::optional(whole);
  }

  bool add_member(ElementType& whole, std::string_view text) const {
    TextScanner scan(text);
    SharedVariable common;
    common.alignment = 1;
    const std::string name = take_type(scan, common);
    const uint32_t bytes = bytes_of_type(name);
    if (bytes == 0) return false;
    const ElementType element{bytes, std::max<uint64_t>(common.alignment, bytes == 12 ? 4 : bytes), true, {}};
    for (const std::string& part : split_arguments(scan.rest())) {
      const std::optional<Declarator> declarator = read_declarator(part);
      SharedVariable member;
      if (!declarator || !fill(member, *declarator, name, element) || member.unsized) return false;
      whole.bytes = rounded_up(whole.bytes, element.alignment);
      for (DeclaredArray array : member.arrays) {
        array.offset += whole.bytes;
        array.name = "." + array.name;
        whole.arrays.push_back(std::move(array));
      }
      whole.bytes += member.bytes;
      whole.alignment = std::max(whole.alignment, element.alignment);
    }
    return true;
  }

  // Sets the name, size and arrays. Of a plain type the last two dimensions are an array's, those before them
  // count copies; of a struct all dimensions count copies.
  bool fill(SharedVariable& variable, const Declarator& declarator, const std::string& type,
            const ElementType& element) const {
    variable.name = declarator.name;
    std::vector<int64_t> dimensions;
    for (const std::string& text : declarator.dimensions) {
      if (squeezed(text).empty() && dimensions.empty() && !variable.unsized) {
        variable.unsized = true;
        continue;
      }
      const std::optional<int64_t> value = integer_value(text, names_);
      if (!value || *value <= 0 || static_cast<uint64_t>(*value) > kMostBytes) return false;
      dimensions.push_back(*value);
    }
    const size_t copy_dimensions =
        element.plain ? (dimensions.size() > 2 ? dimensions.size() - 2 : 0) : dimensions.size();
    int64_t copies = 1;
    for (size_t i = 0; i < copy_dimensions; ++i)
      if (__builtin_mul_overflow(copies, dimensions[i], &copies)) return false;
    std::vector<DeclaredArray> arrays = element.arrays;
    uint64_t bytes = element.bytes;
    for (size_t i = copy_dimensions; i < dimensions.size(); ++i)
      if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(dimensions[i]), &bytes)) return false;
    if (element.plain && dimensions.size() >= 2)
      arrays = {{"", type, static_cast<uint32_t>(element.bytes), dimensions[dimensions.size() - 2],
                 dimensions.back(), 0}};
    uint64_t all = 0;
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(copies), &all) || all > kMostBytes) return false;
    variable.bytes = all;
    for (int64_t copy = 0; copy < std::min(copies, kMostCopies); ++copy)
      for (DeclaredArray array : arrays) {
        array.offset += bytes * static_cast<uint64_t>(copy);
        array.name = declarator.name + (copies > 1 ? "[" + std::to_string(copy) + "]" : "") + array.name;
        variable.arrays.push_back(std::move(array));
      }
    return true;
  }

  const SourceOutline& outline_;
  IntegerNames names_;
};

// `symbol` is a name as written or mangled: with the length of each of its parts before it.
bool is_symbol_of(std::string_view symbol, const std::string& name) {
  return symbol == name || symbol.find(std::to_string(name.size()) + name) != std::string_view::npos;
}

}  // namespace

std::vector<SharedVariable> shared_variables(const SourceOutline& outline, std::string_view symbol,
                                             const IntegerNames& given, bool& complete) {
  complete = true;
  const Reader reader(outline, given);
  std::vector<SharedVariable> variables;
  const std::string_view text = outline.clean;
  for (const OutlineFunction& function : outline.functions) {
    const bool wanted =
        function.global ? is_symbol_of(symbol, last_component(function.name)) : function.device;
    if (!wanted) continue;
    size_t statement = function.begin;
    for (size_t at = function.begin; at < function.end;
         at += std::max<size_t>(1, token_at(text, at).size())) {
      if (text[at] == ';' || text[at] == '{' || text[at] == '}') statement = at + 1;
      if (token_at(text, at) != "__shared__") continue;
      const size_t end = text.find(';', at);
      if (end == std::string_view::npos || end > function.end) break;
      if (!reader.read_declaration(text.substr(statement, end - statement), variables)) complete = false;
      at = end;
      statement = end + 1;
    }
  }
  return variables;
}

std::vector<DeclaredArray> arrays_in(const SharedVariable& variable, uint64_t bytes) {
  if (!variable.unsized || variable.bytes == 0) return variable.arrays;
  std::vector<DeclaredArray> arrays;
  const uint64_t copies = std::min<uint64_t>(bytes / variable.bytes, kMostCopies);
  for (uint64_t copy = 0; copy < copies; ++copy)
    for (DeclaredArray array : variable.arrays) {
      array.offset += copy * variable.bytes;
      array.name = array.name.substr(0, variable.name.size()) + "[" + std::to_string(copy) + "]" +
                   array.name.substr(variable.name.size());
      arrays.push_back(std::move(array));
    }
  return arrays;
}

}  // namespace gemmscope::cuda_text
