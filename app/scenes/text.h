// Texts of the pictures: numbers, lists of lanes, names of elements, places in the source.
#pragma once

#include <cstdint>
#include <string>

#include "experiment/results.h"

namespace gemmscope::scenes {

std::string grouped(uint64_t number);     // "1,234,567"
std::string short_number(double number);  // "1.23 M", "456 k", "789"
std::string short_bytes(uint64_t bytes);  // "16 KB", "512 B"
std::string lane_list(uint32_t lanes);    // "0–7, 12"
std::string element_text(const metrics::MatrixLayout& layout, const metrics::Element& element);  // "A(3, 7)"
std::string instruction_text(const experiment::CompiledKernel& compiled, size_t instruction);  // without " ;"
// "01_naive_rows.cu:27", or "" where the place is not known. An instruction's place is where it was written.
std::string place_text(const experiment::CompiledKernel& compiled,
                       const experiment::CompiledKernel::Place& place);
std::string place_text(const experiment::CompiledKernel& compiled, size_t instruction);

}  // namespace gemmscope::scenes
