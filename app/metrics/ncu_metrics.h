// The figures of a CounterSummary under the names of the Nsight Compute metrics that count the same, so that
// anybody can hold them beside its export.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "metrics/counters.h"

namespace gemmscope::metrics {

// Whether the metric has been read on a GPU and was equal. The rest follows from the metrics' descriptions.
enum class Evidence : uint8_t { recorded, described };

struct NcuMetric {
  const char* name;     // with its ".sum", as ncu takes and prints it
  const char* meaning;  // a few words for a table
  uint64_t (*value)(const CounterSummary&);
  Evidence evidence = Evidence::described;
};

// In the order of a table: instructions, arithmetic, global, shared, local memory, tensor.
std::span<const NcuMetric> ncu_metrics();
const NcuMetric* find_ncu_metric(std::string_view name);  // or null

}  // namespace gemmscope::metrics
