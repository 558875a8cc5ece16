// Which files a source includes, found by reading its #include lines: NVRTC does not say, and a cache key
// must cover them. Lines in comments and in branches that are not taken count too, so the set may be larger
// than what is compiled; it is smaller only where an #include names a macro, and then `complete` is false.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::compile {

struct IncludedFile {
  std::string written;         // as between the quotes or angle brackets
  std::filesystem::path path;  // the file that it means
  std::string text;
};

struct Includes {
  std::vector<IncludedFile>
      files;  // in the order of first use; what is not found (the toolkit's own) is in `missing`
  std::vector<std::string> missing;  // as written, each once: the toolkit's and the host's
  bool complete = true;
};

// Looks beside the including file for "…" and then, for both forms, into `folders` in order, as the compiler
// does.
Includes find_includes(std::string_view source, const std::filesystem::path& source_path,
                       const std::vector<std::filesystem::path>& folders);

// SHA-256 over the source and the text of its includes: equal wherever the files lie.
std::string source_hash(std::string_view source, const Includes& includes);

}  // namespace gemmscope::compile
