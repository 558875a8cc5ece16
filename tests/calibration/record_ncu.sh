#!/usr/bin/env bash
# Records what Nsight Compute counts of every kernel, for tests/experiment/calibration_test.cpp. On a computer with a GPU
# and the right to read its counters; needs ncu, bash and awk.
#
#   tests/calibration/record_ncu.sh FOLDER OUTPUT.csv
#
# FOLDER holds the programs: a build folder, or what `tests/gpu/measure_on_gpu.sh --pack FOLDER` made. The metrics are
# those that `gemmscope counters --csv` names; GEMMSCOPE_METRICS=a.sum,b.sum names others. One that this ncu does not
# know is left out, and told. GEMMSCOPE_CALIBRATION_KERNELS=ID,ID records these kernels only, and
# GEMMSCOPE_CALIBRATION_PLAN=FILE the launches of a file (tests/gpu/calibration_launches.cpp). Other options of ncu, such
# as --cache-control none, go into GEMMSCOPE_NCU_OPTIONS.
set -euo pipefail
if [ $# -ne 2 ]; then
  sed -n '2,12s/^# \{0,1\}//p' "$0"
  exit 2
fi
folder=$(realpath "$1")
output=$2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export GEMMSCOPE_DATA=$PWD
ncu=${GEMMSCOPE_NCU:-$(command -v ncu || echo /usr/local/cuda/bin/ncu)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

metrics=${GEMMSCOPE_METRICS:-$("$folder/gemmscope" counters 01_naive_rows --m 1 --n 1 --k 1 --csv | awk -F, 'NR > 1 { print $(NF - 1) }' | paste -sd,)}
program=("$folder/tests/gpu_device_test" "--gtest_filter=GpuCalibration.*")
options=(--clock-control none --target-processes all --csv --page raw --print-units base ${GEMMSCOPE_NCU_OPTIONS:-})

# profile METRICS LAUNCHES: the CSV of so many launches (0: all) in $work/raw.csv, their list in $work/launches.
profile() {
  local limit=()
  [ "$2" -gt 0 ] && limit=(GEMMSCOPE_CALIBRATION_LIMIT="$2")
  rm -f "$work/raw.csv"
  env "${limit[@]}" GEMMSCOPE_CALIBRATION_LAUNCHES="$work/launches" \
    "$ncu" "${options[@]}" --log-file "$work/raw.csv" --metrics "$1" "${program[@]}" >"$work/program.log" 2>&1
}

# Which of the metrics this ncu knows: one launch with all of them, less those that it complains of.
for attempt in 1 2 3 4 5 6 7 8; do
  if profile "$metrics" 1 && grep -q '^"ID"' "$work/raw.csv"; then break; fi
  cat "$work/raw.csv" "$work/program.log" >"$work/complaint" 2>/dev/null || true
  kept=$(tr ',' '\n' <<<"$metrics" | while read -r metric; do
    base=${metric%%.*}
    if ! grep -E 'ERROR|WARN|[Ff]ailed|not (found|supported|available)' "$work/complaint" | grep -qw "$base"; then
      echo "$metric"
    fi
  done | paste -sd,)
  if [ "$kept" = "$metrics" ] || [ -z "$kept" ]; then
    echo "FAILED: ncu read nothing; it said:" >&2
    cat "$work/complaint" >&2
    exit 1
  fi
  comm -23 <(tr ',' '\n' <<<"$metrics" | sort) <(tr ',' '\n' <<<"$kept" | sort) | sed 's/^/not known to this ncu: /' >&2
  metrics=$kept
done

if ! profile "$metrics" 0; then
  cat "$work/program.log" "$work/raw.csv" >&2
  exit 1
fi

{
  echo "# Nsight Compute counters, whole grid; machine code by NVRTC $("$folder/gemmscope" counters 01_naive_rows --m 1 --n 1 --k 1 | sed -n 's/.*NVRTC \([0-9.]*\).*/\1/p' | head -1)."
  echo "# device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1 || true), $("$ncu" --version | tail -1), $(date -u +%Y-%m-%d)"
  echo "# command: ${GEMMSCOPE_CALIBRATION_KERNELS:+GEMMSCOPE_CALIBRATION_KERNELS=$GEMMSCOPE_CALIBRATION_KERNELS }ncu ${options[*]} --metrics $metrics gpu_device_test --gtest_filter='GpuCalibration.*'"
  echo "kernel,toggles,m,n,k,alpha,beta,$metrics"
  # Quoted fields, with commas between thousands; the first two lines are names and units.
  awk -v metrics="$metrics" -v list="$work/launches" '
    function fields(line, out,    n, i, c, quoted, text) {
      n = 0; text = ""; quoted = 0
      for (i = 1; i <= length(line); ++i) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { out[++n] = text; text = "" }
        else text = text c
      }
      out[++n] = text
      return n
    }
    BEGIN { wanted = split(metrics, name, ",") }
    /^"ID"/ { n = fields($0, head); for (i = 1; i <= n; ++i) column[head[i]] = i; seen = 1; next }
    seen == 1 { seen = 2; next }
    seen == 2 && /^"[0-9]/ {
      fields($0, value)
      if ((getline launch < list) <= 0) { print "more launches profiled than listed" > "/dev/stderr"; exit 1 }
      row = launch
      for (i = 1; i <= wanted; ++i) {
        text = value[column[name[i]]]
        gsub(",", "", text)
        if (!(name[i] in column) || text !~ /^[0-9]+(\.[0-9]*)?$/) text = ""
        sub(/\.0*$/, "", text)
        row = row "," text
      }
      print row
    }
    END { if ((getline launch < list) > 0) { print "fewer launches profiled than listed" > "/dev/stderr"; exit 1 } }
  ' "$work/raw.csv"
} >"$work/output.csv"
mv "$work/output.csv" "$output"
echo "$(grep -vc '^#\|^kernel,' "$output") launches, $(tr ',' '\n' <<<"$metrics" | wc -l) metrics in $output"
