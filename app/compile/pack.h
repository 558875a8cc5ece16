// The prebuilt pack: machine code of the program's own kernels at their default toggles, for computers
// without NVRTC. Each kernel and architecture has a file <folder>/<kernel>.sm_NN.gsc in the format of
// entry.h. Its key is the hash of the source and its includes, so that it never passes for the machine code
// of another version.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/entry.h"
#include "compile/nvrtc_library.h"

namespace gemmscope::compile {

// The pack's architectures: the GeForce cards that most classes have, and the H200 of the recordings.
inline constexpr std::array kPackArchs = {isa::Arch::sm_86, isa::Arch::sm_90};

std::filesystem::path pack_path(const std::filesystem::path& folder, const std::filesystem::path& source_path,
                                isa::Arch arch);

// Macros that the request leaves out count as equal, because the source's defaults are the toggles' defaults.
// Errors: no entry, a malformed one, or one made from another source, other macros or other options.
Result<Entry> find_in_pack(const CompileRequest& request,
                           const std::vector<std::filesystem::path>& include_folders);

// Compiles an entry. The working folder must be "/", because NVRTC puts it before the names of included
// files. The line table then names the source "/<its folder>/<its file>" and no path of this computer.
tl::expected<Entry, CompileFailure> make_pack_entry(const CompileRequest& request,
                                                    const NvrtcLibrary& library);

}  // namespace gemmscope::compile
