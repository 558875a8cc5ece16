#include "own_kernel/launch_resolver.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "cuda_text/source_text.h"
#include "cuda_text/text_scanner.h"
#include "own_kernel/host_types.h"

namespace gemmscope::own_kernel {
namespace {

constexpr int kMostSteps = 16;  // from one variable to the next
// Limit for one launch, because a few lines of macros can give an expression of any length.
constexpr int kMostResolved = 200;

std::string lower(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::erase(name, '_');
  return name;
}

bool is_ceil_div(const std::string& name) {
  static const std::set<std::string> kNames = {"ceildiv",    "cdiv",       "divup",    "divceil",
                                               "updiv",      "idivup",     "iceildiv", "ceildivide",
                                               "divroundup", "roundupdiv", "divideup"};
  return kNames.count(lower(name)) != 0;
}

// Finds the closing bracket, round or curly.
size_t closing_bracket(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{' ? 1 : text[i] == ')' || text[i] == '}' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string::npos;
}

// True if an operand, not an operator, begins at `at`.
bool is_operand(const std::string& text, size_t at) {
  const size_t before = at == 0 ? std::string::npos : text.find_last_not_of(' ', at - 1);
  return before == std::string::npos || std::string("(,+-*/%").find(text[before]) != std::string::npos;
}

// Returns the path "params.m" or "p->m" that begins at `at`.
std::string member_path(const std::string& text, size_t at) {
  size_t end = at;
  for (;;) {
    while (end < text.size() && cuda_text::is_word_char(text[end])) ++end;
    const size_t step = text.compare(end, 2, "->") == 0 ? 2 : text.compare(end, 1, ".") == 0 ? 1 : 0;
    if (step == 0 || end + step >= text.size() || !cuda_text::is_word_char(text[end + step])) break;
    end += step;
  }
  return text.substr(at, end - at);
}

// Returns the bytes of a type such as float or float4, or "?".
std::string size_text(const std::string& type) {
  const auto element = catalog::type_from_name(type);
  if (!element) return "?";
  const bool is_vector = std::string("234").find(type.back()) != std::string::npos &&
                         catalog::type_from_name(type.substr(0, type.size() - 1)).has_value();
  return std::to_string(size_of(*element) * (is_vector ? static_cast<uint32_t>(type.back() - '0') : 1));
}

// Replaces sizeof(float) by 4.
std::string with_sizes(std::string text) {
  for (size_t at = text.find("sizeof"); at != std::string::npos; at = text.find("sizeof", at + 1)) {
    cuda_text::TextScanner scan(text, at);
    scan.take("sizeof");
    scan.skip_blanks();
    if (!scan.take("(")) continue;
    const std::string type = cuda_text::squeezed(scan.take_none_of("()"));
    const bool is_type =
        std::all_of(type.begin(), type.end(), [](char c) { return cuda_text::is_word_char(c) || c == ' '; });
    if (scan.take(")") && is_type && !type.empty()) text.replace(at, scan.at() - at, size_text(type));
  }
  return text;
}

// Returns the position behind the cast that begins at `at`, or `at` if none does.
size_t end_of_cast(std::string_view text, size_t at) {
  cuda_text::TextScanner scan(text, at);
  if (scan.take("std::")) return scan.at();
  if (scan.take("static_cast")) {
    scan.skip_blanks();
    const bool opens = scan.take("<");
    scan.take_none_of(">");
    return opens && scan.take(">") ? scan.at() : at;
  }
  if (!scan.take("(")) return at;
  const std::string_view type = scan.take_none_of("()");
  static const std::set<std::string> kTypes = {"unsigned int", "unsigned", "int",  "float",
                                               "double",       "size_t",   "long", "uint"};
  return scan.take(")") && kTypes.contains(cuda_text::squeezed(type)) ? scan.at() : at;
}

std::string without_casts(std::string text) {
  text = with_sizes(std::move(text));  // first, because the parentheses of sizeof(float) look like a cast
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_cast(text, at);
    result += end == at ? text[at] : ' ';
    at = std::max(end, at + 1);
  }
  return result;
}

// Returns the indices of a and b among the parameters if the text is "(a + b - 1) / b".
std::optional<std::pair<size_t, size_t>> as_ceil_div(std::string text,
                                                     const std::vector<std::string>& names) {
  for (const char c : {' ', '(', ')'}) std::erase(text, c);
  for (size_t a = 0; a < names.size(); ++a)
    for (size_t b = 0; b < names.size(); ++b)
      if (a != b && (text == names[a] + "+" + names[b] + "-1/" + names[b])) return std::pair(a, b);
  return std::nullopt;
}

// Rewrites "1.0f * N / 16.0f" as "N / 16". A number with a fraction stays as it is.
std::string with_whole_numbers(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const std::string_view token = cuda_text::token_at(text, at);
    at += token.size();
    cuda_text::TextScanner scan(text, at);
    const bool is_decimal = token.find_first_not_of("0123456789") == std::string_view::npos && scan.take(".");
    scan.take_all_of("0");
    if (!scan.take("f")) scan.take("F");
    const bool is_whole = is_decimal && scan.take_all_of("123456789").empty();
    if (is_whole) at = scan.at();
    scan.skip_blanks();
    if (is_whole && token == "1" && scan.take("*")) {
      scan.skip_blanks();
      at = scan.at();
    } else {
      result += token;
    }
  }
  return result;
}

// Returns "16, 16" of "dim3(16, 16)" or "{16, 16}"; nothing for another text.
std::optional<std::string_view> dimensions_in(std::string_view text) {
  cuda_text::TextScanner scan(text);
  const bool named = scan.take("dim3");
  if (named) scan.skip_blanks();
  if (!scan.take("{") && !(named && scan.take("("))) return std::nullopt;
  if (scan.at_end() || (text.back() != ')' && text.back() != '}')) return std::nullopt;
  return text.substr(scan.at(), text.size() - 1 - scan.at());
}

// Returns the bracket that opens the value of `name` in a declaration "dim3 grid(…), block = {…};" that
// begins at `at`; of several values the last. 0: there is none.
size_t initialiser_of_dim3(std::string_view text, size_t at, std::string_view name) {
  cuda_text::TextScanner type(text, at);
  if (!type.take_keyword({"dim3"})) return 0;
  const std::string_view declaration = type.rest().substr(0, type.rest().find(';'));
  for (size_t i = declaration.rfind(name); i != std::string_view::npos;
       i = i == 0 ? std::string_view::npos : declaration.rfind(name, i - 1)) {
    const bool stands_alone = i == 0 || declaration[i - 1] == ',' || declaration[i - 1] == ' ';
    cuda_text::TextScanner value(text, type.at() + i + name.size());
    value.skip_blanks();
    if (value.take("=")) {
      value.skip_blanks();
      if (value.take("dim3")) value.skip_blanks();
    }
    if (stands_alone && (value.rest().starts_with("(") || value.rest().starts_with("{"))) return value.at();
  }
  return 0;
}

bool is_plain(const std::string& value) {
  return std::all_of(value.begin(), value.end(), cuda_text::is_word_char) && !value.empty();
}

}  // namespace

std::optional<std::string> LaunchResolver::resolve(std::string text, size_t at, int depth) const {
  if (depth > kMostSteps || text.size() > cuda_text::kMostStatement || ++resolved_ > kMostResolved)
    return std::nullopt;
  text = without_casts(std::move(text));
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      size_t end = cuda_text::end_of_word(text, i);
      const std::string name = text.substr(i, end - i);
      std::optional<std::string> value;
      const size_t next = text.find_first_not_of(' ', end);
      if (const std::string constant = qualified_path(text, i); !constant.empty()) {
        value = qualified(constant, at, depth);
        end = i + constant.size();
        if (!value && unknown_.empty()) unknown_ = constant;
      } else if (next != std::string::npos && text[next] == '(') {
        const size_t close = closing_bracket(text, next);
        if (close == std::string::npos) return std::nullopt;
        value = call(name, text.substr(next + 1, close - next - 1), at, depth);
        end = close + 1;
      } else {
        const std::string path = member_path(text, i);
        const bool axis = path.size() == name.size() + 2 && path[name.size()] == '.' &&
                          std::string("xyz").find(path.back()) != std::string::npos;
        value = axis                         ? component(name, path.back(), at, depth)
                : path.size() == name.size() ? variable(name, at, depth)
                                             : size_member(path);
        end = i + path.size();
        if (!value && unknown_.empty()) unknown_ = path;
      }
      if (!value) return std::nullopt;
      result += *value;
      i = end;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      size_t end = i;
      while (end < text.size() && (cuda_text::is_word_char(text[end]) || text[end] == '.')) ++end;
      std::string number = text.substr(i, end - i);
      while (!number.empty() && std::string("uUlL").find(number.back()) != std::string::npos)
        number.pop_back();
      if (number.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
      result += number;
      i = end;
    } else if (c == '*' && is_operand(text, i)) {
      ++i;  // *M, the size that a pointer points to
    } else if (std::string("+-*/%() ").find(c) != std::string::npos) {
      result += c;
      ++i;
    } else {
      return std::nullopt;
    }
  }
  if (result.size() > cuda_text::kMostStatement || !catalog::check_expression(result, names_))
    return std::nullopt;
  return result;
}

std::optional<std::string> LaunchResolver::call(const std::string& name, const std::string& inside, size_t at,
                                                int depth) const {
  const std::vector<std::string> arguments = cuda_text::split_arguments(inside);
  static const std::set<std::string> kCasts = {"int", "unsigned", "float", "double", "size_t", "uint"};
  if (arguments.size() == 1 && kCasts.count(name) != 0) {
    const auto value = resolve(arguments[0], at, depth + 1);
    return value ? std::optional("(" + *value + ")") : std::nullopt;
  }
  if (arguments.size() == 1 && (name == "ceil" || name == "ceilf"))
    return rounded_up(arguments[0], at, depth);
  // The name may be a macro or a one-line function of the file.
  const auto known = outline_.text_functions.find(name);
  if (known != outline_.text_functions.end() && known->second.parameters.size() == arguments.size() &&
      depth < kMostSteps) {
    std::string text = known->second.text;
    std::vector<std::string> values;
    for (const std::string& argument : arguments) {
      const auto value = resolve(argument, at, depth + 1);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    if (const auto quotient = as_ceil_div(text, known->second.parameters))
      return "ceil_div(" + values[quotient->first] + ", " + values[quotient->second] + ")";
    for (size_t i = 0; i < values.size(); ++i)
      text = cuda_text::replaced_word(text, known->second.parameters[i],
                                      known->second.macro ? values[i] : "(" + values[i] + ")");
    if (const auto value = resolve(text, at, depth + 1)) return "(" + *value + ")";
  }
  const bool two = arguments.size() == 2;
  if (!two || !(is_ceil_div(name) || name == "min" || name == "max")) return std::nullopt;
  const auto a = resolve(arguments[0], at, depth + 1), b = resolve(arguments[1], at, depth + 1);
  if (!a || !b) return std::nullopt;
  return (is_ceil_div(name) ? "ceil_div" : name) + "(" + *a + ", " + *b + ")";
}

// Resolves a constant of a type, Tile::m, or one of a namespace, demo::kTile.
std::optional<std::string> LaunchResolver::qualified(const std::string& path, size_t at, int depth) const {
  if (const auto text = member_constant(outline_, path, at))
    if (const auto value = resolve(*text, at, depth + 1))
      return is_plain(*value) ? *value : "(" + *value + ")";
  const std::string name = cuda_text::last_component(path);
  return outline_.constants.count(name) != 0 ? std::optional(name) : std::nullopt;
}

// Rewrites the quotient of ceil(N / 16.0f).
std::optional<std::string> LaunchResolver::rounded_up(std::string quotient, size_t at, int depth) const {
  quotient = with_whole_numbers(quotient);
  const size_t slash = quotient.rfind('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto a = resolve(quotient.substr(0, slash), at, depth + 1),
             b = resolve(quotient.substr(slash + 1), at, depth + 1);
  if (!a || !b) return std::nullopt;
  return "ceil_div(" + *a + ", " + *b + ")";
}

std::optional<std::string> LaunchResolver::variable(const std::string& name, size_t at, int depth) const {
  if (const auto meaning = meanings_.find(name); meaning != meanings_.end()) return meaning->second;
  if (names_.count(name) != 0 && name != "M" && name != "N" && name != "K" &&
      outline_.constants.count(name) == 0)
    return name;  // given by the user
  // h and w are sizes only if they are passed as such; else they may mean anything.
  const bool vague = name == "h" || name == "w";
  if (const std::string symbol = size_symbol(name); !symbol.empty() && !vague) return symbol;
  if (square_ && is_square_size(name)) return "N";
  if (const auto definition = cuda_text::definition_of(outline_.clean, name, at)) {
    const auto value = resolve(definition->first, definition->second, depth + 1);
    if (value) return is_plain(*value) ? *value : "(" + *value + ")";
  }
  if (names_.count(name) != 0) return name;
  return std::nullopt;
}

// Resolves a component such as block.x.
std::optional<std::string> LaunchResolver::component(const std::string& name, char axis, size_t at,
                                                     int depth) const {
  const std::vector<std::string> parts = dimensions_of(outline_, name, at);
  const auto index = static_cast<size_t>(axis - 'x');
  if (parts.size() == 1 && parts[0] == name) return std::nullopt;
  if (index >= parts.size()) return "1";
  const auto value = resolve(parts[index], at, depth + 1);
  if (!value) return std::nullopt;
  return is_plain(*value) ? *value : "(" + *value + ")";
}

std::optional<std::string> LaunchResolver::size_member(const std::string& path) const {
  if (const auto meaning = meanings_.find(path); meaning != meanings_.end()) return meaning->second;
  const size_t separator = path.find_last_of(".>");
  std::string object = path.substr(0, path.find_first_of(".-"));
  if (object.starts_with("d_") || object.starts_with("h_")) object.erase(0, 2);
  const std::string member = path.substr(separator + 1), whole = size_symbol(object + member);
  const std::string symbol = whole.empty() ? size_symbol(member) : whole;  // B.width, params.n
  return symbol.empty() ? std::nullopt : std::optional(symbol);
}

std::vector<std::string> dimensions_of(const cuda_text::SourceOutline& outline, const std::string& text,
                                       size_t at) {
  if (text.size() > cuda_text::kMostStatement) return {};
  if (const auto given = dimensions_in(text)) return cuda_text::split_arguments(*given);
  if (!is_plain(text)) return {text};
  const std::string before = cuda_text::searchable(std::string_view(outline.clean).substr(0, at));
  std::vector<std::string> found;
  cuda_text::read_at_words(before, [&](size_t word) {
    const size_t open = initialiser_of_dim3(before, word, text);
    const size_t close = open == 0 ? std::string::npos : closing_bracket(before, open);
    if (close != std::string::npos)
      found = cuda_text::split_arguments(std::string_view(before).substr(open + 1, close - open - 1));
    return open;
  });
  return found.empty() ? std::vector{text} : found;
}

}  // namespace gemmscope::own_kernel
