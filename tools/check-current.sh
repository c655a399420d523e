#!/bin/bash
# The package with today's R, compilers and packages: a room of Debian's current suite (a chroot in
# .build/current, of 3 GB), in which R CMD check --as-cran and the tests of the R side run.
#
#   tools/check-current.sh                  everything, which takes hours
#   tools/check-current.sh check tests      some steps: room, packages, check (R CMD check), tests,
#                                           alone (R CMD check without suggested packages, with
#                                           tests), parallel (tests with CRAN's RcppParallel),
#                                           lto, sanitized, valgrind, noLD
#   TESTS='^(base-keys|run-.*)$'            some test files only, as the stored result then says
#   CHECK_OPTIONS=--no-tests                options of R CMD check, as the stored result then says
#   SUITE=trixie                            another suite of Debian
#
# The mirror is the first one of this machine's apt, the repository of R packages is R's. Results go
# to design/check-current.csv, one line for each step, with versions. Where no such room can be
# made, the reason is said, nothing is stored, and the status is 0.
set -e
cd "$(dirname "$0")/.."
suite="${SUITE:-sid}"
room="$(pwd)/.build/current"
stored=design/check-current.csv
steps="${*:-room packages check tests alone parallel lto sanitized valgrind noLD}"

skip() { echo "make check-current is skipped: $1"; exit 0; }
[ "$(id -u)" = 0 ] || skip "only root can make the room"
command -v mmdebstrap > /dev/null || skip "mmdebstrap is missing (apt-get install mmdebstrap)"
command -v unshare > /dev/null || skip "unshare is missing (apt-get install util-linux)"
mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2> /dev/null | head -1)"
[ -n "$mirror" ] || skip "apt of this machine has no mirror"
unshare --mount true 2> /dev/null || skip "nothing can be mounted here"

# A command inside. What it mounts is gone with it, so that the room can be deleted at any time.
# Signals are as by default: of a job in the background a shell has SIGINT ignored, which tests send.
inside() {
  nice -n 10 unshare --mount bash -c '
    room=$1; shift
    mount -t proc proc "$room/proc" && mount -t tmpfs tmpfs "$room/dev/shm" || exit 1
    exec chroot "$room" /usr/bin/env --default-signal=INT -i HOME=/check LANG=C.UTF-8 LC_ALL=C.UTF-8 TZ=UTC \
      PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
  ' inside "$room" "$@"
}

make_room() {
  rm -rf "$room"
  mkdir -p "$(dirname "$room")"
  nice -n 10 mmdebstrap --mode=root --variant=apt --aptopt='Acquire::Languages "none"' \
    --aptopt='Acquire::Check-Valid-Until "false"' "$suite" "$room" "deb $mirror $suite main"
}

# All packages of DESCRIPTION: those that Debian has from there, the others from R's repository.
add_packages() {
  mkdir -p "$room/dev/shm"
  mkdir -p "$room/check"
  cp -L /etc/resolv.conf "$room/etc/resolv.conf"
  Rscript --no-save --no-restore -e 'writeLines(
    sprintf("options(repos = c(CRAN = \"%s\"), Ncpus = 2L)", getOption("repos")[["CRAN"]])
  )' > "$room/check/.Rprofile"
  inside apt-get update -qq
  inside apt-get install -y -qq --no-install-recommends r-base-dev pandoc qpdf tidy util-linux \
    ca-certificates
  # Authorities that this machine trusts beside.
  bundle="${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}"
  [ ! -f "$bundle" ] || cp "$bundle" "$room/etc/ssl/certs/ca-certificates.crt"
  cp DESCRIPTION tools/check-current-packages.R "$room/check/"
  inside Rscript /check/check-current-packages.R
}

# The committed files, in a folder of /check. Each step has its own.
copy_sources() {
  rm -rf "$room/check/$1"
  mkdir -p "$room/check/$1"
  git archive HEAD | tar x -C "$room/check/$1"
}

# A line of the stored file: what ran, on which day, of which commit, with what, and its outcome.
store() {
  [ -f "$stored" ] || echo 'step,day,commit,versions,ran,outcome' > "$stored"
  sed -i "/^$1,/d" "$stored"
  printf '%s,%s,%s,"%s","%s","%s"\n' "$1" "$(date +%F)" "$(git rev-parse --short=8 HEAD)" \
    "$(inside env R_LIBS="/check/$1-lib" Rscript -e "$versions" | tr '"' "'")" "$2" "$3" >> "$stored"
}
versions='
  of <- function(p) if (nzchar(system.file(package = p))) paste(p, packageVersion(p))
  compiler <- system("g++ -dumpfullversion", intern = TRUE)
  cat(paste0("R ", getRversion()), paste("g++", compiler), unlist(lapply(c(
    "RcppEigen", "RcppParallel", "rlang", "testthat", "survival", "glmnet", "ggplot2", "mlr3"
  ), of)), sep = "; ")'

# $1: step and folder; $2: options of R CMD check; then variables of its environment.
check_package() {
  step="$1" options="$2"
  shift 2
  copy_sources "$step"
  inside bash -c "cd /check && rm -rf $step-built && mkdir $step-built && cd $step-built &&
    R CMD build --no-build-vignettes ../$step"
  # As in tools/check.R: the page of packages is an empty one on disk, since --as-cran breaks off
  # where it cannot be had; CRAN's own look at what comes in is left out.
  inside Rscript -e 'dir.create("/check/pages/web/packages", FALSE, TRUE)' \
    -e 'dir.create("/check/pages/src/contrib", FALSE, TRUE)' \
    -e 'invisible(file.create("/check/pages/src/contrib/PACKAGES"))' \
    -e 'nothing <- data.frame(Package = character(), Maintainer = character())' \
    -e 'saveRDS(nothing, "/check/pages/web/packages/packages.rds")'
  # Suggested packages that neither Debian nor the repository has are told in the log.
  inside env _R_CHECK_FORCE_SUGGESTS_=false _R_CHECK_CRAN_INCOMING_=false \
    _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_XREFS_USE_ALIASES_FROM_CRAN_=false \
    R_CRAN_WEB=file:///check/pages _R_CHECK_XREFS_REPOSITORIES_=file:///check/pages MAKEFLAGS=-j2 \
    STABILECT_TEST_RESULTS="/check/$step-built/tests.csv" "$@" \
    bash -c "cd /check/$step-built && R CMD check --as-cran --no-manual $options stabilect_*.tar.gz" ||
    true
  log="$room/check/$step-built/stabilect.Rcheck/00check.log"
  grep -q '^Status: ' "$log" || { echo "The check broke off: $log"; exit 1; }
  notes="$(sed -n 's/^\* checking \(.*\) \.\.\. *\(\[.*\] \)\{0,1\}\(NOTE\|WARNING\|ERROR\)$/\3 \1/p' "$log" |
    paste -sd ';' | sed 's/;/; /g')"
  tests="$room/check/$step-built/tests.csv"
  [ ! -f "$tests" ] || notes="$notes; $(Rscript -e 'tests <- read.csv(commandArgs(TRUE))' \
    -e 'cat(nrow(tests), "tests,", sum(tests$failed > 0 | tests$error), "fail,")' \
    -e 'cat("", sum(tests$skipped), "skipped")' "$tests")"
  store "$step" "R CMD check --as-cran --no-manual $options $*, without built vignettes" \
    "$(tail -2 "$log" | sed -n 's/^Status: //p') ($notes)"
}

# $1: step and folder; then variables, of which R_LIBS has the library of the folder first.
run_tests() {
  step="$1"
  shift
  copy_sources "$step"
  inside mkdir -p "/check/$step-lib"
  inside env MAKEFLAGS=-j2 R_LIBS="/check/$step-lib" "$@" \
    R CMD INSTALL --library="/check/$step-lib" "/check/$step"
  inside env R_LIBS="/check/$step-lib" NOT_CRAN=true STABILECT_SOURCES="/check/$step" \
    TESTS="$TESTS" "$@" bash -c "cd /check/$step && Rscript --no-save tools/check-current-tests.R" ||
    true
  store "$step" "$(cat "$room/check/$step/tests-ran.txt")" \
    "$(cat "$room/check/$step/tests-outcome.txt")"
}

# The RcppParallel of CRAN, which brings its own TBB, where Debian's uses that of the system.
tests_with_own_tbb() {
  inside mkdir -p /check/parallel-lib
  inside env MAKEFLAGS=-j2 Rscript -e 'install.packages("RcppParallel", lib = "/check/parallel-lib")'
  run_tests parallel R_LIBS=/check/parallel-lib
}

# Link-time optimisation, with the warnings that CRAN looks for.
with_lto() {
  copy_sources lto
  inside mkdir -p /check/lto-lib
  inside bash -c 'for v in CXX CXX11 CXX14 CXX17 CXX20; do
    echo "${v}FLAGS = -g -O2 -Wall -flto=2 -Wlto-type-mismatch -Wodr"; done > /check/lto.mk'
  inside env R_MAKEVARS_USER=/check/lto.mk R CMD INSTALL --use-LTO --library=/check/lto-lib \
    /check/lto > "$room/check/lto.log" 2>&1 || true
  warned="$(grep -c 'warning:' "$room/check/lto.log" || true)"
  status="$(tail -1 "$room/check/lto.log")"
  inside env R_LIBS=/check/lto-lib NOT_CRAN=true STABILECT_SOURCES=/check/lto \
    TESTS='^(path-.*|predict-ridge|signal-find|select-fealect.*)$' \
    bash -c 'cd /check/lto && Rscript --no-save tools/check-current-tests.R' || true
  store lto "R CMD INSTALL --use-LTO, -Wlto-type-mismatch -Wodr; $(cat "$room/check/lto/tests-ran.txt")" \
    "$warned warnings; $status; $(cat "$room/check/lto/tests-outcome.txt")"
}

# The last lines of a log that tell what came of it.
outcome_of() { grep -v '^$' "$1" | tail -1 | tr '"' "'" | cut -c1-200; }

with_sanitizers() {
  copy_sources sanitized
  inside bash -c 'cd /check/sanitized/tests/cpp && make -j2' > "$room/check/sanitized-core.log" 2>&1 ||
    true
  inside env NOT_CRAN=true CALLS=200 bash -c 'cd /check/sanitized && tools/attack-sanitized.sh' \
    > "$room/check/sanitized.log" 2>&1 || true
  store sanitized "address, undefined: tests of the core, tests of the border, 200 calls of the attack" \
    "$(outcome_of "$room/check/sanitized-core.log"); $(outcome_of "$room/check/sanitized.log")"
}

with_valgrind() {
  copy_sources valgrind
  inside apt-get install -y -qq --no-install-recommends valgrind libc6-dbg
  inside bash -c 'cd /check/valgrind && tools/attack-memory.sh valgrind' \
    > "$room/check/valgrind.log" 2>&1 || true
  store valgrind "eleven files of the tests of the core" "$(outcome_of "$room/check/valgrind.log")"
}

# R of the room's sources without long double, with the packages of the room. They need the R that
# they were built for: another version does not do.
without_long_double() {
  inside bash -c 'cd /check && sed -n "s/^deb /deb-src /p" /etc/apt/sources.list \
      > /etc/apt/sources.list.d/sources.list && apt-get update -qq &&
    apt-get install -y -qq --no-install-recommends dpkg-dev gfortran libpcre2-dev libcurl4-openssl-dev \
      libreadline-dev libbz2-dev liblzma-dev libicu-dev zlib1g-dev libdeflate-dev libzstd-dev &&
    { ls -d r-base-4* > /dev/null 2>&1 || apt-get source -qq r-base; }' \
    > "$room/check/noLD-build.log" 2>&1 ||
    { store noLD "R without long double" "not run: the mirror has no sources of this R"; return; }
  inside bash -c 'mkdir -p /opt/noLD && cd /check/r-base-[0-9]*/ &&
    ./configure -q --prefix=/opt/noLD --disable-long-double --without-x --disable-java --with-blas \
      --with-lapack --enable-R-shlib --with-recommended-packages=no &&
    make -s -j2 && make -s install' >> "$room/check/noLD-build.log" 2>&1
  inside ln -sfn /usr/lib/R/library /check/noLD-recommended
  run_tests noLD PATH=/opt/noLD/bin:/usr/bin:/bin \
    R_LIBS_SITE=/usr/local/lib/R/site-library:/usr/lib/R/site-library:/check/noLD-recommended
}

for step in $steps; do
  case "$step" in
    room) make_room ;;
    packages) add_packages ;;
    # The step `tests` runs them.
    check) check_package check "${CHECK_OPTIONS:---no-tests --ignore-vignettes}" ;;
    tests) run_tests tests ;;
    alone) check_package alone --ignore-vignettes NOT_CRAN=true _R_CHECK_DEPENDS_ONLY_=TRUE ;;
    parallel) tests_with_own_tbb ;;
    lto) with_lto ;;
    sanitized) with_sanitizers ;;
    valgrind) with_valgrind ;;
    noLD) without_long_double ;;
    *) echo "No step is called $step"; exit 1 ;;
  esac
done
[ ! -f "$stored" ] || cat "$stored"
