#!/bin/bash
# The same results on other processors? Compiles tools/check-bits.cpp for those that this machine can
# compile for and run (ARM64 and s390x under qemu, Windows under wine), and stores a checksum for
# each part of the core and each build in design/check-bits.csv. A build that is not to be had is
# said and left out.
#
# x86-64-native and arm64-fused show what the flags of src/Makevars.objects are for.
#
#   apt-get install clang libc++-dev libc++abi-dev g++-aarch64-linux-gnu g++-s390x-linux-gnu \
#     g++-mingw-w64-x86-64-posix qemu-user-static wine64 wine            for all of them
set -e
cd "$(dirname "$0")/.."
place=.build/bits
stored=design/check-bits.csv
mkdir -p "$place"
folder() { Rscript --no-save --no-restore -e "cat(system.file('include', package = '$1'))"; }
eigen="$(folder RcppEigen)"
common="-std=c++14 -O2 -Iinst/include -isystem $eigen -isystem $(folder sitmo)"
# What the package is compiled with on other processors than x86-64.
round_each="$(sed -n "s/^ROUND_EACH = //p" src/Makevars.objects)"

# name, command that must be there, command that runs it ("" for none), compiler and its flags.
build() {
  local name="$1" needs="$2" runs="$3"
  shift 3
  if ! command -v "$1" > /dev/null || ! command -v "$needs" > /dev/null; then
    echo "left out: $name ($1 or $needs is missing)"
    return
  fi
  "$@" $common tools/check-bits.cpp -o "$place/program" -pthread
  [ -f "$place/program.exe" ] && mv "$place/program.exe" "$place/program"
  WINEDEBUG=-all $runs "$place/program" | tr -d '\r' > "$place/$name.csv"
  names="$names $name"
}
names=
failed=
arm="aarch64-linux-gnu-g++ -static"
build x86-64-avx2 true "" g++
build x86-64-sse2 true "" g++ -DSTABILECT_NO_AVX2
build x86-64-native true "" g++ -O3 -march=native
build x86-64-clang true "" clang++
build x86-64-libc++ true "" clang++ -stdlib=libc++
build windows wine "wine" x86_64-w64-mingw32-g++-posix -static
build arm64 qemu-aarch64-static qemu-aarch64-static $arm $round_each
build arm64-fused qemu-aarch64-static qemu-aarch64-static $arm
build s390x qemu-s390x-static qemu-s390x-static s390x-linux-gnu-g++ -static $round_each

{
  echo "part$(printf ',%s' $names)"
  cut -d, -f1 "$place/x86-64-avx2.csv" | while read -r part; do
    printf '%s' "$part"
    for name in $names; do
      printf ',%s' "$(sed -n "s/^$part,//p" "$place/$name.csv")"
    done
    echo
  done
  sed -n 's/^#define EIGEN_\(WORLD\|MAJOR\|MINOR\)_VERSION \([0-9]*\)/\2/p' \
    "$eigen/Eigen/src/Core/util/Macros.h" | paste -sd. | sed 's/^/Eigen,/'
  echo "g++,$(g++ -dumpfullversion)"
} > "$stored"
cat "$stored"

# The two that are fused on purpose may differ, and on s390x numbers of these parts, since Eigen sums
# in another order there (design/decisions.md).
in_last_bits='^(logistic|Poisson|Cox) path numbers|^threshold numbers|^dependence|^ridge|^eigenvalues'
promised() {
  case "$1" in s390x) grep -vE "$in_last_bits" "$place/$2.csv" ;; *) cat "$place/$2.csv" ;; esac
}
for name in $names; do
  case "$name" in *-native | *-fused) continue ;; esac
  [ "$(promised "$name" "$name")" = "$(promised "$name" x86-64-avx2)" ] ||
    { echo "$name differs"; failed=1; }
done
[ -z "$failed" ] && echo "equal bits on all of them, as far as promised"
