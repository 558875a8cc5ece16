#include "metrics/ncu_metrics.h"

namespace gemmscope::metrics {
namespace {

using S = CounterSummary;

// The smsp__sass_ metrics come from code that Nsight Compute inserts, which skips instructions whose guard is
// false for the whole warp. The others come from hardware counters.
constexpr NcuMetric kMetrics[] = {
    {"smsp__inst_executed.sum", "warp instructions", [](const S& s) { return s.warp_instructions; },
     Evidence::recorded},
    {"smsp__sass_thread_inst_executed_pred_on.sum", "thread instructions",
     [](const S& s) { return s.thread_instructions; }, Evidence::recorded},
    {"smsp__sass_inst_executed_op_global_ld.sum", "warp instructions: global loads",
     [](const S& s) { return s.traffic.global_load.requests; }, Evidence::recorded},
    {"smsp__sass_inst_executed_op_global_st.sum", "warp instructions: global stores",
     [](const S& s) { return s.traffic.global_store.requests; }, Evidence::recorded},
    {"smsp__sass_inst_executed_op_shared_ld.sum", "warp instructions: shared loads",
     [](const S& s) { return s.traffic.shared_load.requests; }, Evidence::recorded},
    {"smsp__sass_inst_executed_op_shared_st.sum", "warp instructions: shared stores",
     [](const S& s) { return s.traffic.shared_store.requests; }, Evidence::recorded},
    {"smsp__sass_inst_executed_op_ldgsts.sum", "warp instructions: async copies",
     [](const S& s) { return s.traffic.async_shared.requests; }, Evidence::recorded},
    {"smsp__sass_inst_executed_op_ldsm.sum", "warp instructions: matrix loads",
     [](const S& s) { return s.traffic.matrix_load.requests; }, Evidence::recorded},
    {"smsp__sass_inst_executed_op_local_ld.sum", "warp instructions: local loads",
     [](const S& s) { return s.executed.local_load; }, Evidence::recorded},
    {"smsp__inst_executed_op_local_st.sum", "warp instructions: local stores",
     [](const S& s) { return s.executed.local_store; }, Evidence::recorded},
    {"smsp__inst_executed_op_global_red.sum", "warp instructions: global reductions",
     [](const S& s) { return s.executed.global_reduce; }, Evidence::recorded},
    {"sm__inst_executed_pipe_tensor.sum", "warp instructions: tensor",
     [](const S& s) { return s.executed.tensor; }, Evidence::recorded},
    {"sm__inst_executed_pipe_tensor_op_hmma.sum", "warp instructions: tensor (floating point)",
     [](const S& s) { return s.executed.tensor_hmma; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "thread instructions: FFMA",
     [](const S& s) { return s.ffma; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "thread instructions: FADD",
     [](const S& s) { return s.fadd; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "thread instructions: FMUL",
     [](const S& s) { return s.fmul; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "thread instructions: DFMA",
     [](const S& s) { return s.dfma; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "thread instructions: DADD",
     [](const S& s) { return s.dadd; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "thread instructions: DMUL",
     [](const S& s) { return s.dmul; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", "thread instructions: HFMA",
     [](const S& s) { return s.hfma; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "thread instructions: HADD",
     [](const S& s) { return s.hadd; }, Evidence::recorded},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", "thread instructions: HMUL",
     [](const S& s) { return s.hmul; }, Evidence::recorded},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "requests: global loads and async copies",
     [](const S& s) { return s.traffic.global_load.requests + s.traffic.async_global.requests; },
     Evidence::recorded},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors: global loads and async copies",
     [](const S& s) { return s.traffic.global_load.sectors + s.traffic.async_global.sectors; },
     Evidence::recorded},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "requests: global stores",
     [](const S& s) { return s.traffic.global_store.requests; }, Evidence::recorded},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sectors: global stores",
     [](const S& s) { return s.traffic.global_store.sectors; }, Evidence::recorded},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "requests: global atomics",
     [](const S& s) { return s.traffic.global_atomic.requests; }, Evidence::recorded},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "sectors: global atomics",
     [](const S& s) { return s.traffic.global_atomic.sectors; }, Evidence::recorded},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "requests: global reductions",
     [](const S& s) { return s.traffic.global_reduce.requests; }, Evidence::recorded},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "sectors: global reductions",
     [](const S& s) { return s.traffic.global_reduce.sectors; }, Evidence::recorded},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "requests: local loads",
     [](const S& s) { return s.traffic.local_load.requests; }, Evidence::recorded},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "sectors: local loads",
     [](const S& s) { return s.traffic.local_load.sectors; }, Evidence::recorded},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "requests: local stores",
     [](const S& s) { return s.traffic.local_store.requests; }, Evidence::recorded},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "sectors: local stores",
     [](const S& s) { return s.traffic.local_store.sectors; }, Evidence::recorded},
    {"sm__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
     "requests: async copies through L1",
     [](const S& s) { return s.traffic.async_global.requests - s.async_bypass.requests; },
     Evidence::recorded},
    {"sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
     "sectors: async copies through L1",
     [](const S& s) { return s.traffic.async_global.sectors - s.async_bypass.sectors; }, Evidence::recorded},
    {"sm__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum",
     "requests: async copies past L1", [](const S& s) { return s.async_bypass.requests; },
     Evidence::recorded},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared wavefronts: shared loads",
     [](const S& s) { return s.traffic.shared_load.wavefronts; }, Evidence::recorded},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared wavefronts: shared stores",
     [](const S& s) { return s.traffic.shared_store.wavefronts; }, Evidence::recorded},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", "shared wavefronts: async copies",
     [](const S& s) { return s.traffic.async_shared.wavefronts; }, Evidence::recorded, Limit::no_copies},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum", "shared wavefronts: matrix loads",
     [](const S& s) { return s.traffic.matrix_load.wavefronts; }, Evidence::recorded},
    {"smsp__inst_executed_op_shared_atom.sum", "warp instructions: shared atomics",
     [](const S& s) { return s.executed.shared_atomic; }, Evidence::recorded},
};

constexpr UnpredictedMetric kUnpredicted[] = {
    {"sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum",
     "sectors of copies past L1 as the inserted code counts them, otherwise than the chip"},
    {"smsp__thread_inst_executed_pred_on.sum",
     "thread instructions as the chip counts them: some lanes twice where a warp rejoins in three parts"},
};

}  // namespace

bool has_copies(const CounterSummary& summary) { return summary.traffic.async_shared.requests > 0; }

std::optional<uint64_t> NcuMetric::figure(const CounterSummary& summary) const {
  if (limit == Limit::no_copies && has_copies(summary)) return std::nullopt;
  return value(summary);
}

std::span<const UnpredictedMetric> unpredicted_metrics() { return kUnpredicted; }

std::span<const NcuMetric> ncu_metrics() { return kMetrics; }

const NcuMetric* find_ncu_metric(std::string_view name) {
  for (const NcuMetric& metric : kMetrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

}  // namespace gemmscope::metrics
