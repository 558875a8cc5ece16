#include "cli/row_fields.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "isa/disassemble.h"

namespace gemmscope::cli {
namespace {

std::optional<uint64_t> parse_number(std::string text, int base) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.erase(0, 2), base = 16;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

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

tl::expected<std::string, std::string> vector_text(const std::vector<std::string>& fields) {
  if (fields.size() < 4) return tl::unexpected<std::string>("expected arch,address,lo,hi");
  const std::optional<isa::Arch> arch = isa::arch_from_name(fields[0]);
  if (!arch)
    return tl::unexpected(
        fmt::format("\"{}\" is not a known architecture; expected 75, 80, 86, 89 or 90", fields[0]));
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
    return tl::unexpected(fmt::format("\"{}\" is not an operation; expected lds, sts or ldsm", fields[0]));
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

}  // namespace gemmscope::cli
