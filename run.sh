#!/usr/bin/env bash
# Builds GEMMscope and starts it: ./run.sh [argument of gemmscope …], or ./run.sh --build-only. Where there is no display
# the program says so and writes its report and pictures into out/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source third_party/setup.sh

install_packages build
if [ ! -f build/release/build.ninja ]; then
  configure release -DGEMMSCOPE_TESTS=OFF
fi
cmake --build --preset release --target gemmscope
[ "${1:-}" = --build-only ] && exit 0

exec build/release/gemmscope "$@"
