// Launches every kernel for tests/calibration/record_ncu.sh, which runs this program under Nsight Compute.
// The file named in GEMMSCOPE_CALIBRATION_LAUNCHES gets one line a launch, in the same order; the second
// launch of a kernel with several is fusion:2. GEMMSCOPE_CALIBRATION_LIMIT limits the number of kernels and
// sizes, and GEMMSCOPE_CALIBRATION_KERNELS=ID,ID selects kernels. GEMMSCOPE_CALIBRATION_PLAN=FILE launches
// what the file lists instead, one launch a line: kernel,toggles,m,n,k or kernel,toggles,m,n,k,alpha,beta
// with toggles as NAME=VALUE;NAME=VALUE. Skipped without the first variable.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "catalog/illegal.h"
#include "device.h"
#include "launches.h"

namespace gemmscope {
namespace {

struct Planned {
  gpu::Case what;
  catalog::Problem problem;
};

// The sizes: ragged in both directions, below a tile, whole tiles, several blocks. They are rounded up to the
// multiples that a kernel requires.
constexpr catalog::Problem kProblems[] = {{1, 1, 1, 1.25f, 0.5f},      {130, 66, 34, 1.25f, 0.5f},
                                          {130, 66, 34, 1.25f, 0.0f},  {67, 129, 35, 1.25f, 0.5f},
                                          {256, 256, 256, 1.0f, 0.0f}, {515, 390, 70, 1.25f, 0.5f}};

// True if GEMMSCOPE_CALIBRATION_KERNELS=ID,ID names the kernel or is not set.
bool is_wanted(const std::string& id) {
  const char* const only = std::getenv("GEMMSCOPE_CALIBRATION_KERNELS");
  return only == nullptr || fmt::format(",{},", only).find(fmt::format(",{},", id)) != std::string::npos;
}

// Returns the defaults at every size, and the other legal values of toggles at some.
void plan(std::vector<Planned>& planned, const catalog::Kernel& kernel, std::set<size_t> sizes_of_toggles) {
  for (const gpu::Case& c : gpu::cases_of(kernel))
    for (size_t i = 0; i < std::size(kProblems); ++i) {
      if (!c.toggles.empty() && !sizes_of_toggles.contains(i)) continue;
      const auto problem = catalog::fitted(c.kernel, kProblems[i], c.toggles);
      EXPECT_TRUE(problem.has_value()) << c.label << ": " << problem.error().message;
      if (!problem) continue;
      const auto illegal = catalog::why_illegal(c.kernel, *problem, c.toggles);
      EXPECT_TRUE(illegal.has_value()) << c.label << ": " << illegal.error().message;
      if (illegal && !*illegal) planned.push_back({c, *problem});
    }
}

std::vector<Planned> planned_launches() {
  std::vector<Planned> planned;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const Error& error : catalog.errors) ADD_FAILURE() << error.message;
  for (const catalog::Kernel& kernel : catalog.kernels) {
    const bool on_the_ladder = kernel.path.parent_path().filename() == "ladder";
    if (is_wanted(kernel.id))
      plan(planned, kernel, on_the_ladder ? std::set<size_t>{2, 5} : std::set<size_t>{3});
  }
  const auto folder = catalog::kernels_folder().parent_path() / "tests" / "calibration" / "kernels";
  for (const gpu::Case& c : gpu::all_combinations(folder))
    if (is_wanted(c.kernel.id)) planned.push_back({c, {64, 64, 64, 1.0f, 0.0f}});
  return planned;
}

// "A=1;B=2"; of nothing, the defaults.
std::map<std::string, int64_t> parse_toggles(const std::string& text) {
  std::map<std::string, int64_t> toggles;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos) {
      ADD_FAILURE() << part << ": expected NAME=VALUE";
      continue;
    }
    toggles[part.substr(0, equals)] = std::stoll(part.substr(equals + 1));
  }
  return toggles;
}

std::vector<Planned> read_plan(const std::string& path) {
  std::vector<Planned> planned;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  std::ifstream lines(path);
  EXPECT_TRUE(lines.good()) << path << " cannot be read";
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream fields(line);
    std::string id, toggles, m, n, k, alpha = "1", beta = "0";
    for (std::string* field : {&id, &toggles, &m, &n, &k}) std::getline(fields, *field, ',');
    if (!fields.eof()) std::getline(std::getline(fields, alpha, ','), beta);
    const catalog::Kernel* const kernel = catalog.find(id);
    if (kernel == nullptr || k.empty()) {
      ADD_FAILURE() << line << ": expected kernel,toggles,m,n,k with a kernel of the catalogue";
      continue;
    }
    planned.push_back({{*kernel, parse_toggles(toggles), line},
                       {std::stoll(m), std::stoll(n), std::stoll(k), std::stof(alpha), std::stof(beta)}});
  }
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
  const char* const plan_file = std::getenv("GEMMSCOPE_CALIBRATION_PLAN");
  for (const Planned& planned : plan_file == nullptr ? planned_launches() : read_plan(plan_file)) {
    if (launched == limit) break;
    const catalog::Problem& p = planned.problem;
    SCOPED_TRACE(planned.what.label);
    experiment::Experiment e;
    e.kernel = planned.what.kernel.id;
    e.problem = p;
    e.toggles = planned.what.toggles;
    e.arch = *arch;
    auto compiled = experiment::compile_kernel(planned.what.kernel, e);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    const auto parts = static_cast<uint32_t>((*compiled)->parts.size());
    for (; e.launch < parts; ++e.launch) {
      if (e.launch > 0) compiled = experiment::compile_kernel(planned.what.kernel, e);
      const auto reply = device.client->run(gpu::run_request(**compiled, p, e.toggles));
      ASSERT_TRUE(reply.has_value()) << reply.error().message;
      const std::string which = parts == 1 ? "" : fmt::format(":{}", e.launch + 1);
      lines << fmt::format("{}{},{},{},{},{},{},{}\n", e.kernel, which, toggles_text(e.toggles), p.m, p.n,
                           p.k, p.alpha, p.beta);
    }
    ++launched;
  }
  EXPECT_GT(launched, 0u);
  EXPECT_TRUE(lines.good()) << list << " cannot be written";
}

}  // namespace
}  // namespace gemmscope
