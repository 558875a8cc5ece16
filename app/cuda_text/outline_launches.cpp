#include <algorithm>

#include "cuda_text/outline_parts.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

// The begin and end of the first "<<<" (or ">>>") at or after `from`. Some formatters split them: "<< <".
struct Chevrons {
  size_t begin = std::string_view::npos, end = 0;
};
Chevrons find_chevrons(std::string_view text, char c, size_t from) {
  for (size_t at = text.find(c, from); at != std::string_view::npos; at = text.find(c, at + 1)) {
    size_t end = at;
    int count = 0;
    while (count < 3 && end < text.size() && (text[end] == c || is_blank_char(text[end])))
      count += text[end++] == c ? 1 : 0;
    if (count == 3) return {at, end};
  }
  return {};
}

// Returns the initial value, gemm in void (*name)(int) = gemm, or nothing if there is none before `at`.
std::string initial_of_pointer(const std::string& text, const std::string& name, size_t at) {
  const size_t pointer = text.rfind("*" + name + ")", at);
  const size_t open = pointer == std::string::npos ? pointer : text.find('(', pointer);
  const size_t behind = open == std::string::npos ? open : behind_bracket(text, open);
  const size_t equals = behind == std::string::npos ? behind : text.find_first_not_of(" \t\r\n", behind);
  if (equals == std::string::npos || text[equals] != '=') return "";
  return text.substr(equals + 1, std::min(text.find(';', equals), equals + kMostStatement) - equals - 1);
}

// Replaces a variable's name by that of its kernel, if the file has it: auto kernel = gemm<64>;
// kernel<<<…>>>(…).
void follow_variable(const SourceOutline& outline, LaunchSite& site) {
  const auto is_kernel = [&](const std::string& name) {
    return std::any_of(outline.functions.begin(), outline.functions.end(), [&](const OutlineFunction& f) {
      return f.global && (f.name == name || f.name.ends_with("::" + name));
    });
  };
  if (site.template_arguments || is_kernel(site.name)) return;
  const auto definition = definition_of(outline.clean, site.name, site.at);
  const std::string value =
      definition ? definition->first : initial_of_pointer(outline.clean, site.name, site.at);
  LaunchSite meant;
  if (value.size() > kMostStatement || !read_callee(value, value.size(), meant) || !is_kernel(meant.name))
    return;
  site.name = meant.name;
  site.template_arguments = meant.template_arguments;
}

void read_chevron_launches(SourceOutline& outline) {
  const std::string& text = outline.clean;
  for (Chevrons open = find_chevrons(text, '<', 0); open.begin != std::string::npos;
       open = find_chevrons(text, '<', open.end)) {
    const Chevrons close =
        find_chevrons(std::string_view(text).substr(0, open.end + kMostStatement), '>', open.end);
    if (close.begin == std::string::npos) continue;
    if (outline.launches.size() >= kMostLaunches) return;
    LaunchSite site;
    site.at = open.begin;
    site.configuration = split_arguments(std::string_view(text).substr(open.end, close.begin - open.end));
    const size_t bracket = text.find_first_not_of(" \t\r\n", close.end);
    if (bracket != std::string::npos && text[bracket] == '(')
      if (const size_t behind = behind_bracket(text, bracket);
          behind != std::string::npos && behind - bracket <= kMostStatement)
        site.arguments = split_arguments(std::string_view(text).substr(bracket + 1, behind - bracket - 2));
    if (read_callee(text, open.begin, site)) outline.launches.push_back(std::move(site));
  }
}

}  // namespace

bool read_callee(std::string_view text, size_t end, LaunchSite& site) {
  const auto skip_blanks = [&] {
    while (end > 0 && is_blank_char(text[end - 1])) --end;
  };
  skip_blanks();
  if (end > 0 && text[end - 1] == ')') {  // (gemm<64, 64>): a macro's argument
    const size_t open = text.substr(0, end).rfind('(');
    if (open == std::string_view::npos) return false;
    text = text.substr(open + 1, end - open - 2);
    end = text.size();
    skip_blanks();
  }
  if (end > 0 && text[end - 1] == '>') {
    int depth = 0;
    size_t angle = end;
    while (angle-- > 0) {
      if (text[angle] == '>') ++depth;
      if (text[angle] == '<' && --depth == 0) break;
    }
    if (depth != 0) return false;
    site.template_arguments = split_arguments(text.substr(angle + 1, end - angle - 2));
    end = angle;
    skip_blanks();
  }
  size_t begin = end;
  while (begin > 0 && (is_word_char(text[begin - 1]) || text[begin - 1] == ':')) --begin;
  site.name = text.substr(begin, end - begin);
  return !site.name.empty();
}

void read_launches(SourceOutline& outline) {
  read_chevron_launches(outline);
  read_runtime_launches(outline);
  read_forwarded_launches(outline);
  std::stable_sort(outline.launches.begin(), outline.launches.end(),
                   [](const LaunchSite& a, const LaunchSite& b) { return a.at < b.at; });
  constexpr size_t kMostFollowed = 100;  // each reads the whole file
  for (size_t i = 0; i < std::min(outline.launches.size(), kMostFollowed); ++i)
    follow_variable(outline, outline.launches[i]);
  for (LaunchSite& site : outline.launches) site.place = outline.place_of(site.at);
}

}  // namespace gemmscope::cuda_text
