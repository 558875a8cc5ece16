#!/usr/bin/env bash
# Builds everything and runs all tests: ./test.sh [argument of ctest …]. In CI (CI is set) warnings are errors.
# Without arguments, the rooms that read foreign bytes (isa, cubin, compile, catalog, machine, metrics, fuzz) are then
# built and tested once more under the address and undefined-behaviour sanitizers. The preset "asan" has all of the
# program; tests/fuzz/run.sh and tests/tidy.sh take longer and are run by hand.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source third_party/setup.sh

install_packages build test
werror=OFF
[ -n "${CI:-}" ] && werror=ON
configure release -DGEMMSCOPE_TESTS=ON -DGEMMSCOPE_WERROR=$werror
cmake --build --preset release
# A display of its own, so that tests of the window neither need a screen nor disturb one.
xvfb-run --auto-servernum --server-args="-screen 0 1920x1080x24 +extension GLX" \
  ctest --preset release --parallel "$(nproc)" "$@"
[ $# -eq 0 ] || exit 0

configure asan-rooms -DGEMMSCOPE_WERROR=$werror
cmake --build --preset asan-rooms
ctest --preset asan-rooms --parallel "$(nproc)"
