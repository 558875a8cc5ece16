#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "cuda_text/source_outline.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {

std::vector<IncludedSource> included_sources(std::string_view source, const std::filesystem::path& path) {
  constexpr size_t kMostFiles = 64, kMostBytes = 1 << 20;
  const auto without_long_lines = [](const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.size() <= kMostStatement) result += line + '\n';
    return result;
  };
  static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^"\n]+)")re");
  std::vector<IncludedSource> found;
  std::set<std::filesystem::path> seen;
  std::vector<std::pair<std::string, std::filesystem::path>> open = {
      {std::string(source), path.parent_path()}};
  while (!open.empty()) {
    const std::string text = without_long_lines(open.back().first);
    const std::filesystem::path folder = open.back().second;
    open.pop_back();
    for (auto it = std::sregex_iterator(text.begin(), text.end(), include); it != std::sregex_iterator();
         ++it) {
      const std::filesystem::path file = (folder / (*it)[1].str()).lexically_normal();
      std::error_code error;
      if (seen.size() >= kMostFiles || !std::filesystem::is_regular_file(file, error) ||
          std::filesystem::file_size(file, error) > kMostBytes || !seen.insert(file).second)
        continue;
      std::ifstream stream(file, std::ios::binary);
      std::ostringstream content;
      content << stream.rdbuf();
      found.push_back({(*it)[1], content.str()});
      open.emplace_back(content.str(), file.parent_path());
    }
  }
  return found;
}

}  // namespace gemmscope::cuda_text
