// Evaluates a constant integer expression of C, as in the dimensions of an array: numbers, names, the
// operators of C without assignment, and sizeof of a basic type. Values are 64-bit signed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gemmscope::cuda_text {

using IntegerNames = std::map<std::string, int64_t>;

// Nothing for a name that is not known, a division by zero, an overflow, and whatever is not understood.
std::optional<int64_t> integer_value(std::string_view expression, const IntegerNames& names);

// The bytes of "float", "unsigned char", "float4", "__half2", …; 0 for any other type.
uint32_t bytes_of_type(std::string_view type);

}  // namespace gemmscope::cuda_text
