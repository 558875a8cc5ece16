// Finds each directive that takes in a file, as the compiler's first phases leave the text: digraphs and
// trigraphs read, lines joined that end in a backslash, comments skipped. What stands in a comment or in a
// branch that is not taken counts, too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::cuda_text {

struct IncludeDirective {
  enum class Form : std::uint8_t {
    quoted,   // #include "name"
    angled,   // #include <name>
    unclear,  // #include MACRO: only the compiler knows the name
    embedded  // #embed, #import
  };
  Form form = Form::unclear;
  std::string name;  // of quoted and angled
  int line = 0;      // from 1
};

std::vector<IncludeDirective> include_directives(std::string_view text);

// The first line, from 1, with what makes the compiler open a file without taking it in: #line with a file's
// name or a macro, a line marker, __has_include of more than a header's name. 0: there is none.
int line_that_probes_files(std::string_view text);

}  // namespace gemmscope::cuda_text
