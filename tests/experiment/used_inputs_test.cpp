// Compares with a slow, obvious model: a size or scale is used if changing it changes the launch or its data.
#include "catalog/used_inputs.h"

#include <gtest/gtest.h>

#include "experiment/problem_data.h"

namespace gemmscope::experiment {
namespace {

using catalog::Problem;
using catalog::UsedInputs;

// Collects everything that depends on the problem: grids, shared memory, arguments, the sizes of buffers.
std::vector<std::string> consequences(const catalog::Kernel& kernel, const Problem& problem) {
  std::vector<std::string> all;
  const auto launches = catalog::launches_for(kernel, problem, {});
  if (!launches) return {launches.error().message};
  for (const catalog::ActiveLaunch& active : *launches)
    all.push_back(fmt::format("{} {} {} {}", active.entry, fmt::join(active.launch.grid, ","),
                              fmt::join(active.launch.block, ","), active.launch.dynamic_shared_bytes));
  const Result<ProblemData> data = make_problem_data(kernel, problem, {}, Contents::zeros);
  if (!data) return {data.error().message};
  for (size_t i = 0; i < data->arguments.size(); ++i) {
    std::string bytes;
    for (const std::byte b : data->arguments[i]) bytes += fmt::format("{:02x}", static_cast<int>(b));
    all.push_back(data->parameters[i].kind == catalog::Parameter::Kind::scalar ? bytes : "");
  }
  for (const auto& range : data->memory.buffers()) all.push_back(std::to_string(range.bytes.size()));
  return all;
}

TEST(UsedInputs, AreThoseWhoseChangeChangesTheLaunch) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  ASSERT_GE(catalog.kernels.size(), 20u);
  const Problem base{256, 512, 128, 1.5f, 0.25f};
  int unused = 0;
  for (const catalog::Kernel& kernel : catalog.kernels) {
    const auto changes = [&](auto change) {
      Problem other = base;
      change(other);
      return consequences(kernel, other) != consequences(kernel, base);
    };
    const UsedInputs used = catalog::used_inputs(kernel);
    EXPECT_EQ(used.m, changes([](Problem& p) { p.m *= 2; })) << kernel.id;
    EXPECT_EQ(used.n, changes([](Problem& p) { p.n *= 2; })) << kernel.id;
    EXPECT_EQ(used.k, changes([](Problem& p) { p.k *= 2; })) << kernel.id;
    EXPECT_EQ(used.alpha, changes([](Problem& p) { p.alpha = 3; })) << kernel.id;
    EXPECT_EQ(used.beta, changes([](Problem& p) { p.beta = 3; })) << kernel.id;
    unused += used.k ? 0 : 1;
    if (catalog::is_gemm(kernel.parameters)) {
      EXPECT_TRUE(used.m && used.n && used.k) << kernel.id;
    }
  }
  EXPECT_GT(unused, 3) << "the labs have no K";
}

}  // namespace
}  // namespace gemmscope::experiment
