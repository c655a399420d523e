#!/bin/sh
# Tools that look at memory, threads and language, one after the other: the thread sanitizer and
# valgrind on core tests, garbage collections between the allocations of calls of the border, and
# clang with its warnings. tools/attack-memory.sh [thread] [valgrind] [torture] [clang]; all unless
# some are named. What is not installed is passed over, which is said.
cd "$(dirname "$0")/.."
failed=""
passed=""
asked="${*:-thread valgrind torture clang}"
note() {
  if [ "$2" = 0 ]; then passed="$passed $1"; else failed="$failed $1"; fi
  outcome="$([ "$2" = 0 ] && echo "nothing reported" || echo "faults reported")"
  Rscript -e 'source("tools/attack-store.R")' -e 'said <- commandArgs(TRUE)' \
    -e 'store_attack("memory", data.frame(tool = said[1], outcome = said[2]))' "$1" "$outcome"
}
# Tests of the core that share work between threads; the others have one.
threaded="$(cd tests/cpp && grep -l two_threads test_*.cpp | tr '\n' ' ')"
# What valgrind, some thirty times as slow, gets through in minutes.
quick="test_rng.cpp test_doctor.cpp test_fealect.cpp test_products.cpp test_relief.cpp \
test_set_pairs.cpp test_chance.cpp test_kernels.cpp test_lars.cpp test_resample.cpp test_signals.cpp"

for tool in $asked; do
  case $tool in
  thread)
    make --no-print-directory -C tests/cpp -j"${JOBS:-2}" BUILD=../../.build/cpp-thread \
      SOURCES="$threaded" SANITIZE=-fsanitize=thread
    note thread $?
    ;;
  valgrind)
    command -v valgrind > /dev/null || { echo "valgrind is not installed"; continue; }
    make --no-print-directory -C tests/cpp -j"${JOBS:-2}" BUILD=../../.build/cpp-plain \
      SOURCES="$quick" SANITIZE= build &&
      valgrind -q --error-exitcode=9 --leak-check=full .build/cpp-plain/core-tests
    note valgrind $?
    ;;
  torture)
    Rscript tools/attack-torture.R
    note torture $?
    ;;
  clang)
    clang="$(command -v clang++ || command -v clang++-14)"
    [ -n "$clang" ] || { echo "clang is not installed"; continue; }
    folder() { Rscript -e "cat(system.file('$2', package = '$1', mustWork = TRUE))"; }
    system="$(Rscript -e 'cat(R.home("include"))') $(folder RcppEigen include)"
    system="$system $(folder sitmo include) $(folder Rcpp include) $(folder RcppParallel include)"
    system="$system $(folder testthat include/testthat/vendor)"
    flags="-std=c++14 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror -Iinst/include"
    for one in $system; do flags="$flags -isystem $one"; done
    status=0
    for file in src/cpp_*.cpp src/r_*.cpp tests/cpp/*.cpp; do
      "$clang" $flags -DSTRICT_R_HEADERS "$file" || status=1
    done
    note clang $status
    ;;
  esac
done
echo "no fault:${passed:- none};  faults:${failed:- none}"
[ -z "$failed" ]
