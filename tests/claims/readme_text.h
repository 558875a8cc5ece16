// Extracts the prose of a Markdown file, so that it can be split into sentences.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gemmscope::claims {

// Returns paragraphs and list items, each as one line and by its place ("line 12"), without Markdown's signs;
// a link or a picture leaves its text. Headings, code blocks, tables and what stands between <!-- gemmscope …
// --> and <!-- end --> are left out.
std::map<std::string, std::string> prose_of(std::string_view markdown);

}  // namespace gemmscope::claims
