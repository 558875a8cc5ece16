// Compiled kernels on disk, one file for each key. Losing a file costs a compile and nothing else, so no
// function here reports an error: what cannot be read is absent, what cannot be written is not kept.
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

  // None where there is no entry. A damaged one is removed.
  std::optional<Entry> find(const std::string& key) const;
  void store(const Entry& entry) const;
  // Removes the oldest entries until the rest takes at most `most_bytes`.
  void trim(uint64_t most_bytes) const;

  std::filesystem::path path_of(const std::string& key) const { return folder_ / (key + ".gsc"); }

 private:
  std::filesystem::path folder_;
};

// $XDG_CACHE_HOME/gemmscope, else ~/.cache/gemmscope (XDG Base Directory Specification); empty where neither
// is set.
std::filesystem::path cache_folder();

}  // namespace gemmscope::compile
