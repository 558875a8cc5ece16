#!/usr/bin/env bash
# Builds GEMMscope and starts it: ./run.sh [argument of gemmscope …], or ./run.sh --build-only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source third_party/setup.sh

install_packages build
if [ ! -f build/release/build.ninja ]; then
  configure_release -DGEMMSCOPE_TESTS=OFF
fi
cmake --build --preset release --target gemmscope
[ "${1:-}" = --build-only ] && exit 0

if [ $# -eq 0 ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "There is no display: the report of the default experiment and pictures of its views go to out/."
  set -- report --out out
fi
exec build/release/gemmscope "$@"
