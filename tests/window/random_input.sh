#!/usr/bin/env bash
# Plays with the window for some minutes: random keys, clicks, drags, wheels, typed text and window sizes. Fails when the
# program ends, or when its memory goes on growing. Run on request; it needs xvfb and xdotool.
#   tests/window/random_input.sh PROGRAM [MINUTES [SEED]]
set -u
program=$(realpath "${1:?the program to play with}") minutes=${2:-20} seed=${3:-$RANDOM}
if [ -z "${GEMMSCOPE_RANDOM_INPUT:-}" ]; then
  exec env GEMMSCOPE_RANDOM_INPUT=1 xvfb-run --auto-servernum \
    --server-args="-screen 0 2600x1500x24 +extension GLX -noreset" "$(realpath "${BASH_SOURCE[0]}")" "$program" "$minutes" "$seed"
fi

RANDOM=$seed
echo "seed $seed, $minutes minutes"
folder=$(mktemp -d)
export XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state XDG_CACHE_HOME=$folder/cache
# Nothing is read or written outside it: the keys save scenes, which go to the Documents folder or to HOME.
export HOME=$folder XDG_DOCUMENTS_DIR=$folder/documents
mkdir "$XDG_DOCUMENTS_DIR" && cd "$folder" || exit 1
trap 'kill "${pid:-}" 2>/dev/null; cd / && rm -rf "$folder"' EXIT

# Ctrl+Q is left out, and the mouse avoids the menus, because "Quit" is one of their entries.
keys=(space Right Left Up Down Home End Tab shift+Tab Return Escape BackSpace Prior Next
      a c d e f h i j k l m n o p q r s t u v w x y z A C D F J K L M N O P Q R S T U V W Y Z
      0 8 9 minus equal bracketleft bracketright F1 F2 F3 F4 F5 F6 F8 F10 shift+F8
      shift+1 shift+2 shift+3 shift+4 shift+0 ctrl+p ctrl+o ctrl+z ctrl+shift+z ctrl+m ctrl+n ctrl+k ctrl+e
      ctrl+shift+Right ctrl+shift+Down ctrl+shift+Left alt+m alt+n alt+t alt+l
      ctrl+b ctrl+plus ctrl+minus ctrl+0 ctrl+1 ctrl+5 ctrl+6 ctrl+t ctrl+Right ctrl+Down ctrl+l alt+c alt+u
      alt+e alt+x alt+b alt+s alt+o alt+p alt+d alt+r alt+v alt+1 alt+3 alt+k alt+i alt+a alt+g alt+q alt+Return ctrl+s ctrl+shift+s)
words=(64 128 96 0 -1 1e9 99999 "column ^ row" "nonsense((" conf theme "ladder" / "~/" a.cu)
width=1600 height=900
pick() { local -n list=$1; picked=${list[RANDOM % ${#list[@]}]}; }
point() { echo "$((RANDOM % width)) $((70 + RANDOM % (height > 80 ? height - 70 : 10)))"; }

resize() {
  width=$((200 + RANDOM % 2300)) height=$((100 + RANDOM % 1300))
  xdotool windowsize "$window" "$width" "$height" windowmove "$window" 0 0
}
drag() {
  # shellcheck disable=SC2046
  xdotool mousemove $(point) mousedown 1 mousemove $(point) sleep 0.02 mousemove $(point) mouseup 1
}
act() {
  case $((RANDOM % 12)) in
    0) resize ;;
    1 | 2) drag ;;
    3) pick words && xdotool type --delay 1 -- "$picked" ;;
    4) xdotool mousemove $(point) click $((4 + RANDOM % 2)) ;;
    5 | 6 | 7) xdotool mousemove $(point) click --repeat $((1 + RANDOM % 2)) --delay 20 1 ;;
    *) for _ in 1 2 3 4; do pick keys && xdotool key --delay 1 "$picked"; done ;;
  esac
} 2>/dev/null

resident_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2>/dev/null; }

"$program" --m 64 --n 64 --k 64 2>"$folder/errors" &
pid=$!
window=$(timeout 60 xdotool search --sync --onlyvisible --pid "$pid" | head -n 1)
[ -n "$window" ] || { echo "no window appeared"; exit 1; }
xdotool windowmove "$window" 0 0 windowfocus "$window"

# Kernels, caches of machine code and fonts take memory at first, and a job takes hundreds of megabytes while it runs.
# So the medians of many looks are compared, of the third quarter of the time and of the last one.
looks=$folder/looks
median_kb() { awk -v from="$1" -v to="$2" '$1 >= from && $1 < to { print $2 }' "$looks" | sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] + 0 }'; }
start=$SECONDS end=$((SECONDS + minutes * 60)) actions=0 report=0 looked=0
while [ "$SECONDS" -lt "$end" ]; do
  act
  actions=$((actions + 1))
  if ! kill -0 "$pid" 2>/dev/null; then
    wait "$pid"
    echo "the program ended with $? after $actions actions (seed $seed)"
    tail -n 5 "$folder/errors"
    exit 1
  fi
  if [ "$SECONDS" -ge $((report + 30)) ]; then
    report=$SECONDS
    echo "$((SECONDS - start)) s: $actions actions, $(resident_kb) kB"
  fi
  if [ "$SECONDS" -gt "$looked" ]; then
    looked=$SECONDS
    echo "$((SECONDS - start)) $(resident_kb)" >>"$looks"
  fi
done
whole=$((minutes * 60))
for quarter in 0 1 2 3; do
  medians[quarter]=$(median_kb $((whole * quarter / 4)) $((whole * (quarter + 1) / 4)))
done
echo "$actions actions; the median of each quarter of the time: ${medians[*]} kB; at most $(sort -n -k 2 "$looks" | tail -n 1 | cut -d " " -f 2) kB"
if [ "${medians[3]}" -gt $((medians[2] + medians[2] / 10 + 50000)) ]; then
  echo "the memory grows"
  exit 1
fi
