// A user's cubin as the text of a kernel's file: what its kernels are called and take, as declarations in
// CUDA C++, and the file's bytes in a comment at the end. So a cubin is opened, described by a form, saved in
// scenes and sent in links as any other file of the user's.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cubin/cubin.h"

namespace gemmscope::cubin {

inline constexpr size_t kMostOwnCubin = 2u << 20;  // bytes; the text has a third more

bool is_elf(std::string_view bytes);

// The types come from the names of C++ kernels. A name that says none (extern "C") gives "float*" for 8 bytes
// and "int" for 4, or the signature of kernels/README.md where the sizes are its sizes. Errors: those of
// read_cubin; a file that is too large, or has no kernel.
Result<std::string> cubin_text(std::span<const std::byte> bytes, std::string_view origin);

bool is_cubin_text(std::string_view text);
// The text without the bytes, for people. A text of another kind is returned as it is.
std::string_view shown_text(std::string_view text);
// The file's bytes. Errors: characters that cubin_text does not write.
Result<std::vector<std::byte>> bytes_of_cubin_text(std::string_view text, std::string_view origin);

// "sgemm(int, float const*)" as "extern \"C\" __global__ void NAME(int p0, const float* A);". Public for
// tests.
std::string declaration_of(const KernelCode& kernel);

}  // namespace gemmscope::cubin
