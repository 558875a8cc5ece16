#include "cuda_text/macros.h"

#include <algorithm>
#include <cctype>

#include "catalog/expression.h"
#include "catalog/parameter.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

constexpr size_t kMostText = 20'000;     // characters of a macro, of a call, and of an expansion
constexpr size_t kMostWork = 8'000'000;  // characters for a whole file
constexpr size_t kMostOpen = 32;         // macros within macros
constexpr size_t kMostMacros = 10'000;
constexpr int kMostLinks = 8;  // from one macro's text to the next

// Splits at commas outside parentheses. Other brackets mean nothing to the preprocessor.
std::vector<std::string> macro_arguments(std::string_view inside) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (const char c : inside) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      arguments.emplace_back();
    else
      arguments.back() += c;
  }
  for (std::string& argument : arguments) argument = squeezed(argument);
  if (arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  return arguments;
}

// True if a comma or a closing bracket is outside all brackets.
bool is_part_of_a_list(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth < 0 || (c == ',' && depth == 0)) return true;
  }
  return depth != 0;
}

bool says_structure(std::string_view text) {
  for (const char* part : {"<<<", "<< <", "< <<", ";", "{", "}", "##"})
    if (text.find(part) != std::string_view::npos) return true;
  for (const char* word : {"dim3", "__global__", "__VA_ARGS__", "cudaLaunchKernel", "cudaLaunchKernelEx",
                           "cudaLaunchCooperativeKernel"})
    if (has_word(text, word)) return true;
  return is_part_of_a_list(text);
}

// Calls `visit` with each name of the text.
template <typename Visit>
void each_name(std::string_view text, const Visit& visit) {
  for (size_t i = 0; i < text.size();) {
    const std::string_view token = token_at(text, i);
    if (starts_name(token[0])) visit(std::string(token));
    i += token.size();
  }
}

}  // namespace

struct Macros::Call {
  std::vector<std::string> arguments;
  size_t end = 0;        // the position after the call
  size_t new_lines = 0;  // inside the call
};

void Macros::define(std::string_view definition) {
  if (definition.size() > kMostText || macros_.size() >= kMostMacros) return;
  const size_t begin = definition.find_first_not_of(" \t");
  if (begin == std::string_view::npos || !starts_name(definition[begin])) return;
  size_t at = end_of_word(definition, begin);
  const std::string name(definition.substr(begin, at - begin));
  Macro macro;
  if (at < definition.size() && definition[at] == '(') {
    const size_t close = definition.find(')', at);
    if (close == std::string_view::npos) return;
    macro.function_like = true;
    for (std::string& parameter : macro_arguments(definition.substr(at + 1, close - at - 1))) {
      if (macro.variadic) return;
      macro.variadic = parameter.ends_with("...");
      if (macro.variadic) parameter = squeezed(parameter.substr(0, parameter.size() - 3));
      if (macro.variadic && parameter.empty()) parameter = "__VA_ARGS__";
      if (!catalog::is_name(parameter)) return;
      macro.parameters.push_back(std::move(parameter));
    }
    at = close + 1;
  }
  macro.text = squeezed(definition.substr(at));
  macros_.insert_or_assign(name, std::move(macro));
  hides_.clear();
}

void Macros::undefine(const std::string& name) {
  if (macros_.erase(name) != 0) hides_.clear();
}

const Macro* Macros::find(const std::string& name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

bool Macros::works(size_t characters) const {
  work_ += characters;
  return work_ <= kMostWork;
}

bool Macros::hides_structure(const std::string& name, int depth) const {
  const Macro* macro = find(name);
  if (macro == nullptr || depth > kMostLinks || !works(macro->text.size())) return false;
  if (depth == 0)
    if (const auto known = hides_.find(name); known != hides_.end()) return known->second;
  bool hides = says_structure(macro->text) || macro->text.empty();
  bool only_constants = true;
  if (!hides)
    each_name(macro->text, [&](const std::string& word) {
      hides = hides || (word != name && hides_structure(word, depth + 1));
      only_constants &= find(word) != nullptr;
    });
  if (!macro->function_like && !only_constants && !catalog::type_from_name(macro->text)) hides = true;
  if (depth == 0) hides_[name] = hides;
  return hides;
}

std::string Macros::expanded(std::string_view text) const { return expand(text, {}, true); }
std::string Macros::structure_expanded(std::string_view text) const { return expand(text, {}, false); }

std::string Macros::expand(std::string_view text, const Names& open, bool all) const {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const std::string name(token_at(text, i));
    result += name;
    i += name.size();
    const size_t end = i;
    const Macro* macro = starts_name(name[0]) ? find(name) : nullptr;
    if (macro == nullptr || open.count(name) != 0 || open.size() >= kMostOpen || !works(name.size()) ||
        !(all || hides_structure(name)))
      continue;
    Call call;
    call.end = end;
    if (macro->function_like) {
      const size_t bracket = text.find_first_not_of(" \t\r\n", end);
      if (bracket == std::string_view::npos || text[bracket] != '(') continue;
      const std::string_view window = text.substr(0, std::min(text.size(), bracket + kMostText));
      const size_t behind = behind_bracket(window, bracket);
      if (!works(std::min(behind, window.size()) - bracket) || behind == std::string_view::npos) continue;
      call.arguments = macro_arguments(text.substr(bracket + 1, behind - bracket - 2));
      call.end = behind;
      call.new_lines = static_cast<size_t>(std::count(text.begin() + static_cast<ptrdiff_t>(end),
                                                      text.begin() + static_cast<ptrdiff_t>(behind), '\n'));
    }
    const auto replaced = replacement(name, *macro, call, open, all);
    if (!replaced || replaced->size() > kMostText || !works(replaced->size())) continue;
    result.replace(result.size() - name.size(), name.size(), *replaced);
    result.append(call.new_lines, '\n');
    i = call.end;
  }
  return result;
}

// Matches the arguments to the macro's parameters; nothing if they do not fit.
std::optional<std::vector<std::string>> Macros::arranged(const Macro& macro, const Call& call) {
  std::vector<std::string> arguments = call.arguments;
  const size_t wanted = macro.parameters.size();
  if (macro.variadic && arguments.size() > wanted) {
    for (size_t i = wanted; i < arguments.size(); ++i) arguments[wanted - 1] += ", " + arguments[i];
    arguments.resize(wanted);
  }
  if (arguments.size() < wanted && (macro.variadic || wanted == 1)) arguments.emplace_back();
  if (arguments.size() != wanted) return std::nullopt;
  return arguments;
}

std::optional<std::string> Macros::replacement(const std::string& name, const Macro& macro, const Call& call,
                                               const Names& open, bool all) const {
  const auto arguments = arranged(macro, call);
  if (!arguments) return std::nullopt;
  std::vector<std::optional<std::string>> expanded_arguments(arguments->size());
  const std::string& text = macro.text;
  std::string result;
  bool pastes = false;  // follows "##"
  for (size_t i = 0; i < text.size() && result.size() <= kMostText;) {
    if (text.compare(i, 2, "##") == 0) {
      while (result.ends_with(' ')) result.pop_back();
      pastes = true;
      i = std::min(text.find_first_not_of(' ', i + 2), text.size());
      continue;
    }
    const std::string_view word = token_at(text, i);
    i += word.size();
    const auto at = std::find(macro.parameters.begin(), macro.parameters.end(), word);
    if (at == macro.parameters.end()) {
      result += word;
    } else if (result.ends_with('#')) {
      result.pop_back();  // #x is a literal
    } else {
      const auto index = static_cast<size_t>(at - macro.parameters.begin());
      const std::string& raw = (*arguments)[index];
      const size_t next = text.find_first_not_of(' ', i);
      const bool is_pasted = pastes || (next != std::string::npos && text.compare(next, 2, "##") == 0);
      if (pastes && raw.empty() && result.ends_with(',')) result.pop_back();  // ", ##__VA_ARGS__"
      auto& expanded = expanded_arguments[index];
      if (!is_pasted && !expanded) expanded = expand(raw, open, all);
      result += is_pasted ? raw : *expanded;
    }
    pastes = false;
  }
  if (result.size() > kMostText || !works(result.size())) return std::nullopt;
  Names inside = open;
  inside.insert(name);
  return " " + expand(result, inside, all) + " ";
}

}  // namespace gemmscope::cuda_text
