#!/usr/bin/env bash
# Fuzzes every target, two (JOBS) at a time: tests/fuzz/run.sh [SECONDS each, 300] [target …]. Needs clang. What breaks is
# written to build/fuzz/found/ and makes the exit code 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-300}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(cubin launch machine instruction vectors description outline parameter expression entry protocol)

launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
cmake --preset fuzz "${launcher[@]}" >/dev/null
cmake --build --preset fuzz
build/fuzz/fuzz_seeds build/fuzz/corpus
mkdir -p build/fuzz/found

fuzz() {
  local log=build/fuzz/$1.log code=0 length
  # The longest seed, and some room; texts and lines are shorter.
  length=$(find "build/fuzz/corpus/$1" -size -64k -printf '%s\n' | sort -n | tail -1)
  build/fuzz/fuzz_"$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=$((length + 64)) \
    -artifact_prefix="build/fuzz/found/$1-" -print_final_stats=1 "build/fuzz/corpus/$1" >"$log" 2>&1 || code=$?
  echo "$1: $(awk '/number_of_executed_units/ { print $2 }' "$log") executions, exit code $code"
  return "$code"
}
export -f fuzz
printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c "fuzz {} $seconds"
