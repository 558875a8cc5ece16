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

// Where a metric has no figure. Copies past L1 (LDGSTS.BYPASS) of sectors that are on their way already seem
// to be counted once, twice or not at all: of two launches that copy 43 sectors again, an H200's chip
// counters miss 43 and 21, and the inserted code counts 21 too many and none. Their wavefronts in shared
// memory (160 and 80 where copies through L1 take 64) follow no rule that two launches could show.
enum class Limit : uint8_t { none, not_past_l1 };

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
