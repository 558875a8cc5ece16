// One compiled kernel, and its file in the cache (*.gsc in the cache folder):
//   8 bytes "GSCUBIN\n"; u32 format version; u32 bytes of description; u64 bytes of cubin; u64 bytes of log;
//   SHA-256 of everything after it; description (JSON), cubin, compiler log. Integers are little-endian.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gemmscope::compile {

struct Entry {
  std::string key;       // in the cache: a hash of the request; of the pack: source_hash
  std::string arch;      // "sm_86"
  std::string compiler;  // "NVRTC 13.0"
  std::map<std::string, std::string> macros;
  std::vector<std::string> options;  // CompileRequest::options
  std::vector<std::byte> cubin;
  std::string log;
  std::string symbol;  // the symbol of CompileRequest::entry, if there is one
};

std::vector<std::byte> encode_entry(const Entry& entry);

// Errors: a foreign or truncated file, another format version, a wrong checksum. `origin` names the file.
Result<Entry> decode_entry(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace gemmscope::compile
