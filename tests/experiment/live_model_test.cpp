// Times modelled on a thread: what is asked for comes, what is no longer asked for does not.
#include "experiment/live_model.h"

#include <gtest/gtest.h>

#include <chrono>

#include "experiment/devices.h"

namespace gemmscope::experiment {
namespace {

const catalog::Catalog& kernels() {
  static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  return catalog;
}

ModelRequest request_of(const std::vector<std::string>& ids, int64_t size) {
  std::vector<TimedKernel> variants;
  for (const std::string& id : ids) variants.push_back({*kernels().find(id), {}});
  return model_request(std::move(variants), {size, size, size, 1, 0}, *find_device("h200"));
}

std::vector<ModelledVariant> all_of(LiveModel& model, size_t count) {
  std::vector<ModelledVariant> all;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (all.size() < count && std::chrono::steady_clock::now() < deadline) {
    for (ModelledVariant& variant : model.take()) all.push_back(std::move(variant));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return all;
}

TEST(LiveModel, ModelsWhatItIsAskedForInItsOrder) {
  std::atomic<int> woken = 0;
  LiveModel model([&] { ++woken; });
  model.want(request_of({"03_shared_tile", "07_register_tile"}, 128));
  const auto all = all_of(model, 2);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].key.kernel, "03_shared_tile");
  EXPECT_EQ(all[1].key.kernel, "07_register_tile");
  for (const ModelledVariant& variant : all) {
    EXPECT_GT(variant.milliseconds, 0.001) << variant.trouble;
    EXPECT_NE(variant.bound.find("Bound by"), std::string::npos);
  }
  EXPECT_EQ(woken, 2);
}

// A block's tile is read by each SM from L2, and C is written through it: a kernel without reuse in shared
// memory moves no less than A, B and C once, and one with a larger tile moves less.
TEST(LiveModel, TheBytesOfL2FallWithTheTile) {
  LiveModel model([] {});
  model.want(request_of({"03_shared_tile", "07_register_tile"}, 1024));
  const auto all = all_of(model, 2);
  ASSERT_EQ(all.size(), 2u);
  constexpr double kOnce = 3.0 * 4 * 1024 * 1024;
  EXPECT_GT(all[1].l2_bytes, kOnce);
  EXPECT_GT(all[0].l2_bytes, 1.5 * all[1].l2_bytes);
  const Timings timings = modelled_timings(*find_device("h200"), {1024, 1024, 1024, 1, 0}, all);
  EXPECT_EQ(timings.variants[0].modelled_l2_bytes, all[0].l2_bytes);
  Timings recorded = timings;
  recorded.provenance = Provenance::recorded;
  for (TimedVariant& v : recorded.variants) v.modelled_l2_bytes = 0;
  EXPECT_EQ(with_modelled(recorded, timings, {}).variants[1].modelled_l2_bytes, all[1].l2_bytes);
}

TEST(LiveModel, ANewRequestReplacesTheOld) {
  LiveModel model([] {});
  model.want(request_of({"01_naive_rows", "02_naive_coalesced", "03_shared_tile"}, 1024));
  model.want(request_of({"07_register_tile"}, 128));
  const auto all = all_of(model, 1);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key.kernel, "07_register_tile");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(model.take().empty());
  EXPECT_FALSE(model.busy());
}

TEST(LiveModel, AnotherNumberOfTheDeviceGivesAnotherTimeOfTheSameExecution) {
  LiveModel model([] {});
  ModelRequest request = request_of({"03_shared_tile"}, 1024);
  model.want(request);
  const double whole = all_of(model, 1).at(0).milliseconds;
  ASSERT_TRUE(sm::set_parameter(request.device, "sms", 33));
  model.want(request);
  EXPECT_NEAR(all_of(model, 1).at(0).milliseconds / whole, 4, 0.3);
  request = request_of({"03_shared_tile"}, 1024);
  request.limits.warps /= 4;
  model.want(request);
  const ModelledVariant few = all_of(model, 1).at(0);
  EXPECT_EQ(few.figures.blocks_per_sm, 2) << "of 8 warps each";
  EXPECT_EQ(few.figures.most_warps, 16);
  EXPECT_GT(few.milliseconds, whole);
  request.limits.registers = 1024;
  model.want(request);
  const ModelledVariant none = all_of(model, 1).at(0);
  EXPECT_EQ(none.milliseconds, 0);
  EXPECT_NE(none.trouble.find("does not fit"), std::string::npos) << none.trouble;
}

TEST(LiveModel, WhatHasNoTimeSaysWhy) {
  LiveModel model([] {});
  ModelRequest request = request_of({"05_vector_loads"}, 128);
  request.problem.m = request.problem.n = 65536;  // C has more elements than an index
  model.want(request);
  const ModelledVariant variant = all_of(model, 1).at(0);
  EXPECT_EQ(variant.milliseconds, 0);
  EXPECT_FALSE(variant.trouble.empty());
}

ModelledVariant modelled(const std::string& id, double ms, std::map<std::string, int64_t> toggles = {}) {
  ModelledVariant v;
  v.key = {id, std::move(toggles)};
  v.milliseconds = ms;
  if (ms == 0) v.trouble = "no time";
  return v;
}

TEST(ModelledTimings, HaveOneSampleAndTheDevicesPeaks) {
  const Timings t =
      modelled_timings(*find_device("h200"), {64, 64, 64, 1, 0}, {modelled("a", 2), modelled("b", 0)});
  EXPECT_EQ(t.provenance, Provenance::modelled);
  EXPECT_NEAR(t.device.peak_fp32 * 1e-12, 66.9, 0.1);
  ASSERT_EQ(t.variants.size(), 2u);
  EXPECT_EQ(milliseconds(t.variants[0]), std::vector<double>{2});
  EXPECT_TRUE(t.variants[1].samples.empty());
  EXPECT_EQ(t.variants[1].trouble, "no time");
}

TEST(ModelledTimings, StandBesideThoseOfTheSameDeviceAndSize) {
  const sm::SmConfig device = *find_device("h200");
  const catalog::Problem size{64, 64, 64, 1, 0};
  const Timings modelled_ones =
      modelled_timings(device, size, {modelled("a", 2), modelled("b", 3, {{"PAD", 1}}), modelled("c", 4)});
  Timings recorded;
  recorded.provenance = Provenance::recorded;
  recorded.device.name = device.name;
  recorded.problem = size;
  recorded.variants.resize(2);
  recorded.variants[0].id = "a";
  recorded.variants[0].samples = {{0, 1.9, 0}};
  recorded.variants[1].id = "b";
  const Timings both = with_modelled(recorded, modelled_ones, {{"b", {{"PAD", 1}}}});
  ASSERT_EQ(both.variants.size(), 3u) << "c does not race";
  EXPECT_EQ(both.variants[0].modelled_ms, 2);
  EXPECT_EQ(both.variants[0].samples.size(), 1u);
  EXPECT_EQ(both.variants[1].modelled_ms, 0) << "other toggles";
  EXPECT_EQ(both.variants[2].modelled_ms, 3);
  EXPECT_TRUE(both.variants[2].samples.empty()) << "a modelled time is no sample";
  Timings other = recorded;
  other.device.name = "NVIDIA H100";
  EXPECT_EQ(with_modelled(other, modelled_ones, {}).variants[0].modelled_ms, 0);
  other = recorded;
  other.problem.k = 128;
  EXPECT_EQ(with_modelled(other, modelled_ones, {}).variants[0].modelled_ms, 0);
}

}  // namespace
}  // namespace gemmscope::experiment
