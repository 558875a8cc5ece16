#!/usr/bin/env bash
# clang-tidy with the checks of .clang-tidy: tests/tidy.sh [regular expression of paths, all files]. It reads the compile
# commands of build/release, takes every core, and for all files about an hour on two; so it is run by hand before a
# release, and for the files at hand (tests/tidy.sh app/catalog).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -f build/release/compile_commands.json ] || cmake --preset release
# clang cannot read GCC's precompiled header, so the commands are taken without it.
mkdir -p build/tidy
sed 's/-Winvalid-pch -include [^ ]*cmake_pch.hxx//' build/release/compile_commands.json >build/tidy/compile_commands.json
# GCC's own warning flags are none of its business.
exec nice run-clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -p build/tidy "${1:-$PWD/(app|tests)/}"
