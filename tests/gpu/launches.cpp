#include "launches.h"

#include <gtest/gtest.h>

#include "experiment/problem_data.h"
#include "machine/state/tensor_map.h"

namespace gemmscope::gpu {

RunRequest run_request(const experiment::CompiledKernel& compiled, const catalog::Problem& problem,
                       const std::map<std::string, int64_t>& toggles, bool leave_unwritten) {
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
      const bool unwritten = leave_unwritten && !next.initialised.empty();
      BufferParameter given{{next.bytes.begin(), next.bytes.end()}, next.name == "C", unwritten, {}};
      if (const auto map = machine::read_tensor_map(data.arguments[i]))
        given.tensor_map = TensorMapShape{map->element_bytes == 2, map->size[1], map->size[0], map->box[1]};
      request.parameters.emplace_back(std::move(given));
    }
  }
  return request;
}

Outcome<RunReply> run_all(Client& client, const experiment::CompiledKernel& compiled,
                          const catalog::Problem& problem, const std::map<std::string, int64_t>& toggles) {
  RunRequest request = run_request(compiled, problem, toggles);
  std::vector<BufferParameter*> buffers;
  for (auto& parameter : request.parameters)
    if (auto* buffer = std::get_if<BufferParameter>(&parameter)) {
      buffer->returned = true;
      buffers.push_back(buffer);
    }
  Outcome<RunReply> reply = RunReply{};
  for (const experiment::LaunchPart& part : compiled.parts) {
    request.kernel = compiled.cubin.kernels[part.code_index].name;
    request.grid = part.launch.grid;
    request.block = part.launch.block;
    request.dynamic_shared_bytes = part.launch.dynamic_shared_bytes;
    reply = client.run(request);
    if (!reply || reply->buffers.size() != buffers.size() || !reply->outside_writes.empty()) return reply;
    for (size_t i = 0; i < buffers.size(); ++i) buffers[i]->initial = reply->buffers[i];
  }
  return reply;
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
