// Counters of the CPU execution against those that Nsight Compute read on an H200: equal, not close.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "experiment/pipeline.h"
#include "metrics/ncu_metrics.h"

namespace gemmscope::experiment {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

// One launch and what Nsight Compute counted of it.
struct Row {
  Experiment experiment;
  size_t launch = 0;                // of a kernel with several, which is recorded as fusion:2
  std::vector<std::string> values;  // by the recording's metrics; empty where it has none
};

struct Recording {
  std::string name;
  std::vector<std::string> metrics;
  std::vector<Row> rows;
};

constexpr size_t kFirstMetric = 7;  // after kernel,toggles,m,n,k,alpha,beta

Row parse(const std::string& line) {
  const std::vector<std::string> f = split(line);
  Row row;
  const size_t colon = f[0].find(':');
  row.experiment.kernel = f[0].substr(0, colon);
  if (colon != std::string::npos) row.launch = std::stoul(f[0].substr(colon + 1)) - 1;
  std::istringstream toggles(f[1]);
  for (std::string toggle; std::getline(toggles, toggle, ';');) {
    const size_t equals = toggle.find('=');
    row.experiment.toggles[toggle.substr(0, equals)] = std::stoll(toggle.substr(equals + 1));
  }
  row.experiment.problem = {std::stoll(f[2]), std::stoll(f[3]), std::stoll(f[4]), std::stof(f[5]),
                            std::stof(f[6])};
  row.experiment.arch = isa::Arch::sm_90;
  row.values.assign(f.begin() + kFirstMetric, f.end());
  return row;
}

const std::filesystem::path kCalibration =
    std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "tests" / "calibration";

std::vector<Recording> recordings() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCalibration))
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Recording> all;
  for (const std::filesystem::path& path : paths) {
    Recording recording{path.filename().string(), {}, {}};
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      if (line.starts_with("kernel,")) {
        recording.metrics = split(line);
        recording.metrics.erase(recording.metrics.begin(), recording.metrics.begin() + kFirstMetric);
      } else {
        recording.rows.push_back(parse(line));
      }
    }
    all.push_back(std::move(recording));
  }
  return all;
}

// The catalogue's kernels, the small ones that are here for their counters only, and kernels of an earlier
// ladder, as they were recorded.
const catalog::Kernel* find_kernel(const std::string& id) {
  static const catalog::Catalog ours = catalog::read_catalog(catalog::kernels_folder());
  static const catalog::Catalog small = catalog::read_catalog(kCalibration / "kernels");
  static const catalog::Catalog earlier = catalog::read_catalog(kCalibration / "earlier");
  for (const catalog::Catalog* catalog : {&ours, &small, &earlier})
    if (const catalog::Kernel* const found = catalog->find(id)) return found;
  return nullptr;
}

// The recordings are of machine code by NVRTC 13.0; another version may make other code. Without NVRTC, the
// prebuilt pack has the same code for the ladder's default toggles.
bool has_same_code(const Row& row) {
  const Result<std::string> nvrtc = compile::nvrtc_version();
  return nvrtc ? *nvrtc == "13.0" : row.experiment.toggles.empty();
}

bool is_unpredicted(const std::string& name) {
  const auto all = metrics::unpredicted_metrics();
  return std::any_of(all.begin(), all.end(), [&](const auto& metric) { return metric.name == name; });
}

// The metric to compare a recorded one with. The chip's own count of thread instructions is another than that
// of the inserted code in some launches (metrics/README.md); it has to be equal in recordings that have only
// the chip's, because no warp rejoins in three parts there.
std::string name_to_compare(const Recording& recording, const std::string& name) {
  const std::string inserted = "smsp__sass_thread_inst_executed_pred_on.sum";
  const bool is_replaced = name == "smsp__thread_inst_executed_pred_on.sum" &&
                           std::ranges::find(recording.metrics, inserted) == recording.metrics.end();
  return is_replaced ? inserted : name;
}

// "smsp__inst_executed.sum: 152 counted, 150 recorded", a line each.
std::string differences(const Recording& recording, const Row& row, const metrics::CounterSummary& counted,
                        size_t& cells) {
  std::string text;
  for (size_t i = 0; i < row.values.size(); ++i) {
    const metrics::NcuMetric* const metric =
        metrics::find_ncu_metric(name_to_compare(recording, recording.metrics.at(i)));
    if (metric == nullptr) {
      if (!is_unpredicted(recording.metrics[i]))
        text += fmt::format("{} is recorded and not counted\n", recording.metrics[i]);
      continue;
    }
    const std::optional<uint64_t> figure = metric->figure(counted);
    if (row.values[i].empty() || !figure) continue;
    ++cells;
    if (std::stoull(row.values[i]) != *figure)
      text += fmt::format("{}: {} counted, {} recorded\n", metric->name, *figure, row.values[i]);
  }
  return text;
}

// The recorded wavefronts of asynchronous copies; nothing if they were not recorded.
std::optional<uint64_t> recorded_wavefronts_of_copies(const Recording& recording, const Row& row) {
  const auto column = std::ranges::find(recording.metrics,
                                        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum");
  if (column == recording.metrics.end()) return std::nullopt;
  const std::string& value = row.values[static_cast<size_t>(column - recording.metrics.begin())];
  return value.empty() ? std::nullopt : std::optional(std::stoull(value));
}

TEST(Calibration, CountersEqualThoseOfNsightComputeOnAnH200) {
  size_t compared = 0, cells = 0, with_copies = 0;
  for (const Recording& recording : recordings()) {
    EXPECT_GE(recording.rows.size(), 70u) << recording.name << " is incomplete";
    for (const Row& row : recording.rows) {
      std::string toggles;
      for (const auto& [name, value] : row.experiment.toggles) toggles += fmt::format(" {}={}", name, value);
      const catalog::Problem& problem = row.experiment.problem;
      const std::string launch =
          fmt::format("{}: {}{} at {} x {} x {}, beta {}", recording.name, row.experiment.kernel, toggles,
                      problem.m, problem.n, problem.k, problem.beta);
      SCOPED_TRACE(launch);
      ASSERT_EQ(row.values.size(), recording.metrics.size());
      const catalog::Kernel* const kernel = find_kernel(row.experiment.kernel);
      ASSERT_NE(kernel, nullptr) << "there is no such kernel any more: record again, or keep its file in "
                                    "tests/calibration/earlier";
      if (!has_same_code(row)) continue;
      const auto compiled = compile_kernel(*kernel, row.experiment);
      ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
      const auto grid = run_whole_grid(*compiled, row.experiment, {});
      EXPECT_TRUE(grid.has_value()) << grid.error().message;
      if (!grid) continue;
      EXPECT_EQ(differences(recording, row, (*grid)->summaries.at(row.launch), cells), "")
          << "if the kernel has changed, record it again: tests/calibration/record_ncu.sh";
      // Copies have no figure, but one that the GPU's count never falls below.
      const metrics::CounterSummary& counted = (*grid)->summaries.at(row.launch);
      if (const auto wavefronts = recorded_wavefronts_of_copies(recording, row)) {
        EXPECT_GE(*wavefronts, counted.traffic.async_shared.wavefronts);
        with_copies += metrics::has_copies(counted) ? 1 : 0;
      }
      size_t unknown = 0;
      for (const metrics::NcuMetric& metric : metrics::ncu_metrics())
        if (!metric.figure((*grid)->summary)) ++unknown;
      EXPECT_EQ(unknown, metrics::has_copies((*grid)->summary) ? 1u : 0u)
          << "only the wavefronts of copies have no rule";
      ++compared;
    }
  }
  RecordProperty("launches", static_cast<int64_t>(compared));
  RecordProperty("launches_with_copies", static_cast<int64_t>(with_copies));
  RecordProperty("figures", static_cast<int64_t>(cells));
  if (compared == 0)
    GTEST_SKIP() << "the recordings are of NVRTC 13.0's machine code, which this computer cannot make";
}

// Those that have been equal on a GPU, and not only equally 0, say so, and no others.
TEST(Calibration, EvidenceIsWhatTheRecordingsShow) {
  std::set<std::string> recorded;
  for (const Recording& recording : recordings())
    for (const Row& row : recording.rows)
      for (size_t i = 0; i < row.values.size(); ++i)
        if (!row.values[i].empty() && row.values[i] != "0") recorded.insert(recording.metrics.at(i));
  for (const metrics::NcuMetric& metric : metrics::ncu_metrics())
    EXPECT_EQ(metric.evidence == metrics::Evidence::recorded, recorded.contains(metric.name)) << metric.name;
  for (const metrics::UnpredictedMetric& metric : metrics::unpredicted_metrics())
    EXPECT_EQ(metrics::find_ncu_metric(metric.name), nullptr) << metric.name;
}

// With their default toggles, whatever NVRTC compiles them.
TEST(Calibration, TheSmallKernelsRun) {
  if (const auto nvrtc = compile::nvrtc_version(); !nvrtc) GTEST_SKIP() << nvrtc.error().message;
  const catalog::Catalog small = catalog::read_catalog(kCalibration / "kernels");
  ASSERT_TRUE(small.errors.empty()) << small.errors[0].message;
  EXPECT_EQ(small.kernels.size(), 9u);
  for (const catalog::Kernel& kernel : small.kernels) {
    Experiment e;
    e.kernel = kernel.id;
    e.problem = {64, 64, 64, 1.0f, 0.0f};
    e.arch = isa::Arch::sm_90;
    const auto compiled = compile_kernel(kernel, e);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    const auto grid = run_whole_grid(*compiled, e, {});
    EXPECT_TRUE(grid.has_value()) << grid.error().message;
  }
}

}  // namespace
}  // namespace gemmscope::experiment
