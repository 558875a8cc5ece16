// disasm --vectors and banks --patterns: each row of a file gets one answer.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/row_fields.h"

namespace gemmscope::cli {
namespace {

// Calls `row` for each line that is neither empty nor a comment, and reports its errors. `stop` ends at the
// first error.
enum class OnError { stop, go_on };
int for_rows(const std::string& path,
             const std::function<std::optional<std::string>(const std::vector<std::string>&)>& row,
             OnError on_error = OnError::stop) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::ifstream file(path);
  if (!file) return print_error(fmt::format("{} cannot be read", path));
  size_t number = 0;
  int code = 0;
  for (std::string line; std::getline(file, line);) {
    if (++number == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (const size_t comment = line.find('#'); comment != std::string::npos) line.erase(comment);
    const std::vector<std::string> fields = split_fields(line);
    if (fields.empty()) continue;
    if (const std::optional<std::string> error = row(fields)) {
      code = print_error(fmt::format("{}:{}: {}", path, number, *error));
      if (on_error == OnError::stop) return code;
    }
  }
  return code;
}

int print_rows(const nlohmann::json& rows, const std::string& lines, bool json) {
  if (json) {
    print_json(rows);
  } else {
    fmt::print("{}", lines);
  }
  return 0;
}

}  // namespace

int disassemble_vectors(const std::string& path, bool json) {
  nlohmann::json rows = nlohmann::json::array();
  std::string lines;
  const auto row = [&](const std::vector<std::string>& fields) -> std::optional<std::string> {
    if (fields[0] == "arch") return std::nullopt;  // a line of column names
    const auto text = vector_text(fields);
    if (!text) {
      // Every row gets an answer, so that rows and answers can be compared line by line.
      if (json) rows.push_back({{"error", text.error()}});
      lines += '\n';
      return text.error();
    }
    if (json) rows.push_back({{"text", *text}});
    lines += *text + '\n';
    return std::nullopt;
  };
  const int code = for_rows(path, row, OnError::go_on);
  if (!rows.empty() || !lines.empty()) print_rows(rows, lines, json);
  return code;
}

int count_patterns(const std::string& path, bool json) {
  nlohmann::json rows = nlohmann::json::array();
  std::string lines;
  const int code = for_rows(path, [&](const std::vector<std::string>& fields) -> std::optional<std::string> {
    if (fields[0] == "op") return std::nullopt;  // a line of column names
    const auto access = parse_pattern(fields);
    if (!access) return access.error();
    const metrics::BankCount count = metrics::count_wavefronts(*access);
    rows.push_back({{"wavefronts", count.wavefronts}, {"conflicts", count.excess()}});
    lines += fmt::format("{},{}\n", count.wavefronts, count.excess());
    return std::nullopt;
  });
  return code == 0 ? print_rows(rows, lines, json) : code;
}

}  // namespace gemmscope::cli
