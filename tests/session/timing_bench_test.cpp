// Tests the workspace's timings with a fake device.
#include "session/timing_bench.h"

#include <unistd.h>

#include <fstream>

#include "../experiment/fake_timing_device.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

using experiment::FakeTimingDevice;
using experiment::TimedVariant;

TimingBench::MakeDevice fake_device(int* made = nullptr) {
  return [made](const std::string&) -> Result<std::unique_ptr<experiment::TimingDevice>> {
    if (made != nullptr) ++*made;
    auto device = std::make_unique<FakeTimingDevice>();
    device->while_timing = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    return device;
  };
}

size_t samples_of(const session::TimingState& timings, const experiment::VariantKey& key) {
  if (timings.live == nullptr) return 0;
  for (const TimedVariant& v : timings.live->variants)
    if (experiment::key_of(v) == key) return v.samples.size();
  return 0;
}

const catalog::Toggle& any_toggle(const catalog::Kernel& kernel) {
  for (const catalog::Toggle& toggle : kernel.toggles)
    if (toggle.values.size() > 1) return toggle;
  throw std::out_of_range(kernel.id);
}

TEST(TimingBench, WaitsUntilMeasuringIsOnAndTimingsAreShown) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.race = experiment::Race::before;
  int made = 0;
  timings.visible = true;
  driver.frame();
  timings.visible = false;
  EXPECT_EQ(timings.live, nullptr);
  driver.workspace().allow_measuring(fake_device(&made));
  EXPECT_EQ(made, 0);
  driver.frame();
  EXPECT_EQ(made, 1);  // the timings were shown
  EXPECT_TRUE(driver.until([&] { return samples_of(timings, timings.racers[0]) > 3; }));
}

TEST(TimingBench, NothingIsMeasuredWhileTimingsAreHidden) {
  WorkspaceDriver driver(small_experiment());
  int made = 0;
  driver.workspace().allow_measuring(fake_device(&made));
  ASSERT_TRUE(driver.settle());
  EXPECT_EQ(made, 0);
}

TEST(TimingBench, ATogglesNewVariantRunsBesideTheOldOne) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.race = experiment::Race::before;
  timings.visible = true;
  driver.workspace().allow_measuring(fake_device());
  const experiment::VariantKey old = experiment::key_of(driver.state().experiment);
  ASSERT_TRUE(driver.until([&] { return samples_of(timings, old) > 3; }));
  experiment::Experiment next = driver.state().experiment;
  const catalog::Toggle& toggle = any_toggle(*driver.workspace().catalog().find(next.kernel));
  for (const int64_t value : toggle.values)
    if (value != toggle.default_value) next.toggles[toggle.name] = value;
  driver.workspace().set_experiment(next);
  ASSERT_TRUE(driver.until([&] { return samples_of(timings, experiment::key_of(next)) > 3; }));
  EXPECT_GT(samples_of(timings, old), 3u);
  ASSERT_EQ(timings.racers.size(), 2u);
  EXPECT_EQ(timings.racers[0], experiment::key_of(next));
  EXPECT_EQ(timings.racers[1], old);
  EXPECT_EQ(session::shown_timings(timings, next.problem), timings.live.get());
  // Undo returns to the old variant, and neither loses its samples.
  driver.workspace().undo();
  driver.frame();
  EXPECT_EQ(timings.racers[0], old);
  EXPECT_TRUE(driver.until([&] { return samples_of(timings, old) > 6; }));
}

TEST(TimingBench, TheSwitchStopsTheMeasuringAndKeepsItsFigures) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.race = experiment::Race::before;
  timings.visible = true;
  driver.workspace().allow_measuring(fake_device());
  ASSERT_TRUE(driver.until([&] { return samples_of(timings, timings.racers[0]) > 3; }));
  EXPECT_TRUE(timings.measuring);
  timings.choice.measure = false;
  driver.frame();
  EXPECT_FALSE(timings.measuring);
  const auto last = timings.live;
  ASSERT_NE(last, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  driver.frame();
  EXPECT_EQ(timings.live, last);
  timings.choice.measure = true;
  const size_t before = samples_of(timings, timings.racers[0]);
  EXPECT_TRUE(
      driver.until([&] { return timings.live != last && samples_of(timings, timings.racers[0]) > 3; }));
  EXPECT_GT(before, 3u);
}

TEST(TimingBench, WithoutARunnerTheRecordingIsShownAndTheReasonKept) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  std::vector<experiment::Timings> recordings(2);
  recordings[0].problem = {4096, 4096, 4096};
  recordings[1].problem = {1024, 1024, 1024};
  for (experiment::Timings& recording : recordings) recording.provenance = experiment::Provenance::recorded;
  driver.workspace().set_recordings(std::move(recordings));
  timings.visible = true;
  int tried = 0;
  driver.workspace().allow_measuring(
      [&](const std::string&) -> Result<std::unique_ptr<experiment::TimingDevice>> {
        ++tried;
        return fail("There is no GPU runner.");
      });
  for (int i = 0; i < 5; ++i) driver.frame();
  EXPECT_EQ(tried, 1);
  EXPECT_EQ(timings.trouble, "There is no GPU runner.");
  EXPECT_FALSE(timings.measuring);
  EXPECT_EQ(session::shown_timings(timings, {64, 64, 64}), &timings.recordings[1]);
  timings.choice.recording = 0;
  EXPECT_EQ(session::shown_timings(timings, {64, 64, 64}), &timings.recordings[0]);
  // Switching off and on again is another try.
  timings.choice.measure = false;
  driver.frame();
  timings.choice.measure = true;
  driver.frame();
  EXPECT_EQ(tried, 2);
}

TEST(TimingBench, ARefusedDeviceIsTroubleAndNotAFailure) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.race = experiment::Race::before;
  timings.visible = true;
  driver.workspace().allow_measuring(
      [](const std::string&) -> Result<std::unique_ptr<experiment::TimingDevice>> {
        auto device = std::make_unique<FakeTimingDevice>();
        device->describe_error = gpu::RunnerError{gpu::ErrorKind::no_device, "There is no NVIDIA driver."};
        return device;
      });
  EXPECT_TRUE(driver.until([&] { return !timings.trouble.empty(); }));
  EXPECT_NE(timings.trouble.find("NVIDIA driver"), std::string::npos) << timings.trouble;
  EXPECT_TRUE(driver.settle());
  EXPECT_FALSE(driver.state().failure);
  EXPECT_NE(driver.state().block, nullptr);
}

// This device counts, from any thread, how often something was prepared.
class CountingDevice final : public experiment::TimingDevice {
 public:
  explicit CountingDevice(std::atomic<int>& prepared) : prepared_(prepared) {
    inner_.while_timing = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  }
  gpu::Outcome<experiment::TimedDevice> describe(const std::atomic<bool>& cancelled) override {
    return inner_.describe(cancelled);
  }
  gpu::Outcome<gpu::Prepared> prepare(const experiment::CompiledKernel& compiled,
                                      const experiment::Experiment& experiment, experiment::Grade grade,
                                      const std::atomic<bool>& cancelled) override {
    ++prepared_;
    return inner_.prepare(compiled, experiment, grade, cancelled);
  }
  gpu::Outcome<gpu::Prepared> prepare_library(const catalog::Problem& problem, experiment::Grade grade,
                                              const std::atomic<bool>& cancelled) override {
    return inner_.prepare_library(problem, grade, cancelled);
  }
  gpu::Outcome<gpu::TimeReply> time(const gpu::TimeRequest& request,
                                    const std::atomic<bool>& cancelled) override {
    return inner_.time(request, cancelled);
  }
  void release(uint64_t handle) override { inner_.release(handle); }

 private:
  std::atomic<int>& prepared_;
  FakeTimingDevice inner_;
};

// A changed source is measured anew; frames without a change start no measuring.
TEST(TimingBench, AKernelsNewSourceIsMeasured) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("gemmscope_bench_{}.cu", getpid());
  const auto write = [&](const std::string& factor) {
    std::ofstream(file)
        << "__global__ void product(const float* A, const float* B, float* C, float alpha, "
           "float beta, int M, int N, int K) {\n"
           "  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;\n"
           "  if (row >= M || column >= N) return;\n"
           "  float sum = 0;\n"
           "  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];\n"
           "  C[row * N + column] = alpha * sum * " +
               factor +
               " + beta * C[row * N + column];\n}\n"
               "void run() { dim3 block(16, 16); dim3 grid((N + 15) / 16, (M + 15) / 16); "
               "product<<<grid, block>>>(A, B, C, alpha, beta, M, N, K); }\n";
  };
  write("1.0f");
  std::atomic<int> prepared = 0;
  {
    WorkspaceDriver driver(small_experiment());
    session::TimingState& timings = driver.state().timings;
    driver.workspace().open_file(file);
    ASSERT_FALSE(driver.state().failure) << driver.state().failure->failure.message;
    timings.choice.race = experiment::Race::before;
    timings.visible = true;
    driver.workspace().allow_measuring(
        [&](const std::string&) -> Result<std::unique_ptr<experiment::TimingDevice>> {
          return std::make_unique<CountingDevice>(prepared);
        });
    const auto key = [&] { return experiment::key_of(driver.state().experiment); };
    ASSERT_TRUE(driver.until([&] { return samples_of(timings, key()) > 20; }));
    const int before = prepared;
    for (int i = 0; i < 50; ++i) driver.frame();
    EXPECT_EQ(prepared, before);
    write("2.0f");
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(2));
    EXPECT_TRUE(driver.until([&] { return prepared > before; }, 0.1)) << "it was not measured again";
  }
  std::filesystem::remove(file);
}

// The roofline's intensities are counted from the machine code on the CPU.
TEST(TimingBench, CountsTheMemoryTrafficOfTheShownVariants) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.measure = false;
  experiment::Timings recording;
  recording.provenance = experiment::Provenance::recorded;
  recording.device.compute_capability = 86;
  recording.problem = {64, 64, 64};
  recording.variants.emplace_back();
  recording.variants[0].id = driver.state().experiment.kernel;
  driver.workspace().set_recordings({recording});
  timings.visible = true;
  driver.workspace().allow_measuring(fake_device());
  ASSERT_TRUE(driver.until([&] { return driver.state().grid != nullptr; }));
  for (int i = 0; i < 20; ++i) driver.frame();
  EXPECT_TRUE(timings.counted.empty());  // as long as no roofline is shown
  EXPECT_EQ(timings.counting.all, 0);
  const auto show_roofline = [&] {
    driver.workspace().requests().roofline_shown = true;
    driver.workspace().end_frame();
  };
  ASSERT_TRUE(driver.until([&] { return !timings.counted.empty(); }, 0, show_roofline));
  const metrics::CounterSummary& summary = driver.state().grid->summary;
  const metrics::InstructionTraffic& t = summary.traffic;
  const uint64_t sectors = t.global_load.sectors + t.global_store.sectors;
  const uint64_t wavefronts = t.shared_load.wavefronts + t.shared_store.wavefronts;
  ASSERT_GT(wavefronts, 0u);
  EXPECT_NEAR(timings.counted[0].flop_per_byte,
              2.0 * 64 * 64 * 64 / static_cast<double>(32 * sectors + 128 * wavefronts), 1e-9);
  EXPECT_EQ(timings.counting.done, 1);
  EXPECT_EQ(timings.counting.all, 1);
}

experiment::Timings recording_of(const std::string& device, const std::string& kernel) {
  experiment::Timings recording;
  recording.provenance = experiment::Provenance::recorded;
  recording.device.name = device;
  recording.device.compute_capability = 90;
  recording.problem = {128, 128, 128, 1, 0};
  recording.variants.emplace_back();
  recording.variants[0].id = kernel;
  recording.variants[0].samples = {{0, 0.01, 0}};
  return recording;
}

TEST(TimingBench, ModelsWhatIsShownAtItsSizeOnItsDevice) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.measure = false;
  timings.choice.race = experiment::Race::before;
  driver.workspace().set_recordings({recording_of("NVIDIA H200", "03_shared_tile")});
  driver.workspace().allow_measuring(fake_device());
  driver.frame();
  EXPECT_TRUE(timings.devices.empty()) << "nobody looks";
  timings.visible = true;
  ASSERT_TRUE(
      driver.until([&] { return timings.modelled != nullptr && timings.modelled->variants.size() == 2; }));
  EXPECT_EQ(timings.modelled->provenance, experiment::Provenance::modelled);
  EXPECT_EQ(timings.modelled->device.name, "NVIDIA H200");
  EXPECT_EQ(timings.modelled->problem.m, 128);
  EXPECT_EQ(timings.modelled->variants[0].id, driver.state().experiment.kernel) << "the race first";
  EXPECT_EQ(timings.modelled->variants[1].id, "03_shared_tile");
  EXPECT_EQ(timings.modelled_count.done, 2);
  EXPECT_EQ(timings.modelled_count.all, 2);
  for (const TimedVariant& v : timings.modelled->variants) EXPECT_EQ(v.samples.size(), 1u) << v.trouble;
  EXPECT_EQ(session::shown_timings(timings, driver.state().experiment.problem), timings.recordings.data());
}

// What a recording does not state of its memories is the model's; what nobody knows is 0.
TEST(TimingBench, TheRatesOfTheMemoriesAreThoseOfTheShownDevice) {
  using experiment::MemoryLevel;
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  experiment::Timings recording = recording_of("NVIDIA H200", "03_shared_tile");
  recording.device.memory_gb_per_second = 4800;
  recording.device.l2_gb_per_second = 5500;
  experiment::Timings unknown = recording_of("a GPU without a file", "03_shared_tile");
  driver.workspace().set_recordings({recording, unknown});
  timings.visible = true;
  timings.choice.recording = 0;
  driver.frame();
  EXPECT_EQ(timings.rates.of(MemoryLevel::dram).bytes_per_second, 4800e9);
  EXPECT_EQ(timings.rates.of(MemoryLevel::l2).bytes_per_second, 5500e9);
  EXPECT_EQ(timings.rates.of(MemoryLevel::l2).provenance, experiment::Provenance::recorded);
  // 132 SMs at 1980 MHz, 128 bytes a cycle.
  EXPECT_NEAR(timings.rates.of(MemoryLevel::l1).bytes_per_second, 132 * 1980e6 * 128, 1e9);
  EXPECT_EQ(timings.rates.of(MemoryLevel::l1).provenance, experiment::Provenance::modelled);
  timings.choice.recording = 1;
  driver.frame();
  for (const experiment::MemoryRate& rate : timings.rates.levels) EXPECT_EQ(rate.bytes_per_second, 0);
}

TEST(TimingBench, TheRooflinesMemoryIsChosenByCommands) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable table = make_commands(driver.workspace(), flags);
  experiment::MemoryLevel& roof = driver.state().timings.choice.roof;
  EXPECT_EQ(roof, experiment::MemoryLevel::l1);
  ASSERT_TRUE(table.run("timing.roof_dram"));
  EXPECT_EQ(roof, experiment::MemoryLevel::dram);
  ASSERT_TRUE(table.run("timing.next_roof"));
  EXPECT_EQ(roof, experiment::MemoryLevel::l1);
  ASSERT_TRUE(table.run("timing.next_roof"));
  EXPECT_EQ(roof, experiment::MemoryLevel::l2);
}

TEST(TimingBench, ModelsTheUsersOwnSizeWhereThatIsPicked) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.measure = false;
  timings.choice.race = experiment::Race::before;
  timings.choice.modelled = true;
  timings.choice.model_device = "rtxa4000";
  driver.workspace().set_recordings({recording_of("NVIDIA H200", "03_shared_tile")});
  driver.workspace().allow_measuring(fake_device());
  timings.visible = true;
  ASSERT_TRUE(driver.until([&] { return timings.modelled != nullptr; }));
  const experiment::Timings* shown = session::shown_timings(timings, driver.state().experiment.problem);
  ASSERT_EQ(shown, timings.modelled.get());
  EXPECT_EQ(shown->device.name, "NVIDIA RTX A4000");
  EXPECT_EQ(shown->problem.m, 64);
  ASSERT_EQ(shown->variants.size(), 1u);
  EXPECT_GT(shown->device.peak_fp32, 19e12);
}

TEST(TimingBench, WithoutAnyOtherTimeTheModelledOneIsShown) {
  WorkspaceDriver driver(small_experiment());
  session::TimingState& timings = driver.state().timings;
  timings.choice.measure = false;
  timings.choice.race = experiment::Race::before;
  driver.workspace().set_recordings({});
  driver.workspace().allow_measuring(fake_device());
  timings.visible = true;
  ASSERT_TRUE(driver.until(
      [&] { return session::shown_timings(timings, driver.state().experiment.problem) != nullptr; }));
  EXPECT_EQ(session::shown_timings(timings, driver.state().experiment.problem), timings.modelled.get());
}

}  // namespace
}  // namespace gemmscope::session
