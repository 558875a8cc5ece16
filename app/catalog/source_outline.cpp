#include "catalog/source_outline.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "catalog/expression.h"
#include "catalog/parameter.h"

namespace gemmscope::catalog {
namespace {

// No file that is meant for reading has more; what is beyond is left out.
constexpr size_t kMostFunctions = 2000, kMostLaunches = 1000;
constexpr int kMostNesting = 64;  // of namespaces

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

void blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < std::min(end, text.size()); ++i)
    if (text[i] != '\n') text[i] = ' ';
}

size_t end_of_literal(const std::string& text, size_t at) {
  const char quote = text[at];
  for (size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return at + 1;
}

// A quote between digits separates them: 1'000.
bool starts_literal(const std::string& text, size_t at) {
  return text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word(text[at - 1])));
}

void blank_comments_and_literals(std::string& text) {
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      const size_t end = std::min(text.find('\n', i), text.size());
      blank(text, i, end), i = end;
    } else if (text.compare(i, 2, "/*") == 0) {
      const size_t close = text.find("*/", i + 2), end = close == std::string::npos ? text.size() : close + 2;
      blank(text, i, end), i = end;
    } else if (starts_literal(text, i)) {
      const size_t end = end_of_literal(text, i);
      // extern "C" stays readable.
      if (text.compare(i, end - i, "\"C\"") != 0) blank(text, i, end);
      i = end;
    } else {
      ++i;
    }
  }
}

// Returns the directives, and blanks them where they stand.
std::vector<std::string> take_directives(std::string& text) {
  std::vector<std::string> directives;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    const size_t first = text.find_first_not_of(" \t", begin);
    if (first < end && text[first] == '#') {
      const auto continues = [&] {
        const size_t last = text.find_last_not_of(" \t\r", end - 1);
        return end < text.size() && last != std::string::npos && last >= begin && text[last] == '\\';
      };
      while (continues()) end = std::min(text.find('\n', end + 1), text.size());
      directives.push_back(text.substr(begin, end - begin));
      blank(text, begin, end);
    }
    begin = end + 1;
  }
  return directives;
}

// The place behind the bracket that closes the one at `at`; npos where it stays open.
size_t behind_bracket(std::string_view text, size_t at) {
  const char open = text[at], close = open == '(' ? ')' : open == '{' ? '}' : open == '[' ? ']' : '>';
  int depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word(text[at - 1]);
    const size_t end = at + word.size();
    if (starts && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// Attributes with an argument list of their own stand before a function's name.
std::string without_attributes(std::string head) {
  for (const char* attribute :
       {"__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__declspec", "alignas"})
    for (size_t at = head.find(attribute); at != std::string::npos; at = head.find(attribute, at + 1)) {
      const size_t open = head.find('(', at);
      if (open == std::string::npos) break;
      const size_t end = behind_bracket(head, open);
      blank(head, at, end == std::string::npos ? head.size() : end);
    }
  return head;
}

std::string without_word(const std::string& text, const std::string& word) {
  return std::regex_replace(text, std::regex("\\b" + word + "\\b"), " ");
}

DeclaredParameter read_parameter(std::string text) {
  DeclaredParameter p;
  if (const size_t equals = text.find('='); equals != std::string::npos) text.erase(equals);
  for (const char* word :
       {"__restrict__", "__restrict", "restrict", "volatile", "__grid_constant__", "struct"})
    text = without_word(text, word);
  size_t end = text.size();
  if (const size_t bracket = text.find('['); bracket != std::string::npos) {
    p.pointer = true;
    end = bracket;
  }
  while (end > 0 && !is_word(text[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  p.name = text.substr(begin, end - begin);
  p.type = squeezed(text.substr(0, begin));
  p.pointer |= p.type.find('*') != std::string::npos;
  p.constant = has_word(p.type, "const");
  p.element = without_word(p.type, "const");
  std::erase(p.element, '*');
  p.element = squeezed(p.element);
  return p;
}

std::vector<TemplateParameter> read_template_parameters(std::string_view text) {
  std::vector<TemplateParameter> result;
  for (std::string part : split_arguments(text)) {
    TemplateParameter p;
    if (const size_t equals = part.find('='); equals != std::string::npos) {
      p.default_value = squeezed(part.substr(equals + 1));
      part.erase(equals);
    }
    part = squeezed(part);
    const size_t name = part.find_last_of(" .*&");
    p.name = name == std::string::npos ? part : part.substr(name + 1);
    result.push_back(p);
  }
  return result;
}

int line_of(std::string_view text, size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
}

// Walks the declarations of a file, into namespaces and extern "C" blocks, over every other body.
class Walker {
 public:
  explicit Walker(SourceOutline& outline) : text_(outline.clean), outline_(outline) {}

  void walk(size_t begin, size_t end, const std::string& scope, bool extern_c, int depth = 0) {
    if (depth > kMostNesting) return;
    size_t start = begin;
    for (size_t i = begin; i < end; ++i) {
      if (text_[i] == ';' || text_[i] == '}') start = i + 1;
      if (text_[i] == '(') {
        const size_t behind = behind_bracket(text_, i);
        if (behind == std::string::npos) return;
        i = behind - 1;
      }
      if (text_[i] != '{') continue;
      const size_t behind = behind_bracket(text_, i);
      if (behind == std::string::npos || behind > end) return;
      const std::string head = text_.substr(start, i - start);
      const std::string words = squeezed(head);
      if (words == "extern \"C\"") {
        walk(i + 1, behind - 1, scope, true, depth + 1);
      } else if (words.starts_with("namespace") || words.starts_with("inline namespace")) {
        const size_t last = words.find_last_of(' ');
        const std::string name = last == std::string::npos ? "" : words.substr(last + 1);
        walk(i + 1, behind - 1, name.empty() || name == "namespace" ? scope : scope + name + "::", extern_c,
             depth + 1);
      } else {
        add_function(head, start, i, behind, scope, extern_c);
      }
      i = behind - 1;
      start = behind;
    }
  }

 private:
  void add_function(const std::string& raw_head, size_t start, size_t brace, size_t end,
                    const std::string& scope, bool extern_c) {
    if (outline_.functions.size() >= kMostFunctions) return;
    std::string head = without_attributes(raw_head);
    OutlineFunction f;
    size_t from = head.find_first_not_of(" \t\r\n");
    if (from == std::string::npos) return;
    f.begin = start + from;
    while (head.compare(from, 8, "template") == 0) {
      const size_t open = head.find('<', from);
      const size_t behind = open == std::string::npos ? open : behind_bracket(head, open);
      if (behind == std::string::npos) return;
      f.is_template = true;
      for (TemplateParameter& p : read_template_parameters(head.substr(open + 1, behind - open - 2)))
        f.template_parameters.push_back(std::move(p));
      from = head.find_first_not_of(" \t\r\n", behind);
      if (from == std::string::npos) return;
    }
    const size_t open = head.find('(', from);
    if (open == std::string::npos) return;
    const std::string before = head.substr(from, open - from);
    if (before.find('=') != std::string::npos) return;
    for (const char* word : {"struct", "class", "enum", "union"})
      if (squeezed(before).starts_with(word)) return;
    const size_t behind = behind_bracket(head, open);
    if (behind == std::string::npos) return;
    size_t name_end = open;
    while (name_end > from && is_blank(head[name_end - 1])) --name_end;
    size_t name_begin = name_end;
    while (name_begin > from && is_word(head[name_begin - 1])) --name_begin;
    if (name_begin == name_end) return;
    f.name = scope + head.substr(name_begin, name_end - name_begin);
    f.line = line_of(text_, start + name_begin);
    f.global = has_word(before, "__global__");
    f.device = has_word(before, "__device__");
    f.extern_c = extern_c || squeezed(before).find("extern \"C\"") != std::string::npos;
    for (const std::string& p : split_arguments(head.substr(open + 1, behind - open - 2)))
      if (const std::string words = squeezed(p);
          !words.empty() && words != "void" && words.size() <= kMostStatement)
        f.parameters.push_back(read_parameter(words));
    f.end = end;
    (void)brace;
    outline_.functions.push_back(std::move(f));
  }

  const std::string& text_;
  SourceOutline& outline_;
};

// "16u", "0x10", "1'024" as the expression language wants it.
std::string plain_number(std::string text) {
  std::erase(text, '\'');
  return std::regex_replace(text, std::regex("\\b(\\d+)[uUlL]+\\b"), "$1");
}

// A macro with "..." or with what is no C cannot be put into an expression.
bool all_names(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), is_name);
}

void add_constant(SourceOutline& outline, std::set<std::string>& ambiguous, const std::string& name,
                  const std::string& value) {
  if (name == "M" || name == "N" || name == "K") return;  // sizes are the experiment's
  const Values known(outline.constants.begin(), outline.constants.end());
  const Result<int64_t> number = evaluate(plain_number(squeezed(value)), known);
  if (!number) return;
  const auto [at, is_new] = outline.constants.emplace(name, *number);
  if (!is_new && at->second != *number) ambiguous.insert(name);
}

void read_constants(SourceOutline& outline, const std::vector<std::string>& directives) {
  std::set<std::string> ambiguous;
  static const std::regex define(R"(^\s*#\s*define\s+(\w+)[ \t]+(\S[^\n]*)$)");
  std::smatch match;
  for (const std::string& directive : directives) {
    if (directive.size() > kMostStatement) continue;
    static const std::regex function(R"(^\s*#\s*define\s+(\w+)\(([^)]*)\)\s*([^\n]*)$)");
    if (std::regex_match(directive, match, function) && all_names(split_arguments(match[2].str())))
      outline.text_functions[match[1]] = {split_arguments(match[2].str()), squeezed(match[3].str())};
    if (!std::regex_match(directive, match, define)) continue;
    add_constant(outline, ambiguous, match[1], match[2]);
    if (type_from_name(squeezed(match[2].str()))) outline.type_names[match[1]] = squeezed(match[2].str());
  }
  static const std::regex constant(
      R"(\b(?:const|constexpr|static)\s+(?:const\s+|constexpr\s+|static\s+|inline\s+)*(?:unsigned\s+int|unsigned|int|uint|size_t|int64_t|uint32_t|auto)\s+([^;(){}]*(?:\([^;{}]*)?);)");
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
    TextFunction inlined{{}, squeezed(found[1].str())};
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

void read_launches(SourceOutline& outline) {
  const std::string& text = outline.clean;
  for (size_t at = text.find("<<<"); at != std::string::npos; at = text.find("<<<", at + 3)) {
    const size_t close = text.substr(at, kMostStatement).find(">>>") + at;
    if (close < at) continue;  // npos: none near
    if (outline.launches.size() >= kMostLaunches) return;
    LaunchSite site;
    site.at = at;
    site.line = line_of(text, at);
    site.configuration = split_arguments(std::string_view(text).substr(at + 3, close - at - 3));
    size_t end = at;
    while (end > 0 && is_blank(text[end - 1])) --end;
    if (end > 0 && text[end - 1] == '>') {
      int depth = 0;
      size_t open = end;
      while (open-- > 0) {
        if (text[open] == '>') ++depth;
        if (text[open] == '<' && --depth == 0) break;
      }
      if (depth != 0) continue;
      site.template_arguments = split_arguments(std::string_view(text).substr(open + 1, end - open - 2));
      end = open;
      while (end > 0 && is_blank(text[end - 1])) --end;
    }
    size_t begin = end;
    while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == ':')) --begin;
    site.name = text.substr(begin, end - begin);
    if (!site.name.empty()) outline.launches.push_back(std::move(site));
  }
}

bool calls(std::string_view body, const std::string& name) {
  const size_t scope = name.rfind("::");
  return has_word(body, scope == std::string::npos ? name : name.substr(scope + 2));
}

}  // namespace

std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (!is_blank(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string searchable(std::string_view text) {
  const std::string all = squeezed(text);
  std::string result;
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find_first_of(";{}", begin), all.size() - 1) + 1;
    if (end - begin <= kMostStatement) result.append(all, begin, end - begin);
    begin = end;
  }
  return result;
}

std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) {
      const char c = text[i];
      depth += c == '(' || c == '[' || c == '{' || c == '<' ? 1 : 0;
      depth -= c == ')' || c == ']' || c == '}' || c == '>' ? 1 : 0;
      if (c != ',' || depth > 0) continue;
    }
    const std::string part = squeezed(text.substr(begin, i - begin));
    if (!part.empty() || i < text.size()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

std::vector<const OutlineFunction*> SourceOutline::kernels() const {
  std::vector<const OutlineFunction*> result;
  for (const OutlineFunction& f : functions)
    if (f.global) result.push_back(&f);
  return result;
}

void SourceOutline::add_included(const SourceOutline& other) {
  functions.insert(functions.end(), other.functions.begin(), other.functions.end());
  constants.insert(other.constants.begin(), other.constants.end());
  type_names.insert(other.type_names.begin(), other.type_names.end());
  text_functions.insert(other.text_functions.begin(), other.text_functions.end());
}

std::vector<IncludedSource> included_sources(std::string_view source, const std::filesystem::path& path) {
  constexpr size_t kMostFiles = 64, kMostBytes = 1 << 20;
  const auto without_long_lines = [](const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.size() <= kMostStatement) result += line + '\n';
    return result;
  };
  static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^"\n]+)")re");
  std::vector<IncludedSource> found;
  std::set<std::filesystem::path> seen;
  std::vector<std::pair<std::string, std::filesystem::path>> open = {
      {std::string(source), path.parent_path()}};
  while (!open.empty()) {
    const std::string text = without_long_lines(open.back().first);
    const std::filesystem::path folder = open.back().second;
    open.pop_back();
    for (auto it = std::sregex_iterator(text.begin(), text.end(), include); it != std::sregex_iterator();
         ++it) {
      const std::filesystem::path file = (folder / (*it)[1].str()).lexically_normal();
      std::error_code error;
      if (seen.size() >= kMostFiles || !std::filesystem::is_regular_file(file, error) ||
          std::filesystem::file_size(file, error) > kMostBytes || !seen.insert(file).second)
        continue;
      std::ifstream stream(file, std::ios::binary);
      std::ostringstream content;
      content << stream.rdbuf();
      found.push_back({(*it)[1], content.str()});
      open.emplace_back(content.str(), file.parent_path());
    }
  }
  return found;
}

SourceOutline outline_of(std::string_view source) {
  SourceOutline outline;
  outline.clean = source;
  blank_comments_and_literals(outline.clean);
  const std::vector<std::string> directives = take_directives(outline.clean);
  Walker(outline).walk(0, outline.clean.size(), "", false);
  read_constants(outline, directives);
  read_launches(outline);
  return outline;
}

std::string without_host_code(std::string_view source) {
  const SourceOutline outline = outline_of(source);
  static const std::regex host_only(
      R"(<<<|\bcuda[A-Z]\w*|\bcublas\w*|\bcudnn\w*|\bcurand[A-Z]\w*|\bstd::(cout|cerr|endl|vector|string|chrono|mt19937|unique_ptr|ofstream|ifstream|function)\b|\b(malloc|calloc|fprintf|fopen|getenv|exit|rand|srand|atoi|gettimeofday|clock_gettime)\s*\()");
  std::vector<const OutlineFunction*> host;
  std::set<const OutlineFunction*> removed;
  for (const OutlineFunction& f : outline.functions)
    if (!f.global && !f.device) host.push_back(&f);
  const auto body_of = [&](const OutlineFunction& f) {
    return std::string_view(outline.clean).substr(f.begin, f.end - f.begin);
  };
  for (const OutlineFunction* f : host) {
    const std::string body = searchable(body_of(*f));
    if (f->name == "main" || std::regex_search(body, host_only)) removed.insert(f);
  }
  // A function that calls a removed one goes as well.
  for (bool more = !removed.empty(); more;) {
    more = false;
    for (const OutlineFunction* f : host)
      if (!removed.count(f) && std::any_of(removed.begin(), removed.end(), [&](const OutlineFunction* r) {
            return calls(body_of(*f), r->name);
          })) {
        removed.insert(f);
        more = true;
      }
  }
  std::string kept(source);
  for (const OutlineFunction* f : removed) blank(kept, f->begin, f->end);
  return kept;
}

}  // namespace gemmscope::catalog
