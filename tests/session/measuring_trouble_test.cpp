// No driver, a driver that is too old, a GPU that is too new, no memory, a lost GPU, no cuBLAS: each gives a
// clear line in the status bar, and everything else goes on. The runners are the real one on a stand-in for
// the driver, and fake_runner.py.
#include <fstream>

#include "experiment/gpu_timing_device.h"
#include "session/measuring.h"
#include "session/settings.h"
#include "temporary_config.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

using session::Measuring;
namespace fs = std::filesystem;

class MeasuringTrouble : public testing::Test {
 protected:
  void measure_with(const std::string& command) {
    driver_ = std::make_unique<WorkspaceDriver>(small_experiment());
    experiment::Timings recording;
    recording.provenance = experiment::Provenance::recorded;
    recording.problem = {1024, 1024, 1024};
    recording.variants.emplace_back().id = "07_register_tile";
    driver_->workspace().set_recordings({recording});
    timings().choice.race = experiment::Race::before;
    timings().visible = true;
    timings().gpu_runner = command;
    driver_->workspace().allow_measuring(
        [](const std::string& runner) { return experiment::make_gpu_timing_device(runner); });
  }
  static std::string fake(const std::string& arguments) {
    return "python3 '" GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py' " + arguments;
  }
  session::TimingState& timings() { return driver_->state().timings; }
  std::string line() { return session::measuring_line(timings(), driver_->state().experiment.problem); }
  size_t samples(size_t variant) {
    return timings().live == nullptr || timings().live->variants.size() <= variant
               ? 0
               : timings().live->variants[variant].samples.size();
  }
  bool line_comes(const std::string& text) {
    return driver_->until([&] { return line().find(text) != std::string::npos; });
  }

  // Checks the line, the switch and the recording, and that the rest of the program works.
  void expect_no_gpu(const std::string& reason) {
    ASSERT_TRUE(line_comes(reason)) << line();
    EXPECT_EQ(session::measuring_of(timings()), Measuring::no_gpu);
    const session::MeasuringSwitch button = session::measuring_switch(timings());
    EXPECT_EQ(button.word, "no GPU");
    EXPECT_FALSE(button.on);
    EXPECT_TRUE(button.asks_for_runner);
    EXPECT_NE(button.hint.find(reason), std::string::npos) << button.hint;
    EXPECT_EQ(line().rfind("No GPU: ", 0), 0u) << line();
    EXPECT_NE(line().find("Recorded times are shown."), std::string::npos) << line();
    EXPECT_NE(line().find("Press Shift+M to use another computer's GPU."), std::string::npos) << line();
    EXPECT_EQ(session::shown_timings(timings(), {64, 64, 64}), timings().recordings.data());
    expect_the_rest_goes_on();
  }
  void expect_the_rest_goes_on() {
    ASSERT_TRUE(driver_->settle());
    experiment::Experiment next = driver_->state().experiment;
    next.problem.alpha += 1;
    driver_->workspace().set_experiment(next);
    ASSERT_TRUE(driver_->settle());
    EXPECT_FALSE(driver_->state().failure);
    ASSERT_NE(driver_->state().block, nullptr);
    EXPECT_EQ(driver_->state().block->experiment.problem.alpha, next.problem.alpha);
    ASSERT_NE(driver_->state().grid, nullptr);
    EXPECT_TRUE(driver_->state().grid->verification.right());
  }

  TemporaryConfig config_;
  std::unique_ptr<WorkspaceDriver> driver_;
};

TEST_F(MeasuringTrouble, AMissingRunner) {
  measure_with("/nowhere/gemmscope-gpu-runner");
  expect_no_gpu("/nowhere/gemmscope-gpu-runner cannot be started");
}

TEST_F(MeasuringTrouble, AComputerWithoutTheRunner) {
  measure_with(fake("not_found"));
  ASSERT_TRUE(line_comes("command not found")) << line();
  EXPECT_EQ(session::measuring_of(timings()), Measuring::no_gpu);
  expect_the_rest_goes_on();
}

#ifdef GEMMSCOPE_FAKE_CUDA_FOLDER
std::string real(const std::string& folder, const std::string& device = "") {
  return fmt::format("env 'LD_LIBRARY_PATH={}' FAKE_CUDA={} '{}'", folder, device, GEMMSCOPE_GPU_RUNNER);
}

TEST_F(MeasuringTrouble, NoDriver) {
  // A file that is no library hides the computer's own driver.
  const fs::path folder = config_.folder() / "libraries";
  fs::create_directories(folder);
  std::ofstream(folder / "libcuda.so.1") << "";
  measure_with(real(folder.string()));
  expect_no_gpu("there is no NVIDIA driver on this computer");
}

TEST_F(MeasuringTrouble, ADriverThatIsTooOld) {
  measure_with(real(GEMMSCOPE_FAKE_CUDA_FOLDER, "old"));
  expect_no_gpu("too old: it runs CUDA 11.4 at most, but GEMMscope needs a driver for CUDA 12.0");
}

TEST_F(MeasuringTrouble, ADriverWithoutAGpu) {
  measure_with(real(GEMMSCOPE_FAKE_CUDA_FOLDER, "none"));
  expect_no_gpu("finds no GPU");
}

TEST_F(MeasuringTrouble, AGpuWhoseMemoryIsTaken) {
  measure_with(real(GEMMSCOPE_FAKE_CUDA_FOLDER, "full"));
  ASSERT_TRUE(line_comes("no memory left")) << line();
  expect_the_rest_goes_on();
}
#endif

TEST_F(MeasuringTrouble, AnUnknownGpu) {
  measure_with(fake(R"(device '{"name": "GPU of tomorrow", "compute_capability": 170}')"));
  ASSERT_TRUE(line_comes("GPU of tomorrow has compute capability 17.0")) << line();
  EXPECT_EQ(session::measuring_of(timings()), Measuring::ended);
  EXPECT_EQ(session::measuring_switch(timings()).word, "not measured");
  EXPECT_NE(line().find("Recorded times are shown."), std::string::npos) << line();
  expect_the_rest_goes_on();
}

TEST_F(MeasuringTrouble, NoRoomForTheMatrices) {
  measure_with(fake("refuse prepare out_of_memory 'the GPU has no room for a buffer of 9 bytes'"));
  ASSERT_TRUE(line_comes("is not measured: the GPU has no room for a buffer of 9 bytes.")) << line();
  EXPECT_EQ(line().rfind("Shared memory and register tiles", 0), 0u) << line();
  // The library's product has other buffers, so it is still measured.
  EXPECT_TRUE(driver_->until([&] { return samples(1) > 3; }));
  EXPECT_EQ(session::measuring_of(timings()), Measuring::on);
  expect_the_rest_goes_on();
}

TEST_F(MeasuringTrouble, NoCublas) {
  measure_with(fake("refuse prepare_library no_library \"cuBLAS is not on the GPU's computer\""));
  ASSERT_TRUE(line_comes("cuBLAS FP32 is not measured: cuBLAS is not on the GPU's computer.")) << line();
  EXPECT_TRUE(driver_->until([&] { return samples(0) > 3; }));
  EXPECT_EQ(session::measuring_of(timings()), Measuring::on);
  EXPECT_EQ(session::measuring_switch(timings()).word, "measure: on");
  expect_the_rest_goes_on();
}

TEST_F(MeasuringTrouble, AGpuThatIsLostWhileMeasuring) {
  measure_with(fake("lose_device '" + (config_.folder() / "lost").string() + "'"));
  ASSERT_TRUE(line_comes("Not measured: the NVIDIA driver finds no GPU.")) << line();
  EXPECT_NE(line().find("The measured times stay."), std::string::npos) << line();
  EXPECT_EQ(session::measuring_of(timings()), Measuring::ended);
  EXPECT_GT(samples(0), 3u);
  EXPECT_EQ(session::shown_timings(timings(), {64, 64, 64}), timings().live.get());
  expect_the_rest_goes_on();
}

TEST_F(MeasuringTrouble, IsClearedOnceMeasuringIsSwitchedOff) {
  measure_with("/nowhere/gemmscope-gpu-runner");
  ASSERT_TRUE(line_comes("No GPU"));
  timings().choice.measure = false;
  driver_->frame();
  EXPECT_EQ(line(), "");
  EXPECT_EQ(session::measuring_switch(timings()).word, "measure: off");
}

TEST_F(MeasuringTrouble, APictureSaysThatItMeasuresNothing) {
  WorkspaceDriver driver(small_experiment());
  driver.state().timings.visible = true;
  driver.frame();
  EXPECT_EQ(session::measuring_switch(driver.state().timings).word, "not measured");
  EXPECT_EQ(session::measuring_line(driver.state().timings, {64, 64, 64}), "");
}

// ---- the setting

TEST_F(MeasuringTrouble, AnotherRunnerMeasuresAtOnceAndIsRemembered) {
  measure_with("/nowhere/gemmscope-gpu-runner");
  ASSERT_TRUE(line_comes("No GPU"));
  const std::string good = fake("good");
  driver_->workspace().begin_frame(0);
  driver_->requests().gpu_runner = good;
  driver_->workspace().end_frame();
  ASSERT_TRUE(driver_->until([&] { return samples(0) > 3; })) << line();
  EXPECT_EQ(session::measuring_of(timings()), Measuring::on);
  EXPECT_EQ(timings().live->device.name, "Fake GPU");
  EXPECT_EQ(line(), "");
  ASSERT_TRUE(load_settings());
  EXPECT_EQ(load_settings()->gpu_runner, good);
  EXPECT_EQ(timings().runner_note, "");
  // With another GPU, no time of the previous GPU is shown as measured on it.
  driver_->workspace().use_gpu_runner(fake(R"(device '{"name": "Other GPU"}')"));
  driver_->frame();
  EXPECT_EQ(samples(0), 0u);
  ASSERT_TRUE(driver_->until([&] { return samples(0) > 3; }));
  EXPECT_EQ(timings().live->device.name, "Other GPU");
}

TEST_F(MeasuringTrouble, NoFrameWaitsForARunnerThatHangs) {
  measure_with(fake("hang"));
  ASSERT_TRUE(line_comes("Waiting for the GPU runner: python3")) << line();
  EXPECT_EQ(session::measuring_switch(timings()).word, "measure: waiting");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it is being asked by now
  driver_->clear_cost();
  driver_->workspace().use_gpu_runner(fake("good"));
  ASSERT_TRUE(driver_->until([&] { return samples(0) > 3; })) << line();
  EXPECT_LT(driver_->cost().longest_cpu_ms, 100);
  driver_->workspace().use_gpu_runner(fake("hang"));
  driver_->until([&] { return timings().measuring; });
  timings().choice.measure = false;
  const auto start = std::chrono::steady_clock::now();
  driver_->frame();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_FALSE(timings().measuring);
}

}  // namespace
}  // namespace gemmscope::session
