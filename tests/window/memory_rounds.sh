#!/usr/bin/env bash
# Goes the same round through kernels and panels again and again, and prints the memory after each: what a round keeps
# for ever would add up, where random_input.sh only meets ever more kernels and sizes. Fails when the median of the
# second half is above that of the first. Run on request; it needs xvfb and xdotool.
#   tests/window/memory_rounds.sh PROGRAM [ROUNDS]
set -u
program=$(realpath "${1:?the program}") rounds=${2:-14}
if [ -z "${GEMMSCOPE_MEMORY_ROUNDS:-}" ]; then
  exec env GEMMSCOPE_MEMORY_ROUNDS=1 xvfb-run --auto-servernum --server-args="-screen 0 1600x900x24 +extension GLX -noreset" \
    "$(realpath "${BASH_SOURCE[0]}")" "$program" "$rounds"
fi

folder=$(mktemp -d)
export HOME=$folder XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder XDG_CACHE_HOME=$folder XDG_DOCUMENTS_DIR=$folder
cd "$folder" || exit 1
trap 'kill "${pid:-}" 2>/dev/null; cd / && rm -rf "$folder"' EXIT
press() { for key in "$@"; do xdotool key --delay 20 "$key" && sleep 0.4; done; }
resident_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] + 0 }'; }

"$program" --m 64 --n 64 --k 64 2>errors &
pid=$!
window=$(timeout 60 xdotool search --sync --onlyvisible --pid "$pid" | head -n 1)
[ -n "$window" ] || { echo "no window appeared"; exit 1; }
xdotool windowmove "$window" 0 0 windowsize "$window" 1600 900 windowfocus "$window"
press Escape
for round in $(seq "$rounds"); do
  press Next Next Next Next t alt+v alt+v alt+v t i i
  press F2 F2 ctrl+plus ctrl+plus ctrl+minus ctrl+minus shift+F2 shift+F2
  press ctrl+g ctrl+Next ctrl+Next ctrl+Next ctrl+g shift+x Escape shift+d Escape shift+o Escape
  press p v p shift+z z z shift+z shift+z Prior Prior Prior Prior
  sleep 3
  kill -0 "$pid" 2>/dev/null || { echo "the program ended in round $round"; tail -n 5 errors; exit 1; }
  echo "$round $(resident_kb)" | tee -a rounds
done
first=$(head -n $((rounds / 2)) rounds | cut -d ' ' -f 2 | median)
second=$(tail -n $((rounds - rounds / 2)) rounds | cut -d ' ' -f 2 | median)
echo "the median of the first half: $first kB, of the second: $second kB"
[ "$second" -le $((first + first / 10 + 50000)) ] || { echo "the memory grows"; exit 1; }
