#!/usr/bin/env bash
# Fails where a C++ file of app/ or tests/, or a CUDA file of kernels/, is not as clang-format would write it:
# tests/format_test.sh [clang-format].
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
format=${1:-clang-format}
# Other versions of the program write some lines in other ways; Debian 12 has this one.
if ! "$format" --version | grep -q 'version 14\.'; then
  echo "skipped: $("$format" --version); the files are formatted by version 14"
  exit 0
fi
{
  find app tests -name '*.h' -o -name '*.cpp'
  find kernels -name '*.cu' -o -name '*.cuh'
} | xargs "$format" --dry-run -Werror
