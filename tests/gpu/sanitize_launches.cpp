// Launches for tests/gpu/sanitize.sh, which runs this program and its runner under compute-sanitizer. Skipped
// without its environment variables.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "device.h"
#include "experiment/gpu_timing_device.h"
#include "experiment/verify.h"
#include "launches.h"

namespace gemmscope {
namespace {

// The sizes are ragged in every direction, with and without C as an input. K is large enough for every ring
// of stages to wrap around.
constexpr catalog::Problem kProblems[] = {{130, 66, 290, 1.25f, 0.0f}, {37, 131, 51, 1.0f, 0.5f}};

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A name of the catalogue, or the path of a file.
Result<catalog::Kernel> find_kernel(const std::string& name) {
  if (name.ends_with(".cu")) return catalog::read_kernel(name);
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  if (const catalog::Kernel* const kernel = catalog.find(name)) return *kernel;
  return fail("there is no kernel {} in {}", name, catalog::kernels_folder().string());
}

// Returns a client with long timeouts, because instrumented code is slow.
Result<std::unique_ptr<gpu::Client>> patient_client() {
  const auto command = gpu::find_runner();
  if (!command) return tl::unexpected(command.error());
  gpu::ClientSettings settings;
  settings.command = *command;
  settings.start_timeout = std::chrono::minutes(3);
  settings.reply_timeout = std::chrono::minutes(5);
  return std::make_unique<gpu::Client>(settings);
}

// Instrumented code is slow, and a mistake made on purpose may hang.
uint32_t time_limit_ms(const catalog::Kernel& kernel) { return kernel.id == "broken" ? 30'000 : 240'000; }

bool leave_unwritten() { return !environment("GEMMSCOPE_SANITIZE_UNWRITTEN").empty(); }

// Runs one launch. Returns C, and what was written beside a buffer.
size_t launch_product(gpu::Client& client, const experiment::CompiledKernel& compiled,
                      const experiment::Experiment& e) {
  gpu::RunRequest request = gpu::run_request(compiled, e.problem, e.toggles, leave_unwritten());
  request.time_limit_ms = time_limit_ms(compiled.kernel);
  const auto reply = client.run(request);
  EXPECT_TRUE(reply.has_value()) << reply.error().message;
  if (!reply) return 0;
  EXPECT_TRUE(reply->outside_writes.empty()) << "a buffer's surroundings were written";
  const auto data = experiment::make_problem_data(compiled.kernel, e.problem, e.toggles);
  if (data && data->layout.is_gemm() && reply->buffers.size() == 1) {
    EXPECT_TRUE(experiment::verify_data(e.problem, *data, reply->buffers[0]).right()) << "C is wrong";
  }
  return 1;
}

// Runs all launches of a file in order, on the same buffers, and its reference if it has one.
size_t launch_all(gpu::Client& client, const experiment::CompiledKernel& compiled,
                  const experiment::Experiment& e) {
  auto request = experiment::prepare_request(compiled, e, experiment::executed_grade(compiled));
  EXPECT_TRUE(request.has_value()) << request.error().message;
  if (!request) return 0;
  request->time_limit_ms = time_limit_ms(compiled.kernel);
  if (request->check) request->check->time_limit_ms = time_limit_ms(compiled.kernel);
  for (size_t i = 0; i < request->parameters.size(); ++i)
    if (compiled.kernel.parameters[i].fill == catalog::Fill::uninitialised)
      if (auto* const buffer = std::get_if<gpu::BufferParameter>(&request->parameters[i]))
        buffer->unwritten = leave_unwritten();
  const auto reply = client.prepare(*request);
  EXPECT_TRUE(reply.has_value()) << reply.error().message;
  if (!reply) return 0;
  EXPECT_TRUE(reply->verification.checked && reply->verification.wrong_elements == 0)
      << reply->verification.wrong_elements << " elements are wrong against " << reply->verification.against;
  EXPECT_TRUE(client.release({reply->handle}).has_value());
  return request->launches.size() + (request->check ? 1 : 0);
}

// Returns the number of launches; 0 if the kernel with these toggles is not for this device.
size_t launch(gpu::Client& client, const gpu::Case& c, const catalog::Problem& wanted, isa::Arch arch) {
  const auto problem = catalog::fitted(c.kernel, wanted, c.toggles);
  EXPECT_TRUE(problem.has_value()) << problem.error().message;
  if (!problem) return 0;
  const auto launches = catalog::launches_for(c.kernel, *problem, c.toggles, isa::sm_number(arch));
  if (!launches) return 0;
  for (const catalog::ActiveLaunch& active : *launches)
    if (active.launch.dynamic_shared_bytes > isa::most_shared_bytes(arch)) return 0;
  experiment::Experiment e;
  e.kernel = c.kernel.id;
  e.problem = *problem;
  e.toggles = c.toggles;
  e.arch = arch;
  const auto compiled = experiment::compile_kernel(c.kernel, e);
  EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
  if (!compiled) return 0;
  const bool has_parts = experiment::is_checked_by_reference(c.kernel) || !c.kernel.launches.empty();
  return has_parts ? launch_all(client, **compiled, e) : launch_product(client, **compiled, e);
}

TEST(GpuSanitize, ListsTheKernels) {
  const std::string path = environment("GEMMSCOPE_SANITIZE_LIST");
  if (path.empty()) GTEST_SKIP() << "GEMMSCOPE_SANITIZE_LIST names no file";
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const Error& error : catalog.errors) ADD_FAILURE() << error.message;
  std::ofstream file(path);
  for (const catalog::Kernel& kernel : catalog.kernels) file << kernel.id << '\n';
  EXPECT_TRUE(file.good()) << path << " cannot be written";
  EXPECT_FALSE(catalog.kernels.empty());
}

TEST(GpuSanitize, Launches) {
  const std::string name = environment("GEMMSCOPE_SANITIZE_KERNEL");
  if (name.empty()) GTEST_SKIP() << "GEMMSCOPE_SANITIZE_KERNEL names no kernel";
  const Result<catalog::Kernel> kernel = find_kernel(name);
  ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
  const auto client = patient_client();
  ASSERT_TRUE(client.has_value()) << client.error().message;
  const auto facts = (*client)->hello();
  ASSERT_TRUE(facts.has_value()) << facts.error().message;
  const auto arch = isa::arch_from_number(facts->compute_capability);
  ASSERT_TRUE(arch.has_value()) << facts->name;
  ASSERT_GE(isa::sm_number(*arch), kernel->architecture) << "this device is too old for the kernel";
  const std::string chosen = environment("GEMMSCOPE_SANITIZE_TOGGLE");  // "NAME=VALUE": only this case
  size_t launched = 0;
  for (const gpu::Case& c : gpu::cases_of(*kernel)) {
    if (!chosen.empty() && c.label != fmt::format("{} {}", kernel->id, chosen)) continue;
    SCOPED_TRACE(c.label);
    for (const catalog::Problem& problem : kProblems) launched += launch(**client, c, problem, *arch);
  }
  EXPECT_GT(launched, 0u);
  std::cout << "launched " << launched << std::endl;
}

}  // namespace
}  // namespace gemmscope
