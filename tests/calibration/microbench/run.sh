#!/usr/bin/env bash
# Runs all microbenchmarks on a computer with an H200 (or another GPU of compute capability 9.0), nvcc and python3:
# tests/calibration/microbench/run.sh OUTPUT. Half a minute; each part prints into a file of its own.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
output=${1:?"where to?"}
mkdir -p "$output"
nvcc -cubin -arch sm_90 -o "$output/streams.cubin" templates.cu &&
  nvcc -cubin -arch sm_90 -DFETCH -o "$output/fetch.cubin" templates.cu &&
  nvcc -cubin -arch sm_90 -o "$output/memory.cubin" memory.cu || exit
export PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# A part with a mistake in its instructions can hang or lose the device: each has its own process and its own time.
for part in ports switch order orders beside mixed loads branch fetch cold random; do
  timeout 40 python3 run_streams.py "$output/streams.cubin" "$output/fetch.cubin" $part >"$output/$part.txt" || echo "FAILED: $part" >&2
done
run_part() { timeout 90 python3 run_streams.py "$output/streams.cubin" "$output/fetch.cubin" "$1"; }
for part in free_slots hole pipes writes; do run_part $part >"$output/$part.txt" || echo "FAILED: $part" >&2; done
for part in free_slots hole; do PAIRS=1 run_part $part >"${output}/${part}_pairs.txt" || echo "FAILED: $part" >&2; done
UNIFORM=1 run_part free_slots >"$output/free_slots_uniform.txt" || echo "FAILED: free_slots" >&2
# With the folder that gemmscope_without wrote, which needs no GPU: run_without.py FOLDER >without.txt
for part in local rows tiles many_tiles sets granularity turnover stream hits hit_order fixed overlap first blocks atomics; do
  timeout 60 python3 run_memory.py "$output/memory.cubin" $part >"$output/$part.txt" || echo "FAILED: $part" >&2
done
nvcc -cubin -arch sm_90 -o "$output/queues.cubin" queues.cu &&
  timeout 60 python3 run_memory.py "$output/queues.cubin" queues >"$output/queues.txt" || echo "FAILED: queues" >&2
nvcc -cubin -arch sm_90 -o "$output/tensor.cubin" tensor.cu &&
  for part in tensor beside; do timeout 40 python3 run_tensor.py "$output/tensor.cubin" $part; done >"$output/tensor.txt" ||
  echo "FAILED: tensor" >&2
nvcc -cubin -arch sm_90 -o "$output/shared.cubin" shared.cu &&
  timeout 100 python3 run_shared.py "$output/shared.cubin" >"$output/shared.txt" || echo "FAILED: shared" >&2
nvcc -cubin -arch sm_90 -o "$output/crossbar.cubin" crossbar.cu &&
  timeout 60 python3 run_crossbar.py "$output/crossbar.cubin" >"$output/crossbar.txt" || echo "FAILED: crossbar" >&2
for part in l1 fairness stores sectors arrivals clocks; do
  nvcc -arch sm_90 -std=c++17 -O3 -o "$output/$part" $part.cu && timeout 60 "$output/$part" >"$output/$part.txt" ||
    echo "FAILED: $part" >&2
done
nvcc -arch sm_90 -std=c++17 -O3 -o "$output/copies" copies.cu && timeout 20 "$output/copies" >"$output/copies.txt" ||
  echo "FAILED: copies" >&2
# Blocks of the fit half's kernels: minutes of nvcc.
grep ',2048x2048x1024,fit$' ../timing/split.csv | grep '^[0-9w]' | cut -d, -f1-3 >"$output/cases.txt"
python3 run_blocks.py make "$output/blocks" "$output/cases.txt" && python3 run_blocks.py run "$output/blocks" "$output" ||
  echo "FAILED: blocks" >&2
metrics=l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum
metrics+=,l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum
metrics+=,l1tex__m_l1tex2xbar_write_bytes.sum,l1tex__m_xbar2l1tex_read_bytes.sum
if command -v ncu >/dev/null; then
  timeout 60 ncu --clock-control none --cache-control none --csv --page raw --print-units base --metrics $metrics \
    --log-file "$output/local_profile.csv" python3 run_memory.py "$output/memory.cubin" local_profile
  metrics=l1tex__m_l1tex2xbar_write_bytes.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,sm__cycles_active.avg
  timeout 60 ncu --clock-control none --cache-control none --csv --page raw --print-units base --metrics $metrics \
    --kernel-name add --log-file "$output/stores_profile.csv" "$output/stores"
fi
