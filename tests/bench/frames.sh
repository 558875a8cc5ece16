#!/bin/sh
# usage: tests/bench/frames.sh PROGRAM [FRAMES [NAME]]
# How long a frame takes at 1920x1080, panel by panel: longest, median and 99th percentile, in ms. Then how long the
# first picture takes, with the machine code in the cache. NAME: only the rows whose name contains it.
#
# With software OpenGL on two cores that do nothing else the goals are 33 ms for the 99th percentile, and 1 s for the
# first picture. On a computer that is busy the figures say little: look at its load first (uptime).
set -e
program=$(realpath "$1")
frames=${2:-300}
only=${3:-}

# name, the kernel and its size, commands that come before, commands of which each frame runs the next
measure() {
  case $1 in *"$only"*) ;; *) return 0 ;; esac
  # shellcheck disable=SC2086  # the kernel and its options are several words
  result=$("$program" render $2 --benchmark --frames "$frames" --size 1920x1080 ${3:+--jump "$3"} \
    ${4:+--each-frame "$4"} --json)
  printf '%-34s %s\n' "$1" "$(printf '%s' "$result" | tr -d '\n {}"' | tr ',' '\n' |
    grep -E '^(p50_ms|p99_ms|max_ms):' | cut -d: -f2 | cut -c1-5 | tr '\n' ' ')"
}

# A wave of over a million instructions on an SM.
wave="workbench --arch sm_90 --m 4096 --n 4096 --k 4096"
large="--m 2048 --n 2048 --k 1024"
pan=pipeline.pan_right,pipeline.pan_left
printf '%-34s %s\n' "panel" "longest median p99"
measure "window as it opens, playing" "07_register_tile"
measure "large problem, playing" "11_prefetch $large"
measure "pipeline, few passes, panning" "11_prefetch $large" "pipeline.show,pipeline.wide" "$pan"
measure "pipeline, whole wave, panning" "$wave" "pipeline.show,pipeline.wide,pipeline.show_all" "$pan"
measure "pipeline, wave, zooming" "$wave" "pipeline.show,pipeline.wide,pipeline.show_all" \
  "pipeline.zoom_in,pipeline.zoom_out"
measure "compare, playing" "08_transposed_tile" "compare.pin,kernel.09_conflict_free"
measure "compare, code aligned, playing" "08_transposed_tile" "compare.pin,kernel.09_conflict_free,compare.diff"
measure "lesson, playing" "07_register_tile --lesson 10_memory_and_banks/column"
measure "lesson presented, playing" "07_register_tile --lesson 10_memory_and_banks/column" "present.window"
measure "split K, partial sums, playing" "17_split_k --toggle SPLITS=4 --arch sm_90 $large"
measure "bank explorer" "07_register_tile" "explorer.show" "explorer.more_padding,explorer.less_padding"
measure "instruction mix, playing" "instruction_mix" "picture.show_mix"
measure "timings" "07_register_tile $large" "timing.show,timing.wide" "timing.next_roof"
measure "lattice as a map" "13_async_copy" "lattice.show,lattice.wide,lattice.map" "lattice.reverse"
measure "device board" "07_register_tile" "board.show" "board.next_device"
measure "occupancy" "07_register_tile" "occupancy.calculator"

case "first picture" in *"$only"*)
  picture=$(mktemp -d)
  "$program" render 07_register_tile -o "$picture/1.png" > /dev/null
  begin=$(date +%s%N)
  "$program" render 07_register_tile -o "$picture/1.png" > /dev/null
  printf '%-34s %d ms, PNG and exit included\n' "first picture" $((($(date +%s%N) - begin) / 1000000))
  rm -r "$picture" ;;
esac
