// Measures variants in turn on a fake device whose behaviour each test sets.
#include "experiment/timing_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fake_timing_device.h"

namespace gemmscope::experiment {
namespace {

using gpu::ErrorKind;
using gpu::RunnerError;

const std::atomic<bool> kGoOn{false};

TimingOptions without_library(size_t wanted = 0) {
  TimingOptions options;
  options.library_bars = false;
  options.samples_wanted = wanted;
  return options;
}

const TimedVariant& variant(const TimingRun& run, const std::string& id) {
  for (const TimedVariant& v : run.timings().variants)
    if (v.id == id) return v;
  ADD_FAILURE() << "no variant " << id;
  return run.timings().variants.front();
}

void steps(TimingRun& run, int count) {
  for (int i = 0; i < count; ++i) run.step(kGoOn);
}

std::vector<std::string> order_of(const FakeTimingDevice& device) {
  std::vector<std::string> ids;
  for (const auto& timed : device.timed) ids.push_back(timed.id);
  return ids;
}

TEST(TimingRun, TakesTurns) {
  FakeTimingDevice device;
  TimingRun run(device, fake_compile, fake_job({"a", "b", "c"}, without_library()));
  steps(run, 30);
  const std::vector<std::string> order = order_of(device);
  ASSERT_EQ(order.size(), 30u);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], std::string(1, "abc"[i % 3])) << i;
  // The first three samples of each variant are warm-up.
  EXPECT_EQ(variant(run, "a").samples.size(), 10 - WarmUp::kAgreeing);
  EXPECT_EQ(device.prepared, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(device.archs.front(), isa::Arch::sm_90);
  double before = 0;
  for (const Sample& sample : variant(run, "a").samples) {
    EXPECT_GE(sample.at_seconds, before);
    EXPECT_EQ(sample.sm_clock_mhz, 1980);
    before = sample.at_seconds;
  }
}

TEST(TimingRun, WarmsUpUntilTheTimeSettles) {
  FakeTimingDevice device;
  // The clock rises, so samples take 10, 5, 3.33 … ms until they settle at 1 ms.
  device.variants["slow_start"].ms = [](int n) { return n < 9 ? 10.0 / (n + 1) : 1.0; };
  TimingRun run(device, fake_compile, fake_job({"slow_start"}, without_library()));
  steps(run, 40);
  const TimedVariant& v = variant(run, "slow_start");
  EXPECT_EQ(v.samples.size(), 40u - 9 - WarmUp::kAgreeing);
  for (const Sample& sample : v.samples) EXPECT_EQ(sample.ms, 1.0);
  EXPECT_EQ(v.note, "");
}

TEST(TimingRun, AVariantThatNeverSettlesIsMeasuredAnyway) {
  FakeTimingDevice device;
  device.variants["noisy"].ms = [](int n) { return n % 2 == 0 ? 10.0 : 20.0; };
  TimingRun run(device, fake_compile, fake_job({"noisy"}, without_library()));
  steps(run, 200);
  // The discarded warm-up takes a second of the GPU, in samples of 20 to 100 ms.
  EXPECT_GE(variant(run, "noisy").samples.size(), 150u);
  EXPECT_LE(variant(run, "noisy").samples.size(), 190u);
  EXPECT_NE(variant(run, "noisy").note.find("did not settle"), std::string::npos);
}

TEST(TimingRun, ASampleIsLongerThanEventNoiseAndShortEnoughForADesktop) {
  FakeTimingDevice device;
  const std::vector<std::pair<std::string, double>> times = {
      {"tiny", 0.003}, {"short", 0.3}, {"middle", 2.5}, {"long", 30}, {"longer", 120}};
  std::vector<std::string> ids;
  for (const auto& [id, ms] : times) {
    ids.push_back(id);
    device.variants[id].ms = [t = ms](int) { return t; };
  }
  TimingRun run(device, fake_compile, fake_job(ids, without_library()));
  steps(run, 100);
  for (const auto& timed : device.timed) {
    const double ms = device.variants[timed.id].ms(0) * timed.launches;
    EXPECT_TRUE(ms <= 50 || timed.launches == 1) << timed.id << " " << timed.launches;
  }
  for (size_t i = device.timed.size() - times.size(); i < device.timed.size(); ++i) {
    const auto& timed = device.timed[i];
    EXPECT_GE(device.variants[timed.id].ms(0) * timed.launches, 2 * 0.999) << timed.id;
  }
}

TEST(TimingRun, LaunchesOfASample) {
  EXPECT_EQ(repetitions_for(0.1), 20u);
  EXPECT_EQ(repetitions_for(0.3), 7u);
  EXPECT_EQ(repetitions_for(0.5), 5u) << "one for each batch";
  EXPECT_EQ(repetitions_for(9), 5u);
  EXPECT_EQ(repetitions_for(11), 4u) << "not above 50 ms";
  EXPECT_EQ(repetitions_for(0.001), 2000u);
  EXPECT_EQ(repetitions_for(1e-9), 10'000u);
  EXPECT_EQ(repetitions_for(500), 1u);
  EXPECT_EQ(repetitions_for(0), 1u);
}

TEST(TimingRun, AWrongVariantShowsItsErrorAndNoTime) {
  FakeTimingDevice device;
  device.variants["wrong"].verification = {true, 3.5, 1e6, 17, "float64"};
  device.variants["unchecked"].verification = {false, 0, 0, 0, "there is no memory for it"};
  TimingRun run(device, fake_compile, fake_job({"wrong", "right", "unchecked"}, without_library()));
  steps(run, 30);
  EXPECT_TRUE(variant(run, "wrong").samples.empty());
  EXPECT_EQ(variant(run, "wrong").largest_error, 3.5);
  EXPECT_NE(variant(run, "wrong").trouble.find("17 elements"), std::string::npos);
  EXPECT_TRUE(variant(run, "unchecked").samples.empty());
  EXPECT_NE(variant(run, "unchecked").trouble.find("there is no memory"), std::string::npos);
  EXPECT_GT(variant(run, "right").samples.size(), 10u);
  EXPECT_EQ(variant(run, "right").largest_error, 1e-5);
  for (const std::string& id : order_of(device)) EXPECT_EQ(id, "right");
  EXPECT_EQ(device.released, (std::vector<std::string>{"wrong", "unchecked"}));
}

// A kernel that is no product and has a reference.
TEST(TimingRun, ALabIsTimedOnlyAfterItsReferenceAgrees) {
  FakeTimingDevice device;
  const std::string against = "its reference, the kernel r";
  device.variants["right"].verification = {true, 0, 0, 0, against};
  device.variants["wrong"].verification = {true, 0.25, 0, 3, against};
  device.variants["unchecked"].verification = {false, 0, 0, 0, "the runner knows no references"};
  TimingJob job = fake_job({"right", "wrong", "unchecked"}, without_library());
  catalog::Parameter buffer;
  buffer.name = "out";
  buffer.kind = catalog::Parameter::Kind::buffer;
  for (TimedKernel& choice : job.variants) {
    choice.kernel.parameters = {buffer};
    choice.kernel.check.entry = "r";
    choice.kernel.check.compare = {"out"};
  }
  TimingRun run(device, fake_compile, std::move(job));
  steps(run, 12);
  EXPECT_EQ(variant(run, "right").samples.size(), 7u);
  EXPECT_EQ(variant(run, "right").largest_error, 0);
  EXPECT_TRUE(variant(run, "wrong").samples.empty());
  EXPECT_EQ(variant(run, "wrong").largest_error, 0.25);
  EXPECT_EQ(
      variant(run, "wrong").trouble,
      "its result is wrong, so it is not timed: 3 elements differ from those of its reference, the kernel r, "
      "largest error 0.25");
  EXPECT_TRUE(variant(run, "unchecked").samples.empty());
  EXPECT_NE(variant(run, "unchecked").trouble.find("knows no references"), std::string::npos);
  EXPECT_LT(variant(run, "unchecked").largest_error, 0);
  for (const std::string& id : order_of(device)) EXPECT_EQ(id, "right");
}

TEST(TimingRun, AKernelWithoutProductOrReferenceIsTimedWithoutACheck) {
  FakeTimingDevice device;
  device.variants["lab"].verification = {false, 0, 0, 0, "there is nothing to compare"};
  TimingJob job = fake_job({"lab"}, without_library());
  catalog::Parameter buffer;
  buffer.kind = catalog::Parameter::Kind::buffer;
  job.variants[0].kernel.parameters = {buffer};
  TimingRun run(device, fake_compile, std::move(job));
  steps(run, 10);
  EXPECT_FALSE(variant(run, "lab").is_product);
  EXPECT_EQ(variant(run, "lab").samples.size(), 7u);
  EXPECT_EQ(flops(run.timings(), variant(run, "lab")), 0);
  EXPECT_LT(variant(run, "lab").largest_error, 0);
}

TEST(TimingRun, AVariantThatCannotBeLaunchedIsReportedAndTheRestGoesOn) {
  FakeTimingDevice device;
  device.variants["big"].prepare_error = RunnerError{ErrorKind::launch_refused, "too much shared memory"};
  TimingJob job = fake_job({"big", "fine"}, without_library());
  job.variants.push_back(fake_choice("empty", ""));
  TimingRun run(device, fake_compile, std::move(job));
  steps(run, 20);
  EXPECT_EQ(variant(run, "big").trouble, "too much shared memory");
  EXPECT_EQ(variant(run, "empty").trouble, "there is no source");
  EXPECT_GT(variant(run, "fine").samples.size(), 10u);
  EXPECT_EQ(device.runners, 1);
}

TEST(TimingRun, AFaultKeepsEverySampleAndLeavesTheVariantOut) {
  FakeTimingDevice device;
  device.variants["faulty"].time_error = [](int n) -> std::optional<RunnerError> {
    if (n < 8) return std::nullopt;
    return RunnerError{ErrorKind::kernel_fault, "illegal address"};
  };
  TimingRun run(device, fake_compile, fake_job({"a", "faulty", "b"}, without_library()));
  steps(run, 26);  // "faulty" has had its ninth turn
  EXPECT_EQ(variant(run, "faulty").trouble, "illegal address");
  EXPECT_EQ(variant(run, "faulty").samples.size(), 8 - WarmUp::kAgreeing);
  EXPECT_EQ(variant(run, "a").samples.size(), 9 - WarmUp::kAgreeing);
  EXPECT_NE(run.timings().notice.find("Title of faulty: illegal address"), std::string::npos);
  EXPECT_EQ(run.timings().trouble, "");
  steps(run, 20);
  EXPECT_EQ(device.runners, 2);
  EXPECT_EQ(device.stale_handles, 0);
  EXPECT_EQ(device.prepared, (std::vector<std::string>{"a", "faulty", "b", "b", "a"}));
  EXPECT_EQ(variant(run, "a").samples.size(), 9u + 10 - 2 * WarmUp::kAgreeing) << "it warms up once more";
}

TEST(TimingRun, AFaultyVariantStaysOutUntilItsCodeChanges) {
  FakeTimingDevice device;
  device.variants["faulty"].prepare_error = RunnerError{ErrorKind::kernel_timeout, "it did not end"};
  const TimingOptions options = without_library();
  auto run = std::make_unique<TimingRun>(device, fake_compile, fake_job({"a", "faulty"}, options));
  steps(*run, 10);
  const auto prepared_times = [&] {
    return std::count(device.prepared.begin(), device.prepared.end(), "faulty");
  };
  EXPECT_EQ(prepared_times(), 1);
  run = std::make_unique<TimingRun>(device, fake_compile, fake_job({"faulty", "a"}, options), std::move(run));
  steps(*run, 10);
  EXPECT_EQ(prepared_times(), 1);
  EXPECT_EQ(variant(*run, "faulty").trouble, "it did not end");
  TimingJob changed = fake_job({"faulty", "a"}, options);
  changed.variants[0].kernel.source = "repaired";
  device.variants["faulty"].prepare_error.reset();
  run = std::make_unique<TimingRun>(device, fake_compile, std::move(changed), std::move(run));
  steps(*run, 10);
  EXPECT_EQ(prepared_times(), 2);
  EXPECT_EQ(variant(*run, "faulty").samples.size(), 5 - WarmUp::kAgreeing);
}

TEST(TimingRun, ARunnerThatDiesIsRestartedAFewTimes) {
  FakeTimingDevice device;
  const RunnerError died{ErrorKind::died, "the runner ended"};
  device.variants["once"].time_error = [&](int n) { return n == 5 ? std::optional(died) : std::nullopt; };
  TimingRun run(device, fake_compile, fake_job({"once", "b"}, without_library()));
  steps(run, 60);
  EXPECT_EQ(device.runners, 2);
  EXPECT_EQ(variant(run, "once").trouble, "");
  EXPECT_GT(variant(run, "once").samples.size(), 20u);

  FakeTimingDevice dying;
  for (const char* id : {"a", "b", "c"})
    dying.variants[id].time_error = [&](int) { return std::optional(died); };
  TimingRun lost(dying, fake_compile, fake_job({"a", "b", "c"}, without_library()));
  steps(lost, 100);
  EXPECT_EQ(dying.runners, 4);
  EXPECT_NE(lost.timings().trouble.find("the runner ended"), std::string::npos);
  EXPECT_FALSE(lost.step(kGoOn));
}

TEST(TimingRun, ALostDeviceIsReportedAndTheSamplesStay) {
  FakeTimingDevice device;
  device.variants["b"].time_error = [](int n) {
    return n == 6 ? std::optional(RunnerError{ErrorKind::driver_error, "the GPU is lost"}) : std::nullopt;
  };
  TimingRun run(device, fake_compile, fake_job({"a", "b"}, without_library()));
  steps(run, 14);
  EXPECT_EQ(run.timings().trouble, "");
  device.describe_error = RunnerError{ErrorKind::no_device, "there is no GPU"};
  steps(run, 10);
  EXPECT_EQ(run.timings().trouble, "there is no GPU");
  EXPECT_EQ(variant(run, "a").samples.size(), 4u);
  EXPECT_EQ(variant(run, "b").samples.size(), 3u);
}

TEST(TimingRun, WithoutAGpuThereIsOnlyAMessage) {
  FakeTimingDevice device;
  device.describe_error = RunnerError{ErrorKind::no_driver, "there is no driver"};
  TimingRun run(device, fake_compile, fake_job({"a"}));
  EXPECT_FALSE(run.step(kGoOn));
  EXPECT_EQ(run.timings().trouble, "there is no driver");
  EXPECT_TRUE(device.prepared.empty());
}

TEST(TimingRun, AnUnknownArchitectureIsNamed) {
  FakeTimingDevice device;
  device.facts.compute_capability = 120;
  TimingRun run(device, fake_compile, fake_job({"a"}));
  EXPECT_FALSE(run.step(kGoOn));
  EXPECT_NE(run.timings().trouble.find("12.0"), std::string::npos);
  EXPECT_EQ(arch_for(90), isa::Arch::sm_90);
  EXPECT_EQ(arch_for(87), isa::Arch::sm_86);
  EXPECT_EQ(arch_for(89), isa::Arch::sm_89);
  EXPECT_EQ(arch_for(75), isa::Arch::sm_75);
  EXPECT_EQ(arch_for(70), std::nullopt);
  EXPECT_EQ(arch_for(100), std::nullopt);
}

TEST(TimingRun, TheLibraryHasABarForEachGradeInUse) {
  FakeTimingDevice device;
  TimingJob job = fake_job({"plain", "bf16"});
  job.variants[1].kernel.parameters = catalog::fixed_signature();
  job.variants[1].kernel.parameters[0].type = catalog::ElementType::bfloat16;
  TimingRun run(device, fake_compile, std::move(job));
  steps(run, 40);
  std::vector<std::string> ids;
  for (const TimedVariant& v : run.timings().variants) ids.push_back(v.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"plain", "bf16", "cublas_fp32", "cublas_bf16"}));
  EXPECT_EQ(variant(run, "bf16").grade, Grade::bf16);
  EXPECT_EQ(reference_of(run.timings(), Grade::bf16), &variant(run, "cublas_bf16"));
  EXPECT_EQ(reference_of(run.timings(), Grade::tf32), nullptr);
  EXPECT_EQ(run.timings().device.library, "cuFake 1.0");
}

TEST(TimingRun, WithoutTheLibraryEverythingElseGoesOn) {
  FakeTimingDevice device;
  device.variants["library FP32"].prepare_error = RunnerError{ErrorKind::no_library, "cuBLAS is missing"};
  TimingRun run(device, fake_compile, fake_job({"a"}));
  steps(run, 20);
  EXPECT_EQ(variant(run, "cublas_fp32").trouble, "cuBLAS is missing");
  EXPECT_GT(variant(run, "a").samples.size(), 10u);
}

TEST(TimingRun, EndsWhenEachHasEnoughSamples) {
  FakeTimingDevice device;
  TimingOptions options = without_library(1000);  // more than the usual history
  device.variants["wrong"].verification.wrong_elements = 1;
  TimingRun run(device, fake_compile, fake_job({"a", "wrong", "b"}, options));
  int taken = 0;
  while (run.step(kGoOn)) ASSERT_LT(++taken, 5000);
  EXPECT_EQ(variant(run, "a").samples.size(), 1000u);
  EXPECT_EQ(variant(run, "b").samples.size(), 1000u);
}

TEST(TimingRun, KeepsTheNewestSamples) {
  FakeTimingDevice device;
  device.variants["a"].ms = [](int n) { return 1 + 1e-6 * n; };
  TimingOptions options = without_library();
  options.history = 50;
  TimingRun run(device, fake_compile, fake_job({"a"}, options));
  steps(run, 500);
  const std::vector<Sample>& samples = variant(run, "a").samples;
  ASSERT_EQ(samples.size(), 50u);
  for (size_t i = 0; i < 50; ++i) EXPECT_DOUBLE_EQ(samples[i].ms, 1 + 1e-6 * static_cast<double>(450 + i));
}

TEST(TimingRun, TheL2IsFlushedIfTheUserChoosesIt) {
  for (const bool flush : {false, true}) {
    FakeTimingDevice device;
    TimingOptions options = without_library();
    options.flush_l2 = flush;
    TimingRun run(device, fake_compile, fake_job({"a"}, options));
    steps(run, 5);
    for (const auto& timed : device.timed) EXPECT_EQ(timed.flush_l2, flush);
    EXPECT_EQ(run.timings().l2_flushed, flush);
  }
}

TEST(TimingRun, UnchangedVariantsKeepTheirSamples) {
  FakeTimingDevice device;
  const TimingOptions options = without_library();
  auto run = std::make_unique<TimingRun>(device, fake_compile, fake_job({"a", "b", "c"}, options));
  steps(*run, 30);
  TimingJob job = fake_job({"c", "b", "new"}, options);
  job.variants[1].kernel.source = "edited";
  run = std::make_unique<TimingRun>(device, fake_compile, std::move(job), std::move(run));
  EXPECT_EQ(device.released, (std::vector<std::string>{"a"}));
  EXPECT_EQ(variant(*run, "c").samples.size(), 7u);
  steps(*run, 3);
  EXPECT_EQ(variant(*run, "c").samples.size(), 8u);
  EXPECT_TRUE(variant(*run, "b").samples.empty());
  EXPECT_EQ(device.prepared, (std::vector<std::string>{"a", "b", "c", "b", "new"}));
  EXPECT_EQ(device.held(), 3u);
  // With another problem no variant stays the same.
  TimingJob other = fake_job({"c"}, options);
  other.problem.m = 512;
  run = std::make_unique<TimingRun>(device, fake_compile, std::move(other), std::move(run));
  EXPECT_TRUE(variant(*run, "c").samples.empty());
  EXPECT_EQ(device.held(), 0u);
}

}  // namespace
}  // namespace gemmscope::experiment
