#include <string>

#include "compile/compiler_log.h"
#include "compile/log_text.h"

namespace gemmscope::compile {
namespace {

// Finds the number before `words` in a list such as "Used 24 registers, used 1 barriers, 1024 bytes smem"; 0
// if it is not listed.
int number_before(std::string_view list, std::string_view words) {
  const size_t place = list.find(words);
  if (place == std::string_view::npos) return 0;
  const std::string_view before = trimmed(list.substr(0, place));
  const size_t blank = before.find_last_of(" ,");
  return to_int(blank == std::string_view::npos ? before : before.substr(blank + 1)).value_or(0);
}

std::string_view quoted_name(std::string_view text) {
  const size_t open = text.find('\'');
  const size_t close = text.find('\'', open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  return text.substr(open + 1, close - open - 1);
}

}  // namespace

std::vector<PtxasInfo> parse_ptxas_info(std::string_view log) {
  constexpr std::string_view kCompiling = "Compiling entry function ",
                             kProperties = "Function properties for ";
  std::vector<PtxasInfo> kernels;
  std::string_view described;  // the function to which a line about stack and spills belongs
  for (const std::string_view line : split_lines(log)) {
    if (!line.starts_with("ptxas ") && !line.starts_with(' ')) continue;
    if (const size_t place = line.find(kCompiling); place != std::string_view::npos) {
      kernels.push_back({std::string(quoted_name(line.substr(place)))});
    } else if (const size_t name = line.find(kProperties); name != std::string_view::npos) {
      described = trimmed(line.substr(name + kProperties.size()));
    } else if (kernels.empty()) {
      continue;
    } else if (line.find(" bytes stack frame") != std::string_view::npos) {
      if (described != kernels.back().kernel) continue;
      kernels.back().stack_bytes = number_before(line, " bytes stack frame");
      kernels.back().spill_store_bytes = number_before(line, " bytes spill stores");
      kernels.back().spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (line.find(": Used ") != std::string_view::npos) {
      kernels.back().registers = number_before(line, " registers");
      kernels.back().barriers = number_before(line, " barriers");
      kernels.back().shared_bytes = number_before(line, " bytes smem");
    }
  }
  return kernels;
}

}  // namespace gemmscope::compile
