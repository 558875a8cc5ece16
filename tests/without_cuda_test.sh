#!/usr/bin/env bash
# The programs without the CUDA Toolkit, from the folder of a build: tests/without_cuda_test.sh build/release. The preset
# "no-cuda" configures, the program makes its report from the prebuilt machine code, the GPU runner says what is missing.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
report=$build/without_cuda

configured=$(cmake --preset no-cuda -DGEMMSCOPE_TESTS=OFF -B "$report/configured" 2>&1) || { echo "$configured"; exit 1; }
if [[ $configured != *"No CUDA Toolkit"* ]]; then
  echo "FAILED: the preset no-cuda still uses a CUDA Toolkit: $configured" >&2
  exit 1
fi

program=$build/tests/gemmscope_without_cuda
if ldd "$program" | grep -iE 'nvrtc|libcuda|cudart|cublas'; then
  echo "FAILED: the program still needs the CUDA libraries above" >&2
  exit 1
fi
rm -rf "$report/out" "$report/cache"
# Nothing from a build with the toolkit may help: an empty cache, and no display.
export XDG_CACHE_HOME=$report/cache
env -u DISPLAY -u WAYLAND_DISPLAY "$program" report --out "$report/out" >"$report/text"
pictures=$(find "$report/out" -name '*.png' -size +1k | wc -l)
if [ "$pictures" -eq 0 ]; then
  echo "FAILED: the report in $report/out has no picture" >&2
  exit 1
fi
if ! grep -q 'prebuilt' "$report/text"; then
  echo "FAILED: the report does not say that the machine code is prebuilt:" >&2
  head -5 "$report/text" >&2
  exit 1
fi
reply=$(echo '{"gemmscope_gpu":1,"id":1,"request":"hello"}' | "$build/tests/gpu_runner_without_cuda")
if [[ $reply != *"without the CUDA Toolkit"* ]]; then
  echo "FAILED: the GPU runner does not say that it has no toolkit: $reply" >&2
  exit 1
fi
echo "without CUDA: $pictures pictures in $report/out"
