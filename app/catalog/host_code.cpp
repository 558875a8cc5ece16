#include <algorithm>
#include <regex>
#include <set>

#include "catalog/source_outline.h"
#include "catalog/source_text.h"

namespace gemmscope::catalog {
namespace {

bool calls(std::string_view body, const std::string& name) {
  const size_t scope = name.rfind("::");
  return has_word(body, scope == std::string::npos ? name : name.substr(scope + 2));
}

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
  for (const OutlineFunction* f : host)
    if (f->name == "main" || f->host || is_of_the_host(searchable(body_of(*f)))) removed.insert(f);
  // A function that calls a removed one goes as well.
  const auto calls_removed = [&](std::string_view body) {
    return std::any_of(removed.begin(), removed.end(),
                       [&](const OutlineFunction* r) { return calls(body, r->name); });
  };
  for (bool more = !removed.empty(); more;) {
    more = false;
    for (const OutlineFunction* f : host)
      if (!removed.count(f) && calls_removed(body_of(*f))) more = removed.insert(f).second;
  }
  std::string kept(source);
  for (const OutlineFunction* f : removed) blank(kept, f->begin, f->end);
  for (const OutlineStatement& statement : outline.statements) {
    const std::string text = searchable(body_of(statement));
    if (!is_of_the_device(text) && (is_of_the_host(text) || calls_removed(text)))
      blank(kept, statement.begin, statement.end);
  }
  return kept;
}

}  // namespace gemmscope::catalog
