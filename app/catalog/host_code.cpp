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

}  // namespace

std::string without_host_code(std::string_view source) {
  const SourceOutline outline = outline_of(source);
  static const std::regex host_only(
      R"(<\s*<\s*<|\bcuda[A-Z]\w*|\bcublas\w*|\bcudnn\w*|\bcurand[A-Z]\w*|\bstd::(cout|cerr|endl|vector|string|chrono|mt19937|unique_ptr|ofstream|ifstream|function)\b|\b(malloc|calloc|fprintf|fopen|getenv|exit|rand|srand|atoi|gettimeofday|clock_gettime)\s*\()");
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
