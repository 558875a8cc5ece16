// Every kernel of the ladder gives the same bits on a real GPU as in this program's execution of its machine
// code on the CPU. Without a GPU the tests are skipped and say why.
#include "device.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "catalog/catalog.h"
#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "launches.h"

namespace gemmscope {
namespace {

using gpu::Case, gpu::device, gpu::ladder_cases, gpu::run_request;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string compare_bits(std::span<const float> gpu, std::span<const float> cpu, int64_t columns) {
  if (gpu.size() != cpu.size())
    return fmt::format("{} elements on the GPU, {} on the CPU", gpu.size(), cpu.size());
  size_t different = 0, first = 0;
  for (size_t i = gpu.size(); i-- > 0;) {
    if (std::bit_cast<uint32_t>(gpu[i]) == std::bit_cast<uint32_t>(cpu[i])) continue;
    ++different;
    first = i;
  }
  if (different == 0) return "";
  const auto width = static_cast<size_t>(columns);
  return fmt::format("{} of {} elements differ; the first is C[{}][{}]: {:.9g} on the GPU, {:.9g} on the CPU",
                     different, gpu.size(), first / width, first % width, gpu[first], cpu[first]);
}

class Gpu : public gpu::OnGpu {
 protected:
  void compare(const Case& c, const catalog::Problem& wanted) const {
    if (isa::sm_number(arch_) < c.kernel.architecture) return;  // the compiler says so
    const auto fitting = catalog::fitted(c.kernel, wanted, c.toggles);
    ASSERT_TRUE(fitting.has_value()) << c.label << ": " << fitting.error().message;
    const catalog::Problem& problem = *fitting;
    SCOPED_TRACE(fmt::format("{} on {}: M {} N {} K {}, alpha {} beta {}", c.label, isa::arch_name(arch_),
                             problem.m, problem.n, problem.k, problem.alpha, problem.beta));
    experiment::Experiment e;
    e.kernel = c.kernel.id;
    e.problem = problem;
    e.toggles = c.toggles;
    e.arch = arch_;
    const auto compiled = experiment::compile_kernel(c.kernel, e);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    std::vector<float> cpu;
    const auto grid = experiment::run_whole_grid(*compiled, e, {}, &cpu);
    ASSERT_TRUE(grid.has_value()) << grid.error().message;
    EXPECT_TRUE((*grid)->verification.right())
        << (*grid)->verification.wrong_elements << " elements are wrong on the CPU";
    const gpu::Outcome<gpu::RunReply> reply = run_all(*device().client, **compiled, problem, c.toggles);
    ASSERT_TRUE(reply.has_value()) << reply.error().message;
    ASSERT_GE(reply->buffers.size(), 3u) << "A, B and C";
    EXPECT_EQ(compare_bits(experiment::as_floats(reply->buffers[2]), cpu, problem.n), "");
    for (const gpu::OutsideWrite& write : reply->outside_writes)
      ADD_FAILURE() << "parameter " << write.parameter << " was written outside, at byte " << write.offset;
  }
  void compare_at_all_sizes(const Case& c) const {
    const std::array<int64_t, 3> sizes[] = {
        {1, 1, 1}, {17, 33, 5}, {64, 64, 64}, {130, 66, 34}, {256, 256, 256}};
    for (const auto& [m, n, k] : sizes)
      for (const float beta : {0.5f, 0.0f}) compare(c, {m, n, k, 1.25f, beta});
    std::cout << fmt::format("{}: {}\n", c.label,
                             HasFailure() ? "failures so far" : "the same bits at all sizes")
              << std::flush;
  }
};

TEST_F(Gpu, EveryKernelOfTheLadderGivesTheSameBitsAsTheCpu) {
  const std::vector<Case> cases = ladder_cases();
  ASSERT_FALSE(cases.empty()) << "there are no kernels in " << catalog::kernels_folder();
  for (const Case& c : cases) compare_at_all_sizes(c);
}

// One launch and several: enough to try, without a GPU, that wrong bits are seen (CMakeLists.txt).
TEST_F(Gpu, TwoKernelsGiveTheSameBitsAsTheCpu) {
  int compared = 0;
  for (const Case& c : ladder_cases())
    if (c.label == "07_register_tile" || c.label == "17_split_k") compare_at_all_sizes(c), ++compared;
  EXPECT_EQ(compared, 2);
}

TEST_F(Gpu, ReportsItsFacts) {
  const gpu::DeviceFacts& facts = *device().facts;
  std::cout << fmt::format("{} (sm_{}), {} SMs at up to {} MHz, {} MB, driver {}, CUDA {}\n", facts.name,
                           facts.compute_capability, facts.sm_count, facts.max_clock_mhz,
                           facts.memory_bytes >> 20, facts.driver_version, facts.cuda_version);
  EXPECT_FALSE(facts.name.empty());
  EXPECT_GT(facts.sm_count, 0);
  EXPECT_GT(facts.max_clock_mhz, 0);
}

// Checks the real driver's answers to the mistakes that fake_cuda_test tries on a stand-in.
TEST_F(Gpu, RefusesAndSurvivesMistakes) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  ASSERT_FALSE(catalog.kernels.empty());
  experiment::Experiment e;
  e.problem = {64, 64, 64, 1.25f, 0.5f};
  e.arch = arch_;
  const auto compiled = experiment::compile_kernel(catalog.kernels[0], e);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  const gpu::RunRequest good = run_request(**compiled, e.problem);
  const auto expect = [&](const gpu::RunRequest& request, gpu::ErrorKind kind) {
    const gpu::Outcome<gpu::RunReply> reply = device().client->run(request);
    ASSERT_FALSE(reply.has_value()) << gpu::error_kind_name(kind) << " was expected";
    std::cout << gpu::error_kind_name(reply.error().kind) << ": " << reply.error().message << '\n';
    EXPECT_EQ(reply.error().kind, kind);
  };
  gpu::RunRequest request = good;
  request.kernel = "no_such_kernel";
  expect(request, gpu::ErrorKind::no_such_kernel);
  request = good;
  request.block = {1024, 1024, 1};
  expect(request, gpu::ErrorKind::launch_refused);
  request = good;
  request.dynamic_shared_bytes = 1 << 20;
  expect(request, gpu::ErrorKind::launch_refused);
  request = good;
  request.cubin.resize(1000);
  expect(request, gpu::ErrorKind::bad_machine_code);
  request = good;
  std::get<gpu::ValueParameter>(request.parameters[3]).bytes.resize(8);
  expect(request, gpu::ErrorKind::bad_request);
  request = good;
  request.parameters[0] =
      gpu::ValueParameter{machine::argument(uint64_t{256})};  // an address that no allocation has
  expect(request, gpu::ErrorKind::kernel_fault);
  EXPECT_TRUE(device().client->run(good).has_value()) << "no runner after the fault";
}

// With GEMMSCOPE_GPU_TRANSCRIPT, records the conversation for tests without a GPU.
TEST_F(Gpu, TranscriptIsRecorded) {
  const std::string path = environment("GEMMSCOPE_GPU_TRANSCRIPT");
  if (path.empty()) GTEST_SKIP() << "GEMMSCOPE_GPU_TRANSCRIPT names no file";
  std::ofstream file(path);
  gpu::ClientSettings settings;
  settings.command = *gpu::find_runner();
  settings.log = [&](char direction, std::string_view line) { file << direction << line << '\n'; };
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  experiment::Experiment e;
  e.problem = {2, 2, 2, 1.25f, 0.5f};
  e.arch = arch_;
  const auto compiled = experiment::compile_kernel(catalog.kernels.at(0), e);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  {
    gpu::Client client(settings);
    gpu::RunRequest request = run_request(**compiled, e.problem);
    EXPECT_TRUE(client.run(request).has_value());
    request.kernel = "no_such_kernel";
    EXPECT_FALSE(client.run(request).has_value());
  }
  EXPECT_TRUE(file.good()) << path << " cannot be written";
}

}  // namespace
}  // namespace gemmscope
