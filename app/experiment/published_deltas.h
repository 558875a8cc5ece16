// What a textbook's profiler saw from one of its kernels to the next, beside what the model says of the same
// steps of the ladder.
//
// Source of the published changes: OpenMLSys, "Machine Learning Systems: Design and Implementation", section
// 7.4 (Chinese edition: 8.4), profiled with Nsight Compute on a GPU of the RTX 3080's class at
// 2048x2048x1024.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "sm/config.h"
#include "sm/figures.h"

namespace gemmscope::experiment {

struct DeltaSide {
  const char* kernel;
  std::map<std::string, int64_t> toggles;  // that give the book's form of the step
};

struct PublishedDelta {
  const char* id;    // "lg_throttle"
  const char* name;  // as the book names it, in Nsight Compute's words
  DeltaSide from, to;
  double change;  // -0.33: a third less
  double (*figure)(const sm::LaunchFigures&);
  const char* unit;  // of the figure
};
const std::vector<PublishedDelta>& published_deltas();
inline constexpr catalog::Problem kPublishedProblem{2048, 2048, 1024, 1, 0};
inline constexpr const char* kPublishedDevice = "rtx3080";  // its peak is the one that the book states

struct ModelledDelta {
  const PublishedDelta* published = nullptr;
  double before = 0, after = 0;  // modelled
  std::string trouble;           // why there is none, a sentence; else empty
  // As the book gives it; nothing where `before` is 0.
  std::optional<double> change() const;
};
// Executes and models each kernel once. `done` is called after each of them, with how many there are.
std::vector<ModelledDelta> model_deltas(const catalog::Catalog& catalog, const sm::SmConfig& device,
                                        const std::function<void(size_t done, size_t all)>& done = {});

}  // namespace gemmscope::experiment
