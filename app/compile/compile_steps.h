// The steps of compile_cubin with a given library and cache, for the pack builder and for tests.
#pragma once

#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/disk_cache.h"
#include "compile/entry.h"
#include "compile/includes.h"
#include "compile/nvrtc_library.h"

namespace gemmscope::compile {

CompileResult compile_with(const CompileRequest& request, const Result<NvrtcLibrary>& library,
                           const DiskCache& cache);

// The folders that the compiler searches for includes: the request's, then those among its options.
std::vector<std::filesystem::path> include_folders(const CompileRequest& request);
// All options for NVRTC; the folders of the toolkit's headers are last.
std::vector<std::string> nvrtc_options(const CompileRequest& request, const NvrtcLibrary& library);

// Compiles `program` as it is. Errors: NVRTC failed, or the program does not compile.
tl::expected<NvrtcOutput, CompileFailure> run_nvrtc(const NvrtcLibrary& library, const NvrtcProgram& program,
                                                    const CompileRequest& request);

}  // namespace gemmscope::compile
