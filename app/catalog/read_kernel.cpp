#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "catalog/description.h"
#include "catalog/description_reader.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxSourceBytes = 4 << 20;
constexpr std::string_view kMark = "//!";

}  // namespace

Result<std::string> read_source(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return fail("{}: there is no such file.", path.string());
  if (fs::file_size(path, error) > kMaxSourceBytes) {
    return fail("{}: the file is larger than 4 MiB, which is too large for a kernel.", path.string());
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("{}: the file cannot be read; check its permissions.", path.string());
  return text.str();
}

namespace {

// Returns the lines "//! …" at the top of the file, without the mark. The line numbers stay the same.
std::string description_of(std::string_view source) {
  std::string description;
  while (source.substr(0, kMark.size()) == kMark) {
    const size_t end = std::min(source.find('\n'), source.size());
    description += source.substr(kMark.size(), end - kMark.size());
    description += '\n';
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return description;
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Finds a character beyond ASCII of which toml++ 3.3 asks whether it is white space: outside quotes and
// comments, and in a text after a backslash. For U+00A1 to U+0499 the answer is undefined behaviour. TOML
// allows such a character only in the last case, after a line that ends with a backslash.
std::optional<size_t> stray_character(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char quote = text[i];
    if (!is_ascii(quote)) return i;
    if (quote == '#') i = std::min(text.find('\n', i), text.size());
    if (quote != '"' && quote != '\'') continue;
    const std::string_view triple = quote == '"' ? R"(""")" : "'''";
    const bool multi_line = text.substr(i, 3) == triple;
    const std::string_view close = multi_line ? triple : triple.substr(0, 1);
    for (i += close.size(); i < text.size() && text.substr(i, close.size()) != close; ++i) {
      if (text[i] == '\n' && !multi_line) break;  // unclosed: TOML reports it
      if (text[i] != '\\' || quote != '"') continue;
      const size_t next = std::min(text.find_first_not_of(" \t\r\n", i + 1), text.size());
      if (next < text.size() && !is_ascii(text[next])) return next;
      ++i;
    }
    if (text.substr(i, close.size()) == close) i += close.size() - 1;
  }
  return std::nullopt;
}

}  // namespace

Result<void> read_description(Kernel& kernel, bool complete) {
  const std::string path = kernel.path.string();
  const std::string description = description_of(kernel.source);
  if (description.empty() && complete) {
    return fail("{}:1: there is no description: the file must start with lines \"//! key = value\"; {}.",
                path, kDescriptionHint);
  }
  if (const auto at = stray_character(description)) {
    const auto end = description.begin() + static_cast<ptrdiff_t>(*at);
    return fail(
        "{}:{}: the description is not valid TOML: only ASCII characters are allowed outside quotes; {}.",
        path, 1 + std::count(description.begin(), end, '\n'), kDescriptionHint);
  }
  return read_keys(description, kernel, complete);
}

Result<Kernel> read_kernel(const fs::path& path) {
  auto source = read_source(path);
  if (!source) return tl::unexpected(source.error());
  Kernel kernel;
  kernel.id = path.stem().string();
  kernel.path = path;
  kernel.folder = path.parent_path().filename().string();
  kernel.source = *std::move(source);
  if (auto read = read_description(kernel, true); !read) return tl::unexpected(read.error());
  return kernel;
}

bool is_cuda_file(const std::filesystem::path& path) {
  return path.extension() == ".cu" || path.extension() == ".cuh";
}

}  // namespace gemmscope::catalog
