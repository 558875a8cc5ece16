#!/usr/bin/env bash
# Builds everything and runs all tests that protect a change: ./test.sh [argument of ctest …]. In CI (CI is set) warnings
# are errors. tests/sanitized.sh, tests/fuzz/run.sh and tests/tidy.sh take longer; tests/README.md says what each is for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source third_party/setup.sh

install_packages build test
werror=OFF
[ -n "${CI:-}" ] && werror=ON
configure release -DGEMMSCOPE_TESTS=ON -DGEMMSCOPE_WERROR=$werror
cmake --build --preset release
ctest --preset release --parallel "$(nproc)" "$@"
