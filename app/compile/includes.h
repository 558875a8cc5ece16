// Finds the files that a source includes by reading its #include lines: NVRTC does not report them, and a
// cache key must cover them. Lines in comments and in branches that are not taken count too, so the set may
// be larger than what is compiled. It is smaller, and `complete` is false, only if an #include names a macro.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::compile {

struct IncludedFile {
  std::string written;         // as between the quotes or angle brackets
  std::filesystem::path path;  // the file found
  std::string text;
};

struct Includes {
  std::vector<IncludedFile> files;   // in the order of first use
  std::vector<std::string> missing;  // not found, as written, each once: the toolkit's and the host's
  bool complete = true;
};

// Searches like the compiler: for "…" first beside the including file, then for both forms in `folders`.
Includes find_includes(std::string_view source, const std::filesystem::path& source_path,
                       const std::vector<std::filesystem::path>& folders);

// SHA-256 of the source and the text of its includes. It does not depend on where the files are.
std::string source_hash(std::string_view source, const Includes& includes);

}  // namespace gemmscope::compile
