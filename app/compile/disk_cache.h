// Keeps compiled kernels on disk, one file per key. A lost file costs only another compilation, so no
// function here reports an error: an unreadable file counts as absent, and a file that cannot be written is
// not kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/entry.h"

namespace gemmscope::compile {

class DiskCache {
 public:
  // An empty folder name means no cache.
  explicit DiskCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Returns nothing if there is no entry. Removes a damaged one.
  std::optional<Entry> find(const std::string& key) const;
  void store(const Entry& entry) const;
  // Removes the oldest entries until the others take at most `most_bytes`.
  void trim(uint64_t most_bytes) const;

  std::filesystem::path path_of(const std::string& key) const { return folder_ / (key + ".gsc"); }

 private:
  std::filesystem::path folder_;
};

// $XDG_CACHE_HOME/gemmscope, else ~/.cache/gemmscope (XDG Base Directory Specification); empty if neither
// is set.
std::filesystem::path cache_folder();

}  // namespace gemmscope::compile
