// What the model says of kernels of the ladder, and how it stands beside recordings.
#include "experiment/model_report.h"

#include <gtest/gtest.h>

#include "experiment/devices.h"
#include "experiment/model_accuracy.h"
#include "experiment/pipeline.h"
#include "experiment/recorded_time.h"

namespace gemmscope::experiment {
namespace {

const catalog::Catalog& kernels() {
  static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  return catalog;
}

Outcome<ModelReport> report_of(const std::string& id, const std::string& device, int64_t size = 1024) {
  const Result<sm::SmConfig> config = find_device(device);
  EXPECT_TRUE(config) << config.error().message;
  Experiment experiment;
  experiment.kernel = id;
  experiment.problem = {size, size, size, 1, 0};
  experiment.arch = arch_of(*config);
  const auto compiled = compile_kernel(*kernels().find(id), experiment);
  EXPECT_TRUE(compiled) << compiled.error().message;
  return report_model(**compiled, experiment, *config);
}

TEST(Devices, AreFoundByTheirId) {
  const Result<sm::SmConfig> device = find_device("rtxa4000");
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ(device->name, "NVIDIA RTX A4000");
  EXPECT_TRUE(find_device((devices_folder() / "h200.toml").string()));
  for (const char* unknown : {"", "warp", "h200.json", "../devices/h200"}) EXPECT_FALSE(find_device(unknown));
  EXPECT_EQ(find_device("warp").error().message.find(
                "there is no device \"warp\"; the program has a100, a100_40gb, h100"),
            0u);
}

TEST(Devices, RunTheCodeOfTheirArchitecture) {
  const auto arch = [](int capability) {
    sm::SmConfig device;
    device.compute_capability = capability;
    return arch_of(device);
  };
  EXPECT_EQ(arch(61), isa::Arch::sm_75);
  EXPECT_EQ(arch(75), isa::Arch::sm_75);
  EXPECT_EQ(arch(80), isa::Arch::sm_80);
  EXPECT_EQ(arch(87), isa::Arch::sm_86);
  EXPECT_EQ(arch(89), isa::Arch::sm_89);
  EXPECT_EQ(arch(90), isa::Arch::sm_90);
}

TEST(ModelReport, NamesWhatBoundsTheLadder) {
  for (const auto& [id, bound] : {std::pair("01_naive_rows", sm::Bound::memory),
                                  {"02_naive_coalesced", sm::Bound::memory},
                                  {"03_shared_tile", sm::Bound::shared_memory},
                                  {"12_warp_tiling", sm::Bound::tail}}) {
    const auto report = report_of(id, "h200");
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ((*report)->shown().bound.bound, bound) << id << ": " << (*report)->shown().bound.sentence;
  }
}

TEST(ModelReport, ExplainsTheStepsOfTheLadder) {
  const auto tile = report_of("03_shared_tile", "h200"), registers = report_of("07_register_tile", "h200");
  ASSERT_TRUE(tile && registers);
  const sm::LaunchFigures &before = (*tile)->shown().figures, &after = (*registers)->shown().figures;
  const std::string sentence = sm::explain_difference("register tiling", before, after);
  EXPECT_NE(sentence.find("wavefronts of shared memory"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("as fast here: "), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("bound by shared memory before"), std::string::npos) << sentence;
  // A thread computes 1 and 64 elements: 16 values of A and B instead of 2 for each step in k.
  EXPECT_LT(after.shared_wavefronts, before.shared_wavefronts / 4);
  EXPECT_LT(after.instructions, before.instructions);
}

TEST(ModelReport, FiguresAgreeWithEachOther) {
  const auto report = report_of("03_shared_tile", "h200");
  ASSERT_TRUE(report);
  const sm::LaunchFigures& f = (*report)->shown().figures;
  EXPECT_NEAR(f.stalls[static_cast<size_t>(sm::Stall::selected)], 1, 1e-9);
  EXPECT_NEAR(f.issue, f.instructions / (4 * f.cycles), 1e-9);
  EXPECT_EQ(f.blocks, 64u * 64u);
  EXPECT_EQ(f.blocks_of_busiest_sm, (64u * 64u + 131) / 132);
  EXPECT_EQ(f.blocks_per_sm, 8);
  EXPECT_EQ(f.most_warps, 64);
  EXPECT_LE(f.achieved_warps, 64);
  EXPECT_GT(f.achieved_warps, 48);
  for (const double share : f.pipes) EXPECT_LE(share, 1.0001);
  EXPECT_LE(f.global_data + f.shared_data, 1.0001);
  // C is stored once: 4 bytes an element, 32 a sector; the busiest SM has 32 of 4096 blocks.
  EXPECT_NEAR(f.store_sectors, 1024. * 1024 * 4 / 32 * 32 / 4096, 1);
  EXPECT_NEAR((*report)->tflops, 2 * 1024. * 1024 * 1024 / (*report)->milliseconds() / 1e9, 1e-6);
}

TEST(ModelReport, RefusesTensorCoresWhereThereAreNone) {
  Result<sm::SmConfig> device = find_device("h200");
  ASSERT_TRUE(device);
  device->compute_capability = 61;
  device->name = "Old GPU";
  Experiment experiment;
  experiment.kernel = "14_tensor_tf32";
  experiment.arch = isa::Arch::sm_90;
  experiment.problem = {256, 256, 256, 1, 0};
  const auto compiled = compile_kernel(*kernels().find(experiment.kernel), experiment);
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto report = report_model(**compiled, experiment, *device);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message.find("Old GPU"), 0u) << report.error().message;
}

TEST(ModelReport, TakesTheNumbersOfTheDevice) {
  const auto whole = report_of("03_shared_tile", "h200");
  Result<sm::SmConfig> half = find_device("h200");
  ASSERT_TRUE(whole && half);
  ASSERT_TRUE(sm::set_parameter(*half, "sms", 66));
  ASSERT_TRUE(sm::set_parameter(*half, "clock_mhz", half->clock_mhz / 2));
  Experiment experiment;
  experiment.kernel = "03_shared_tile";
  experiment.problem = {1024, 1024, 1024, 1, 0};
  experiment.arch = isa::Arch::sm_90;
  const auto compiled = compile_kernel(*kernels().find(experiment.kernel), experiment);
  const auto report = report_model(**compiled, experiment, *half);
  ASSERT_TRUE(report);
  EXPECT_EQ((*report)->shown().figures.blocks_of_busiest_sm, (64u * 64u + 65) / 66);
  EXPECT_NEAR((*report)->milliseconds() / (*whole)->milliseconds(), 4, 0.3);
}

AccuracyEntry entry(size_t run, double recorded, double modelled) {
  AccuracyEntry e;
  e.run = run;
  e.recorded_ms = recorded;
  e.modelled_ms = modelled;
  return e;
}

TEST(AccuracySummary, IsOfWhatWasCompared) {
  const AccuracySummary s = summarize({entry(0, 1, 1.1), entry(0, 2, 1.6), entry(0, 4, 0), entry(1, 8, 8)});
  EXPECT_EQ(s.compared, 3u);
  EXPECT_NEAR(s.mean_error, (0.1 + 0.2 + 0) / 3, 1e-12);
  EXPECT_EQ(s.worst, 1u);
  EXPECT_NEAR(s.worst_error, -0.2, 1e-12);
  EXPECT_EQ(s.pairs, 1u) << "those of other sizes have no order";
  EXPECT_EQ(s.tau, 1);
  EXPECT_EQ(summarize({}).compared, 0u);
}

TEST(AccuracySummary, OrdersPairsThatDifferByOverTwoPercent) {
  // 1.00 and 1.02 have no order; of the other two pairs one is in order, one is not.
  AccuracySummary s = summarize({entry(0, 1, 5), entry(0, 1.02, 3), entry(0, 2, 4)});
  EXPECT_EQ(s.pairs, 2u);
  EXPECT_EQ(s.tau, 0);
  s = summarize({entry(0, 1, 3), entry(0, 1.03, 2), entry(0, 2, 1)});
  EXPECT_EQ(s.pairs, 3u);
  EXPECT_EQ(s.tau, -1);
}

TimedVariant variant(const std::string& id, double ms) {
  TimedVariant v;
  v.id = id;
  for (const double factor : {0.9, 1.0, 1.5}) v.samples.push_back({0, ms * factor, 0});
  return v;
}

Timings small_run() {
  Timings run;
  run.provenance = Provenance::recorded;
  run.device.name = "NVIDIA H200";
  run.date = "2026-01-31";
  run.problem = {128, 128, 128, 1, 0};
  run.variants = {variant("03_shared_tile", 0.01), variant("99_unknown", 1),
                  variant("07_register_tile", 0.02), variant("cublas_fp32", 0.005)};
  run.variants.back().is_library = true;
  return run;
}

TEST(ModelAccuracy, ModelsEveryEntryOfARecording) {
  Timings unsized = small_run();
  unsized.problem = {0, 0, 0, 1, 0};
  unsized.variants.resize(1);
  const auto device = find_device("h200");
  ASSERT_TRUE(device);
  std::vector<size_t> progress;
  AccuracyOptions options;
  options.threads = 3;
  options.progress = [&](size_t done, size_t total) {
    EXPECT_EQ(total, 4u);
    progress.push_back(done);
  };
  const auto entries = model_accuracy({small_run(), unsized}, kernels(), *device, options);
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(progress, (std::vector<size_t>{1, 2, 3, 4}));
  EXPECT_TRUE(entries[0].compared()) << entries[0].trouble;
  EXPECT_EQ(entries[0].recorded_ms, 0.01) << "the median";
  EXPECT_GT(entries[0].modelled_ms, 0.001);
  EXPECT_FALSE(entries[1].compared());
  EXPECT_EQ(entries[1].trouble, "The catalogue has no such kernel.");
  EXPECT_TRUE(entries[2].compared());
  EXPECT_EQ(entries[3].trouble, "The recording does not state the size.");
  const std::atomic<bool> cancelled{true};
  options.cancelled = &cancelled;
  options.progress = nullptr;
  EXPECT_EQ(summarize(model_accuracy({small_run()}, kernels(), *device, options)).compared, 0u);
}

TEST(RecordedTime, IsOfTheSameDeviceKernelTogglesAndSize) {
  Recordings recordings;
  recordings.files.push_back({"folder/file.json", {small_run()}});
  recordings.files[0].recording[0].variants[2].toggles = {{"PAD", 1}};
  const catalog::Problem size{128, 128, 128, 1, 0};
  const auto found = find_recorded(recordings, "NVIDIA H200", {"07_register_tile", {{"PAD", 1}}}, size);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->milliseconds, 0.02);
  EXPECT_EQ(found->file, "file.json");
  EXPECT_EQ(found->date, "2026-01-31");
  EXPECT_FALSE(find_recorded(recordings, "NVIDIA H200", {"07_register_tile", {}}, size));
  EXPECT_FALSE(find_recorded(recordings, "NVIDIA H100", {"03_shared_tile", {}}, size));
  EXPECT_FALSE(find_recorded(recordings, "NVIDIA H200", {"03_shared_tile", {}}, {128, 128, 256, 1, 0}));
  EXPECT_FALSE(find_recorded(recordings, "NVIDIA H200", {"cublas_fp32", {}}, size)) << "the library's";
  recordings.files[0].recording[0].l2_flushed = true;
  EXPECT_FALSE(find_recorded(recordings, "NVIDIA H200", {"03_shared_tile", {}}, size));
}

TEST(RecordedTime, OfDefaultTogglesIsThatWithoutToggles) {
  const catalog::Kernel& kernel = *kernels().find("09_conflict_free");
  ASSERT_FALSE(kernel.toggles.empty());
  const catalog::Toggle& toggle = kernel.toggles.front();
  EXPECT_TRUE(changed_toggles(kernel, {{toggle.name, toggle.default_value}}).empty());
  EXPECT_EQ(changed_toggles(kernel, {{toggle.name, -7}, {"OTHER", 1}}).size(), 2u);
}

}  // namespace
}  // namespace gemmscope::experiment
