#include <fmt/format.h>

#include <algorithm>

#include "catalog/expression.h"
#include "cuda_text/outline_parts.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

constexpr int kMostCasts = 8;

// Removes casts: "(void*)gemm<64>" and "reinterpret_cast<void*>(&gemm<64>)" give "gemm<64>".
std::string behind_casts(std::string text) {
  for (int cast = 0; cast < kMostCasts; ++cast) {
    text.erase(0, std::min(text.find_first_not_of(" &"), text.size()));
    if (const size_t angle = text.find('<'); text.find("_cast") < angle && angle != std::string::npos) {
      const size_t behind = behind_bracket(text, angle);
      if (behind == std::string::npos) break;
      text.erase(0, behind);
    }
    const size_t behind = text.starts_with('(') ? behind_bracket(text, 0) : std::string::npos;
    if (behind == std::string::npos) break;
    text = behind == text.size() ? text.substr(1, behind - 2) : text.substr(behind);
  }
  return text;
}

// Returns the text inside the braces of the last "name = {…}", "name{…}" or "name[] = {…}" before `at`.
std::string initial_list(const std::string& text, const std::string& name, size_t at) {
  if (!catalog::is_name(name)) return "";
  for (size_t i = text.rfind(name, at); i != std::string::npos && i > 0; i = text.rfind(name, i - 1)) {
    size_t end = i + name.size();
    if (is_word_char(text[i - 1]) || end >= text.size() || is_word_char(text[end])) continue;
    if (text[end] == '[') end = behind_bracket(text, end);
    const size_t open = end == std::string::npos ? end : text.find_first_not_of(" \t\r\n=", end);
    if (open == std::string::npos || text[open] != '{') continue;
    const size_t behind = behind_bracket(text, open);
    if (behind == std::string::npos || behind - open > kMostStatement) return "";
    return text.substr(open + 1, behind - open - 2);
  }
  return "";
}

// Returns the elements of void* name[] = {&M, (void*)&A} without casts and "&".
std::vector<std::string> argument_array(const std::string& text, const std::string& name, size_t at) {
  std::vector<std::string> arguments = split_arguments(initial_list(text, behind_casts(name), at));
  for (std::string& argument : arguments) argument = behind_casts(argument);
  return arguments;
}

// Returns {grid, block, shared} of a cudaLaunchConfig_t: the values assigned to its members, else those in
// its braces.
std::vector<std::string> configuration_of(const std::string& text, const std::string& name, size_t at) {
  if (!catalog::is_name(name)) return {};
  const std::vector<std::string> inits = split_arguments(initial_list(text, name, at));
  std::vector<std::string> parts;
  for (const char* member : {"gridDim", "blockDim", "dynamicSmemBytes"}) {
    const size_t index = parts.size();
    if (const auto assigned = definition_of(text, fmt::format("{}.{}", name, member), at)) {
      parts.push_back(assigned->first);
      continue;
    }
    std::string part;
    for (const std::string& init : inits)  // .gridDim = grid
      if (const size_t equals = init.find('='); equals != std::string::npos && has_word(init, member))
        part = squeezed(std::string_view(init).substr(equals + 1));
    if (part.empty() && index < inits.size() && inits[index].find('=') == std::string::npos)
      part = inits[index];
    if (part.empty()) break;
    parts.push_back(part);
  }
  return parts;
}

void read_launch(SourceOutline& outline, size_t at, const std::string& function,
                 const std::vector<std::string>& given) {
  const bool configured = function.find("Ex") != std::string::npos;
  if (given.size() < 3) return;
  LaunchSite site;
  site.at = at;
  if (configured) {
    site.configuration = configuration_of(outline.clean, behind_casts(given[0]), at);
    site.arguments.assign(given.begin() + 2, given.end());
  } else {
    site.configuration = {given[1], given[2]};
    if (given.size() > 4) site.configuration.push_back(given[4]);
  }
  if (const size_t array = configured ? 2 : 3; function != "cudaLaunchKernelEx" && given.size() > array)
    site.arguments = argument_array(outline.clean, given[array], at);
  const std::string callee = behind_casts(given[configured ? 1 : 0]);
  if (read_callee(callee, callee.size(), site)) outline.launches.push_back(std::move(site));
}

}  // namespace

void read_runtime_launches(SourceOutline& outline) {
  constexpr int kMostRead = 100;  // each reads the whole file
  const std::string& text = outline.clean;
  int read = 0;
  for (size_t at = text.find("cudaLaunch"); at != std::string::npos && read < kMostRead;
       at = text.find("cudaLaunch", at + 1)) {
    const size_t end = end_of_word(text, at);
    const std::string name = text.substr(at, end - at);
    if (name != "cudaLaunchKernel" && name != "cudaLaunchCooperativeKernel" && name != "cudaLaunchKernelEx" &&
        name != "cudaLaunchKernelExC")
      continue;
    const size_t open = text.find_first_not_of(" \t\r\n", end);
    if (open == std::string::npos || text[open] != '(') continue;
    const size_t behind = behind_bracket(std::string_view(text).substr(0, open + kMostStatement), open);
    if (behind == std::string::npos) continue;
    read_launch(outline, at, name,
                split_arguments(std::string_view(text).substr(open + 1, behind - open - 2)));
    ++read;
  }
}

}  // namespace gemmscope::cuda_text
