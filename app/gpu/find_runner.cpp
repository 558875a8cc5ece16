#include "gpu/find_runner.h"

#include <unistd.h>

#include <cstdlib>
#include <optional>

namespace gemmscope::gpu {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::string> runner_in(const fs::path& folder) {
  if (folder.empty()) return std::nullopt;
  const fs::path path = folder / kRunnerProgram;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || access(path.c_str(), X_OK) != 0) return std::nullopt;
  return path.string();
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool space = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && space) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      *word += line[++i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      *word += c;
    }
  }
  if (quote != 0) return fail("the command line of the GPU runner ({}) has an unclosed {}", line, quote);
  if (word) words.push_back(std::move(*word));
  return words;
}

Result<std::vector<std::string>> runner_command(std::string_view setting) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const std::string chosen = environment("GEMMSCOPE_GPU_RUNNER");
  return runner_command(setting.empty() ? chosen : setting, program.parent_path(), environment("PATH"));
}

Result<std::vector<std::string>> runner_command(std::string_view setting, const fs::path& program_folder,
                                                std::string_view search_path) {
  Result<std::vector<std::string>> words = split_command(setting);
  if (!words || !words->empty()) return words;
  if (const auto beside = runner_in(program_folder)) return std::vector{*beside};
  for (size_t start = 0; start <= search_path.size();) {
    const size_t colon = std::min(search_path.find(':', start), search_path.size());
    if (const auto found = runner_in(search_path.substr(start, colon - start))) return std::vector{*found};
    start = colon + 1;
  }
  return fail(
      "{} is neither in {} nor in PATH: install it there, or give its command line in the settings or in "
      "GEMMSCOPE_GPU_RUNNER",
      kRunnerProgram, program_folder.string());
}

}  // namespace gemmscope::gpu
