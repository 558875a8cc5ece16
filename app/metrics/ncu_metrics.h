// The figures of a CounterSummary under the names of the Nsight Compute metrics that count the same, so that
// they can be compared with its export.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "metrics/counters.h"

namespace gemmscope::metrics {

// `recorded`: the metric was read on a GPU and was equal. `described`: it follows from the description of the
// metric alone.
enum class Evidence : uint8_t { recorded, described };

// Where a metric has no figure. no_copies: the metric counts shared-memory wavefronts of asynchronous copies
// and has a figure only if there are none. Copies write to shared memory when their bytes arrive, so the
// count changes from launch to launch. An H200 counts 2201 in one launch of 14_tensor_tf32, but 1418 in one
// that copies the same bytes to the same places and only rounds its factors differently (ROUND=1); 1872 in
// the workbench with STAGES=2, but 2380 with STAGES=4; and for copies of 4 bytes a lane, through L1 and
// without a conflict, nearly twice the wavefronts of their addresses, a few more or less in each run.
enum class Limit : uint8_t { none, no_copies };
// What is counted for them is the least that a GPU counted in all recordings (metrics/copied_lanes.h,
// tests/experiment/calibration_test.cpp).
bool has_copies(const CounterSummary& summary);

struct NcuMetric {
  const char* name;     // with its ".sum", as ncu takes and prints it
  const char* meaning;  // a few words for a table
  uint64_t (*value)(const CounterSummary&);
  Evidence evidence = Evidence::described;
  Limit limit = Limit::none;

  std::optional<uint64_t> figure(const CounterSummary& summary) const;  // nothing where the limit applies
};

// Metrics that recordings contain but that an execution cannot predict.
struct UnpredictedMetric {
  const char *name, *reason;
};
std::span<const UnpredictedMetric> unpredicted_metrics();

// In the order in which a table lists them.
std::span<const NcuMetric> ncu_metrics();
const NcuMetric* find_ncu_metric(std::string_view name);  // or null

}  // namespace gemmscope::metrics
