#include <algorithm>
#include <set>

#include "catalog/expression.h"
#include "catalog/parameter.h"
#include "cuda_text/outline_parts.h"
#include "cuda_text/source_text.h"
#include "cuda_text/text_scanner.h"

namespace gemmscope::cuda_text {
namespace {

// Rewrites "16u" or "1'024" for the expression language.
std::string plain_number(std::string text) {
  std::erase(text, '\'');
  if (text == "true" || text == "false") return text == "true" ? "1" : "0";
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const std::string_view token = token_at(text, at);
    TextScanner scan(token);
    const std::string_view digits = scan.take_all_of("0123456789");
    scan.take_all_of("uUlL");
    result += !digits.empty() && scan.at_end() ? digits : token;
    at += token.size();
  }
  return result;
}

// A macro with "..." or with anything but names as parameters cannot be put into an expression.
bool all_names(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), catalog::is_name);
}

void add_constant(SourceOutline& outline, std::set<std::string>& ambiguous, const std::string& name,
                  const std::string& value) {
  if (name == "M" || name == "N" || name == "K") return;  // the experiment sets the sizes
  const catalog::Values known(outline.constants.begin(), outline.constants.end());
  const Result<int64_t> number = catalog::evaluate(plain_number(squeezed(value)), known);
  if (!number) return;
  const auto [at, is_new] = outline.constants.emplace(name, *number);
  if (!is_new && at->second != *number) ambiguous.insert(name);
}

// Reads "#define ceil_div(a, b) (((a) + (b) - 1) / (b))" as a function.
void read_text_function(SourceOutline& outline, const MacroDefinition& definition) {
  TextScanner scan(definition.rest);
  if (!scan.take("(")) return;
  const std::string_view parameters = scan.take_none_of(")");
  if (!scan.take(")")) return;
  scan.skip_blanks();
  if (scan.rest().find('\n') != std::string_view::npos || !all_names(split_arguments(parameters))) return;
  outline.text_functions[std::string(definition.name)] = {split_arguments(parameters), squeezed(scan.rest()),
                                                          true};
}

// Returns 64 of "#define BM 64", as text; empty for a macro with parameters, without a value, or on several
// lines.
std::string_view value_of(const MacroDefinition& definition) {
  TextScanner scan(definition.rest);
  if (scan.take_all_of(" \t").empty() || scan.at_end() || is_blank_char(scan.rest()[0])) return {};
  return scan.rest().find('\n') == std::string_view::npos ? scan.rest() : std::string_view();
}

// Returns "BM = 64, BN = 32" of "static constexpr int BM = 64, BN = 32;", where `scan` stands; empty if there
// is no declaration of integer constants. `scan` then stands behind it.
std::string_view take_constants(TextScanner& scan) {
  if (!scan.take_keyword({"const", "constexpr", "static"})) return {};
  while (scan.take_keyword({"const", "constexpr", "static", "inline"})) {
  }
  if (scan.take_keyword({"unsigned"}))
    scan.take_keyword({"int"});
  else if (!scan.take_keyword({"int", "bool", "uint", "size_t", "int64_t", "uint32_t", "auto"}))
    return {};
  const std::string_view declarators = scan.take_none_of(";{}");
  const size_t bracket = declarators.find_first_of("()");
  const bool opens = bracket == std::string_view::npos || declarators[bracket] == '(';
  return scan.take(";") && opens ? declarators : std::string_view();
}

// Reads "using real = float;" at `at` of the text. Returns the position behind it, or 0.
size_t read_alias(SourceOutline& outline, std::string_view text, size_t at) {
  TextScanner scan(text, at);
  if (!scan.take_keyword({"using"})) return 0;
  const std::string name(scan.take_word());
  scan.skip_blanks();
  if (name.empty() || !scan.take("=")) return 0;
  const std::string_view type = scan.take_none_of(";");
  if (type.empty() || !scan.take(";")) return 0;
  outline.type_names[name] = squeezed(type);
  return scan.at();
}

// Reads "typedef unsigned char byte;" likewise.
size_t read_typedef(SourceOutline& outline, std::string_view text, size_t at) {
  TextScanner scan(text, at);
  if (!scan.take_keyword({"typedef"})) return 0;
  const std::string declaration = squeezed(scan.take_none_of(";{}"));
  const size_t blank_at = declaration.rfind(' ');
  if (blank_at == std::string::npos || !scan.take(";")) return 0;
  const std::string name = declaration.substr(blank_at + 1);
  if (!std::all_of(name.begin(), name.end(), is_word_char)) return 0;
  outline.type_names[name] = declaration.substr(0, blank_at);
  return scan.at();
}

// Returns "(n + 31) / 32" of "int blocks(int n) { return (n + 31) / 32; }"; nothing for longer functions.
std::optional<std::string_view> only_return_value(std::string_view function) {
  TextScanner scan(function);
  scan.take_none_of("{");
  scan.take("{");
  scan.skip_blanks();
  if (!scan.take("return") || !scan.skip_blanks()) return std::nullopt;
  const std::string_view value = scan.take_none_of(";{}");
  if (!scan.take(";")) return std::nullopt;
  scan.skip_blanks();
  if (!scan.take("}") || !scan.at_end()) return std::nullopt;
  return value;
}

}  // namespace

void read_constants(SourceOutline& outline, const std::vector<std::string>& directives) {
  std::set<std::string> ambiguous;
  std::vector<std::pair<std::string, std::string>> definitions;
  for (const std::string& directive : directives) {
    const auto definition = directive.size() > kMostStatement ? std::nullopt : macro_definition(directive);
    if (!definition) continue;
    read_text_function(outline, *definition);
    const std::string value(value_of(*definition));
    if (value.empty()) continue;
    definitions.emplace_back(definition->name, value);
    if (catalog::type_from_name(squeezed(value)))
      outline.type_names[std::string(definition->name)] = squeezed(value);
  }
  // A macro may use a macro that is defined after it.
  for (int pass = 0; pass < 3; ++pass)
    for (const auto& [name, value] : definitions) add_constant(outline, ambiguous, name, value);
  const std::string text = searchable(outline.clean);
  read_at_words(text, [&](size_t at) {
    TextScanner scan(text, at);
    const std::string_view constants = take_constants(scan);
    for (const std::string& part : split_arguments(constants))
      if (const size_t equals = part.find('='); equals != std::string::npos)
        add_constant(outline, ambiguous, squeezed(part.substr(0, equals)), part.substr(equals + 1));
    return constants.empty() ? 0 : scan.at();
  });
  for (const std::string& name : ambiguous) outline.constants.erase(name);
  for (const OutlineFunction& f : outline.functions) {
    const std::string_view body = std::string_view(outline.clean).substr(f.begin, f.end - f.begin);
    const auto value = f.global || body.size() > 400 ? std::nullopt : only_return_value(body);
    if (!value) continue;
    TextFunction inlined{{}, squeezed(*value), false};
    for (const DeclaredParameter& p : f.parameters) inlined.parameters.push_back(p.name);
    if (all_names(inlined.parameters)) outline.text_functions[f.name] = std::move(inlined);
  }
  read_at_words(text, [&](size_t at) { return read_alias(outline, text, at); });
  read_at_words(text, [&](size_t at) { return read_typedef(outline, text, at); });
}

}  // namespace gemmscope::cuda_text
