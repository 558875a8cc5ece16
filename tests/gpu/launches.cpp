#include "launches.h"

#include <gtest/gtest.h>

#include "experiment/problem_data.h"

namespace gemmscope::gpu {

RunRequest run_request(const experiment::CompiledKernel& compiled, const catalog::Problem& problem,
                       const std::map<std::string, int64_t>& toggles) {
  RunRequest request;
  const auto made = experiment::make_problem_data(compiled.kernel, problem, toggles);
  EXPECT_TRUE(made.has_value()) << made.error().message;
  if (!made) return request;
  const experiment::ProblemData& data = *made;
  request.cubin = compiled.binary;
  request.kernel = compiled.cubin.kernels[compiled.code_index].name;
  request.grid = compiled.launch.grid;
  request.block = compiled.launch.block;
  request.dynamic_shared_bytes = compiled.launch.dynamic_shared_bytes;
  size_t buffer = 0;  // the memory has them in the order of the parameters
  for (size_t i = 0; i < data.arguments.size(); ++i) {
    if (data.parameters[i].kind == catalog::Parameter::Kind::scalar) {
      request.parameters.emplace_back(ValueParameter{data.arguments[i]});
    } else {
      const auto& next = data.memory.buffers().at(buffer++);
      request.parameters.emplace_back(BufferParameter{next.bytes, next.name == "C"});
    }
  }
  return request;
}

std::vector<Case> cases_of(const catalog::Kernel& kernel) {
  std::vector<Case> cases{{kernel, {}, kernel.id}};
  for (const catalog::Toggle& toggle : kernel.toggles)
    for (const int64_t value : toggle.values)
      if (value != toggle.default_value)
        cases.push_back(
            {kernel, {{toggle.name, value}}, fmt::format("{} {}={}", kernel.id, toggle.name, value)});
  return cases;
}

PrepareRequest prepare_request(const experiment::CompiledKernel& compiled, const catalog::Problem& problem) {
  const RunRequest run = run_request(compiled, {1, 1, 1, problem.alpha, problem.beta});
  PrepareRequest request;
  request.cubin = run.cubin;
  request.gemm = Gemm{problem.m, problem.n, problem.k, problem.alpha, problem.beta};
  TimedLaunch& launch = request.launches.emplace_back(
      TimedLaunch{run.kernel, run.grid, run.block, run.dynamic_shared_bytes, {}});
  const std::vector<catalog::Parameter>& declared = compiled.kernel.parameters;
  for (size_t i = 0; i < 3; ++i) {
    const bool bfloat16 = i < declared.size() && declared[i].type == catalog::ElementType::bfloat16;
    request.parameters.emplace_back(MatrixParameter{static_cast<char>('A' + i), bfloat16});
    if (bfloat16) request.precision = Precision::bf16;
  }
  if (catalog::grade_of(compiled.kernel) == catalog::Grade::tf32) request.precision = Precision::tf32;
  for (size_t i = 3; i < 5; ++i) request.parameters.emplace_back(std::get<ValueParameter>(run.parameters[i]));
  for (const int64_t size : {problem.m, problem.n, problem.k})
    request.parameters.emplace_back(ValueParameter{machine::argument(static_cast<int32_t>(size))});
  for (uint32_t i = 0; i < request.parameters.size(); ++i) launch.parameters.push_back(i);
  return request;
}

std::vector<Case> ladder_cases() {
  std::vector<Case> cases;
  for (const catalog::Kernel& kernel : catalog::read_catalog(catalog::kernels_folder() / "ladder").kernels)
    for (Case& c : cases_of(kernel)) cases.push_back(std::move(c));
  return cases;
}

std::vector<Case> all_combinations(const std::filesystem::path& folder) {
  std::vector<Case> cases;
  for (const catalog::Kernel& kernel : catalog::read_catalog(folder).kernels) {
    std::vector<Case> combined{{kernel, {}, kernel.id}};
    for (const catalog::Toggle& toggle : kernel.toggles) {
      std::vector<Case> more;
      for (const Case& c : combined)
        for (const int64_t value : toggle.values) {
          more.push_back(c);
          more.back().toggles[toggle.name] = value;
          more.back().label += fmt::format(" {}={}", toggle.name, value);
        }
      combined = std::move(more);
    }
    cases.insert(cases.end(), combined.begin(), combined.end());
  }
  return cases;
}

}  // namespace gemmscope::gpu
