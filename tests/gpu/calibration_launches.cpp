// Launches every kernel for tests/calibration/record_ncu.sh, which runs it under Nsight Compute: one launch a
// line of the file named in GEMMSCOPE_CALIBRATION_LAUNCHES, in the same order. GEMMSCOPE_CALIBRATION_LIMIT
// stops after so many. Skipped without the former.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "device.h"
#include "launches.h"

namespace gemmscope {
namespace {

struct Planned {
  gpu::Case what;
  catalog::Problem problem;
};

// A size that is a multiple of nothing in either direction, one below a tile, whole tiles, several blocks.
// Where a kernel's sizes must be multiples of something they are rounded up to it. Values of toggles other
// than the defaults are counted at two of the sizes.
std::vector<Planned> planned_launches() {
  const catalog::Problem ladder_problems[] = {{1, 1, 1, 1.25f, 0.5f},      {130, 66, 34, 1.25f, 0.5f},
                                              {130, 66, 34, 1.25f, 0.0f},  {67, 129, 35, 1.25f, 0.5f},
                                              {256, 256, 256, 1.0f, 0.0f}, {515, 390, 70, 1.25f, 0.5f}};
  std::vector<Planned> planned;
  constexpr size_t kOfToggles[] = {2, 5};
  for (const gpu::Case& c : gpu::ladder_cases())
    for (size_t i = 0; i < std::size(ladder_problems); ++i) {
      const auto problem = catalog::fitted(c.kernel, ladder_problems[i], c.toggles);
      EXPECT_TRUE(problem.has_value()) << c.label << ": " << problem.error().message;
      const bool wanted = c.toggles.empty() || std::ranges::count(kOfToggles, i) > 0;
      if (problem && wanted) planned.push_back({c, *problem});
    }
  const auto folder = catalog::kernels_folder().parent_path() / "tests" / "calibration" / "kernels";
  for (const gpu::Case& c : gpu::all_combinations(folder)) planned.push_back({c, {64, 64, 64, 1.0f, 0.0f}});
  return planned;
}

std::string toggles_text(const std::map<std::string, int64_t>& toggles) {
  std::string text;
  for (const auto& [name, value] : toggles)
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", name, value);
  return text;
}

TEST(GpuCalibration, Launches) {
  const char* const list = std::getenv("GEMMSCOPE_CALIBRATION_LAUNCHES");
  if (list == nullptr) GTEST_SKIP() << "GEMMSCOPE_CALIBRATION_LAUNCHES names no file";
  const gpu::Device& device = gpu::device();
  ASSERT_TRUE(device.facts.has_value()) << device.facts.error().message;
  const auto arch = isa::arch_from_number(device.facts->compute_capability);
  ASSERT_TRUE(arch.has_value()) << device.facts->name;
  const char* const limit_text = std::getenv("GEMMSCOPE_CALIBRATION_LIMIT");
  const size_t limit = limit_text == nullptr ? SIZE_MAX : std::stoull(limit_text);
  std::ofstream lines(list);
  size_t launched = 0;
  for (const Planned& planned : planned_launches()) {
    if (launched == limit) break;
    const catalog::Problem& p = planned.problem;
    SCOPED_TRACE(planned.what.label);
    experiment::Experiment e;
    e.kernel = planned.what.kernel.id;
    e.problem = p;
    e.toggles = planned.what.toggles;
    e.arch = *arch;
    const auto compiled = experiment::compile_kernel(planned.what.kernel, e);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    const auto reply = device.client->run(gpu::run_request(**compiled, p, e.toggles));
    ASSERT_TRUE(reply.has_value()) << reply.error().message;
    lines << fmt::format("{},{},{},{},{},{},{}\n", e.kernel, toggles_text(e.toggles), p.m, p.n, p.k, p.alpha,
                         p.beta);
    ++launched;
  }
  EXPECT_GT(launched, 0u);
  EXPECT_TRUE(lines.good()) << list << " cannot be written";
}

}  // namespace
}  // namespace gemmscope
