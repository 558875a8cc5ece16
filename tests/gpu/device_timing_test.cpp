// Kernels are prepared on a real GPU, checked against cuBLAS in float64, and timed. Without a GPU the tests
// are skipped and say why.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "device.h"
#include "experiment/gpu_timing_device.h"
#include "experiment/timing_run.h"
#include "launches.h"

namespace gemmscope {
namespace {

using gpu::Case, gpu::device, gpu::ErrorKind, gpu::Gemm, gpu::Outcome, gpu::Precision, gpu::Prepared,
    gpu::PrepareRequest, gpu::TimeReply, gpu::ValueParameter;

double tflops(const Gemm& g, double ms) {
  return 2e-9 * static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) / ms;
}

class GpuTiming : public gpu::OnGpu {
 protected:
  std::optional<PrepareRequest> request_of(const Case& c, const catalog::Problem& problem) const {
    experiment::Experiment e;
    e.kernel = c.kernel.id;
    e.problem = problem;
    e.toggles = c.toggles;
    e.arch = arch_;
    const auto compiled = experiment::compile_kernel(c.kernel, e);
    if (!compiled) {
      ADD_FAILURE() << c.label << ": " << compiled.error().message;
      return std::nullopt;
    }
    const Outcome<PrepareRequest> request =
        experiment::prepare_request(**compiled, e, experiment::executed_grade(**compiled));
    if (request) return *request;
    ADD_FAILURE() << c.label << ": " << request.error().message;
    return std::nullopt;
  }
  // Prepares, times and releases.
  void expect_right(const Case& c) const {
    for (const catalog::Problem& wanted :
         {catalog::Problem{130, 66, 34, 1.25f, 0.5f}, {256, 192, 128, 1, 0}}) {
      const auto problem = catalog::fitted(c.kernel, wanted, c.toggles);
      ASSERT_TRUE(problem.has_value()) << problem.error().message;
      const std::optional<PrepareRequest> request = request_of(c, *problem);
      if (request)
        expect_right(*request,
                     fmt::format("{} at {} x {} x {}", c.label, problem->m, problem->n, problem->k));
    }
  }
  static void expect_right(const PrepareRequest& request, const std::string& label) {
    SCOPED_TRACE(label);
    gpu::Client& client = *device().client;
    const Outcome<Prepared> prepared = client.prepare(request);
    ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
    const gpu::GpuVerification& v = prepared->verification;
    EXPECT_TRUE(v.checked) << v.against;
    EXPECT_TRUE(v.wrong_elements == 0 && v.largest_ratio <= 1) << v.wrong_elements << " elements are wrong";
    const Outcome<TimeReply> time = client.time({prepared->handle, 3, false, 10'000});
    ASSERT_TRUE(time.has_value()) << time.error().message;
    std::cout << fmt::format(
        "{}: {}, {:.4f} ms (first {:.4f}), {} MHz, error {:.2g} ({:.3f} of the bound) against {}\n", label,
        v.wrong_elements == 0 ? "right" : "wrong", time->ms, prepared->first_ms, time->sm_clock_mhz,
        v.largest_error, v.largest_ratio, v.against);
    EXPECT_TRUE(client.release({prepared->handle}).has_value());
  }
  static Case first_kernel() { return gpu::ladder_cases().at(0); }

  template <typename T>
  static void expect_error(const Outcome<T>& reply, ErrorKind kind) {
    ASSERT_FALSE(reply.has_value()) << gpu::error_kind_name(kind) << " was expected";
    std::cout << gpu::error_kind_name(reply.error().kind) << ": " << reply.error().message << '\n';
    EXPECT_EQ(reply.error().kind, kind);
  }
  static std::vector<Case> lab_cases() {
    std::vector<Case> cases;
    for (const catalog::Kernel& lab : catalog::read_catalog(catalog::kernels_folder() / "labs").kernels)
      for (Case& c : gpu::cases_of(lab)) cases.push_back(std::move(c));
    return cases;
  }
};

TEST_F(GpuTiming, TheFirstKernelOfTheLadderIsRight) { expect_right(first_kernel()); }

TEST_F(GpuTiming, EveryKernelOfTheLadderIsRightAgainstTheRunnersFloat64) {
  for (const Case& c : gpu::ladder_cases()) expect_right(c);
}

TEST_F(GpuTiming, TheFirstLabIsRightAgainstItsReference) { expect_right(lab_cases().at(0)); }

TEST_F(GpuTiming, EveryLabIsRightAgainstItsReference) {
  const std::vector<Case> cases = lab_cases();
  EXPECT_GT(cases.size(), 20u);
  for (const Case& c : cases) expect_right(c);
}

// Measures in turn, as the window and `gemmscope record` do: the fusion lab as it is, and with a reference
// that computes something else.
TEST_F(GpuTiming, ALabIsTimedAfterItsCheckAndNotWhereItsReferenceDiffers) {
  const catalog::Catalog labs = catalog::read_catalog(catalog::kernels_folder() / "labs");
  const catalog::Kernel* const fusion = labs.find("fusion");
  ASSERT_NE(fusion, nullptr);
  catalog::Kernel wrong = *fusion;
  wrong.id = "wrong";
  wrong.check.entry = "scale";  // leaves `out` as it was
  experiment::TimingJob job;
  job.variants = {{*fusion, {}, {}}, {wrong, {}, {}}, {*fusion, {{"FUSED", 1}}, {}}};
  job.problem = {130, 66, 34, 1.25f, 0.5f};
  job.options.library_bars = false;
  job.options.samples_wanted = 2;
  gpu::ClientSettings settings;
  settings.command = *gpu::find_runner();
  experiment::GpuTimingDevice timing(settings);
  experiment::TimingRun run(timing, experiment::compile_kernel, std::move(job));
  const std::atomic<bool> go_on{false};
  while (run.step(go_on)) continue;
  EXPECT_EQ(run.timings().trouble, "");
  for (const experiment::TimedVariant& variant : run.timings().variants) {
    std::cout << fmt::format("{}: {} samples, largest error {:.2g} {}\n", variant.id, variant.samples.size(),
                             variant.largest_error, variant.trouble);
    const bool is_wrong = variant.id == "wrong";
    EXPECT_EQ(variant.samples.size(), is_wrong ? 0u : 2u);
    EXPECT_EQ(variant.trouble.empty(), !is_wrong) << variant.trouble;
    EXPECT_GE(variant.largest_error, 0);
  }
  const std::string& why = run.timings().variants[1].trouble;
  EXPECT_NE(why.find("8580 elements differ from those of its reference, the kernel scale"), std::string::npos)
      << why;
}

TEST_F(GpuTiming, LargeMatricesAreCheckedWithinReason) {
  gpu::Client& client = *device().client;
  for (const int64_t size : {2048, 8192}) {
    const catalog::Problem problem{size, size, size, 1, 0};
    const std::optional<PrepareRequest> request = request_of(first_kernel(), problem);
    ASSERT_TRUE(request.has_value());
    const auto start = std::chrono::steady_clock::now();
    const Outcome<Prepared> prepared = client.prepare(*request);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
    EXPECT_EQ(prepared->verification.wrong_elements, 0u);
    std::cout << fmt::format("{}^3 prepared and checked in {:.2f} s against {}, first launch {:.2f} ms\n",
                             size, took.count(), prepared->verification.against, prepared->first_ms);
    EXPECT_LT(took.count(), 60);
    EXPECT_TRUE(client.release({prepared->handle}).has_value());
  }
}

TEST_F(GpuTiming, TheLibrarysProductsAreRightAndFast) {
  gpu::Client& client = *device().client;
  double slowest_bar = 0;
  for (const Gemm& gemm : {Gemm{100, 72, 40, 1.25f, 0.5f}, {4096, 4096, 4096, 1, 0}})
    for (const auto& [precision, name] :
         {std::pair{Precision::fp32, "FP32"}, {Precision::tf32, "TF32"}, {Precision::bf16, "BF16"}}) {
      const Outcome<Prepared> prepared = client.prepare(gpu::PrepareLibraryRequest{gemm, precision});
      if (!prepared && prepared.error().kind == ErrorKind::no_library)
        GTEST_SKIP() << prepared.error().message;
      ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
      EXPECT_EQ(prepared->verification.against, "cuBLAS float64");
      EXPECT_EQ(prepared->verification.wrong_elements, 0u) << name << " of " << prepared->library;
      EXPECT_TRUE(prepared->library.starts_with("cuBLAS ")) << prepared->library;
      ASSERT_TRUE(client.time({prepared->handle, 20, false, 10'000}).has_value());  // warm
      const Outcome<TimeReply> warm = client.time({prepared->handle, 20, false, 10'000}),
                               cold = client.time({prepared->handle, 20, true, 10'000});
      ASSERT_TRUE(warm.has_value() && cold.has_value());
      const double bar = tflops(gemm, warm->ms);
      std::cout << fmt::format(
          "{} {} {}^3: {:.4f} ms, {:.1f} TFLOP/s at {} MHz; {:.4f} ms with a cold L2; "
          "largest error {:.2g}, {:.3f} of the bound\n",
          prepared->library, name, gemm.m, warm->ms, bar, warm->sm_clock_mhz, cold->ms,
          prepared->verification.largest_error, prepared->verification.largest_ratio);
      // At a size that fills the GPU, the bars are in this order on every GPU with tensor cores.
      if (gemm.m > 1000) {
        EXPECT_GT(bar, slowest_bar);
        slowest_bar = bar;
      }
      EXPECT_TRUE(client.release({prepared->handle}).has_value());
    }
}

TEST_F(GpuTiming, AColdL2CostsTimeAndManyLaunchesAgreeWithFew) {
  gpu::Client& client = *device().client;
  const std::optional<PrepareRequest> request = request_of(first_kernel(), {512, 512, 64, 1, 0});
  ASSERT_TRUE(request.has_value());
  const Outcome<Prepared> prepared = client.prepare(*request);
  ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
  const auto best_of = [&](uint32_t launches, bool flush) {
    double best = 1e9;
    for (int sample = 0; sample < 10; ++sample) {
      const Outcome<TimeReply> time = client.time({prepared->handle, launches, flush, 10'000});
      EXPECT_TRUE(time.has_value()) << time.error().message;
      if (time) best = std::min(best, time->ms);
    }
    return best;
  };
  const double one = best_of(1, false), many = best_of(2000, false), cold = best_of(50, true);
  std::cout << fmt::format("512 x 512 x 64: {:.5f} ms alone, {:.5f} ms of 2,000, {:.5f} ms with a cold L2\n",
                           one, many, cold);
  EXPECT_GT(cold, many);
  EXPECT_LT(many, 1.1 * one) << "the stream runs dry between launches";
  EXPECT_TRUE(client.release({prepared->handle}).has_value());
}

TEST_F(GpuTiming, AWrongKernelIsFound) {
  const Case c = first_kernel();
  const std::optional<PrepareRequest> good = request_of(c, {64, 48, 32, 1, 0});
  ASSERT_TRUE(good.has_value());
  PrepareRequest request = *good;
  request.gemm->alpha = 1.001f;  // and the kernel is launched with 1
  const Outcome<Prepared> scaled = device().client->prepare(request);
  ASSERT_TRUE(scaled.has_value()) << scaled.error().message;
  EXPECT_GT(scaled->verification.wrong_elements, 64u * 48u / 2);
  request = *good;
  request.gemm->m = 65;  // one row more than the kernel was launched for: it stays NaN
  const Outcome<Prepared> short_of = device().client->prepare(request);
  ASSERT_TRUE(short_of.has_value()) << short_of.error().message;
  EXPECT_EQ(short_of->verification.wrong_elements, 48u);
}

// Prepares kernels with a C of 1 GB each until the memory is full.
TEST_F(GpuTiming, OutOfMemoryIsAnErrorThatTheRunnerSurvives) {
  const std::optional<PrepareRequest> good = request_of(first_kernel(), {64, 64, 64, 1, 0});
  ASSERT_TRUE(good.has_value());
  gpu::ClientSettings settings;
  settings.command = *gpu::find_runner();
  gpu::Client client(settings);
  const Outcome<Prepared> first = client.prepare(*good);
  ASSERT_TRUE(first.has_value()) << first.error().message;
  PrepareRequest large = *good;
  large.gemm = Gemm{1 << 14, 1 << 14, 1, 1, 0};
  // C serves as A and B too, so nothing is compared; a comparison would take longer than all the rest.
  large.parameters[0] = large.parameters[1] = ValueParameter{};
  large.launches[0].parameters[0] = large.launches[0].parameters[1] = 2;
  Outcome<Prepared> last = first;
  size_t prepared = 0;
  while (last.has_value() && prepared < 1000) {
    last = client.prepare(large);
    if (last) ++prepared;
  }
  std::cout << fmt::format("{} times 1 GB, then ", prepared);
  expect_error(last, ErrorKind::out_of_memory);
  EXPECT_TRUE(client.time({first->handle, 3, false, 10'000}).has_value()) << "what was prepared is lost";
  expect_error(client.prepare(gpu::PrepareLibraryRequest{*large.gemm, Precision::fp32}),
               ErrorKind::out_of_memory);
}

TEST_F(GpuTiming, AFaultTakesTheHandlesAndTheNextRunnerWorks) {
  gpu::Client& client = *device().client;
  const std::optional<PrepareRequest> good = request_of(first_kernel(), {64, 64, 64, 1, 0});
  ASSERT_TRUE(good.has_value());
  const Outcome<Prepared> before = client.prepare(*good);
  ASSERT_TRUE(before.has_value()) << before.error().message;
  PrepareRequest faulty = *good;
  faulty.parameters[0] =
      ValueParameter{machine::argument(uint64_t{256})};  // an address that no allocation has
  expect_error(client.prepare(faulty), ErrorKind::kernel_fault);
  expect_error(client.time({before->handle, 1, false, 10'000}), ErrorKind::not_prepared);
  PrepareRequest other_gpu = *good;
  other_gpu.cubin[0x32] ^= std::byte{0xff};  // the ELF file's flags name the architecture; 0x30 …
  other_gpu.cubin[0x31] ^= std::byte{0xff};
  expect_error(client.prepare(other_gpu), ErrorKind::bad_machine_code);
  EXPECT_TRUE(client.prepare(*good).has_value());
}

TEST_F(GpuTiming, TheDeviceReportsWhatTimingsNeed) {
  const gpu::DeviceFacts& facts = *device().facts;
  std::cout << fmt::format("{} GB/s, {} FP32 lanes an SM ({:.1f} TFLOP/s), {} MB of L2 cache\n",
                           facts.memory_gb_per_second, facts.fp32_lanes_per_sm,
                           2e-6 * facts.max_clock_mhz * facts.fp32_lanes_per_sm * facts.sm_count,
                           facts.l2_bytes >> 20);
  EXPECT_GT(facts.memory_gb_per_second, 10);
  EXPECT_GT(facts.fp32_lanes_per_sm, 0);
  EXPECT_GT(facts.l2_bytes, 1u << 17);
}

// With GEMMSCOPE_GPU_LAB_TRANSCRIPT, records a conversation for tests without a GPU: a lab that agrees with
// its reference, its time, and the same lab with a reference that computes something else.
TEST_F(GpuTiming, LabTranscriptIsRecorded) {
  const char* const path = std::getenv("GEMMSCOPE_GPU_LAB_TRANSCRIPT");
  if (path == nullptr) GTEST_SKIP() << "GEMMSCOPE_GPU_LAB_TRANSCRIPT names no file";
  const catalog::Catalog labs = catalog::read_catalog(catalog::kernels_folder() / "labs");
  ASSERT_NE(labs.find("fusion"), nullptr);
  const std::optional<PrepareRequest> right = request_of({*labs.find("fusion"), {}, "fusion"}, {37, 11, 1});
  ASSERT_TRUE(right.has_value());
  PrepareRequest wrong = *right;
  wrong.check->launch.kernel = "scale";
  std::ofstream file(path);
  gpu::ClientSettings settings;
  settings.command = *gpu::find_runner();
  settings.log = [&](char direction, std::string_view line) { file << direction << line << '\n'; };
  {
    gpu::Client client(settings);
    const Outcome<Prepared> lab = client.prepare(*right);
    ASSERT_TRUE(lab.has_value()) << lab.error().message;
    EXPECT_TRUE(client.time({lab->handle, 10, false, 1000}).has_value());
    EXPECT_TRUE(client.prepare(wrong).has_value());
  }
  EXPECT_TRUE(file.good()) << path << " cannot be written";
}

// With GEMMSCOPE_GPU_TIMING_TRANSCRIPT, records a conversation for tests without a GPU: a right kernel, a
// wrong one, cuBLAS's, their times, a mistake and a release.
TEST_F(GpuTiming, TranscriptIsRecorded) {
  const char* const path = std::getenv("GEMMSCOPE_GPU_TIMING_TRANSCRIPT");
  if (path == nullptr) GTEST_SKIP() << "GEMMSCOPE_GPU_TIMING_TRANSCRIPT names no file";
  const std::optional<PrepareRequest> good = request_of(first_kernel(), {64, 48, 32, 1.25f, 0.5f});
  ASSERT_TRUE(good.has_value());
  PrepareRequest wrong = *good, missing = *good;
  wrong.gemm->alpha = 2;
  missing.launches[0].kernel = "no_such_kernel";
  std::ofstream file(path);
  gpu::ClientSettings settings;
  settings.command = *gpu::find_runner();
  settings.log = [&](char direction, std::string_view line) { file << direction << line << '\n'; };
  {
    gpu::Client client(settings);
    const Outcome<Prepared> kernel = client.prepare(*good);
    ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
    EXPECT_TRUE(client.time({kernel->handle, 10, false, 1000}).has_value());
    EXPECT_TRUE(client.time({kernel->handle, 10, true, 1000}).has_value());
    EXPECT_TRUE(client.prepare(wrong).has_value());
    EXPECT_FALSE(client.prepare(missing).has_value());
    const Outcome<Prepared> library =
        client.prepare(gpu::PrepareLibraryRequest{*good->gemm, Precision::tf32});
    ASSERT_TRUE(library.has_value()) << library.error().message;
    EXPECT_TRUE(client.time({library->handle, 10, false, 1000}).has_value());
    EXPECT_TRUE(client.release({kernel->handle}).has_value());
  }
  EXPECT_TRUE(file.good()) << path << " cannot be written";
}

}  // namespace
}  // namespace gemmscope
