#include <algorithm>
#include <regex>
#include <set>

#include "catalog/source_outline.h"
#include "catalog/source_text.h"

namespace gemmscope::catalog {
namespace {

// What only the host has, in text that is searchable.
bool is_of_the_host(const std::string& text) {
  static const std::regex kOfTheHost(
      R"(<\s*<\s*<|\bcuda[A-Z]\w*|\bcublas\w*|\bcudnn\w*|\bcurand[A-Z]\w*|\bstd::(cout|cerr|endl|vector|string|chrono|mt19937|default_random_engine|random_device|uniform_\w+|normal_distribution|unique_ptr|shared_ptr|map|unordered_map|function|o?stringstream|[oi]?fstream|[oi]stream)\b|\b(malloc|calloc|fprintf|fopen|getenv|exit|rand|srand|atoi|gettimeofday|clock_gettime)\s*\()");
  return std::regex_search(text, kOfTheHost);
}

// Between functions: what may be left out although it stands between device code.
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

// A variable that nvcc keeps on the host, and its names; none for other statements. Device code cannot use
// it.
std::vector<std::string> host_variables(const std::string& statement) {
  static const std::regex kOther(
      R"(\b(using|typedef|struct|class|enum|union|template|extern|const|constexpr|friend|asm)\b|\()");
  std::vector<std::string> names;
  if (!statement.ends_with(';') || is_of_the_device(statement) || std::regex_search(statement, kOther))
    return names;
  for (std::string part : split_arguments(std::string_view(statement).substr(0, statement.size() - 1))) {
    part = squeezed(part.substr(0, part.find_first_of("=[{")));
    const size_t blank_at = part.find_last_of(" *&");
    if (names.empty() && blank_at == std::string::npos) return {};  // a word alone declares nothing
    names.push_back(blank_at == std::string::npos ? part : part.substr(blank_at + 1));
  }
  return names;
}

// "generator" of std::mt19937 generator(2);
std::string declared_name(const std::string& statement) {
  const std::string head = squeezed(statement.substr(0, statement.find_first_of("=({[;")));
  const size_t blank_at = head.find_last_of(" *&");
  return blank_at == std::string::npos ? "" : head.substr(blank_at + 1);
}

std::string last_component(const std::string& name) { return name.substr(name.rfind(':') + 1); }

}  // namespace

std::string without_host_code(std::string_view source) {
  const SourceOutline outline = outline_of(source);
  std::vector<const OutlineFunction*> host;
  std::set<const OutlineFunction*> removed;
  for (const OutlineFunction& f : outline.functions)
    if (!f.global && !f.device) host.push_back(&f);
  const auto body_of = [&](const auto& part) {
    return std::string_view(outline.clean).substr(part.begin, part.end - part.begin);
  };
  std::set<std::string> gone;  // names that what is left cannot use
  const auto remove = [&](const OutlineFunction* f) {
    gone.insert(last_component(f->name));
    removed.insert(f);
  };
  for (const OutlineFunction* f : host)
    if (f->name == "main" || f->host || is_of_the_host(searchable(body_of(*f)))) remove(f);
  std::set<size_t> statements;
  for (const OutlineStatement& statement : outline.statements) {
    const std::string text = searchable(body_of(statement));
    const std::vector<std::string> variables = host_variables(text);
    if (variables.empty() && (is_of_the_device(text) || !is_of_the_host(text))) continue;
    statements.insert(statement.begin);
    gone.insert(variables.begin(), variables.end());
    if (const std::string name = declared_name(text); !name.empty()) gone.insert(name);
  }
  // A function that names what is removed goes as well.
  for (bool more = true; more;) {
    more = false;
    for (const OutlineFunction* f : host)
      if (!removed.count(f) && std::any_of(gone.begin(), gone.end(), [&](const std::string& name) {
            return has_word(body_of(*f), name);
          })) {
        remove(f);
        more = true;
      }
  }
  const auto names_removed_function = [&](const std::string& text) {
    return std::any_of(removed.begin(), removed.end(),
                       [&](const OutlineFunction* f) { return has_word(text, last_component(f->name)); });
  };
  std::string kept(source);
  for (const OutlineFunction* f : removed) blank(kept, f->begin, f->end);
  for (const OutlineStatement& statement : outline.statements) {
    const std::string text = searchable(body_of(statement));
    if (statements.count(statement.begin) != 0 || (!is_of_the_device(text) && names_removed_function(text)))
      blank_but_directives(kept, statement.begin, statement.end);
  }
  return kept;
}

}  // namespace gemmscope::catalog
