#include "compile/disk_cache.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "compile/file_io.h"

namespace gemmscope::compile {
namespace {

struct CachedFile {
  std::filesystem::file_time_type time;
  uint64_t bytes = 0;
  std::filesystem::path path;
};

std::vector<CachedFile> files_of(const std::filesystem::path& folder) {
  std::vector<CachedFile> files;
  std::error_code error;
  for (std::filesystem::directory_iterator place(folder, error), end; !error && place != end;
       place.increment(error)) {
    const auto extension = place->path().extension();
    if (extension != ".gsc" && extension != ".tmp") continue;
    std::error_code gone;  // another process may have removed it
    CachedFile file{place->last_write_time(gone), place->file_size(gone), place->path()};
    if (!gone) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::optional<Entry> DiskCache::find(const std::string& key) const {
  if (folder_.empty()) return {};
  const auto path = path_of(key);
  const auto text = read_file(path);
  if (!text) return {};
  auto entry = decode_entry(as_bytes(*text), path.string());
  if (entry && entry->key == key) return std::move(*entry);
  std::error_code error;
  std::filesystem::remove(path, error);
  return {};
}

void DiskCache::store(const Entry& entry) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (!error) static_cast<void>(write_file_atomically(path_of(entry.key), encode_entry(entry)));
}

void DiskCache::trim(uint64_t most_bytes) const {
  if (folder_.empty()) return;
  auto files = files_of(folder_);
  uint64_t total = 0;
  for (const CachedFile& file : files) total += file.bytes;
  std::sort(files.begin(), files.end(),
            [](const CachedFile& a, const CachedFile& b) { return a.time < b.time; });
  for (const CachedFile& file : files) {
    if (total <= most_bytes) return;
    std::error_code error;
    std::filesystem::remove(file.path, error);
    total -= file.bytes;
  }
}

std::filesystem::path cache_folder() {
  const auto absolute = [](const char* name) {
    const char* value = std::getenv(name);
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path
                              : std::filesystem::path{};  // the specification says to ignore a relative path
  };
  if (const auto cache = absolute("XDG_CACHE_HOME"); !cache.empty()) return cache / "gemmscope";
  if (const auto home = absolute("HOME"); !home.empty()) return home / ".cache" / "gemmscope";
  return {};
}

}  // namespace gemmscope::compile
