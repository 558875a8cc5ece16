// disasm --vectors and banks --patterns: rows of a file in, one answer a row out.
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "isa/disassemble.h"
#include "metrics/banks.h"

namespace gemmscope::cli {
namespace {

std::vector<std::string> split_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  for (char c : line) {
    if (c == ',' || c == ' ' || c == '\t') {
      if (!fields.back().empty() || c == ',') fields.emplace_back();
    } else if (c != '\r' && c != '"') {
      fields.back() += c;
    }
  }
  while (!fields.empty() && fields.back().empty()) fields.pop_back();
  return fields;
}

std::optional<uint64_t> parse_number(std::string text, int base) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.erase(0, 2), base = 16;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Calls `row` for each line that is not empty and no comment. Reports its errors; `stop` ends at the first.
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

// "86" or "sm_86"; the others as hexadecimal.
tl::expected<std::string, std::string> vector_text(const std::vector<std::string>& fields) {
  if (fields.size() < 4) return tl::unexpected<std::string>("expected arch,address,lo,hi");
  const std::optional<isa::Arch> arch = isa::arch_from_name(fields[0]);
  if (!arch)
    return tl::unexpected(
        fmt::format("\"{}\" is not an architecture that is known; expected 75, 80, 86, 89 or 90", fields[0]));
  const auto address = parse_number(fields[1], 16), lo = parse_number(fields[2], 16),
             hi = parse_number(fields[3], 16);
  if (!address || !lo || !hi)
    return tl::unexpected<std::string>("address, lo and hi must be hexadecimal numbers");
  return isa::disassemble(isa::decode(*lo, *hi, static_cast<uint32_t>(*address), *arch));
}

tl::expected<metrics::SharedAccess, std::string> parse_pattern(const std::vector<std::string>& fields) {
  if (fields.size() != 37)
    return tl::unexpected(
        fmt::format("expected op,width,mask,_,_ and 32 words, found {} fields", fields.size()));
  metrics::SharedAccess access;
  if (fields[0] == "lds") {
    access.op = metrics::SharedOp::load;
  } else if (fields[0] == "sts") {
    access.op = metrics::SharedOp::store;
  } else if (fields[0] == "ldsm") {
    access.op = metrics::SharedOp::matrix_load;
  } else {
    return tl::unexpected(fmt::format("\"{}\" is no operation; expected lds, sts or ldsm", fields[0]));
  }
  const auto width = parse_number(fields[1], 10), mask = parse_number(fields[2], 16);
  if (!width || (*width != 1 && *width != 2 && *width != 4))
    return tl::unexpected(fmt::format("width \"{}\": expected 1, 2 or 4", fields[1]));
  if (!mask || *mask > 0xffffffff)
    return tl::unexpected(fmt::format("mask \"{}\": expected up to 8 hexadecimal digits", fields[2]));
  access.words = static_cast<int>(*width);
  access.mask = static_cast<uint32_t>(*mask);
  for (size_t l = 0; l < 32; ++l) {
    const auto word = parse_number(fields[5 + l], 10);
    if (!word) return tl::unexpected(fmt::format("word \"{}\" of lane {} is not a number", fields[5 + l], l));
    access.addresses[l] = *word * metrics::kBankBytes;
  }
  return access;
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
      // An answer stands in every row's place, so that rows and answers can be laid side by side.
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
