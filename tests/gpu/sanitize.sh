#!/usr/bin/env bash
# compute-sanitizer over every kernel of the catalogue (ladder, workbench, labs) at ragged sizes, each toggle's values in
# turn, on a computer with an NVIDIA GPU. One line a kernel and tool; status 1 if any tool found anything.
#
#   tests/gpu/sanitize.sh FOLDER [TOOL…]
#
# FOLDER holds the programs: a build folder, or what `tests/gpu/measure_on_gpu.sh --pack FOLDER` made. TOOL is memcheck,
# racecheck, initcheck or synccheck; without one, all four. GEMMSCOPE_SANITIZE_ONLY names the kernels to take (separated
# by spaces), GEMMSCOPE_SANITIZE_JOBS how many run at a time (6), GEMMSCOPE_SANITIZER the program compute-sanitizer.
#
# First each tool must find a mistake made on purpose, its own (tests/data/gpu/sanitizer/broken.cu): one that finds
# nothing there sees nothing of the runner's process, and its silence says nothing.
#
# All launches of a file run in order on the same buffers, and a lab's reference. Under initcheck
# the memory of buffers that hold nothing at first (a lab's results, C where beta is 0) stays as the allocation left it.
#
# What it cannot see: the runner keeps 4 KB of guard words around each of a product's buffers, where a stray read goes
# unnoticed here (the runner reports a write). The execution on the CPU checks that.
set -euo pipefail
if [ $# -lt 1 ]; then
  sed -n '2,19s/^# \{0,1\}//p' "$0"
  exit 2
fi
folder=$(realpath "$1")
shift
tools=("$@")
[ ${#tools[@]} -gt 0 ] || tools=(memcheck racecheck initcheck synccheck)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export GEMMSCOPE_DATA=$PWD
export sanitizer=${GEMMSCOPE_SANITIZER:-$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)}
export program=$folder/tests/gpu_device_test
[ -x "$sanitizer" ] || { echo "there is no $sanitizer; install the CUDA Toolkit, or set GEMMSCOPE_SANITIZER" >&2; exit 2; }
[ -x "$program" ] || { echo "there is no $program; tests/gpu/measure_on_gpu.sh --pack makes it" >&2; exit 2; }
export work
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run TOOL KERNEL [TOGGLE=VALUE] fills $work/NAME.report (the tool's) and $work/NAME.log (the program's), and prints the
# name, the tool's result and its first words.
run() {
  local tool=$1 kernel=$2 toggle=${3:-} name status=0
  name=$(basename "$kernel" .cu).$tool${toggle:+.$toggle}
  local options=(--tool "$tool" --target-processes all --print-limit 20 --log-file "$work/$name.report")
  [ "$tool" = racecheck ] && options+=(--racecheck-report all)
  # The runner queries parameters until the driver reports that there are no more.
  [ "$tool" = memcheck ] && options+=(--report-api-errors no)
  local unwritten=
  [ "$tool" = initcheck ] && unwritten=1
  GEMMSCOPE_SANITIZE_KERNEL=$kernel GEMMSCOPE_SANITIZE_TOGGLE=$toggle GEMMSCOPE_SANITIZE_UNWRITTEN=$unwritten timeout 580 "$sanitizer" "${options[@]}" \
    "$program" --gtest_filter=GpuSanitize.Launches >"$work/$name.log" 2>&1 || status=$?
  local launched summaries found
  launched=$(sed -n 's/^launched //p' "$work/$name.log" | tail -1)
  summaries=$(grep -cE 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/$name.report" 2>/dev/null || true)
  found=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/$name.report" 2>/dev/null |
    grep -cvE 'SUMMARY: 0 (errors|hazards)' || true)
  if [ "${summaries:-0}" -eq 0 ]; then
    echo "$name FAILED: $tool gave no summary (status $status)"
  elif [ "${found:-0}" -gt 0 ]; then
    echo "$name FOUND: $(grep -m1 -hE 'Invalid|Uninitialized|hazard|Race reported|Barrier error|Error:|Program hit' \
      "$work/$name.report" | sed 's/^=* *//' || true)"
  elif [ "$status" -ne 0 ] || [ "${launched:-0}" -eq 0 ]; then
    echo "$name FAILED: the program ended with status $status after ${launched:-0} launches"
  else
    echo "$name clean, $launched launches"
  fi
}
export -f run

wrong=0
for tool in "${tools[@]}"; do
  case $tool in
    memcheck) mistake=MISTAKE=1 words=Invalid ;;
    racecheck) mistake=MISTAKE=2 words='Race|hazard' ;;
    initcheck) mistake=MISTAKE=3 words=Uninitialized ;;
    synccheck) mistake=MISTAKE=4 words=Barrier ;;
    *) echo "there is no tool $tool: memcheck, racecheck, initcheck, synccheck" >&2; exit 2 ;;
  esac
  verdict=$(run "$tool" "$PWD/tests/data/gpu/sanitizer/broken.cu" "$mistake")
  echo "on purpose: $verdict"
  if ! grep -qE " FOUND: .*($words)" <<<"$verdict"; then
    echo "$tool does not see its mistake made on purpose ($words); what it wrote:" >&2
    cat "$work"/broken."$tool"*.report "$work"/broken."$tool"*.log >&2 || true
    wrong=1
  fi
done

GEMMSCOPE_SANITIZE_LIST=$work/kernels "$program" --gtest_filter=GpuSanitize.ListsTheKernels >"$work/list.log" ||
  { cat "$work/list.log" >&2; exit 1; }
if [ -n "${GEMMSCOPE_SANITIZE_ONLY:-}" ]; then tr ' ' '\n' <<<"$GEMMSCOPE_SANITIZE_ONLY" >"$work/kernels"; fi

while read -r kernel; do
  for tool in "${tools[@]}"; do printf '%s %s\n' "$tool" "$kernel"; done
done <"$work/kernels" | xargs -P "${GEMMSCOPE_SANITIZE_JOBS:-6}" -L 1 bash -c 'run "$@"' run | tee "$work/verdicts"

planned=$(($(wc -l <"$work/kernels") * ${#tools[@]}))
clean=$(grep -c ' clean, ' "$work/verdicts" || true)
grep -v ' clean, ' "$work/verdicts" | while read -r name _; do
  echo "--- $name"
  cat "$work/$name.report" 2>/dev/null | head -60 || true
  tail -20 "$work/$name.log"
done >&2 || true
echo "$clean of $planned runs clean"
[ "$wrong" -eq 0 ] && [ "$clean" -eq "$planned" ]
