#!/bin/sh
# usage: tests/update_readme_tables.sh PROGRAM
# Fills the README's tables anew: between "<!-- gemmscope recordings FILE --markdown -->" and "<!-- end -->" comes what
# that command prints. cli_test checks that they are so.
set -e
program=$(realpath "$1")
cd "$(dirname "$0")/.."
awk -v program="$program" '
  /^<!-- gemmscope recordings .* --markdown -->$/ {
    print
    fflush()
    command = "\"" program "\" recordings \"" $4 "\" --markdown"
    while ((command | getline line) > 0) print line
    if (close(command) != 0) exit 1
    skipping = 1
    next
  }
  /^<!-- end -->$/ { skipping = 0 }
  !skipping
' README.md > README.md.new
mv README.md.new README.md
