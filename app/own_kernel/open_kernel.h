// Opens a user's CUDA file as a kernel and guesses from its source what the description leaves out.
#pragma once

#include <filesystem>
#include <optional>

#include "catalog/catalog.h"
#include "isa/arch.h"

namespace gemmscope::own_kernel {

// Opens any CUDA file, or a cubin (cubin/cubin_text.h). A key may be missing if `overrides` has it or if the
// source gives it unambiguously. Errors name the missing key and give an example to paste.
Result<catalog::Kernel> open_kernel(const std::filesystem::path& path,
                                    const catalog::Overrides& overrides = {});
// As above, of a text that is in no file and may come from anywhere; `name` ends in ".cu" and names it. It
// finds no headers beside it. Errors: those, and those of check_foreign_text.
Result<catalog::Kernel> open_kernel_text(const std::string& name, std::string text,
                                         const catalog::Overrides& overrides = {});
// The text that a file of the user's is opened as: its own, or that of a cubin. Errors: those of
// catalog::read_source and cubin::cubin_text.
Result<std::string> text_of_file(const std::filesystem::path& path);
// Of a kernel that was opened from a cubin; nothing: it is compiled for any.
std::optional<isa::Arch> only_architecture(const catalog::Kernel& kernel);
// ".cu", ".cuh" or ".cubin".
bool is_kernel_file(const std::filesystem::path& path);
// Reads the kernel's file again in the same way.
Result<catalog::Kernel> reread_kernel(const catalog::Kernel& kernel);

}  // namespace gemmscope::own_kernel
