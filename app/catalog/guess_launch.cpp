#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "catalog/guess.h"
#include "catalog/source_text.h"

namespace gemmscope::catalog {
namespace {

constexpr int kMostSteps = 16;  // from one variable to the next
// Of one launch: a few lines of macros can stand for an expression of any length.
constexpr int kMostResolved = 200;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The initialiser of the last declaration or assignment of `name` before `at`, up to "," or ";".
std::optional<std::pair<std::string, size_t>> definition_of(const std::string& text, const std::string& name,
                                                            size_t at) {
  for (size_t i = text.rfind(name, at); i != std::string::npos && i > 0; i = text.rfind(name, i - 1)) {
    size_t end = i + name.size();
    if (is_word(text[i - 1]) || text[i - 1] == '.' || end >= text.size() || is_word(text[end])) continue;
    end = text.find_first_not_of(" \t\r\n", end);
    if (end == std::string::npos || text[end] != '=' || text[end + 1] == '=') continue;
    int depth = 0;
    size_t stop = end + 1;
    for (; stop < text.size(); ++stop) {
      const char c = text[stop];
      depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
      if (c == ';' || (c == ',' && depth == 0) || depth < 0) break;
    }
    return std::pair(squeezed(std::string_view(text).substr(end + 1, stop - end - 1)), i);
  }
  return std::nullopt;
}

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

// Of either kind, round or curly.
size_t closing_bracket(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{' ? 1 : text[i] == ')' || text[i] == '}' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string::npos;
}

std::vector<std::string> dimensions_of(const SourceOutline& outline, const std::string& text, size_t at);

// What a name of the host ("P", "params.m") is for the kernel: a size, or a template argument's value.
using Meanings = std::map<std::string, std::string>;

class Resolver {
 public:
  Resolver(const SourceOutline& outline, const Values& names, bool square, const Meanings& meanings = {})
      : outline_(outline), names_(names), square_(square), meanings_(meanings) {}

  // The first name whose value could not be told; empty: none.
  const std::string& unknown() const { return unknown_; }

  std::optional<std::string> resolve(std::string text, size_t at, int depth) const {
    if (depth > kMostSteps || text.size() > kMostStatement || ++resolved_ > kMostResolved)
      return std::nullopt;
    text = without_casts(std::move(text));
    std::string result;
    for (size_t i = 0; i < text.size();) {
      const char c = text[i];
      if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
        size_t end = i;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string name = text.substr(i, end - i);
        std::optional<std::string> value;
        const size_t next = text.find_first_not_of(' ', end);
        if (next != std::string::npos && text[next] == '(') {
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
        while (end < text.size() && (is_word(text[end]) || text[end] == '.')) ++end;
        std::string number = text.substr(i, end - i);
        while (!number.empty() && std::string("uUlL").find(number.back()) != std::string::npos)
          number.pop_back();
        if (number.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
        result += number;
        i = end;
      } else if (c == '*' && is_operand(text, i)) {
        ++i;  // *M: the size that a pointer points at
      } else if (std::string("+-*/%() ").find(c) != std::string::npos) {
        result += c;
        ++i;
      } else {
        return std::nullopt;
      }
    }
    if (result.size() > kMostStatement || !check_expression(result, names_)) return std::nullopt;
    return result;
  }

 private:
  // Whether an operand, and no operator, starts at `at`.
  static bool is_operand(const std::string& text, size_t at) {
    const size_t before = at == 0 ? std::string::npos : text.find_last_not_of(' ', at - 1);
    return before == std::string::npos || std::string("(,+-*/%").find(text[before]) != std::string::npos;
  }

  // "params.m" or "p->m" as it starts at `at`.
  static std::string member_path(const std::string& text, size_t at) {
    size_t end = at;
    for (;;) {
      while (end < text.size() && is_word(text[end])) ++end;
      const size_t step = text.compare(end, 2, "->") == 0 ? 2 : text.compare(end, 1, ".") == 0 ? 1 : 0;
      if (step == 0 || end + step >= text.size() || !is_word(text[end + step])) break;
      end += step;
    }
    return text.substr(at, end - at);
  }

  std::optional<std::string> size_member(const std::string& path) const {
    if (const auto meaning = meanings_.find(path); meaning != meanings_.end()) return meaning->second;
    const std::string symbol = size_symbol(path.substr(path.find_last_of(".>") + 1));
    return symbol.empty() ? std::nullopt : std::optional(symbol);
  }

  static std::string without_casts(std::string text) {
    // sizeof(float) first: its parentheses look like a cast.
    static const std::regex size(R"(sizeof\s*\(\s*([\w ]+?)\s*\))");
    std::smatch match;
    while (std::regex_search(text, match, size)) {
      const auto type = type_from_name(match[1].str());
      const std::string name = match[1];
      const uint32_t vector =
          type && std::isdigit(static_cast<unsigned char>(name.back())) != 0 && name.find("int") != 0
              ? static_cast<uint32_t>(name.back() - '0')
              : 1;
      text.replace(static_cast<size_t>(match.position(0)), static_cast<size_t>(match.length(0)),
                   type ? std::to_string(size_of(*type) * vector) : "?");
    }
    static const std::regex cast(
        R"(\(\s*(?:unsigned int|unsigned|int|float|double|size_t|long|uint)\s*\)|static_cast\s*<[^>]*>|std::)");
    text = std::regex_replace(text, cast, " ");
    return text;
  }

  std::optional<std::string> call(const std::string& name, const std::string& inside, size_t at,
                                  int depth) const {
    const std::vector<std::string> arguments = split_arguments(inside);
    static const std::set<std::string> kCasts = {"int", "unsigned", "float", "double", "size_t", "uint"};
    if (arguments.size() == 1 && kCasts.count(name) != 0) {
      const auto value = resolve(arguments[0], at, depth + 1);
      return value ? std::optional("(" + *value + ")") : std::nullopt;
    }
    if (arguments.size() == 1 && (name == "ceil" || name == "ceilf"))
      return rounded_up(arguments[0], at, depth);
    // A macro or a one-line function of the file.
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
        text = std::regex_replace(text, std::regex("\\b" + known->second.parameters[i] + "\\b"),
                                  "(" + values[i] + ")");
      if (const auto value = resolve(text, at, depth + 1)) return "(" + *value + ")";
    }
    const bool two = arguments.size() == 2;
    if (!two || !(is_ceil_div(name) || name == "min" || name == "max")) return std::nullopt;
    const auto a = resolve(arguments[0], at, depth + 1), b = resolve(arguments[1], at, depth + 1);
    if (!a || !b) return std::nullopt;
    return (is_ceil_div(name) ? "ceil_div" : name) + "(" + *a + ", " + *b + ")";
  }

  // "(a + b - 1) / b" -> the places of a and b among the parameters.
  static std::optional<std::pair<size_t, size_t>> as_ceil_div(std::string text,
                                                              const std::vector<std::string>& names) {
    for (const char c : {' ', '(', ')'}) std::erase(text, c);
    for (size_t a = 0; a < names.size(); ++a)
      for (size_t b = 0; b < names.size(); ++b)
        if (a != b && (text == names[a] + "+" + names[b] + "-1/" + names[b])) return std::pair(a, b);
    return std::nullopt;
  }

  // ceil(N / 16.0f)
  std::optional<std::string> rounded_up(std::string quotient, size_t at, int depth) const {
    static const std::regex decimal(R"(\b(\d+)\.0*[fF]?)");
    static const std::regex one(R"(\b1\.0*[fF]?\s*\*\s*)");
    quotient = std::regex_replace(std::regex_replace(quotient, one, ""), decimal, "$1");
    const size_t slash = quotient.rfind('/');
    if (slash == std::string::npos) return std::nullopt;
    const auto a = resolve(quotient.substr(0, slash), at, depth + 1),
               b = resolve(quotient.substr(slash + 1), at, depth + 1);
    if (!a || !b) return std::nullopt;
    return "ceil_div(" + *a + ", " + *b + ")";
  }

  std::optional<std::string> variable(const std::string& name, size_t at, int depth) const {
    if (const auto meaning = meanings_.find(name); meaning != meanings_.end()) return meaning->second;
    if (names_.count(name) != 0 && name != "M" && name != "N" && name != "K" &&
        outline_.constants.count(name) == 0)
      return name;  // given by the user
    if (const std::string symbol = size_symbol(name); !symbol.empty()) return symbol;
    if (square_ && is_square_size(name)) return "N";
    if (const auto definition = definition_of(outline_.clean, name, at)) {
      const auto value = resolve(definition->first, definition->second, depth + 1);
      if (value) return is_plain(*value) ? *value : "(" + *value + ")";
    }
    if (names_.count(name) != 0) return name;
    return std::nullopt;
  }

  // block.x
  std::optional<std::string> component(const std::string& name, char axis, size_t at, int depth) const {
    const std::vector<std::string> parts = dimensions_of(outline_, name, at);
    const auto index = static_cast<size_t>(axis - 'x');
    if (parts.size() == 1 && parts[0] == name) return std::nullopt;
    if (index >= parts.size()) return "1";
    const auto value = resolve(parts[index], at, depth + 1);
    if (!value) return std::nullopt;
    return is_plain(*value) ? *value : "(" + *value + ")";
  }

  static bool is_plain(const std::string& value) {
    return std::all_of(value.begin(), value.end(), is_word) && !value.empty();
  }

  const SourceOutline& outline_;
  const Values& names_;
  const bool square_;
  const Meanings meanings_;
  mutable int resolved_ = 0;
  mutable std::string unknown_;
};

// The inside of "dim3(…)", or of the declaration of the dim3 that `text` names.
std::vector<std::string> dimensions_of(const SourceOutline& outline, const std::string& text, size_t at) {
  static const std::regex direct(R"(^dim3\s*[({](.*)[)}]$)");
  std::smatch match;
  if (text.size() > kMostStatement) return {};
  if (std::regex_match(text, match, direct)) return split_arguments(match[1].str());
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_word)) {
    const std::string before = searchable(std::string_view(outline.clean).substr(0, at));
    const std::regex declared("\\bdim3\\s+(?:[^;]*[,\\s])?" + text + R"(\s*(?:=\s*(?:dim3\s*)?)?(?=[({]))");
    std::vector<std::string> found;
    for (auto it = std::sregex_iterator(before.begin(), before.end(), declared); it != std::sregex_iterator();
         ++it) {
      const auto open = static_cast<size_t>(it->position(0) + it->length(0));
      const size_t close = closing_bracket(before, open);
      if (close != std::string::npos) found = split_arguments(before.substr(open + 1, close - open - 1));
    }
    if (!found.empty()) return found;
  }
  return {text};
}

// By the place of an argument: launch(…, P) of a kernel whose parameter there is the size K, and
// kernel<BM><<<…>>> where the user asked for kernel<64>.
Meanings meanings_at(const LaunchSite& site, const ChosenEntry& entry, const Values& names, bool square) {
  Meanings meanings;
  std::set<std::string> contradicting;
  const auto add = [&](std::string text, const std::string& meaning) {
    while (!text.empty() && (text[0] == '*' || text[0] == ' ')) text.erase(0, 1);
    const bool is_path = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
                         std::all_of(text.begin(), text.end(),
                                     [](char c) { return is_word(c) || c == '.' || c == '-' || c == '>'; });
    if (!is_path || meaning.empty()) return;
    if (const auto [at, is_new] = meanings.emplace(text, meaning); !is_new && at->second != meaning)
      contradicting.insert(text);
  };
  const auto& parameters = entry.function->parameters;
  if (!square && site.arguments.size() == parameters.size())
    for (size_t i = 0; i < parameters.size(); ++i)
      if (!parameters[i].pointer) add(site.arguments[i], size_symbol(parameters[i].name));
  if (site.template_arguments)
    for (size_t i = 0; i < std::min(site.template_arguments->size(), entry.template_arguments.size()); ++i)
      if (const auto value = evaluate(entry.template_arguments[i], names))
        add((*site.template_arguments)[i], std::to_string(*value));
  for (const std::string& text : contradicting) meanings.erase(text);
  return meanings;
}

bool read_dimensions(const SourceOutline& outline, const std::string& text, size_t at,
                     const Resolver& resolver, std::array<std::string, 3>& result) {
  const std::vector<std::string> parts = dimensions_of(outline, text, at);
  if (parts.empty() || parts.size() > 3) return false;
  std::array<std::string, 3> values = {"1", "1", "1"};
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto value = resolver.resolve(parts[i], at, 0);
    if (!value) return false;
    values[i] = squeezed(*value);
  }
  result = values;
  return true;
}

}  // namespace

std::optional<std::string> resolve_expression(const SourceOutline& outline, const std::string& text,
                                              size_t at, const Values& names, bool square) {
  return Resolver(outline, names, square).resolve(text, at, 0);
}

GuessedLaunch guess_launch(const SourceOutline& outline, const ChosenEntry& entry, const Values& names,
                           bool square) {
  GuessedLaunch result;
  if (entry.function == nullptr) return result;
  const auto last = [](const std::string& name) {
    const size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
  };
  for (const LaunchSite& site : outline.launches) {
    if (last(site.name) != last(entry.function->name) || site.configuration.size() < 2) continue;
    // One for each part: what one of them cannot resolve takes nothing from the others.
    const Meanings meanings = meanings_at(site, entry, names, square);
    const Resolver of_grid(outline, names, square, meanings), of_block(outline, names, square, meanings),
        of_shared(outline, names, square, meanings);
    if (result.grid_line == 0 &&
        read_dimensions(outline, site.configuration[0], site.at, of_grid, result.grid))
      result.grid_line = site.line;
    if (result.block_line == 0 &&
        read_dimensions(outline, site.configuration[1], site.at, of_block, result.block))
      result.block_line = site.line;
    if (result.shared.empty() && site.configuration.size() > 2)
      if (const auto bytes = of_shared.resolve(site.configuration[2], site.at, 0))
        result.shared = squeezed(*bytes);
    if (result.grid_line == 0) result.unclear_grid = {site.line, site.configuration[0], of_grid.unknown()};
    if (result.block_line == 0) result.unclear_block = {site.line, site.configuration[1], of_block.unknown()};
    result.shared_unclear |= site.configuration.size() > 2 && result.shared.empty();
  }
  return result;
}

}  // namespace gemmscope::catalog
