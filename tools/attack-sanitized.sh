#!/bin/sh
# The package built with the address and undefined-behaviour sanitizers, in a library of its own;
# tests of the border run in it, and CALLS calls of the attack with SEED. The first report ends it.
# R itself is not built with them, so that libasan is loaded first, and leaks are not looked for.
set -e
cd "$(dirname "$0")/.."
place="$(pwd)/.build/sanitized"
mkdir -p "$place/package" "$place/lib"
flags="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=vptr"
flags="$flags -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS"
cache="$(command -v ccache || true)"
for v in CXX CXX11 CXX14 CXX17; do
  echo "$v = $cache g++"
  echo "${v}FLAGS = $flags"
done > "$place/Makevars"
echo "LDFLAGS = -fsanitize=address,undefined" >> "$place/Makevars"
# A copy, so that objects of another build are not taken.
rm -rf "$place/package"
mkdir "$place/package"
cp -r DESCRIPTION NAMESPACE LICENSE* R src inst data "$place/package"
rm -f "$place"/package/src/*.o "$place"/package/src/*.so
export CCACHE_NOHASHDIR=1 R_MAKEVARS_USER="$place/Makevars" MAKEFLAGS="-j${JOBS:-2}"
if ! R CMD INSTALL --no-docs --no-test-load --library="$place/lib" "$place/package" \
  > "$place/install.log" 2>&1; then
  tail "$place/install.log"
  exit 1
fi
unset MAKEFLAGS
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so)"
export STABILECT_BUILD=sanitized
export LD_PRELOAD R_LIBS="$place/lib" NOT_CRAN=true TZ="${TZ:-UTC}"
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1
Rscript -e 'stopifnot(any(grepl("libasan", readLines("/proc/self/maps"))))'
Rscript tools/test.R "^(all-refusals|path-lars|path-likelihood|path-runs-ties|predict-linear|\
predict-ridge|score-filter|score-filter-cox|score-relief|score-trex|select-fealect|select-stable|\
signal-find|signal-dependence|stability-index-.*|evaluate-signature)$"
Rscript tools/attack.R "${CALLS:-400}" "${SEED:-1}"
unset LD_PRELOAD
Rscript -e 'source("tools/attack-store.R")' \
  -e 'store_attack("memory", data.frame(tool = "address, undefined", outcome = "nothing reported"))'
echo "sanitizers: nothing reported"
