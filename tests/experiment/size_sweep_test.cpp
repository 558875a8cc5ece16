// Recordings of many sizes: which they are, what they say of a size, and the one that ships.
#include "experiment/size_sweep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiment/timing_choice.h"

namespace gemmscope::experiment {
namespace {

TimedVariant timed(const std::string& id, std::vector<double> ms) {
  TimedVariant variant;
  variant.id = id;
  variant.is_library = id == "cublas_fp32";
  variant.title = variant.is_library ? "cuBLAS FP32" : "Ours";
  for (const double value : ms) variant.samples.push_back({0, value, 0});
  return variant;
}

Timings run_of(int64_t size, double ours_ms, double library_ms) {
  Timings run;
  run.provenance = Provenance::recorded;
  run.device.name = "GPU";
  run.problem = {size, size, size};
  run.variants = {timed("17_split_k", {ours_ms}), timed("cublas_fp32", {library_ms})};
  return run;
}

Recording sweep(size_t sizes, const std::string& date = "2026-01-01") {
  Recording recording;
  for (size_t i = 0; i < sizes; ++i) recording.push_back(run_of(256 * static_cast<int64_t>(i + 1), 1, 1));
  for (Timings& run : recording) run.date = date;
  mark_sweep(recording);
  return recording;
}

TEST(SizeSweep, IsARecordingOfOneVariantAtManySizes) {
  EXPECT_TRUE(sweep(kLeastSweepSizes).front().of_sweep);
  EXPECT_FALSE(sweep(kLeastSweepSizes - 1).front().of_sweep);
  Recording race = sweep(kLeastSweepSizes);
  race[3].variants.push_back(timed("16_serpentine", {1}));
  mark_sweep(race);
  EXPECT_FALSE(race.front().of_sweep) << "one run compares two variants";
}

TEST(SizeSweep, IsOneChoiceAmongTheRecordings) {
  std::vector<Timings> all(2, run_of(4096, 1, 1));
  for (const char* date : {"2026-01-01", "2026-01-02"}) {
    const Recording runs = sweep(kLeastSweepSizes, date);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  EXPECT_EQ(choosable_recordings(all), (std::vector<int>{0, 1, 2, 2 + static_cast<int>(kLeastSweepSizes)}));
  EXPECT_EQ(sweep_around(all, 5).size(), kLeastSweepSizes);
  EXPECT_EQ(sweep_around(all, 5).front().problem.m, 256);
  EXPECT_EQ(recording_title(all, 2), "GPU, 8 sizes");
  EXPECT_EQ(recording_title(all, 0), "GPU, 4096\u00b3");
}

TEST(SizeSweep, GivesWayToARaceOfAnotherSize) {
  std::vector<Timings> all = sweep(kLeastSweepSizes);
  EXPECT_EQ(nearest_recording(all, {512, 512, 512}), 1) << "there is nothing else";
  all.push_back(run_of(4096, 1, 1));
  EXPECT_EQ(nearest_recording(all, {512, 512, 512}), static_cast<int>(all.size()) - 1);
}

TEST(SizeSweep, ComparesMedians) {
  Recording runs = sweep(kLeastSweepSizes);
  runs[2].variants[0] = timed("17_split_k", {2, 2, 9});
  runs[2].variants[1] = timed("cublas_fp32", {1, 1.5, 3});
  runs[4].variants[1].samples.clear();  // it was not measured: it is left out
  const SizeSweep found = size_sweep(runs);
  ASSERT_EQ(found.points.size(), runs.size() - 1);
  EXPECT_EQ(found.least, 2u);
  EXPECT_DOUBLE_EQ(found.points[2].of_library, 0.75);
  EXPECT_DOUBLE_EQ(found.points[2].tflops, 2 * std::pow(768.0, 3) / 2e-3 / 1e12);
  EXPECT_NEAR(found.geometric_mean, std::pow(0.75, 1.0 / 7), 1e-12);
  EXPECT_TRUE(size_sweep({}).points.empty());
}

TEST(SizeSweep, ShapesOfSizes) {
  EXPECT_EQ(size_shape({4096, 2048, 1024}), SizeShape::square);
  EXPECT_EQ(size_shape({16384, 512, 512}), SizeShape::tall_or_wide);
  EXPECT_EQ(size_shape({512, 2048, 512}), SizeShape::tall_or_wide);
  EXPECT_EQ(size_shape({256, 256, 1024}), SizeShape::deep);
  EXPECT_EQ(size_shape({1023, 1024, 1024}), SizeShape::square) << "the number of rows does not matter";
  EXPECT_EQ(size_shape({1024, 1023, 1024}), SizeShape::ragged);
  EXPECT_EQ(size_shape({1024, 1024, 1023}), SizeShape::ragged);
}

// The recording of the README's plot.
TEST(SizeSweep, ShipsOneOfFortySizes) {
  const Result<Recording> recording = read_recording(recordings_folder() / "h200_sizes.json");
  ASSERT_TRUE(recording) << recording.error().message;
  ASSERT_TRUE(recording->front().of_sweep);
  const SizeSweep found = size_sweep(*recording);
  EXPECT_EQ(found.points.size(), 40u);
  EXPECT_GE(found.geometric_mean, 1.0);
  for (const SizePoint& point : found.points) EXPECT_GT(point.library_tflops, 0) << point.name;
}

}  // namespace
}  // namespace gemmscope::experiment
