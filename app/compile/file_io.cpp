#include "compile/file_io.h"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>

namespace gemmscope::compile {

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return {};
  return text;
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  static std::atomic<unsigned> counter = 0;
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.{}.tmp", getpid(), counter++);
  std::error_code error;
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      std::filesystem::remove(temporary, error);
      return fail("{} cannot be written; check that the folder exists, can be written and has space",
                  path.string());
    }
  }
  std::filesystem::rename(temporary, path, error);
  if (!error) return {};
  const std::string reason = error.message();
  std::filesystem::remove(temporary, error);
  return fail("{} cannot be replaced: {}", path.string(), reason);
}

}  // namespace gemmscope::compile
