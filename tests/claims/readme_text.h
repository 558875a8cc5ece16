// The prose of a Markdown file, so that its sentences can be cut.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gemmscope::claims {

// Paragraphs and items of lists, each in one line and by its place ("line 12"), without the signs of
// Markdown: of a link or a picture the text is left. Headings, code blocks, tables and what stands between
// <!-- gemmscope … --> and <!-- end --> are left out.
std::map<std::string, std::string> prose_of(std::string_view markdown);

}  // namespace gemmscope::claims
