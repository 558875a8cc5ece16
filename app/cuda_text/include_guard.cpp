#include "cuda_text/include_guard.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "cuda_text/include_directives.h"

namespace gemmscope::cuda_text {
namespace {

namespace fs = std::filesystem;
using Form = IncludeDirective::Form;

constexpr size_t kMostFiles = 1000;
constexpr std::uintmax_t kMostBytes = 16 << 20;

bool has_source_ending(const fs::path& path) {
  constexpr std::array<std::string_view, 14> kEndings = {".h",  ".hh",  ".hpp", ".hxx", ".cuh",
                                                         ".cu", ".inl", ".inc", ".ipp", ".c",
                                                         ".cc", ".cpp", ".cxx", ".def"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto end = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first;
  return !folder.empty() && end == folder.end();
}

class Guard {
 public:
  Guard(const fs::path& path, const std::vector<fs::path>& folders) : folders_(folders) {
    add_root(path.parent_path());
    for (const fs::path& folder : folders) add_root(folder);
  }

  Result<void> check(std::string_view text, const fs::path& path) {
    for (const IncludeDirective& directive : include_directives(text))
      if (Result<void> checked = check(directive, path); !checked) return checked;
    return {};
  }

 private:
  void add_root(const fs::path& folder) {
    std::error_code error;
    if (fs::path real = fs::canonical(folder, error); !error && real.has_relative_path())
      roots_.push_back(std::move(real));
  }

  static std::string place(const IncludeDirective& directive, const fs::path& path) {
    return fmt::format("Line {} of {}", directive.line, path.filename().string());
  }

  // Where the compiler finds the file first; nothing, if only the toolkit may have it.
  std::optional<fs::path> find(const IncludeDirective& directive, const fs::path& path) const {
    std::vector<fs::path> candidates;
    if (directive.form == Form::quoted) candidates.push_back(path.parent_path() / directive.name);
    for (const fs::path& folder : folders_) candidates.push_back(folder / directive.name);
    for (const fs::path& candidate : candidates) {
      std::error_code error;
      if (fs::path real = fs::canonical(candidate, error); !error) return real;
    }
    return {};
  }

  Result<void> check(const IncludeDirective& directive, const fs::path& path) {
    if (directive.form == Form::embedded)
      return fail("{} embeds or imports a file, which a kernel may not; write the values into the source.",
                  place(directive, path));
    if (directive.form == Form::unclear)
      return fail("{} includes a file that a macro names; write the file's name.", place(directive, path));
    const std::optional<fs::path> file = find(directive, path);
    const fs::path written(directive.name);
    const bool climbs = std::ranges::find(written, "..") != written.end();
    if (!file && !climbs && !written.is_absolute()) return {};
    if (!file || !allowed(*file, written))
      return fail(
          "{} includes \"{}\", which lies outside the kernel's folder and is no header of the toolkit; put a "
          "copy beside the kernel.",
          place(directive, path), directive.name);
    return follow(*file);
  }

  bool allowed(const fs::path& file, const fs::path& written) const {
    std::error_code error;
    if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kMostBytes) return false;
    const auto holds = [&](const fs::path& root) { return lies_in(file, root); };
    return std::ranges::any_of(roots_, holds) || (!written.is_absolute() && has_source_ending(file));
  }

  Result<void> follow(const fs::path& file) {
    if (seen_.size() >= kMostFiles || !seen_.insert(file).second) return {};
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return check(text.str(), file);
  }

  const std::vector<fs::path>& folders_;
  std::vector<fs::path> roots_;
  std::set<fs::path> seen_;
};

}  // namespace

Result<void> check_includes(std::string_view text, const fs::path& path,
                            const std::vector<fs::path>& folders) {
  return Guard(path, folders).check(text, path);
}

}  // namespace gemmscope::cuda_text
