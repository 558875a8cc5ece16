// From CUDA C++ source to a cubin: NVRTC where it is installed, else the prebuilt pack. Only files of this
// folder include CUDA headers, and none of this header's declarations need them.
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
  std::filesystem::path source_path;                   // named in messages and in the line table
  std::vector<std::filesystem::path> include_folders;  // for #include "…"
  std::map<std::string, std::string> macros;           // toggles: name -> value
  std::vector<std::string> options;                    // further NVRTC options
  // Texts to compile in place of included files, by the name in #include.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string entry;  // a C++ kernel ("sgemm<64, 64>") whose name in the machine code is wanted; empty: none
  isa::Arch arch = isa::Arch::sm_90;
  std::filesystem::path pack_folder;  // prebuilt machine code, for use without NVRTC; empty: none
};

enum class Severity { note, warning, error };
struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;
  int line = 0, column = 0;  // 1-based, 0 where the compiler names none
  std::string message;
};

// What ptxas said of a kernel; read again from the cubin, the two must agree.
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
  std::string symbol;  // of CompileRequest::entry in the machine code
  CubinSource source = CubinSource::compiled;
  std::string compiler;   // "NVRTC 13.0"
  double compile_ms = 0;  // wall time of this call, wherever the cubin came from
};

struct CompileFailure {
  std::string message;  // one sentence
  std::vector<Diagnostic> diagnostics;
};
using CompileResult = tl::expected<CompiledCubin, CompileFailure>;

// Thread-safe. With NVRTC: from the disk cache ($XDG_CACHE_HOME/gemmscope, else ~/.cache/gemmscope), else
// compiled; a corrupt cache entry is dropped and compiled again, a folder that cannot be written is no error.
// Without NVRTC: from the prebuilt pack. The line table names source_path, except in the pack, which names it
// as "/<folder>/<file name>".
CompileResult compile_cubin(const CompileRequest& request);

// "13.0", or the reason why there is none. The environment variable GEMMSCOPE_NVRTC names the library to load
// instead of those in the usual places, or is "none"; it is read once.
Result<std::string> nvrtc_version();

}  // namespace gemmscope::compile
