// The cycles lost to register ports against Nsight Compute's dispatch stall, and the port cycles of an FFMA
// against what was found by hand in the same loops.
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>

#include "ladder_run.h"

namespace gemmscope::experiment {
namespace {

std::shared_ptr<const CompiledKernel> compiled(const std::string& id,
                                               const std::map<std::string, int64_t>& toggles = {}) {
  const catalog::Kernel* kernel = ladder().find(id);
  EXPECT_NE(kernel, nullptr) << id;
  Experiment experiment = experiment_on(id, isa::Arch::sm_90, {2048, 2048, 1024, 1, 0});
  experiment.toggles = toggles;
  const auto result = take_or_compile_kernel(*kernel, experiment);
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
  return result.value_or(nullptr);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

// By kernel: warps that wait for a dispatch, on average over the cycles in which an instruction issues.
std::map<std::string, double> recorded_dispatch_stalls() {
  std::ifstream in(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) /
                   "tests/calibration/timing/ncu_h200_stalls.csv");
  std::map<std::string, double> stalls;
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (names.empty()) {
      names = cells;
      continue;
    }
    const auto cell = [&](const char* name) {
      const auto at = std::ranges::find(names, name) - names.begin();
      return std::stod(cells[static_cast<size_t>(at)]);
    };
    if (!cells[1].empty() || cells[2] != "2048" || cells[4] != "1024") continue;  // toggles, other sizes
    stalls[cells[0]] = cell("smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio");
  }
  EXPECT_FALSE(stalls.empty());
  return stalls;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

// The steps whose time is a loop of FFMAs.
constexpr const char* kRegisterTiled[] = {
    "07_register_tile", "08_transposed_tile", "09_conflict_free", "10_register_double_buffer",
    "11_prefetch",      "12_warp_tiling",     "13_async_copy"};

// The stall counts warps and the rule cycles, so only their proportion can be compared.
TEST(PortCalibration, LostCyclesFollowTheDispatchStallOfNsightCompute) {
  const std::map<std::string, double> stalls = recorded_dispatch_stalls();
  std::vector<double> lost, stalled, factors;
  for (const char* id : kRegisterTiled) {
    const auto kernel = compiled(id);
    ASSERT_NE(kernel, nullptr);
    const metrics::LoopPorts* loop = kernel->ports.main_loop();
    ASSERT_NE(loop, nullptr) << id;
    lost.push_back(static_cast<double>(loop->lost_cycles) / loop->instructions);
    stalled.push_back(stalls.at(id));
    factors.push_back(stalled.back() / lost.back());
    RecordProperty(id, std::to_string(factors.back()));
  }
  EXPECT_GT(correlation(lost, stalled), 0.95);
  const double mean =
      std::accumulate(factors.begin(), factors.end(), 0.0) / static_cast<double>(factors.size());
  for (size_t i = 0; i < factors.size(); ++i) EXPECT_NEAR(factors[i], mean, 0.15 * mean) << kRegisterTiled[i];
}

// Another program counted 1.203 port cycles a FFMA in this loop of 1132 instructions. It lets a load of
// shared memory end an entry of the reuse cache. On an H200 a load does not: results/beside.txt of the
// microbenchmarks, RegisterPortsOnAnH200.AnotherInstructionBesideTheReuseCache.
TEST(PortCalibration, AsynchronousCopies) {
  const auto kernel = compiled("13_async_copy", {{"BLOCK_K", 8}, {"STAGES", 2}, {"WARPS_N", 4}});
  ASSERT_NE(kernel, nullptr);
  const metrics::LoopPorts* loop = kernel->ports.main_loop();
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->ffma, 1024u);
  EXPECT_NEAR(loop->instructions, 1132, 10) << "of NVRTC 13.0";
  EXPECT_NEAR(loop->port_cycles_per_ffma(), 1.203, 0.02);
}

}  // namespace
}  // namespace gemmscope::experiment
