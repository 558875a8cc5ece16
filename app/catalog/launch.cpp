#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "catalog/expression.h"

namespace gemmscope::catalog {
namespace {

constexpr int64_t kMaxElements = 2147483647;
// These limits hold for every architecture from 3.0 on (CUDA C++ Programming Guide, "Compute Capabilities").
constexpr std::array<int64_t, 3> kMaxGrid = {2147483647, 65535, 65535};
// CUDA would take up to 2^63, but no GPU ends more than these within an hour.
constexpr int64_t kMaxBlocks = int64_t{1} << 40;
constexpr std::array<int64_t, 3> kMaxBlock = {1024, 1024, 64};
constexpr int64_t kMaxThreads = 1024;
// The most that any architecture allows one block (9.0). A device's own limit is checked with the device.
constexpr int64_t kMaxSharedBytes = 227 * 1024;
constexpr std::array kAxes = {"x", "y", "z"};

Result<void> check_matrix(const char* name, const char* shape, int64_t rows, int64_t columns) {
  int64_t elements = 0;
  if (__builtin_mul_overflow(rows, columns, &elements) || elements > kMaxElements) {
    return fail("Matrix {} ({} = {}x{}) has more than 2^31 - 1 elements; choose smaller sizes.", name, shape,
                rows, columns);
  }
  return {};
}

Result<void> check_sizes(const Problem& problem) {
  for (const auto& [name, size] :
       {std::pair("M", problem.m), std::pair("N", problem.n), std::pair("K", problem.k)}) {
    if (size < 1) return fail("{} is {}; a matrix needs at least one row and one column.", name, size);
  }
  // No product with an infinite factor can be compared with its reference.
  for (const auto& [name, scale] : {std::pair("alpha", problem.alpha), std::pair("beta", problem.beta)})
    if (!std::isfinite(scale)) return fail("{} is {}; it must be a finite number.", name, scale);
  if (auto checked = check_matrix("A", "MxK", problem.m, problem.k); !checked) return checked;
  if (auto checked = check_matrix("B", "KxN", problem.k, problem.n); !checked) return checked;
  return check_matrix("C", "MxN", problem.m, problem.n);
}

std::string joined(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
  return text;
}

Result<void> check_fixed_sizes(const Kernel& kernel, const Problem& problem) {
  if (kernel.square && (problem.m != problem.n || problem.n != problem.k))
    return fail("Kernel {} takes one size for M, N and K, but they are {}, {} and {}; make them equal.",
                kernel.id, problem.m, problem.n, problem.k);
  const Values sizes = {{"M", problem.m}, {"N", problem.n}, {"K", problem.k}};
  for (const auto& [name, size] : kernel.fixed_sizes)
    if (sizes.at(name) != size)
      return fail("The source of kernel {} defines {} as {}, but the experiment's is {}; make them equal.",
                  kernel.id, name, size, sizes.at(name));
  return {};
}

}  // namespace

std::string Toggle::label_of(int64_t value) const {
  const auto found = std::find(values.begin(), values.end(), value);
  const auto index = static_cast<size_t>(found - values.begin());
  return index < labels.size() ? labels[index] : std::to_string(value);
}

namespace {

// "; it has TILE, STAGES", for somebody who has mistyped one.
std::string toggle_names(const Kernel& kernel) {
  std::string names;
  for (const Toggle& toggle : kernel.toggles) names += (names.empty() ? "; it has " : ", ") + toggle.name;
  return names;
}

}  // namespace

Result<Values> expression_values(const Kernel& kernel, const Problem& problem,
                                 const std::map<std::string, int64_t>& toggles) {
  Values values(kernel.constants.begin(), kernel.constants.end());
  for (const auto& [name, value] : kernel.defines) values[name] = value;
  values["M"] = problem.m, values["N"] = problem.n, values["K"] = problem.k;
  for (const Toggle& toggle : kernel.toggles) values[toggle.name] = toggle.default_value;
  for (const auto& [name, value] : toggles) {
    const auto toggle =
        std::find_if(kernel.toggles.begin(), kernel.toggles.end(),
                     [&wanted = name](const Toggle& candidate) { return candidate.name == wanted; });
    if (toggle == kernel.toggles.end())
      return fail("Kernel {} has no toggle {}{}.", kernel.id, name, toggle_names(kernel));
    if (std::find(toggle->values.begin(), toggle->values.end(), value) == toggle->values.end()) {
      return fail("Toggle {} of kernel {} cannot be {}; choose one of {}.", name, kernel.id, value,
                  joined(toggle->values));
    }
    values[name] = value;
  }
  return values;
}

namespace {

// Evaluates a key's expression. The value must be from `lowest` to `highest`.
Result<int64_t> value_in_range(const Kernel& kernel, std::string_view key, std::string_view expression,
                               const Values& values, int64_t lowest, int64_t highest) {
  const Result<int64_t> value = evaluate(expression, values);
  if (!value) return fail("Kernel {}, key {}: {}.", kernel.id, key, value.error().message);
  if (*value < lowest || *value > highest) {
    return fail(
        "Kernel {}, key {}: {} = {}, but it must lie between {} and {}; change the sizes or the file.",
        kernel.id, key, expression, *value, lowest, highest);
  }
  return value;
}

Result<std::array<uint32_t, 3>> dimensions(const Kernel& kernel, std::string_view key,
                                           const std::array<std::string, 3>& expressions,
                                           const Values& values, const std::array<int64_t, 3>& limits) {
  std::array<uint32_t, 3> result{};
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto value = value_in_range(kernel, fmt::format("{}.{}", key, kAxes[axis]), expressions[axis],
                                      values, 1, limits[axis]);
    if (!value) return tl::unexpected(value.error());
    result[axis] = static_cast<uint32_t>(*value);
  }
  return result;
}

Result<int64_t> divisor_of(const Kernel& kernel, const std::string& size_name, std::string_view expression,
                           const Values& values) {
  return value_in_range(kernel, "divisibility." + size_name, expression, values, 1, kMaxElements);
}

Result<void> check_divisibility(const Kernel& kernel, const Values& values) {
  for (const auto& [size_name, expression] : kernel.divisibility) {
    const auto divisor = divisor_of(kernel, size_name, expression, values);
    if (!divisor) return tl::unexpected(divisor.error());
    const int64_t size = values.at(size_name);
    if (size % *divisor != 0) {
      return fail("Kernel {} needs {} to be a multiple of {}, but it is {}.", kernel.id, size_name, *divisor,
                  size);
    }
  }
  return {};
}

Result<TileShape> tile_of(const Kernel& kernel, const Values& values) {
  TileShape tile;
  const std::pair<const char*, int64_t*> levels[] = {
      {"block_m", &tile.block_m},  {"block_n", &tile.block_n}, {"block_k", &tile.block_k},
      {"warp_m", &tile.warp_m},    {"warp_n", &tile.warp_n},   {"thread_m", &tile.thread_m},
      {"thread_n", &tile.thread_n}};
  for (const auto& [key, target] : levels) {
    const auto expression = kernel.tile_expressions.find(key);
    if (expression == kernel.tile_expressions.end()) continue;
    const auto value =
        value_in_range(kernel, std::string("tile.") + key, expression->second, values, 0, kMaxElements);
    if (!value) return tl::unexpected(value.error());
    *target = *value;
  }
  return tile;
}

struct LaunchKeys {
  const std::array<std::string, 3>&grid, &block;
  const std::string& shared;
};

Result<Launch> launch_of(const Kernel& kernel, const LaunchKeys& keys, const Values& values) {
  const auto grid = dimensions(kernel, "grid", keys.grid, values, kMaxGrid);
  if (!grid) return tl::unexpected(grid.error());
  // The first product has at most 47 bits, the second at most 63.
  if (const int64_t blocks = int64_t{(*grid)[0]} * (*grid)[1] * (*grid)[2]; blocks > kMaxBlocks)
    return fail(
        "Kernel {}, key grid: {} x {} x {} are {:.1e} blocks, which no GPU would end in an hour; change the "
        "sizes or the file, so that it has at most 2^40.",
        kernel.id, (*grid)[0], (*grid)[1], (*grid)[2], static_cast<double>(blocks));
  const auto block = dimensions(kernel, "block", keys.block, values, kMaxBlock);
  if (!block) return tl::unexpected(block.error());
  const int64_t threads = int64_t{(*block)[0]} * (*block)[1] * (*block)[2];
  if (threads > kMaxThreads) {
    return fail("Kernel {}, key block: {}x{}x{} are {} threads, but a block has at most {}.", kernel.id,
                (*block)[0], (*block)[1], (*block)[2], threads, kMaxThreads);
  }
  const auto shared = value_in_range(kernel, "shared", keys.shared, values, 0, kMaxSharedBytes);
  if (!shared) return tl::unexpected(shared.error());
  const auto tile = tile_of(kernel, values);
  if (!tile) return tl::unexpected(tile.error());
  return Launch{*grid, *block, static_cast<uint32_t>(*shared), *tile};
}

Result<Values> checked_values(const Kernel& kernel, const Problem& problem,
                              const std::map<std::string, int64_t>& toggles, int sm) {
  if (auto checked = check_sizes(problem); !checked) return tl::unexpected(checked.error());
  if (auto checked = check_fixed_sizes(kernel, problem); !checked) return tl::unexpected(checked.error());
  auto values = expression_values(kernel, problem, toggles);
  if (!values) return values;
  const auto illegal = why_illegal(kernel, problem, toggles, sm);
  if (!illegal) return tl::unexpected(illegal.error());
  if (*illegal) return fail("{}", **illegal);
  if (auto checked = check_divisibility(kernel, *values); !checked) return tl::unexpected(checked.error());
  return values;
}

}  // namespace

Result<Problem> fitted(const Kernel& kernel, Problem problem, const std::map<std::string, int64_t>& toggles) {
  const auto values = expression_values(kernel, problem, toggles);
  if (!values) return tl::unexpected(values.error());
  for (const auto& [name, size] :
       {std::pair("M", &problem.m), std::pair("N", &problem.n), std::pair("K", &problem.k)}) {
    const auto expression = kernel.divisibility.find(name);
    if (expression == kernel.divisibility.end()) continue;
    const auto divisor = divisor_of(kernel, name, expression->second, *values);
    if (!divisor) return tl::unexpected(divisor.error());
    if (*size <= kMaxElements) *size = (*size + *divisor - 1) / *divisor * *divisor;
  }
  return problem;
}

Result<std::vector<ActiveLaunch>> launches_for(const Kernel& kernel, const Problem& problem,
                                               const std::map<std::string, int64_t>& toggles, int sm) {
  const auto values = checked_values(kernel, problem, toggles, sm);
  if (!values) return tl::unexpected(values.error());
  std::vector<ActiveLaunch> active;
  const auto add = [&](const std::string& title, const std::string& entry,
                       const LaunchKeys& keys) -> Result<void> {
    const auto launch = launch_of(kernel, keys, *values);
    if (!launch) return tl::unexpected(launch.error());
    active.push_back({title, entry, *launch});
    return {};
  };
  if (kernel.launches.empty()) {
    const auto added = add(kernel.title, kernel.entry,
                           {kernel.grid_expressions, kernel.block_expressions, kernel.shared_expression});
    if (!added) return tl::unexpected(added.error());
  }
  for (const LaunchStep& step : kernel.launches) {
    const auto runs = evaluate(step.when, *values);
    if (!runs) return fail("Kernel {}, launch {}: {}.", kernel.id, step.entry, runs.error().message);
    if (*runs == 0) continue;
    if (const auto added = add(step.title, step.entry, {step.grid, step.block, step.shared}); !added)
      return tl::unexpected(added.error());
  }
  if (active.empty()) return fail("Kernel {}: with these toggles no launch is left.", kernel.id);
  return active;
}

Result<Launch> check_launch_for(const Kernel& kernel, const Problem& problem,
                                const std::map<std::string, int64_t>& toggles) {
  static const std::string kNoShared = "0";
  const auto values = checked_values(kernel, problem, toggles, kNewestSm);
  if (!values) return tl::unexpected(values.error());
  return launch_of(kernel, {kernel.check.grid, kernel.check.block, kNoShared}, *values);
}

Result<Launch> launch_for(const Kernel& kernel, const Problem& problem,
                          const std::map<std::string, int64_t>& toggles, int sm) {
  const auto active = launches_for(kernel, problem, toggles, sm);
  if (!active) return tl::unexpected(active.error());
  return active->front().launch;
}

}  // namespace gemmscope::catalog
