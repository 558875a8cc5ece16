// Parses the rows that disasm --vectors and banks --patterns take. The text is untrusted; errors say what was
// expected.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "metrics/banks.h"

namespace gemmscope::cli {

// Splits at commas, blanks and tabs; drops empty fields at the end of the line.
std::vector<std::string> split_fields(const std::string& line);

// Decodes arch,address,lo,hi to the text of the instruction. The architecture is "86" or "sm_86", the other
// fields are hexadecimal.
tl::expected<std::string, std::string> vector_text(const std::vector<std::string>& fields);

// Parses op,width,mask,_,_ and 32 word addresses.
tl::expected<metrics::SharedAccess, std::string> parse_pattern(const std::vector<std::string>& fields);

}  // namespace gemmscope::cli
