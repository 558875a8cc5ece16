#include "scenes/figure_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gemmscope::scenes {
namespace {

struct Named {
  const char *id, *title, *nsight;
};

// In the order of KeyNumber.
constexpr Named kNumbers[kKeyNumbers] = {
    {"warp_instructions", "Warp instructions", "smsp__inst_executed.sum"},
    {"flops", "FLOPs", ""},
    {"port_cycles", "Port cycles of an FFMA of the main loop", ""},
    {"global_sectors", "Global sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum + l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum + "
     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum + l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
    {"excess_sectors", "Excess sectors of global memory", ""},
    {"wavefronts", "Shared wavefronts", "memory_l1_wavefronts_shared"},
    {"excess_wavefronts", "Excess wavefronts of shared memory: bank conflicts",
     "derived__memory_l1_wavefronts_shared_excessive"},
    {"registers", "Registers of a thread", "launch__registers_per_thread"},
    {"spills", "Spills: bytes of registers in local memory", ""},
    {"blocks_per_sm", "Blocks on an SM",
     "the least of launch__occupancy_limit_blocks, launch__occupancy_limit_registers, "
     "launch__occupancy_limit_shared_mem and launch__occupancy_limit_warps"},
    {"time", "Time of a launch", "gpu__time_duration.sum"},
};

// In the order of CodeColumn. The names are those of the source page.
constexpr Named kColumns[kCodeColumns] = {
    {"executions", "Column: executions of each instruction", "inst_executed"},
    {"wavefronts", "Column: shared wavefronts of each instruction", "memory_l1_wavefronts_shared"},
    {"excess_wavefronts", "Column: excess wavefronts of each instruction",
     "derived__memory_l1_wavefronts_shared_excessive"},
    {"sectors", "Column: sectors of each instruction", ""},
    {"excess_sectors", "Column: excess sectors of each instruction", ""},
    {"exposed", "Column: exposed latency (modelled)", ""},
    {"stalled", "Column: stalls (modelled)", ""},
    {"ports", "Column: register banks of each operand slot", ""},
    {"lost_ports", "Column: cycles that each instruction loses to register ports", ""},
};

// In the order of metrics::kTrafficKinds.
constexpr const char* kKinds[metrics::kTrafficKinds.size()] = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum, which counts asynchronous copies too",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum for copies through L1",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum",
    "",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"};

FigureName make(const char* prefix, const Named& named, FigurePlace place) {
  return {fmt::format("{}.{}", prefix, named.id), named.title, place, named.nsight};
}

std::string with_underscores(std::string text) {
  std::ranges::replace(text, ' ', '_');
  return text;
}

std::vector<FigureName> make_names() {
  std::vector<FigureName> names;
  for (const Named& named : kNumbers) names.push_back(make("numbers", named, FigurePlace::numbers));
  for (const Named& named : kColumns) names.push_back(make("code", named, FigurePlace::code_column));
  for (size_t i = 0; i < metrics::kTrafficKinds.size(); ++i) {
    const metrics::TrafficKind& kind = metrics::kTrafficKinds[i];
    names.push_back({"report." + with_underscores(kind.name),
                     fmt::format("{}: {}", kind.shared ? "Wavefronts" : "Sectors", kind.name),
                     FigurePlace::report, kKinds[i]});
  }
  names.push_back({"report.shared_bytes", "Shared memory of a block", FigurePlace::report,
                   "launch__shared_mem_per_block_static + launch__shared_mem_per_block_dynamic"});
  names.push_back({"report.barriers", "Barriers of a block", FigurePlace::report, ""});
  return names;
}

const std::vector<FigureName>& names() {
  static const std::vector<FigureName> all = make_names();
  return all;
}

}  // namespace

std::span<const FigureName> figure_names() { return names(); }
const FigureName& figure_name(KeyNumber number) { return names()[static_cast<size_t>(number)]; }
const FigureName& figure_name(CodeColumn column) {
  return names()[kKeyNumbers + static_cast<size_t>(column)];
}
const FigureName& figure_name(const metrics::TrafficKind& kind) {
  const auto index = std::ranges::find(metrics::kTrafficKinds, kind.member, &metrics::TrafficKind::member) -
                     metrics::kTrafficKinds.begin();
  return names()[static_cast<size_t>(kKeyNumbers + kCodeColumns + index)];
}

const FigureName* find_figure(std::string_view id) {
  const auto found = std::ranges::find(names(), id, &FigureName::id);
  return found == names().end() ? nullptr : &*found;
}

std::string nsight_line(const FigureName& figure) {
  return figure.nsight.empty() ? "No Nsight Compute name." : "Nsight Compute: " + figure.nsight;
}

}  // namespace gemmscope::scenes
