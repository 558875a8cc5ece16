// The points of times_h200.csv, and their modelled times.
#pragma once

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "experiment/modelled_time.h"
#include "experiment/pipeline.h"

namespace gemmscope::experiment {

struct TimedPoint {
  std::string kernel, toggles, size, half;  // "fit" or "check"; toggles as in the file: "A=1;B=2"
  Experiment experiment;
  double milliseconds = 0;
  double error(double modelled) const { return modelled / milliseconds - 1; }
};

// Rows without a half, which are those of cuBLAS, are left out.
inline std::vector<TimedPoint> read_timed_points(const std::string& path) {
  std::ifstream file(path);
  std::vector<TimedPoint> points;
  for (std::string line; std::getline(file, line);) {
    std::istringstream row(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
    if (fields.size() < 9 || line.starts_with("#") || fields[0] == "kernel") continue;
    TimedPoint point{fields[0], fields[1], fields[2], fields[8], {}, std::stod(fields[3])};
    Experiment& e = point.experiment;
    e.kernel = point.kernel;
    e.arch = isa::Arch::sm_90;
    char x = 0;
    std::istringstream size(point.size);
    size >> e.problem.m;
    e.problem.n = e.problem.k = e.problem.m;
    if (size >> x >> e.problem.n) size >> x >> e.problem.k;
    std::istringstream toggles(point.toggles);
    for (std::string toggle; std::getline(toggles, toggle, ';');) {
      const size_t equals = toggle.find('=');
      if (equals != std::string::npos)
        e.toggles[toggle.substr(0, equals)] = std::stoll(toggle.substr(equals + 1));
    }
    points.push_back(std::move(point));
  }
  return points;
}

// Gives kernels with local memory the time of a context of their own, which spills_h200.csv has: those of
// times_h200.csv depend on what ran before (README.md).
inline void use_own_contexts(std::vector<TimedPoint>& points, const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream row(line);
    std::array<std::string, 5> fields;  // kernel, toggles, size, bytes of local memory, milliseconds
    for (std::string& field : fields) std::getline(row, field, ',');
    if (line.starts_with("#") || fields[0] == "kernel" || fields[4].empty()) continue;
    for (TimedPoint& point : points)
      if (point.kernel == fields[0] && point.toggles == fields[1] && point.size == fields[2])
        point.milliseconds = std::stod(fields[4]);
  }
}

// Errors: a kernel that does not compile here, or one without a modelled time.
inline Outcome<TimingSample> sample_point(const TimedPoint& point, const catalog::Catalog& catalog,
                                          const sm::SmConfig& device) {
  const catalog::Kernel* kernel = catalog.find(point.kernel);
  if (kernel == nullptr) return tl::unexpected(Failure{"The catalogue has no " + point.kernel + ".", {}});
  const auto compiled = compile_kernel(*kernel, point.experiment);
  if (!compiled) return tl::unexpected(compiled.error());
  return sample_timing(**compiled, point.experiment, device);
}

}  // namespace gemmscope::experiment
