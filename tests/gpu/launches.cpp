#include "launches.h"

#include "experiment/problem_data.h"

namespace gemmscope::gpu {

RunRequest run_request(const experiment::CompiledKernel& compiled, const catalog::Problem& problem) {
  const experiment::ProblemData data = experiment::make_problem_data(problem);
  RunRequest request;
  request.cubin = compiled.binary;
  request.kernel = compiled.kernel.entry;
  request.grid = compiled.launch.grid;
  request.block = compiled.launch.block;
  request.dynamic_shared_bytes = compiled.launch.dynamic_shared_bytes;
  const auto& buffers = data.memory.buffers();
  for (size_t i = 0; i < data.arguments.size(); ++i) {
    if (i < buffers.size()) {  // A, B, C; of them C is the result
      request.parameters.emplace_back(BufferParameter{buffers[i].bytes, buffers[i].name == "C"});
    } else {
      request.parameters.emplace_back(ValueParameter{data.arguments[i]});
    }
  }
  return request;
}

std::vector<Case> ladder_cases() {
  std::vector<Case> cases;
  for (const catalog::Kernel& kernel : catalog::read_catalog(catalog::kernels_folder() / "ladder").kernels) {
    cases.push_back({kernel, {}, kernel.id});
    for (const catalog::Toggle& toggle : kernel.toggles)
      for (const int64_t value : toggle.values)
        if (value != toggle.default_value)
          cases.push_back(
              {kernel, {{toggle.name, value}}, fmt::format("{} {}={}", kernel.id, toggle.name, value)});
  }
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
