#include "cuda_text/outline_parts.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

constexpr int kMostCalls = 100;  // calls of forwarding functions, times the launches in them

// Returns the arguments of the call whose name ends at `end`, as in time_it("naive", sgemm, grid, block).
// Returns nothing if it is not a call.
std::optional<std::vector<std::string>> arguments_of_call(std::string_view text, size_t end) {
  size_t open = text.find_first_not_of(" \t\r\n", end);
  if (open != std::string::npos && text[open] == '<') {
    const size_t behind = behind_bracket(text.substr(0, std::min(text.size(), open + kMostStatement)), open);
    open = behind == std::string::npos ? behind : text.find_first_not_of(" \t\r\n", behind);
  }
  if (open == std::string::npos || text[open] != '(') return std::nullopt;
  const size_t behind = behind_bracket(text.substr(0, std::min(text.size(), open + kMostStatement)), open);
  if (behind == std::string::npos) return std::nullopt;
  return split_arguments(text.substr(open + 1, behind - open - 2));
}

// A launch of a function's parameter, for one call of the function.
class Forwarded {
 public:
  Forwarded(const OutlineFunction& function, const LaunchSite& site) : function_(function), site_(site) {}

  // Returns the index of a parameter; nothing for another text.
  std::optional<size_t> index_of(const std::string& name) const {
    for (size_t i = 0; i < function_.parameters.size(); ++i)
      if (function_.parameters[i].name == name) return i;
    return std::nullopt;
  }

  std::optional<LaunchSite> as_called(size_t at, const std::vector<std::string>& given) const {
    const auto kernel = index_of(site_.name);
    LaunchSite result;
    if (!kernel || *kernel >= given.size() || !read_callee(given[*kernel], given[*kernel].size(), result))
      return std::nullopt;
    bool all_given = true;
    for (const std::string& part : site_.configuration) {
      const auto index = index_of(part);
      const bool is_given = index && *index < given.size();
      result.configuration.push_back(is_given ? given[*index] : part);
      all_given &= is_given || part.find_first_not_of("0123456789") == std::string::npos;
    }
    // Values that the function computes are known only at the launch.
    result.at = all_given ? at : site_.at;
    for (const std::string& argument : site_.arguments) add_argument(argument, given, result.arguments);
    return result;
  }

 private:
  void add_argument(const std::string& argument, const std::vector<std::string>& given,
                    std::vector<std::string>& result) const {
    if (argument.ends_with("...") && !function_.parameters.empty()) {
      for (size_t i = function_.parameters.size() - 1; i < given.size(); ++i) result.push_back(given[i]);
      return;
    }
    const auto index = index_of(argument);
    result.push_back(index && *index < given.size() ? given[*index] : argument);
  }

  const OutlineFunction& function_;
  const LaunchSite& site_;
};

// Finds the last lambda, const auto run = [&](auto kernel, dim3 grid) {…}, that opens before `at` and
// contains it.
std::optional<OutlineFunction> lambda_around(const std::string& text, size_t at) {
  const size_t bracket = text.rfind(']', at);
  const size_t open = bracket == std::string::npos ? bracket : text.find_first_not_of(" \t\r\n", bracket + 1);
  const size_t capture = bracket == std::string::npos ? bracket : text.rfind('[', bracket);
  if (open == std::string::npos || open > at || text[open] != '(' || capture == std::string::npos ||
      capture == 0)
    return std::nullopt;
  const size_t behind = behind_bracket(text, open);
  const size_t body = behind == std::string::npos ? behind : text.find('{', behind);
  size_t end = text.find_last_not_of(" \t\r\n=", capture - 1);
  if (body == std::string::npos || body > at || end == std::string::npos) return std::nullopt;
  OutlineFunction lambda;
  lambda.begin = capture;
  lambda.end = behind_bracket(text, body);
  size_t begin = ++end;
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  lambda.name = text.substr(begin, end - begin);
  if (lambda.name.empty() || lambda.end == std::string::npos || lambda.end < at) return std::nullopt;
  for (const std::string& part :
       split_arguments(std::string_view(text).substr(open + 1, behind - open - 2))) {
    DeclaredParameter p;
    p.name = part.substr(part.find_last_of(" *&.") + 1);  // npos + 1 is 0
    lambda.parameters.push_back(std::move(p));
  }
  return lambda;
}

std::optional<OutlineFunction> host_function_around(const SourceOutline& outline, size_t at) {
  if (auto lambda = lambda_around(outline.clean, at)) return lambda;
  for (const OutlineFunction& f : outline.functions)
    if (!f.global && f.begin <= at && at < f.end) return f;
  return std::nullopt;
}

}  // namespace

void read_forwarded_launches(SourceOutline& outline) {
  const std::string& text = outline.clean;
  std::vector<LaunchSite> found;
  int calls = 0, launches = 0;
  for (const LaunchSite& site : outline.launches) {
    if (site.template_arguments || ++launches > kMostCalls) continue;
    const std::optional<OutlineFunction> inside = host_function_around(outline, site.at);
    if (!inside) continue;
    const Forwarded forwarded(*inside, site);
    if (!forwarded.index_of(site.name)) continue;
    const std::string name = last_component(inside->name);
    for (size_t at = text.find(name); at != std::string::npos && calls < kMostCalls;
         at = text.find(name, at + 1)) {
      const bool is_word = (at == 0 || !is_word_char(text[at - 1])) && !is_word_char(text[at + name.size()]);
      if (!is_word || (inside->begin <= at && at < inside->end)) continue;
      ++calls;
      if (const auto given = arguments_of_call(text, at + name.size()))
        if (auto launch = forwarded.as_called(at, *given)) found.push_back(std::move(*launch));
    }
  }
  outline.launches.insert(outline.launches.end(), found.begin(), found.end());
}

}  // namespace gemmscope::cuda_text
