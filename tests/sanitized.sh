#!/usr/bin/env bash
# The rooms that read foreign bytes, built and tested under the address and undefined-behaviour sanitizers: isa, cubin,
# compile, catalog, cuda_text, own_kernel, machine, metrics, fuzz. CI runs it after ./test.sh. The preset "asan" has all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source third_party/setup.sh

install_packages build test
werror=OFF
[ -n "${CI:-}" ] && werror=ON
configure asan-rooms -DGEMMSCOPE_WERROR=$werror
cmake --build --preset asan-rooms
ctest --preset asan-rooms --parallel "$(nproc)" "$@"
