#include "cli/occupancy_golden.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>

#include "cli/row_fields.h"
#include "metrics/occupancy.h"

namespace gemmscope::cli {
namespace {

using metrics::Occupancy;
using metrics::OccupancyLimit;

using Columns = std::map<std::string, size_t, std::less<>>;

constexpr std::array<std::string_view, 4> kNeeded = {"cc", "block_threads", "regs_per_thread", "static_smem"};
// The calculator knows no smaller number of registers per thread for 3.0.
constexpr int kCalculatorRegisters = 255;
constexpr int kSharedWithoutOptIn = 48 * 1024;

int64_t limit_of(const Occupancy& o, OccupancyLimit limit) {
  return o.limits[static_cast<size_t>(limit)].value_or(-1);
}
int64_t mask_of(const Occupancy& o) {
  int64_t mask = 0;
  for (size_t i = 0; i < metrics::kOccupancyLimits; ++i)
    if (o.limited_by(static_cast<OccupancyLimit>(i))) mask |= int64_t{1} << i;
  return mask;
}

struct Answer {
  std::string_view column;
  int64_t (*value)(const Occupancy&);
};
constexpr Answer kAnswers[] = {
    {"active_blocks", [](const Occupancy& o) -> int64_t { return o.blocks; }},
    {"active_warps", [](const Occupancy& o) -> int64_t { return o.warps; }},
    {"limit_mask", mask_of},
    {"limit_regs", [](const Occupancy& o) { return limit_of(o, OccupancyLimit::registers); }},
    {"limit_smem", [](const Occupancy& o) { return limit_of(o, OccupancyLimit::shared); }},
    {"limit_warps", [](const Occupancy& o) { return limit_of(o, OccupancyLimit::warps); }},
    {"limit_blocks", [](const Occupancy& o) { return limit_of(o, OccupancyLimit::blocks); }},
    {"limit_barriers", [](const Occupancy& o) { return limit_of(o, OccupancyLimit::barriers); }},
    {"alloc_regs_per_block", [](const Occupancy& o) -> int64_t { return o.registers_per_block; }},
    {"alloc_smem_per_block", [](const Occupancy& o) -> int64_t { return o.shared_per_block; }},
};

std::optional<int64_t> number_of(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "8.6" as 86.
std::optional<int> capability_of(const std::string& text) {
  const size_t dot = text.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto major = number_of(text.substr(0, dot)), minor = number_of(text.substr(dot + 1));
  if (!major || !minor || *major < 1 || *major > 99 || *minor < 0 || *minor > 9) return std::nullopt;
  return static_cast<int>(*major * 10 + *minor);
}

class Comparison {
 public:
  explicit Comparison(const std::string& path) : path_(path) {}

  Result<void> read_head(const std::vector<std::string>& names) {
    for (size_t i = 0; i < names.size(); ++i) columns_[names[i]] = i;
    for (const std::string_view needed : kNeeded)
      if (columns_.find(needed) == columns_.end())
        return fail("{}:1: the column {} is missing; the first line must name the columns", path_, needed);
    for (const std::string& name : names) {
      const bool answer = std::any_of(std::begin(kAnswers), std::end(kAnswers),
                                      [&](const Answer& a) { return a.column == name; });
      const bool asked = std::find(kNeeded.begin(), kNeeded.end(), name) != kNeeded.end() ||
                         name == "dynamic_smem" || name == "optin";
      if (!asked) (answer ? result.compared : result.ignored).push_back(name);
    }
    if (result.compared.empty())
      return fail("{}:1: no column has an answer to compare, such as active_blocks", path_);
    return {};
  }

  Result<void> compare_row(size_t line, const std::string& row, const std::vector<std::string>& fields) {
    if (fields.size() != columns_.size())
      return fail("{}:{}: expected {} fields, found {}", path_, line, columns_.size(), fields.size());
    const auto capability = capability_of(fields[columns_.at("cc")]);
    const metrics::SmLimits* known = capability ? metrics::sm_limits(*capability) : nullptr;
    if (known == nullptr)
      return fail("{}:{}: \"{}\" is no compute capability that is known; expected 1.0 to 12.1", path_, line,
                  fields[columns_.at("cc")]);
    std::map<std::string, int64_t, std::less<>> values;
    for (const auto& [name, at] : columns_) {
      const bool wanted = name != "cc" && std::find(result.ignored.begin(), result.ignored.end(), name) ==
                                              result.ignored.end();
      if (!wanted) continue;
      const auto value = number_of(fields[at]);
      if (!value || *value < -1 || *value > INT32_MAX / 64)
        return fail("{}:{}: \"{}\" in column {} is no number in range", path_, line, fields[at], name);
      values[name] = *value;
    }
    compare(line, row, *known, values);
    return {};
  }

  GoldenComparison result;

 private:
  void compare(size_t line, const std::string& row, metrics::SmLimits sm,
               const std::map<std::string, int64_t, std::less<>>& values) {
    const auto value = [&](const char* name) {
      const auto found = values.find(name);
      return found == values.end() ? 0 : static_cast<int>(found->second);
    };
    const metrics::BlockNeeds needs{value("block_threads"), value("regs_per_thread"),
                                    value("static_smem") + value("dynamic_smem")};
    if (sm.compute_capability == 30 && needs.registers > sm.registers_per_thread) {
      ++result.beyond_chip;
      sm.registers_per_thread = kCalculatorRegisters;
    }
    if (values.contains("optin") && value("optin") == 0)
      sm.shared_per_block = std::min(sm.shared_per_block, kSharedWithoutOptIn);
    const Occupancy o = metrics::occupancy(sm, needs);
    bool different = false;
    for (const Answer& answer : kAnswers) {
      const auto expected = values.find(answer.column);
      if (expected == values.end()) continue;
      ++result.values;
      const int64_t found = answer.value(o);
      if (found == expected->second) continue;
      different = true;
      if (result.differences.size() < kMostDifferences)
        result.differences.push_back({line, std::string(answer.column), row, expected->second, found});
    }
    ++result.rows;
    result.different_rows += different ? 1 : 0;
  }

  const std::string& path_;
  Columns columns_;
};

}  // namespace

Result<GoldenComparison> compare_with_golden(const std::string& text, const std::string& path) {
  Comparison comparison(path);
  std::istringstream lines(text);
  size_t number = 0;
  bool has_head = false;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::vector<std::string> fields = split_fields(line);
    if (fields.empty()) continue;
    const Result<void> read =
        has_head ? comparison.compare_row(number, line, fields) : comparison.read_head(fields);
    if (!read) return tl::unexpected(read.error());
    has_head = true;
  }
  if (comparison.result.rows == 0) return fail("{} has no rows", path);
  return std::move(comparison.result);
}

}  // namespace gemmscope::cli
