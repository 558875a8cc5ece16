#include "catalog/outline_parts.h"
#include "catalog/source_text.h"

namespace gemmscope::catalog {
namespace {

constexpr size_t kMostLaunches = 1000;  // no file that is meant for reading has more

// The place of the first "<<<" (">>>") at or after `from`, and that behind it. Some formatters tear them: "<<
// <".
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

}  // namespace

void read_launches(SourceOutline& outline) {
  const std::string& text = outline.clean;
  for (Chevrons open = find_chevrons(text, '<', 0); open.begin != std::string::npos;
       open = find_chevrons(text, '<', open.end)) {
    const Chevrons close =
        find_chevrons(std::string_view(text).substr(0, open.end + kMostStatement), '>', open.end);
    if (close.begin == std::string::npos) continue;
    if (outline.launches.size() >= kMostLaunches) return;
    LaunchSite site;
    site.at = open.begin;
    site.line = line_of(text, open.begin);
    site.configuration = split_arguments(std::string_view(text).substr(open.end, close.begin - open.end));
    const size_t bracket = text.find_first_not_of(" \t\r\n", close.end);
    if (bracket != std::string::npos && text[bracket] == '(')
      if (const size_t behind = behind_bracket(text, bracket);
          behind != std::string::npos && behind - bracket <= kMostStatement)
        site.arguments = split_arguments(std::string_view(text).substr(bracket + 1, behind - bracket - 2));
    size_t end = open.begin;
    while (end > 0 && is_blank_char(text[end - 1])) --end;
    if (end > 0 && text[end - 1] == '>') {
      int depth = 0;
      size_t angle = end;
      while (angle-- > 0) {
        if (text[angle] == '>') ++depth;
        if (text[angle] == '<' && --depth == 0) break;
      }
      if (depth != 0) continue;
      site.template_arguments = split_arguments(std::string_view(text).substr(angle + 1, end - angle - 2));
      end = angle;
      while (end > 0 && is_blank_char(text[end - 1])) --end;
    }
    size_t begin = end;
    while (begin > 0 && (is_word_char(text[begin - 1]) || text[begin - 1] == ':')) --begin;
    site.name = text.substr(begin, end - begin);
    if (!site.name.empty()) outline.launches.push_back(std::move(site));
  }
}

}  // namespace gemmscope::catalog
