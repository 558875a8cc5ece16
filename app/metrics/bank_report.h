// Shared-memory behaviour of a kernel, one row for each of its shared-memory instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/counters.h"

namespace gemmscope::metrics {

struct BankRow {
  uint32_t instruction = 0;
  machine::Direction direction = machine::Direction::load;
  uint8_t width_bytes = 4;
  uint64_t executions = 0;               // with an active lane
  uint64_t wavefronts = 0, minimum = 0;  // of copies the least that a GPU counts (metrics/copied_lanes.h)
  int worst_degree = 0;                  // the n of the worst n-way conflict among its executions
  size_t worst_record = 0;               // the first record of the trace that has it
  uint64_t excess() const { return wavefronts - minimum; }
};

// The rows are in code order. Counts cover the trace.
std::vector<BankRow> bank_report(const machine::Trace& trace);

}  // namespace gemmscope::metrics
