// The rows that disasm --vectors and banks --patterns take: text of anyone's making in, values or a complaint
// out.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "metrics/banks.h"

namespace gemmscope::cli {

// Between commas, blanks and tabs; none at the end of a line are empty.
std::vector<std::string> split_fields(const std::string& line);

// arch,address,lo,hi -> the text of the instruction. The architecture is "86" or "sm_86", the others are
// hexadecimal.
tl::expected<std::string, std::string> vector_text(const std::vector<std::string>& fields);

// op,width,mask,_,_ and 32 word addresses -> the access.
tl::expected<metrics::SharedAccess, std::string> parse_pattern(const std::vector<std::string>& fields);

}  // namespace gemmscope::cli
