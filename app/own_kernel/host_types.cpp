#include "own_kernel/host_types.h"

#include <algorithm>

#include "cuda_text/source_text.h"
#include "cuda_text/text_scanner.h"

namespace gemmscope::own_kernel {
namespace {

constexpr int kMostSteps = 16;  // from one alias, or one constant, to the next
// Limit for one type or constant, because a few lines can name each other any number of times.
constexpr int kMostReplaced = 50;

const cuda_text::OutlineFunction* function_at(const cuda_text::SourceOutline& outline, size_t at) {
  const auto f = std::find_if(outline.functions.begin(), outline.functions.end(),
                              [at](const auto& g) { return g.begin <= at && at < g.end; });
  return f == outline.functions.end() ? nullptr : &*f;
}

// The type of "using NAME = type;" or "typedef type NAME;" that begins at `at`; empty for other text.
std::string aliased_type(std::string_view text, size_t at, std::string_view name) {
  cuda_text::TextScanner scan(text, at);
  if (scan.take_keyword({"using"})) {
    if (scan.take_word() != name) return "";
    scan.skip_blanks();
    return scan.take("=") ? cuda_text::squeezed(scan.take_none_of(";{}")) : "";
  }
  if (!scan.take_keyword({"typedef"})) return "";
  const std::string declaration = cuda_text::squeezed(scan.take_none_of(";{}"));
  const size_t blank = declaration.rfind(' ');
  return blank != std::string::npos && declaration.substr(blank + 1) == name ? declaration.substr(0, blank)
                                                                             : "";
}

// What `name` stands for at `at`, if the text [begin, at) declares it as an alias; the last one counts.
std::string alias_in(const std::string& text, size_t begin, size_t at, const std::string& name) {
  std::string found;
  const std::string_view before = std::string_view(text).substr(0, at);
  for (size_t i = begin; i < before.size();) {
    const std::string_view token = cuda_text::token_at(before, i);
    if (token == "using" || token == "typedef")
      if (std::string type = aliased_type(before, i, name); !type.empty()) found = std::move(type);
    i += token.size();
  }
  return found.size() > cuda_text::kMostStatement ? "" : found;
}

// The alias within the function around `at`, or, unless `local`, one that the whole file sees.
std::string alias_at(const cuda_text::SourceOutline& outline, size_t at, const std::string& name,
                     bool local) {
  const cuda_text::OutlineFunction* function = function_at(outline, at);
  if (function != nullptr)
    if (std::string type = alias_in(outline.clean, function->begin, at, name); !type.empty()) return type;
  const auto known = outline.type_names.find(name);
  return local || known == outline.type_names.end() ? "" : known->second;
}

std::string replaced_aliases(const cuda_text::SourceOutline& outline, const std::string& type, size_t at,
                             bool local, int& budget, int depth = 0) {
  if (depth > kMostSteps || type.size() > cuda_text::kMostStatement) return type;
  std::string result;
  for (size_t i = 0; i < type.size();) {
    const std::string token(cuda_text::token_at(type, i));
    const bool is_member = result.ends_with("::") || result.ends_with('.');
    const bool searched = cuda_text::starts_name(type[i]) && !is_member && --budget >= 0;
    const std::string meaning = searched ? alias_at(outline, at, token, local) : "";
    result += meaning.empty() || meaning == token
                  ? token
                  : replaced_aliases(outline, meaning, at, local, budget, depth + 1);
    i += token.size();
  }
  return result;
}

// A type as its last name and its template arguments: Shape and 128, 128 of "demo::Shape<128, 128>".
struct TypeText {
  std::string name;
  std::vector<std::string> arguments;
};
TypeText read_type(const std::string& text) {
  const size_t open = text.find('<');
  TypeText type{cuda_text::last_component(cuda_text::squeezed(text.substr(0, open))), {}};
  const size_t close = text.rfind('>');
  if (open != std::string::npos && close != std::string::npos && close > open)
    type.arguments = cuda_text::split_arguments(std::string_view(text).substr(open + 1, close - open - 1));
  return type;
}

// In parentheses, unless it is a number or a name.
std::string enclosed(const std::string& text) {
  return std::all_of(text.begin(), text.end(), cuda_text::is_word_char) ? text : "(" + text + ")";
}

// Puts the template arguments and the other constants of the type into the text of one of its constants.
std::optional<std::string> constant_of(const std::string& body, const cuda_text::OutlineType& type,
                                       const std::vector<std::string>& arguments, const std::string& member,
                                       int& budget, int depth = 0) {
  if (depth > kMostSteps || --budget < 0) return std::nullopt;
  const auto definition = cuda_text::definition_of(body, member, body.size());
  if (!definition || definition->first.size() > cuda_text::kMostStatement) return std::nullopt;
  std::string result;
  for (size_t i = 0; i < definition->first.size();) {
    const std::string token(cuda_text::token_at(definition->first, i));
    i += token.size();
    const auto& formals = type.template_parameters;
    const auto formal =
        std::find_if(formals.begin(), formals.end(), [&](const auto& p) { return p.name == token; });
    const auto index = static_cast<size_t>(formal - formals.begin());
    if (formal != formals.end()) {
      const std::string& value = index < arguments.size() ? arguments[index] : formal->default_value;
      if (value.empty()) return std::nullopt;
      result += enclosed(value);
    } else if (const auto other = cuda_text::starts_name(token[0]) && token != member
                                      ? constant_of(body, type, arguments, token, budget, depth + 1)
                                      : std::nullopt) {
      result += *other;
    } else {
      result += token;
    }
    if (result.size() > cuda_text::kMostStatement) return std::nullopt;
  }
  return enclosed(result);
}

}  // namespace

std::string without_local_aliases(const cuda_text::SourceOutline& outline, const std::string& type,
                                  size_t at) {
  int budget = kMostReplaced;
  return replaced_aliases(outline, type, at, true, budget);
}

std::string qualified_path(const std::string& text, size_t at) {
  size_t end = at;
  bool qualified = false;
  for (;;) {
    const size_t word_end = cuda_text::end_of_word(text, end);
    if (word_end == end) return "";
    end = word_end;
    size_t next = end;
    if (next < text.size() && text[next] == '<') next = cuda_text::behind_bracket(text, next);
    if (next == std::string::npos || text.compare(next, 2, "::") != 0) break;
    qualified = true;
    end = next + 2;
  }
  return qualified ? text.substr(at, end - at) : "";
}

std::optional<std::string> member_constant(const cuda_text::SourceOutline& outline, const std::string& path,
                                           size_t at) {
  const size_t separator = path.rfind("::");
  if (separator == std::string::npos) return std::nullopt;
  const std::string member = path.substr(separator + 2);
  int budget = kMostReplaced;
  const TypeText wanted = read_type(replaced_aliases(outline, path.substr(0, separator), at, false, budget));
  for (const cuda_text::OutlineType& type : outline.types) {
    if (type.name != wanted.name) continue;
    const size_t open = outline.clean.find('{', type.begin);
    if (open == std::string::npos || open >= type.end) continue;
    const std::string body = outline.clean.substr(open, type.end - open);
    if (auto value = constant_of(body, type, wanted.arguments, member, budget)) return value;
  }
  return std::nullopt;
}

}  // namespace gemmscope::own_kernel
