#!/usr/bin/env bash
# The program without the CUDA Toolkit: configures and builds build/no-cuda, then makes the headless report from the
# prebuilt machine code. Arguments are passed on to CMake.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=build/no-cuda
report=$build/smoke

cmake --preset no-cuda -DGEMMSCOPE_TESTS=OFF "$@"
cmake --build --preset no-cuda --target gemmscope

if ldd "$build/gemmscope" | grep -iE 'nvrtc|libcuda|cudart|cublas'; then
  echo "FAILED: the program still needs the CUDA libraries above" >&2
  exit 1
fi

rm -rf "$report"
# Nothing from a build with the toolkit may help: an empty cache, and no display.
env -u DISPLAY -u WAYLAND_DISPLAY XDG_CACHE_HOME="$PWD/$report/cache" "$build/gemmscope" report --out "$report"
pictures=$(find "$report" -name '*.png' -size +1k | wc -l)
if [ "$pictures" -eq 0 ]; then
  echo "FAILED: the report in $report has no picture" >&2
  exit 1
fi
echo "no-cuda: $pictures pictures in $report"
