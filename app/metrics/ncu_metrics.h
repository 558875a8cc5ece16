// The figures of a CounterSummary under the names of the Nsight Compute metrics that count the same, so that
// anybody can hold them beside its export.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "metrics/counters.h"

namespace gemmscope::metrics {

// Whether the metric has been read on a GPU and was equal. The rest follows from the metrics' descriptions.
enum class Evidence : uint8_t { recorded, described };

// Where a metric has no figure: wavefronts in shared memory of asynchronous copies that go past L1
// (LDGSTS.BYPASS) or whose lanes meet in a bank. They depend on when the bytes arrive: an H200 counts 2201 in
// one launch of 14_tensor_tf32 and 1418 in one that copies the very same bytes to the same places and only
// rounds its factors otherwise (ROUND=1); 1872 in the workbench with STAGES=2 and 2380 with STAGES=4.
enum class Limit : uint8_t { none, copies_in_order };
bool copies_in_order(const CounterSummary& summary);  // neither of the two

struct NcuMetric {
  const char* name;     // with its ".sum", as ncu takes and prints it
  const char* meaning;  // a few words for a table
  uint64_t (*value)(const CounterSummary&);
  Evidence evidence = Evidence::described;
  Limit limit = Limit::none;

  std::optional<uint64_t> figure(const CounterSummary& summary) const;  // nothing beyond the limit
};

// Metrics that recordings have and an execution cannot predict.
struct UnpredictedMetric {
  const char *name, *reason;
};
std::span<const UnpredictedMetric> unpredicted_metrics();

// In the order of a table: instructions, arithmetic, global, shared, local memory, tensor.
std::span<const NcuMetric> ncu_metrics();
const NcuMetric* find_ncu_metric(std::string_view name);  // or null

}  // namespace gemmscope::metrics
