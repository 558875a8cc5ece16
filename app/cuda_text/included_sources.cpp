#include <fstream>
#include <set>
#include <sstream>

#include "cuda_text/source_outline.h"
#include "cuda_text/source_text.h"
#include "cuda_text/text_scanner.h"

namespace gemmscope::cuda_text {
namespace {

// Returns "tile.cuh" of the line #include "tile.cuh"; empty for another line.
std::string_view included_file(std::string_view line) {
  TextScanner scan(line);
  scan.take_all_of(" \t");
  if (!scan.take("#")) return {};
  scan.take_all_of(" \t");
  if (!scan.take("include")) return {};
  scan.take_all_of(" \t");
  if (!scan.take("\"")) return {};
  const std::string_view file = scan.take_none_of("\"");
  return scan.take("\"") ? file : std::string_view();
}

}  // namespace

std::vector<IncludedSource> included_sources(std::string_view source, const std::filesystem::path& path) {
  constexpr size_t kMostFiles = 64, kMostBytes = 1 << 20;
  std::vector<IncludedSource> found;
  std::set<std::filesystem::path> seen;
  std::vector<std::pair<std::string, std::filesystem::path>> open = {
      {std::string(source), path.parent_path()}};
  while (!open.empty()) {
    std::istringstream lines(open.back().first);
    const std::filesystem::path folder = open.back().second;
    open.pop_back();
    for (std::string line; std::getline(lines, line);) {
      const std::string name(line.size() <= kMostStatement ? included_file(line) : "");
      if (name.empty()) continue;
      const std::filesystem::path file = (folder / name).lexically_normal();
      std::error_code error;
      if (seen.size() >= kMostFiles || !std::filesystem::is_regular_file(file, error) ||
          std::filesystem::file_size(file, error) > kMostBytes || !seen.insert(file).second)
        continue;
      std::ifstream stream(file, std::ios::binary);
      std::ostringstream content;
      content << stream.rdbuf();
      found.push_back({name, content.str()});
      open.emplace_back(content.str(), file.parent_path());
    }
  }
  return found;
}

}  // namespace gemmscope::cuda_text
