#include "readme_text.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

namespace gemmscope::claims {
namespace {

std::string without_signs(const std::string& text) {
  static const std::regex kLink(R"(!?\[([^\]]*)\]\([^)]*\))");
  static const std::regex kSign(R"(\*+|`+)");
  return std::regex_replace(std::regex_replace(text, kLink, "$1"), kSign, "");
}

bool starts_item(const std::string& line) { return line.starts_with("- ") || line.starts_with("* "); }

}  // namespace

std::map<std::string, std::string> prose_of(std::string_view markdown) {
  std::map<std::string, std::string> paragraphs;
  std::string paragraph;
  int number = 0, first_line = 0;
  const auto finish = [&] {
    if (!paragraph.empty()) paragraphs[fmt::format("line {}", first_line)] = without_signs(paragraph);
    paragraph.clear();
  };
  std::istringstream lines{std::string(markdown)};
  bool in_code = false, in_generated = false;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("<!-- gemmscope")) in_generated = true;
    const bool fence = line.starts_with("```");
    const bool prose =
        !fence && !in_code && !in_generated && !line.starts_with("#") && !line.starts_with("|");
    if (fence) in_code = !in_code;
    if (line.starts_with("<!-- end")) in_generated = false;
    if (!prose || line.empty() || line.starts_with("<!--") || starts_item(line)) finish();
    if (!prose || line.empty() || line.starts_with("<!--")) continue;
    if (paragraph.empty()) first_line = number;
    const size_t begin = starts_item(line) ? 2 : line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    if (!paragraph.empty()) paragraph += ' ';
    paragraph += line.substr(begin);
  }
  finish();
  return paragraphs;
}

}  // namespace gemmscope::claims
