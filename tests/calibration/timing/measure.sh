#!/usr/bin/env bash
# Times and profiles what plan.py lists, on a computer with a GPU.
#
#   tests/calibration/timing/measure.sh FOLDER PLAN OUTPUT PART…
#
# FOLDER holds the programs (`tests/gpu/measure_on_gpu.sh --pack FOLDER`), PLAN what plan.py wrote. A PART is a size of the
# plan, such as 1024, whose times go to OUTPUT/h200_SIZE.json; `ncu_1` and so on, Nsight Compute's stalls with caches as the
# launches before left them; or `ncu_cold`, the ladder's with caches emptied before each launch.
set -uo pipefail
folder=$(realpath "$1") plan=$(realpath "$2") output=$(realpath "$3")
shift 3
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
export GEMMSCOPE_DATA=$PWD
samples() { case $1 in 8192) echo 7 ;; 4096) echo 12 ;; *) echo 30 ;; esac; }

# time_size SIZE: the first kernel of the list goes with --only, or the whole catalogue would be timed too.
time_size() {
  local only=() also=() line
  while read -r line; do
    [ ${#only[@]} -eq 0 ] && only=(--only "${line%%:*}")
    [ "$line" = "${only[1]}" ] || also+=(--also "$line")
  done <"$plan/record_$1.txt"
  (cd "$output" && "$folder/gemmscope" record --size "$1" --samples "$(samples "$1")" "${only[@]}" "${also[@]}" \
    -o "h200_$1.json") >"$output/record_$1.log" 2>&1
  echo "$1: exit status $?, $SECONDS s since the start; $(grep -c ' ms, ' "$output/record_$1.log") timed"
}

reasons=(barrier branch_resolving dispatch_stall drain gmma imc_miss lg_throttle long_scoreboard math_pipe_throttle membar
         mio_throttle misc no_instruction not_selected selected short_scoreboard sleeping tex_throttle wait)
pipes=(adu alu cbu fma fmaheavy fmalite fp16 fp64 lsu tensor tensor_op_hmma tex uniform xu)
metrics=(gpu__time_duration.sum sm__cycles_elapsed.max sm__cycles_active.avg smsp__issue_active.avg smsp__inst_executed.sum
         smsp__inst_issued.sum sm__warps_active.avg.pct_of_peak_sustained_active l1tex__t_sector_hit_rate.pct
         lts__t_sector_hit_rate.pct lts__t_sectors_op_read.sum lts__t_sectors_op_write.sum lts__t_sectors_srcunit_tex.sum
         lts__t_sectors_srcunit_tex_lookup_miss.sum dram__bytes_read.sum dram__bytes_write.sum
         launch__registers_per_thread launch__occupancy_limit_registers launch__occupancy_limit_shared_mem
         launch__occupancy_limit_warps launch__occupancy_limit_blocks launch__waves_per_multiprocessor
         l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum
         l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum
         l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum
         l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_miss.sum
         l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
         l1tex__m_xbar2l1tex_read_bytes.sum l1tex__m_l1tex2xbar_write_bytes.sum l1tex__m_l1tex2xbar_req_cycles_active.avg
         l1tex__data_pipe_lsu_wavefronts.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
         l1tex__lsu_writeback_active.avg l1tex__lsu_writeback_active_mem_lg.avg l1tex__data_bank_reads.avg
         l1tex__data_bank_writes.avg l1tex__lsuin_requests.sum idc__requests.sum idc__requests_lookup_miss.sum
         sm__icc_requests.sum sm__icc_requests_lookup_hit.sum sm__icc_requests_lookup_miss.sum gcc__requests.sum
         sm__throughput.avg.pct_of_peak_sustained_elapsed smsp__inst_executed_op_branch.sum)
metrics+=("${reasons[@]/#/smsp__average_warps_issue_stalled_}")
metrics+=("${pipes[@]/#/sm__inst_executed_pipe_}" "${pipes[@]/#/sm__pipe_}")
for i in "${!metrics[@]}"; do
  case ${metrics[i]} in
    smsp__average_warps*) metrics[i]+=_per_issue_active.ratio ;;
    sm__inst_executed_pipe_*) metrics[i]+=.avg.pct_of_peak_sustained_active ;;
    sm__pipe_*) metrics[i]+=_cycles_active.avg.pct_of_peak_sustained_active ;;
  esac
done

# Those whose base name this ncu lists; launch__ has a list of its own, which is taken as known.
known_metrics() {
  ncu --query-metrics --chip gh100 2>/dev/null | awk '{ print $1 }' | sort -u >"$output/known_metrics.txt"
  local metric
  for metric in "${metrics[@]}"; do
    case $metric in
      launch__* | smsp__average_warps*) echo "$metric" ;;
      *) grep -qx "${metric%%.*}" "$output/known_metrics.txt" && echo "$metric" ;;
    esac
  done | paste -sd,
}

# profile PLAN NAME OPTIONS
profile() {
  GEMMSCOPE_METRICS=$(known_metrics) GEMMSCOPE_CALIBRATION_PLAN=$1 GEMMSCOPE_NCU_OPTIONS=$3 \
    tests/calibration/record_ncu.sh "$folder" "$output/$2" >"$output/$2.log" 2>&1
  echo "$2: exit status $?, $SECONDS s since the start; $(tail -1 "$output/$2.log")"
}

for part in "$@"; do
  case $part in
    ncu_cold) profile "$plan/ncu_cold.csv" ncu_cold.csv "--cache-control all" ;;
    ncu_*) profile "$plan/$part.csv" "$part.csv" "--cache-control none" ;;
    *) time_size "$part" ;;
  esac
done
