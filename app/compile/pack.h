// The prebuilt pack: machine code of the program's own kernels at their default toggles, for machines without
// NVRTC. One file for each kernel and architecture, <folder>/<kernel>.sm_NN.gsc, in the format of entry.h;
// its key is the hash of the source and its includes, so that it is never taken for the machine code of
// another version.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/entry.h"
#include "compile/nvrtc_library.h"

namespace gemmscope::compile {

// What the pack is built for: the GeForce cards that most classes have, and the H200 that the recordings come
// from.
inline constexpr std::array kPackArchs = {isa::Arch::sm_86, isa::Arch::sm_90};

std::filesystem::path pack_path(const std::filesystem::path& folder, const std::filesystem::path& source_path,
                                isa::Arch arch);

// Macros that the request leaves out count as equal: the source's own defaults are the toggles' defaults.
// Errors: no such entry, malformed, or made from another source, other macros or other options.
Result<Entry> find_in_pack(const CompileRequest& request,
                           const std::vector<std::filesystem::path>& include_folders);

// Compiles an entry. The line table names the source "/<its folder>/<its file>" and no path of this machine,
// provided that the working folder is "/": NVRTC puts the working folder before the names of included files.
tl::expected<Entry, CompileFailure> make_pack_entry(const CompileRequest& request,
                                                    const NvrtcLibrary& library);

}  // namespace gemmscope::compile
