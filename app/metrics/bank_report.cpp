#include "metrics/bank_report.h"

#include <map>

#include "metrics/copied_lanes.h"

namespace gemmscope::metrics {

std::vector<BankRow> bank_report(const machine::Trace& trace) {
  std::map<uint32_t, BankRow> rows;
  for (size_t i = 0; i < trace.records.size(); ++i) {
    const machine::TraceRecord& record = trace.records[i];
    for (const machine::TraceAccess& access : trace.accesses_of(record)) {
      // An H200 counts no wavefronts of bulk copies.
      if (access.space != machine::Space::shared || access.path == machine::Path::bulk_copy) continue;
      BankRow& row = rows[record.instruction];
      row.instruction = record.instruction;
      row.direction = access.direction;
      row.width_bytes = access.width_bytes;
      ++row.executions;
      const SharedAccess shared = shared_access(access);
      const BankCount count = count_wavefronts(sure_access(trace, record, access));
      row.wavefronts += static_cast<uint64_t>(count.wavefronts);
      row.minimum += static_cast<uint64_t>(count.minimum);
      if (const int degree = conflict_degree(shared); degree > row.worst_degree) {
        row.worst_degree = degree;
        row.worst_record = i;
      }
    }
  }
  std::vector<BankRow> report;
  for (const auto& [instruction, row] : rows) report.push_back(row);
  return report;
}

}  // namespace gemmscope::metrics
