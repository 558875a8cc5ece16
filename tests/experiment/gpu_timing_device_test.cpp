// Checks the requests to the GPU runner, and what happens to its handles when it ends.
#include "experiment/gpu_timing_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "experiment/timing_run.h"

namespace gemmscope::experiment {
namespace {

const std::atomic<bool> kGoOn{false};

struct Compiled {
  std::shared_ptr<const CompiledKernel> kernel;
  Experiment experiment;
};
// Uses the first kernel of the ladder, which has the ladder's common signature.
Compiled compiled_kernel() {
  const catalog::Catalog catalog = catalog::read_catalog(GEMMSCOPE_SOURCE_DIR "/kernels/ladder");
  Compiled made;
  made.experiment.problem = {96, 80, 64, 1.5f, 0.25f};
  made.experiment.arch = isa::Arch::sm_90;
  auto outcome = compile_kernel(catalog.kernels.front(), made.experiment);
  EXPECT_TRUE(outcome) << outcome.error().message;
  made.kernel = *outcome;
  return made;
}

template <typename T>
T value_of(const gpu::TimedParameter& parameter) {
  const auto& bytes = std::get<gpu::ValueParameter>(parameter).bytes;
  T value{};
  EXPECT_EQ(bytes.size(), sizeof(T));
  std::memcpy(&value, bytes.data(), std::min(sizeof(T), bytes.size()));
  return value;
}

TEST(GpuTimingDevice, AsksForTheKernelsLaunch) {
  const Compiled made = compiled_kernel();
  const auto request = prepare_request(*made.kernel, made.experiment, Grade::fp32);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_TRUE(gpu::check_request(*request));
  EXPECT_EQ(request->cubin, made.kernel->binary);
  ASSERT_EQ(request->launches.size(), 1u);
  EXPECT_EQ(request->launches[0].kernel, made.kernel->kernel.entry);
  EXPECT_EQ(request->launches[0].grid, made.kernel->launch.grid);
  EXPECT_EQ(request->launches[0].block, made.kernel->launch.block);
  EXPECT_EQ(request->launches[0].parameters, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(request->gemm, (gpu::Gemm{96, 80, 64, 1.5f, 0.25f}));
  ASSERT_EQ(request->parameters.size(), 8u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(std::get<gpu::MatrixParameter>(request->parameters[i]),
              (gpu::MatrixParameter{"ABC"[i], false}));
  EXPECT_EQ(value_of<float>(request->parameters[3]), 1.5f);
  EXPECT_EQ(value_of<float>(request->parameters[4]), 0.25f);
  EXPECT_EQ(value_of<int32_t>(request->parameters[5]), 96);
  EXPECT_EQ(value_of<int32_t>(request->parameters[6]), 80);
  EXPECT_EQ(value_of<int32_t>(request->parameters[7]), 64);
  EXPECT_EQ(request->precision, gpu::Precision::fp32);
  EXPECT_EQ(prepare_request(*made.kernel, made.experiment, Grade::tf32)->precision, gpu::Precision::tf32);
}

TEST(GpuTimingDevice, FindsNumbersInCWhereTheCpuDoes) {
  Compiled made = compiled_kernel();
  made.experiment.problem.beta = 0;
  const auto finite = [&](bool opened) {
    CompiledKernel changed = *made.kernel;
    changed.kernel.opened = opened;
    const auto request = prepare_request(changed, made.experiment, Grade::fp32);
    EXPECT_TRUE(request);
    return request && std::get<gpu::MatrixParameter>(request->parameters[2]).finite;
  };
  EXPECT_FALSE(finite(false));
  EXPECT_TRUE(finite(true)) << "a user's kernel often adds 0 * C";
}

TEST(GpuTimingDevice, BuffersGoAlongAndMatricesMustBeOnesThatTheRunnerFills) {
  const Compiled made = compiled_kernel();
  CompiledKernel changed = *made.kernel;
  changed.kernel.parameters = catalog::fixed_signature();
  changed.kernel.parameters[0].type = changed.kernel.parameters[1].type = catalog::ElementType::bfloat16;
  catalog::Parameter buffer;
  buffer.name = "extra";
  buffer.kind = catalog::Parameter::Kind::buffer;
  buffer.type = catalog::ElementType::int32;
  buffer.count = "M + 4";
  buffer.fill = catalog::Fill::iota;
  changed.kernel.parameters.push_back(buffer);
  const auto request = prepare_request(changed, made.experiment, Grade::bf16);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(std::get<gpu::MatrixParameter>(request->parameters[1]), (gpu::MatrixParameter{'B', true}));
  EXPECT_EQ(std::get<gpu::MatrixParameter>(request->parameters[2]), (gpu::MatrixParameter{'C', false}));
  const auto& bytes = std::get<gpu::BufferParameter>(request->parameters[8]).initial;
  ASSERT_EQ(bytes.size(), 400u);
  int32_t last = 0;
  std::memcpy(&last, bytes.data() + 396, 4);
  EXPECT_EQ(last, 99);

  const auto refused = [&](auto change) {
    CompiledKernel other = changed;
    change(other.kernel.parameters);
    const auto answer = prepare_request(other, made.experiment, Grade::fp32);
    return !answer && answer.error().kind == gpu::ErrorKind::bad_request &&
           answer.error().message.find("matrix") != std::string::npos;
  };
  EXPECT_TRUE(refused([](auto& p) { p[0].type = catalog::ElementType::float16; }));
  EXPECT_TRUE(refused([](auto& p) { p[2].type = catalog::ElementType::bfloat16; }));
  EXPECT_TRUE(refused([](auto& p) { p[1].column_major = true; }));
  EXPECT_TRUE(refused([](auto& p) { p[1].leading_dimension = "N + 8"; }));
  EXPECT_FALSE(refused([](auto&) {}));
}

TEST(GpuTimingDevice, AFileOfSeveralLaunchesIsTimedAsAWhole) {
  const Compiled made = compiled_kernel();
  CompiledKernel changed = *made.kernel;
  ASSERT_EQ(changed.parts.size(), 1u);
  changed.parts.push_back(changed.parts[0]);
  changed.parts[1].launch.grid = {7, 8, 9};
  const auto request = prepare_request(changed, made.experiment, Grade::fp32);
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_EQ(request->launches.size(), 2u);
  EXPECT_EQ(request->launches[0].grid, made.kernel->launch.grid);
  EXPECT_EQ(request->launches[1].grid, (std::array<uint32_t, 3>{7, 8, 9}));
}

TEST(GpuTimingDevice, ALabGoesWithItsReference) {
  const catalog::Catalog labs = catalog::read_catalog(GEMMSCOPE_SOURCE_DIR "/kernels/labs");
  EXPECT_EQ(labs.kernels.size(), 11u);
  for (const catalog::Kernel& lab : labs.kernels) {
    SCOPED_TRACE(lab.id);
    Experiment e;
    const auto problem = catalog::fitted(lab, {130, 66, 34, 1.5f, 0.25f}, {});
    ASSERT_TRUE(problem) << problem.error().message;
    e.problem = *problem;
    e.arch = isa::Arch::sm_90;
    const auto compiled = compile_kernel(lab, e);
    ASSERT_TRUE(compiled) << compiled.error().message;
    const auto request = prepare_request(**compiled, e, Grade::fp32);
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_TRUE(gpu::check_request(*request));
    ASSERT_TRUE(request->check.has_value());
    const gpu::ReferenceCheck& check = *request->check;
    EXPECT_EQ(check.launch.kernel, lab.check.entry);
    EXPECT_NE((*compiled)->cubin.find(check.launch.kernel), nullptr) << "of the same cubin";
    EXPECT_EQ(check.launch.parameters, request->launches[0].parameters);
    const auto launch = catalog::check_launch_for(lab, e.problem, {});
    EXPECT_EQ(check.launch.grid, launch->grid);
    EXPECT_EQ(check.launch.block, launch->block);
    EXPECT_EQ(check.tolerance, lab.check.tolerance);
    ASSERT_EQ(check.compare.size(), lab.check.compare.size());
    for (size_t i = 0; i < check.compare.size(); ++i) {
      const catalog::Parameter& parameter = lab.parameters.at(check.compare[i].parameter);
      EXPECT_EQ(parameter.name, lab.check.compare[i]);
      EXPECT_EQ(parameter.type, check.compare[i].type);
    }
    CompiledKernel missing = **compiled;
    missing.kernel.check.entry = "nothing";
    const auto refused = prepare_request(missing, e, Grade::fp32);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("\"nothing\""), std::string::npos) << refused.error().message;
  }
  const Compiled product = compiled_kernel();
  EXPECT_FALSE(prepare_request(*product.kernel, product.experiment, Grade::fp32)->check.has_value());
}

TEST(GpuTimingDevice, NamesPeaks) {
  gpu::DeviceFacts facts{"NVIDIA H200", 90, 132, 1980, 0, "580.1", "13.0"};
  facts.memory_gb_per_second = 4800;
  const TimedDevice device = timed_device(facts);
  EXPECT_NEAR(device.peak_fp32, 66.90816e12, 1e6);
  EXPECT_NEAR(device.peak_tf32, 2048.0 * 132 * 1980e6, 1e6);
  EXPECT_EQ(device.memory_gb_per_second, 4800);
  facts.compute_capability = 130;
  facts.fp32_lanes_per_sm = 256;
  EXPECT_NEAR(timed_device(facts).peak_fp32, 2 * 66.90816e12, 1e6);
}

gpu::ClientSettings fake_runner(const std::string& mode) {
  gpu::ClientSettings settings;
  settings.command = {"python3", GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py", mode};
  return settings;
}

TimingJob job_of(const Compiled& made, size_t wanted) {
  TimingJob job;
  job.variants.push_back({made.kernel->kernel, {}});
  job.problem = made.experiment.problem;
  job.options.samples_wanted = wanted;
  return job;
}

TEST(GpuTimingDevice, MeasuresThroughTheClient) {
  const Compiled made = compiled_kernel();
  GpuTimingDevice device(fake_runner("good"));
  TimingRun run(device, compile_kernel, job_of(made, 5));
  while (run.step(kGoOn)) {
  }
  EXPECT_EQ(run.timings().trouble, "");
  ASSERT_EQ(run.timings().variants.size(), 2u);
  // The fake's first handle is 7, and a launch takes an eighth of its handle in ms.
  for (const Sample& sample : run.timings().variants[0].samples) EXPECT_EQ(sample.ms, 0.875);
  for (const Sample& sample : run.timings().variants[1].samples) EXPECT_EQ(sample.ms, 1.0);
  EXPECT_EQ(run.timings().variants[1].samples.size(), 5u);
  EXPECT_EQ(run.timings().device.name, "Fake GPU");
  EXPECT_EQ(run.timings().device.library, "cuBLAS 0.0.0");
}

TEST(GpuTimingDevice, ARunnerThatDiesAtEverySampleEndsTheRun) {
  const Compiled made = compiled_kernel();
  GpuTimingDevice device(fake_runner("die_in_time"));
  TimingRun run(device, compile_kernel, job_of(made, 5));
  int steps = 0;
  while (run.step(kGoOn)) ASSERT_LT(++steps, 20);
  EXPECT_NE(run.timings().trouble, "");
  EXPECT_TRUE(run.timings().variants[0].samples.empty());
}

// A handle of a runner that has ended is never mistaken for one of the next runner, whose handles start at
// the same number.
TEST(GpuTimingDevice, HandlesOfAnEndedRunnerAreNotMistakenForNewOnes) {
  const catalog::Problem problem;
  GpuTimingDevice device(fake_runner("die_in_time"));
  const auto old = device.prepare_library(problem, Grade::fp32, kGoOn);
  ASSERT_TRUE(old);
  EXPECT_FALSE(device.time({old->handle}, kGoOn));  // and the runner has ended
  const auto fresh = device.prepare_library(problem, Grade::fp32, kGoOn);
  ASSERT_TRUE(fresh);
  EXPECT_NE(fresh->handle, old->handle);
  const auto stale = device.time({old->handle}, kGoOn);
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().kind, gpu::ErrorKind::not_prepared);
  device.release(old->handle);  // no error
}

TEST(GpuTimingDevice, AnInvalidCommandLineIsNamed) {
  EXPECT_FALSE(make_gpu_timing_device("'unclosed"));
  EXPECT_TRUE(make_gpu_timing_device("anything at all"));
}

}  // namespace
}  // namespace gemmscope::experiment
