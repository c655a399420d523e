#!/usr/bin/env bash
# The first hour with this package, on a machine that has R, its compiler and no stabilect:
# README's commands in a fresh clone with an empty library, then golub from a csv to the report.
#   experiments/first-hour/run.sh [FOLDER]    FOLDER is new; writes results/ beside this script
set -e
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$(mktemp -d)}
mkdir -p "$folder/library" "$here/results"
export R_LIBS="$folder/library"
export STABILECT_DATA=${STABILECT_DATA:-$(cd "$here/../.." && pwd)/../shared/data}
steps="$here/results/steps.csv"
echo "step,elapsed,processor" > "$steps"

# Seconds on the clock and of the processor, with what the step started.
timed() {
  local name=$1
  shift
  TIMEFORMAT='%R %U %S'
  local seconds
  seconds=$({ time "$@" > "$folder/log-${name// /-}.txt" 2>&1; } 2>&1)
  echo "$seconds" | awk -v name="$name" '{ printf "%s,%.1f,%.1f\n", name, $1, $2 + $3 }' >> "$steps"
}

timed "clone" git clone --quiet "$(git -C "$here" rev-parse --show-toplevel)" "$folder/stabilect"
cd "$folder/stabilect"
timed "make demo" make demo
cp "$folder/log-make-demo.txt" "$folder/demo.txt"
cd "$folder"
Rscript "$here/analyse.R" "$folder" "$here/results"
