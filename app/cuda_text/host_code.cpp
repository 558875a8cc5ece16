#include <algorithm>
#include <set>

#include "cuda_text/source_outline.h"
#include "cuda_text/source_text.h"
#include "cuda_text/text_scanner.h"

namespace gemmscope::cuda_text {
namespace {

// Functions of the C library that only host code calls.
constexpr std::string_view kHostCalls[] = {"malloc", "calloc",       "fprintf",      "fopen",
                                           "getenv", "exit",         "rand",         "srand",
                                           "atoi",   "gettimeofday", "clock_gettime"};
constexpr std::string_view kHostNamespaces[] = {"torch", "at", "c10", "pybind11"};
constexpr std::string_view kHostNamesOfStd[] = {"cout",          "cerr",
                                                "endl",          "vector",
                                                "string",        "chrono",
                                                "mt19937",       "default_random_engine",
                                                "random_device", "normal_distribution",
                                                "unique_ptr",    "shared_ptr",
                                                "map",           "unordered_map",
                                                "function",      "stringstream",
                                                "ostringstream", "fstream",
                                                "ofstream",      "ifstream",
                                                "ostream",       "istream"};

template <size_t kCount>
bool is_in(const std::string_view (&words)[kCount], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}
bool starts_before(std::string_view word, std::string_view prefix, bool (*is_next)(char)) {
  return word.size() > prefix.size() && word.starts_with(prefix) && is_next(word[prefix.size()]);
}
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// True for names of CUDA's host libraries, and of the macros that bind kernels to Python.
bool is_host_name(std::string_view word) {
  if (word.starts_with("cublas") || word.starts_with("cudnn")) return true;
  if (starts_before(word, "cuda", is_upper) || starts_before(word, "curand", is_upper)) return true;
  for (const char* macro : {"PYBIND11_", "TORCH_", "AT_DISPATCH_", "C10_"})
    if (starts_before(word, macro, is_word_char)) return true;
  return false;
}

// True if the text uses something that only the host has. `text` must be searchable.
bool is_of_the_host(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const std::string_view token = token_at(text, at);
    at += token.size();
    TextScanner behind(text, at);
    if (is_host_name(token)) return true;
    if (is_in(kHostNamespaces, token) && behind.take("::")) return true;
    if (token == "std" && behind.take("::")) {
      const std::string_view name = behind.take_word();
      if (is_in(kHostNamesOfStd, name) || starts_before(name, "uniform_", is_word_char)) return true;
    }
    behind.skip_blanks();
    if (is_in(kHostCalls, token) && behind.take("(")) return true;
    if (token != "<" || !behind.take("<")) continue;
    behind.skip_blanks();
    if (behind.take("<")) return true;  // a launch
  }
  return false;
}

// True if a statement between functions belongs to the device, so that it must stay.
bool is_of_the_device(const std::string& statement) {
  for (const char* word : {"__device__", "__constant__", "__global__", "__shared__", "namespace"})
    if (has_word(statement, word)) return true;
  return false;
}

void blank_but_directives(std::string& text, size_t begin, size_t end) {
  for (size_t line = begin; line < end;) {
    const size_t next = std::min(text.find('\n', line), end);
    const size_t first = text.find_first_not_of(" \t", line);
    if (first < next && text[first] == '#') return;  // what follows belongs to another statement
    blank(text, line, next);
    line = next + 1;
  }
}

// Returns the names of the host variables that a statement declares, or nothing for other statements. nvcc
// keeps these variables on the host, so device code cannot use them.
std::vector<std::string> host_variables(const std::string& statement) {
  std::vector<std::string> names;
  if (!statement.ends_with(';') || is_of_the_device(statement) || statement.find('(') != std::string::npos)
    return names;
  for (const char* word : {"using", "typedef", "struct", "class", "enum", "union", "template", "extern",
                           "const", "constexpr", "friend", "asm"})
    if (has_word(statement, word)) return names;
  for (std::string part : split_arguments(std::string_view(statement).substr(0, statement.size() - 1))) {
    part = squeezed(part.substr(0, part.find_first_of("=[{")));
    const size_t blank_at = part.find_last_of(" *&");
    if (names.empty() && blank_at == std::string::npos) return {};  // a word alone declares nothing
    names.push_back(blank_at == std::string::npos ? part : part.substr(blank_at + 1));
  }
  return names;
}

// Finds the declared name: "generator" in std::mt19937 generator(2);
std::string declared_name(const std::string& statement) {
  const std::string head = squeezed(statement.substr(0, statement.find_first_of("=({[;")));
  const size_t blank_at = head.find_last_of(" *&");
  return blank_at == std::string::npos ? "" : head.substr(blank_at + 1);
}

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Adds the names and texts of a file's macros, from all branches.
void add_macros(std::string source, NamedTexts& macros) {
  blank_comments_and_literals(source);
  for (const std::string& directive : take_directives(source)) {
    const std::string text = searchable(directive);
    if (const auto definition = macro_definition(text))
      macros.emplace_back(definition->name, definition->rest);
  }
}

// Finds a file's host parts, and the names that the rest of the file cannot use.
class HostParts {
 public:
  HostParts(std::string_view source, const std::vector<IncludedSource>& included)
      : source_(source), outline_(outline_of(source)) {
    for (const OutlineFunction& f : outline_.functions)
      (f.global || f.device ? device_ : host_).push_back(&f);
    add_macros(source_, macros_);
    for (const IncludedSource& file : included) add_macros(file.text, macros_);
  }

  std::string without() {
    for (const auto& [name, text] : macros_)
      if (is_of_the_host(text)) gone_.insert(name);
    for (const OutlineFunction* f : host_)
      if (f->name == "main" || f->host || is_of_the_host(searchable(body_of(*f)))) remove(f);
    for (const OutlineType& type : outline_.types) look_at(type);
    for (const OutlineStatement& statement : outline_.statements) look_at(statement);
    while (follow()) {
    }
    std::string kept = source_;
    for (const OutlineFunction* f : functions_) blank(kept, f->begin, f->end);
    for (const OutlineType* type : types_) blank(kept, type->begin, type->end);
    for (const OutlineStatement& statement : outline_.statements) {
      const std::string text = searchable(body_of(statement));
      if (statements_.count(statement.begin) != 0 ||
          (!is_of_the_device(text) && names_removed_function(text)))
        blank_but_directives(kept, statement.begin, statement.end);
    }
    return kept;
  }

 private:
  std::string_view body_of(const auto& part) const {
    return std::string_view(outline_.clean).substr(part.begin, part.end - part.begin);
  }
  void remove(const OutlineFunction* f) {
    gone_.insert(last_component(f->name));
    functions_.insert(f);
  }
  bool names_gone(std::string_view text) const {
    return std::any_of(gone_.begin(), gone_.end(),
                       [&](const std::string& name) { return has_word(text, name); });
  }
  bool names_removed_function(const std::string& text) const {
    return std::any_of(functions_.begin(), functions_.end(),
                       [&](const OutlineFunction* f) { return has_word(text, last_component(f->name)); });
  }

  // Removes a class that uses host features. A class that device code names stays, whatever it holds.
  void look_at(const OutlineType& type) {
    const std::string_view body = body_of(type);
    if (!is_of_the_host(searchable(body)) || is_of_the_device(std::string(body)) ||
        std::any_of(device_.begin(), device_.end(),
                    [&](const OutlineFunction* f) { return has_word(body_of(*f), type.name); }))
      return;
    types_.push_back(&type);
    gone_.insert(type.name);
  }

  void look_at(const OutlineStatement& statement) {
    const std::string text = searchable(body_of(statement));
    const std::vector<std::string> variables = host_variables(text);
    if (variables.empty() && (is_of_the_device(text) || !is_of_the_host(text))) return;
    statements_.insert(statement.begin);
    gone_.insert(variables.begin(), variables.end());
    if (const std::string name = declared_name(text); !name.empty()) gone_.insert(name);
  }

  // Removes functions and macros that name something removed. False: there were none.
  bool follow() {
    const size_t before = gone_.size() + functions_.size();
    for (const OutlineFunction* f : host_)
      if (functions_.count(f) == 0 && names_gone(body_of(*f))) remove(f);
    for (const auto& [name, text] : macros_)
      if (gone_.count(name) == 0 && names_gone(text)) gone_.insert(name);
    return gone_.size() + functions_.size() > before;
  }

  const std::string source_;
  const SourceOutline outline_;
  std::vector<const OutlineFunction*> host_, device_;
  NamedTexts macros_;
  std::set<std::string> gone_;
  std::set<const OutlineFunction*> functions_;
  std::vector<const OutlineType*> types_;
  std::set<size_t> statements_;
};

}  // namespace

std::string without_host_code(std::string_view source, const std::vector<IncludedSource>& included) {
  return HostParts(source, included).without();
}

}  // namespace gemmscope::cuda_text
