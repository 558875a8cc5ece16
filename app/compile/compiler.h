// Compiles CUDA C++ source to a cubin with NVRTC, or without NVRTC takes the cubin from the prebuilt pack.
// This header does not need CUDA's headers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "isa/arch.h"

namespace gemmscope::compile {

struct CompileRequest {
  std::string source;
  std::filesystem::path source_path;                   // name in messages and in the line table
  std::vector<std::filesystem::path> include_folders;  // for #include "…"
  std::map<std::string, std::string> macros;           // toggles: name -> value
  std::vector<std::string> options;                    // further NVRTC options
  // Texts that replace included files, by the name in #include.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string entry;  // a C++ kernel ("sgemm<64, 64>") whose symbol is to be returned; empty: none
  isa::Arch arch = isa::Arch::sm_90;
  std::filesystem::path pack_folder;  // prebuilt machine code, for use without NVRTC; empty: none
  // Take prebuilt machine code also where NVRTC is there, if the same version made it: for many variants.
  bool prefer_pack = false;
};

enum class Severity { note, warning, error };
struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;
  int line = 0, column = 0;  // 1-based; 0 if the compiler names none
  std::string message;
};

// What ptxas reported about a kernel. The cubin must give the same values.
struct PtxasInfo {
  std::string kernel;
  int registers = 0, barriers = 0;
  int shared_bytes = 0;  // static
  int spill_store_bytes = 0, spill_load_bytes = 0, stack_bytes = 0;
};

enum class CubinSource { compiled, disk_cache, prebuilt_pack };

struct CompiledCubin {
  std::vector<std::byte> bytes;
  std::vector<PtxasInfo> ptxas;
  std::vector<Diagnostic> warnings;
  std::string symbol;  // the symbol of CompileRequest::entry
  CubinSource source = CubinSource::compiled;
  std::string compiler;   // "NVRTC 13.0"
  double compile_ms = 0;  // wall time of this call, whatever the source
};

struct CompileFailure {
  std::string message;  // one sentence
  std::vector<Diagnostic> diagnostics;
};
using CompileResult = tl::expected<CompiledCubin, CompileFailure>;

// Thread-safe. With NVRTC, takes the cubin from the disk cache ($XDG_CACHE_HOME/gemmscope, else
// ~/.cache/gemmscope) or compiles it. A corrupt cache entry is dropped and compiled again; a folder that
// cannot be written is not an error. Without NVRTC, takes the cubin from the prebuilt pack. The line table
// names source_path; in the pack it names "/<folder>/<file name>".
CompileResult compile_cubin(const CompileRequest& request);

// Returns "13.0", or the reason why there is no NVRTC. The environment variable GEMMSCOPE_NVRTC names the
// library to load in place of the usual ones, or is "none". It is read once.
Result<std::string> nvrtc_version();

}  // namespace gemmscope::compile
