// Counters of the CPU execution against those that Nsight Compute read on an H200: equal, not close.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "experiment/pipeline.h"

namespace gemmscope::experiment {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

struct Row {
  Experiment experiment;
  std::vector<uint64_t> counters;
};

Row parse(const std::string& line) {
  const std::vector<std::string> f = split(line);
  Row row;
  row.experiment.kernel = f[0];
  if (const size_t equals = f[1].find('='); equals != std::string::npos)
    row.experiment.toggles[f[1].substr(0, equals)] = std::stoll(f[1].substr(equals + 1));
  row.experiment.problem = {std::stoll(f[2]), std::stoll(f[3]), std::stoll(f[4]), std::stof(f[5]),
                            std::stof(f[6])};
  row.experiment.arch = isa::Arch::sm_90;
  for (size_t i = 7; i < f.size(); ++i) row.counters.push_back(std::stoull(f[i]));
  return row;
}

std::vector<Row> recorded_rows() {
  std::ifstream file(std::string(GEMMSCOPE_SOURCE_DIR) + "/tests/calibration/ncu_h200_ladder.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#' && !line.starts_with("kernel,")) rows.push_back(parse(line));
  return rows;
}

// In the order of the file's columns.
std::vector<uint64_t> counted(const metrics::CounterSummary& s) {
  const metrics::InstructionTraffic& t = s.traffic;
  return {s.warp_instructions,
          s.thread_instructions,
          s.ffma,
          s.fadd,
          s.fmul,
          t.global_load.requests,
          t.global_store.requests,
          t.global_load.sectors,
          t.global_store.sectors,
          t.shared_load.wavefronts,
          t.shared_store.wavefronts};
}

TEST(Calibration, CountersEqualThoseOfNsightComputeOnAnH200) {
  // The recording is of machine code by NVRTC 13.0; another version may make other code.
  const Result<std::string> nvrtc = compile::nvrtc_version();
  const bool same_compiler = nvrtc && *nvrtc == "13.0";
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  const std::vector<Row> rows = recorded_rows();
  ASSERT_EQ(rows.size(), 70u);
  size_t compared = 0;
  for (const Row& row : rows) {
    // Without that compiler, the prebuilt pack has the same code for the default toggles.
    if (!same_compiler && (nvrtc || !row.experiment.toggles.empty())) continue;
    const catalog::Kernel* kernel = catalog.find(row.experiment.kernel);
    ASSERT_NE(kernel, nullptr) << row.experiment.kernel;
    const auto compiled = compile_kernel(*kernel, row.experiment);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    const auto grid = run_whole_grid(*compiled, row.experiment, {});
    ASSERT_TRUE(grid.has_value()) << grid.error().message;
    EXPECT_EQ(counted((*grid)->summary), row.counters)
        << row.experiment.kernel << " at " << row.experiment.problem.m << " x " << row.experiment.problem.n
        << " x " << row.experiment.problem.k << ", beta " << row.experiment.problem.beta
        << ": if the kernel has changed, record it again with the command in the file";
    ++compared;
  }
  if (compared == 0)
    GTEST_SKIP() << "the recording is of NVRTC 13.0's machine code, and this computer has " << *nvrtc;
}

}  // namespace
}  // namespace gemmscope::experiment
