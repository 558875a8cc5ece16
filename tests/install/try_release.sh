#!/usr/bin/env bash
# Tries a package on a bare Debian, without the CUDA Toolkit and without what builds the program. Needs root, debootstrap and
# the network:
#
#   tests/install/try_release.sh bookworm gemmscope_0.1.0_amd64.deb ROOT               apt installs what the package asks for
#   tests/install/try_release.sh trixie gemmscope-0.1.0-linux-x86_64.tar.gz ROOT       unpacked; OpenGL is all that is installed
#
# ROOT is a folder for the system; one that is there is used again. The window's picture is left in ROOT/root/window.xwd.
set -euo pipefail
release=${1:?a release, such as bookworm} package=$(realpath "${2:?a package}") root=$(realpath -m "${3:?a folder}")
[ -d "$root/usr" ] || debootstrap --variant=minbase "$release" "$root"
cp "$package" "$root/root/"
cp /etc/resolv.conf "$root/etc/"

cat >"$root/root/try.sh" <<'TRY'
set -eu
package=$1
export HOME=/root/home DEBIAN_FRONTEND=noninteractive
rm -rf $HOME && mkdir -p $HOME && cd $HOME
apt-get update -qq
case $package in
  *.deb)
    apt-get install -y -qq "/root/$package" >/root/log
    bin=/usr/bin
    apt-get install -y -qq --no-install-recommends xvfb libglib2.0-bin >>/root/log
    ;;
  *)
    tar xzf "/root/$package" -C /opt
    bin=/opt/$(basename "$package" .tar.gz)/bin
    apt-get install -y -qq --no-install-recommends libgl1 libegl1 libgl1-mesa-dri xvfb >/root/log
    ;;
esac
"$bin/gemmscope" --version

# Every value of every toggle, alone, on every architecture: served, or refused because no such kernel exists.
served=0 refused=0
for kernel in $("$bin/gemmscope" complete -- run "" | cut -f1); do
  for toggle in $("$bin/gemmscope" complete -- run "$kernel" --toggle "" | cut -f1); do
    for arch in $("$bin/gemmscope" complete -- run --arch "" | cut -f1); do
      if "$bin/gemmscope" counters "$kernel" --arch "$arch" --toggle "$toggle" --block-only >/dev/null 2>reason; then
        served=$((served + 1))
      else
        refused=$((refused + 1))
        ! grep -E 'prebuilt|NVRTC' reason || { echo "FAILED: $kernel $arch $toggle is not in the pack"; exit 1; }
      fi
    done
  done
done
echo "toggle values alone: $served served from the pack, $refused impossible and refused with the reason"

# Every page of every lesson, with the figures that were kept for pages whose kernel the pack does not hold.
share=$(dirname "$(find / -xdev -path '*/assets/lessons/01_first_gemm.toml' -not -path '/proc/*' | head -1)")
for lesson in "$share"/*.toml; do
  "$bin/gemmscope" lessons "$lesson" >/root/lesson.log 2>&1 || { cat /root/lesson.log; echo "FAILED: $lesson"; exit 1; }
  ! grep -q '^ *! ' /root/lesson.log || { grep '^ *! ' /root/lesson.log; echo "FAILED: $lesson"; exit 1; }
done
echo "lessons: all pages of $(ls "$share"/*.toml | wc -l) chapters hold"

Xvfb :7 -screen 0 1280x800x24 +extension GLX -fbdir /root >/dev/null 2>&1 &
display=$!
sleep 2
export DISPLAY=:7
case $package in
  *.deb) gio launch /usr/share/applications/gemmscope.desktop >/root/window.log 2>&1 & ;;
  *) "$bin/gemmscope" >/root/window.log 2>&1 & ;;
esac
sleep 10
cp /root/Xvfb_screen0 /root/window.xwd
colours=$(tail -c 4000000 /root/window.xwd | od -An -v -tx4 -w4 | sort -u | wc -l)
grep -l gemmscope /proc/[0-9]*/comm >/dev/null || { cat /root/window.log; echo "FAILED: the window is gone"; exit 1; }
echo "the window is open and shows $colours colours"
for process in $(grep -lx gemmscope /proc/[0-9]*/comm | cut -d/ -f3); do kill "$process"; done
kill $display
cat /root/window.log
[ "$colours" -gt 200 ] || { echo "FAILED: the window is empty"; exit 1; }
TRY
# In a space of its own for mounts and processes, which ends with it.
unshare --mount --pid --fork sh -c '
  mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" bash /root/try.sh "$1"' "$root" "$(basename "$package")"
