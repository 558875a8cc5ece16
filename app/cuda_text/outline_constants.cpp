#include <algorithm>
#include <regex>
#include <set>

#include "catalog/expression.h"
#include "catalog/parameter.h"
#include "cuda_text/outline_parts.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

// Rewrites "16u", "0x10" or "1'024" for the expression language.
std::string plain_number(std::string text) {
  std::erase(text, '\'');
  if (text == "true" || text == "false") return text == "true" ? "1" : "0";
  return std::regex_replace(text, std::regex("\\b(\\d+)[uUlL]+\\b"), "$1");
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

}  // namespace

void read_constants(SourceOutline& outline, const std::vector<std::string>& directives) {
  std::set<std::string> ambiguous;
  static const std::regex define(R"(^\s*#\s*define\s+(\w+)[ \t]+(\S[^\n]*)$)");
  std::smatch match;
  std::vector<std::pair<std::string, std::string>> definitions;
  for (const std::string& directive : directives) {
    if (directive.size() > kMostStatement) continue;
    static const std::regex function(R"(^\s*#\s*define\s+(\w+)\(([^)]*)\)\s*([^\n]*)$)");
    if (std::regex_match(directive, match, function) && all_names(split_arguments(match[2].str())))
      outline.text_functions[match[1]] = {split_arguments(match[2].str()), squeezed(match[3].str()), true};
    if (!std::regex_match(directive, match, define)) continue;
    definitions.emplace_back(match[1], match[2]);
    if (catalog::type_from_name(squeezed(match[2].str())))
      outline.type_names[match[1]] = squeezed(match[2].str());
  }
  // A macro may use a macro that is defined after it.
  for (int pass = 0; pass < 3; ++pass)
    for (const auto& [name, value] : definitions) add_constant(outline, ambiguous, name, value);
  static const std::regex constant(
      R"(\b(?:const|constexpr|static)\s+(?:const\s+|constexpr\s+|static\s+|inline\s+)*(?:unsigned\s+int|unsigned|int|bool|uint|size_t|int64_t|uint32_t|auto)\s+([^;(){}]*(?:\([^;{}]*)?);)");
  const std::string text = searchable(outline.clean);
  for (auto it = std::sregex_iterator(text.begin(), text.end(), constant); it != std::sregex_iterator(); ++it)
    for (const std::string& part : split_arguments((*it)[1].str()))
      if (const size_t equals = part.find('='); equals != std::string::npos)
        add_constant(outline, ambiguous, squeezed(part.substr(0, equals)), part.substr(equals + 1));
  for (const std::string& name : ambiguous) outline.constants.erase(name);
  static const std::regex returns(R"(^[^{]*\{\s*return\s+([^;{}]*);\s*\}$)");
  for (const OutlineFunction& f : outline.functions) {
    const std::string body = outline.clean.substr(f.begin, f.end - f.begin);
    std::smatch found;
    if (f.global || body.size() > 400 || !std::regex_match(body, found, returns)) continue;
    TextFunction inlined{{}, squeezed(found[1].str()), false};
    for (const DeclaredParameter& p : f.parameters) inlined.parameters.push_back(p.name);
    if (all_names(inlined.parameters)) outline.text_functions[f.name] = std::move(inlined);
  }
  static const std::regex alias(R"(\busing\s+(\w+)\s*=\s*([^;]+);)");
  static const std::regex definition(R"(\btypedef\s+([^;{}]+?)\s+(\w+)\s*;)");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), alias); it != std::sregex_iterator(); ++it)
    outline.type_names[(*it)[1]] = squeezed((*it)[2].str());
  for (auto it = std::sregex_iterator(text.begin(), text.end(), definition); it != std::sregex_iterator();
       ++it)
    outline.type_names[(*it)[2]] = squeezed((*it)[1].str());
}

}  // namespace gemmscope::cuda_text
