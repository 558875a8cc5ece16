#!/usr/bin/env bash
# Makes both packages of a build, unpacks them elsewhere and runs the programs from there, where neither the sources nor the
# build can be seen: tests/install/install_test.sh build/release. tests/install/try_release.sh tries them on a bare system.
set -euo pipefail
build=$(realpath "$1")
sources=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
cd "$build"

# Not below the sources, which are hidden later.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
  echo "FAILED: $*" >&2
  failed=1
}

cpack -G "DEB;TGZ" -B "$work" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
deb=$(echo "$work"/gemmscope_*.deb)
folder=$(basename "$(echo "$work"/gemmscope-*.tar.gz)" .tar.gz)
dpkg-deb -x "$deb" "$work/deb"
tar xzf "$work/$folder.tar.gz" -C "$work"
rm -rf "$work/_CPack_Packages"

# run PREFIX ARGUMENT…: the program of an unpacked package in an empty environment, with the sources and the build hidden
# where the system lets a user do so (a mount of its own).
user=--map-root-user
[ "$(id -u)" -eq 0 ] && user=
hide=(unshare $user --mount sh -c 'for f in "$0" "$1"; do [ ! -d "$f" ] || mount -t tmpfs none "$f"; done; shift; exec "$@"' "$sources" "$build")
"${hide[@]}" true 2>/dev/null || { echo "note: unshare is not permitted here, so the build is not hidden"; hide=(); }
run() {
  local prefix=$1
  shift
  (cd "$work" && "${hide[@]}" env -i HOME="$work/home" PATH=/usr/bin:/bin GEMMSCOPE_NVRTC=none "$prefix/bin/gemmscope" "$@")
}

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' CMakeCache.txt)
for prefix in "$work/deb/usr" "$work/$folder"; do
  [ "$(run "$prefix" --version)" = "gemmscope $version" ] || fail "$prefix: --version"
  run "$prefix" counters 09_conflict_free --toggle LAYOUT=0 >"$work/counters" || fail "$prefix: counters"
  grep -q 'machine code prebuilt' "$work/counters" || fail "$prefix: the counters are not of the prebuilt machine code"
  grep -q '^modelled' <<<"$(run "$prefix" time 11_prefetch --device h200)" || fail "$prefix: no modelled time"
  run "$prefix" render --view banks -o "$work/banks.png" >/dev/null || fail "$prefix: render"
  [ "$(stat -c %s "$work/banks.png")" -gt 10000 ] || fail "$prefix: the picture is empty"
  rm -f "$work/banks.png"
  run "$prefix" man | cmp - <(zcat "$prefix/share/man/man1/gemmscope.1.gz") || fail "$prefix: the manual page is old"
  run "$prefix" completion bash | cmp - "$prefix/share/bash-completion/completions/gemmscope" || fail "$prefix: completion"
  for file in applications/gemmscope.desktop icons/hicolor/scalable/apps/gemmscope.svg man/man1/gemmscope-gpu-runner.1.gz \
              metainfo/org.gemmscope.gemmscope.metainfo.xml doc/gemmscope/copyright doc/gemmscope/licenses/fonts-inter \
              zsh/vendor-completions/_gemmscope fish/vendor_completions.d/gemmscope.fish; do
    [ -s "$prefix/share/$file" ] || fail "$prefix has no share/$file"
  done
  for program in gemmscope gemmscope-gpu-runner; do
    ! grep -qF -e "$sources" -e "$build" "$prefix/bin/$program" || fail "$program holds a path of the build"
    ! ldd "$prefix/bin/$program" | grep -iE 'nvrtc|libcuda|cudart|cublas|not found' || fail "$program needs the above"
  done
done

# What stands beside the program comes from there, and needs no newer system than README.md says.
folder=$work/$folder
loaded=$(ldd "$folder/bin/gemmscope")
for library in "$folder"/lib/gemmscope/*.so.[0-9]; do
  [[ $loaded == *"lib/gemmscope/$(basename "$library") "* ]] || fail "$(basename "$library") is not used"
done
[ "$(find "$folder/share/gemmscope/fonts" -type f | wc -l)" -eq 4 ] || fail "the folder to unpack lacks fonts"
newest() { # newest PREFIX: of the symbols' versions with it
  find "$folder/bin" "$folder/lib" -type f -exec objdump -T {} + | grep -oE "\($1_[0-9.]+\)" | tr -d '()' | sort -Vu | tail -1
}
needs="$(newest GLIBC) $(newest GLIBCXX)"
[ "$needs" = "GLIBC_2.35 GLIBCXX_3.4.30" ] || fail "the programs need $needs: change README.md (Install) and this line"

depends=$(dpkg-deb -f "$deb" Depends)
for package in libgl1 libegl1 libglfw3 libfmt9; do
  [[ $depends == *$package* ]] || fail "the .deb does not depend on $package"
done
[[ $depends != *cuda* && $depends != *nvidia* ]] || fail "the .deb depends on NVIDIA's packages: $depends"
desktop-file-validate "$folder/share/applications/gemmscope.desktop" || fail "desktop entry"
appstreamcli validate --no-net "$folder"/share/metainfo/*.xml || fail "metainfo"
[ "$failed" -eq 0 ] && echo "installed and unpacked: $(basename "$deb"), $(basename "$folder").tar.gz, needs $needs"
exit "$failed"
