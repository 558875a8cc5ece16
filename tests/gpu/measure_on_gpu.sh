#!/usr/bin/env bash
# The tests that need a GPU, and the facts that belong to their results.
#
#   tests/gpu/measure_on_gpu.sh                  builds in build/gpu if needed and runs ctest -L gpu
#   tests/gpu/measure_on_gpu.sh --pack FOLDER    on a computer with the packages: builds programs that need none of them,
#                                                puts them into FOLDER, and runs nothing
#   tests/gpu/measure_on_gpu.sh --packed FOLDER  on the computer with the GPU, in the same tree: runs those
#
# GEMMSCOPE_BUILD names another build folder than build/gpu. With GEMMSCOPE_GPU_TRANSCRIPT=FILE a conversation with the
# runner is recorded, for tests/data/gpu, and with GEMMSCOPE_GPU_TIMING_TRANSCRIPT=FILE one about timings, for
# tests/data/gpu/h200_timing.transcript: once it is there, CMake adds timing_transcript_test. GEMMSCOPE_GPU_LAB_TRANSCRIPT
# likewise, for tests/data/gpu/h200_lab.transcript and lab_transcript_test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=${GEMMSCOPE_BUILD:-build/gpu}
programs=(gemmscope gemmscope-gpu-runner tests/gpu_device_test tests/instruction_device_test
          tests/workbench_device_test)

# configure OPTION… leaves out the window, which a compute server does not need.
configure_and_build() {
  local options=()
  command -v ninja >/dev/null && [ ! -f "$build/CMakeCache.txt" ] && options+=(-G Ninja)
  command -v ccache >/dev/null && options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S . -B "$build" "${options[@]}" -DCMAKE_BUILD_TYPE=Release -DGEMMSCOPE_WINDOW=OFF "$@"
  cmake --build "$build" --parallel "$(nproc)" --target gemmscope gemmscope-gpu-runner gpu_device_test instruction_device_test workbench_device_test
}

print_facts() {
  echo "date:    $(date -u '+%Y-%m-%d %H:%M UTC')"
  echo "commit:  $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
  echo "device:  $(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null || echo 'nvidia-smi shows none')"
  echo "driver:  $(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null || echo unknown)"
  local nvcc
  nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  echo "toolkit: $("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([^,]*\), /CUDA \1 /p' || true)"
  local hello
  hello=$(echo '{"gemmscope_gpu":1,"id":1,"request":"hello"}' | "$1/gemmscope-gpu-runner")
  echo "runner:  $hello"
  if [[ $hello != *'"device"'* ]]; then
    echo "FAILED: without a GPU there is nothing to measure" >&2
    return 1
  fi
}

case "${1:-}" in
  --pack)
    folder=${2:?"--pack needs a folder"}
    configure_and_build -DGEMMSCOPE_PORTABLE=ON
    mkdir -p "$folder/tests"
    for program in "${programs[@]}"; do strip -o "$folder/$program" "$build/$program"; done
    echo "In $folder, these shared libraries are needed on the other computer:"
    for program in "${programs[@]}"; do ldd "$folder/$program"; done | awk '{ print "  " $1 }' | sort -u
    ;;
  --packed)
    folder=$(realpath "${2:?"--packed needs a folder"}")
    chmod +x "${programs[@]/#/$folder/}"
    print_facts "$folder"
    # The folder holds programs only: kernels and assets are in this tree.
    export GEMMSCOPE_DATA=$PWD
    "$folder/tests/instruction_device_test"
    "$folder/tests/workbench_device_test"
    exec "$folder/tests/gpu_device_test"
    ;;
  "")
    configure_and_build
    print_facts "$build"
    exec ctest --test-dir "$build" -L gpu --output-on-failure --verbose
    ;;
  *)
    echo "unknown argument $1; the first lines of this script say what there is" >&2
    exit 2
    ;;
esac
