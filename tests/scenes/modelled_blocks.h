// Traced blocks of the ladder with their modelled timelines, made once a process.
#pragma once

#include "experiment/model_result.h"
#include "scene_blocks.h"
#include "sm/device_file.h"

namespace gemmscope::scenes {

struct Modelled {
  BlockPointer block;
  std::shared_ptr<const experiment::ModelResult> model;
};

inline sm::SmConfig h200() {
  const auto device = sm::read_device(catalog::assets_folder() / "devices" / "h200.toml");
  EXPECT_TRUE(device.has_value()) << (device ? "" : device.error().message);
  return device.value_or(sm::SmConfig{});
}

// Nulls after a failed expectation.
inline Modelled modelled(const std::string& kernel, const catalog::Problem& problem = {256, 256, 256}) {
  static std::map<std::tuple<std::string, int64_t, int64_t, int64_t>, Modelled> made;
  Modelled& result = made[{kernel, problem.m, problem.n, problem.k}];
  if (result.model != nullptr) return result;
  result.block = traced(kernel, problem);
  if (result.block == nullptr) return {};
  const sm::SmConfig device = h200();
  const auto sample =
      experiment::sample_timing(*result.block->compiled, result.block->experiment, device, nullptr);
  EXPECT_TRUE(sample.has_value()) << (sample ? "" : sample.error().message);
  if (!sample) return {};
  const auto model = experiment::make_model_result(*result.block, *sample, device);
  EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
  result.model = model.value_or(nullptr);
  return result;
}

}  // namespace gemmscope::scenes
