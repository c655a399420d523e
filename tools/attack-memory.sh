#!/bin/sh
# Tools that look at memory, threads and language, one after the other: the thread sanitizer and
# valgrind on core tests, garbage collections between the allocations of calls of the border, core
# tests as on a processor without AVX2, warnings of clang, and those of another compiler ($CXX) for
# C++14, C++17 and C++20. Names of some as arguments; all unless some are named. What is not
# installed is passed over, which is said.
cd "$(dirname "$0")/.."
failed=""
passed=""
asked="${*:-thread valgrind torture narrow clang standards}"
note() {
  if [ "$2" = 0 ]; then passed="$passed $1"; else failed="$failed $1"; fi
  outcome="$([ "$2" = 0 ] && echo "nothing reported" || echo "faults reported")"
  Rscript -e 'source("tools/attack-store.R")' -e 'said <- commandArgs(TRUE)' \
    -e 'store_attack("memory", data.frame(tool = said[1], outcome = said[2]))' "$1" "$outcome"
}
# What a compiler, given with its flags, has to say about every file; nothing is built.
folder() { Rscript -e "cat(system.file('$2', package = '$1', mustWork = TRUE))"; }
compile() {
  flags="-fsyntax-only -Wall -Wextra -Wpedantic -Werror -Iinst/include -DSTRICT_R_HEADERS"
  for one in $(Rscript -e 'cat(R.home("include"))') "$(folder RcppEigen include)" \
    "$(folder sitmo include)" "$(folder Rcpp include)" "$(folder RcppParallel include)" \
    "$(folder testthat include/testthat/vendor)"; do
    flags="$flags -isystem $one"
  done
  result=0
  for file in src/cpp_*.cpp src/r_*.cpp tests/cpp/*.cpp; do
    "$@" $flags "$file" || result=1
  done
  return $result
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
  narrow)
    make --no-print-directory -C tests/cpp -j"${JOBS:-2}" BUILD=../../.build/cpp-narrow \
      SANITIZE="-O2 -DSTABILECT_NO_AVX2"
    note narrow $?
    ;;
  clang)
    clang="$(command -v clang++ || command -v clang++-14)"
    [ -n "$clang" ] || { echo "clang is not installed"; continue; }
    status=0
    compile "$clang" -std=c++14 -Wshadow || status=1
    note clang $status
    ;;
  standards)
    status=0
    for standard in c++14 c++17 c++20; do
      compile "${CXX:-g++}" -std=$standard -Wconversion || status=1
    done
    note standards $status
    ;;
  esac
done
echo "no fault:${passed:- none};  faults:${failed:- none}"
[ -z "$failed" ]
