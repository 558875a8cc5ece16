#include "compile/includes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "compile/file_io.h"
#include "compile/sha256.h"

namespace gemmscope::compile {
namespace {

constexpr size_t kMostFiles = 1000;  // our own sources include a handful

std::string_view without_leading_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

struct Directive {
  std::string_view name;  // empty if a macro gives it
  bool quoted = false;
};

// Reads a line's #include directive, if it has one.
std::optional<Directive> parse_include(std::string_view line) {
  line = without_leading_blanks(line);
  if (!line.starts_with('#')) return {};
  line = without_leading_blanks(line.substr(1));
  constexpr std::string_view kWord = "include";
  if (!line.starts_with(kWord)) return {};
  line = without_leading_blanks(line.substr(kWord.size()));
  if (line.empty()) return {};
  const bool quoted = line[0] == '"';
  if (!quoted && line[0] != '<') return Directive{};
  const size_t end = line.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return {};
  return Directive{line.substr(1, end - 1), quoted};
}

class Scanner {
 public:
  explicit Scanner(const std::vector<std::filesystem::path>& folders) : folders_(folders) {}

  void scan(std::string_view text, const std::filesystem::path& including_folder) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      if (const auto directive = parse_include(text.substr(0, end))) follow(*directive, including_folder);
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
  }

  Includes take() { return std::move(includes_); }

 private:
  void follow(const Directive& directive, const std::filesystem::path& including_folder) {
    if (directive.name.empty() || includes_.files.size() >= kMostFiles) {
      includes_.complete = false;
      return;
    }
    if (directive.quoted && add(directive.name, including_folder)) return;
    for (const auto& folder : folders_)
      if (add(directive.name, folder)) return;
    auto& missing = includes_.missing;
    if (std::find(missing.begin(), missing.end(), directive.name) == missing.end())
      missing.emplace_back(directive.name);
  }

  // True if the file exists, whether it is new or not.
  bool add(std::string_view name, const std::filesystem::path& folder) {
    const std::filesystem::path path = (folder / name).lexically_normal();
    if (seen_.contains({path, std::string(name)})) return true;
    auto text = read_file(path);
    if (!text) return false;
    seen_.insert({path, std::string(name)});
    includes_.files.push_back({std::string(name), path, *text});
    scan(*text, path.parent_path());
    return true;
  }

  const std::vector<std::filesystem::path>& folders_;
  std::set<std::pair<std::filesystem::path, std::string>> seen_;
  Includes includes_;
};

}  // namespace

Includes find_includes(std::string_view source, const std::filesystem::path& source_path,
                       const std::vector<std::filesystem::path>& folders) {
  Scanner scanner(folders);
  scanner.scan(source, source_path.parent_path());
  return scanner.take();
}

std::string source_hash(std::string_view source, const Includes& includes) {
  Sha256 hash;
  hash.add_field(source);
  for (const IncludedFile& file : includes.files) {
    hash.add_field(file.written);
    hash.add_field(file.text);
  }
  return hex(hash.finish());
}

}  // namespace gemmscope::compile
