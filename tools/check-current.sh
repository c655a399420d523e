#!/bin/bash
# The package with today's R, compilers and packages: a room of Debian's current suite (a chroot in
# .build/current, of 3 GB), in which R CMD check --as-cran and the tests of the R side run.
#
#   tools/check-current.sh                  everything, which takes hours
#   tools/check-current.sh check tests      some steps: room, packages, check, tests
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
steps="${*:-room packages check tests}"

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
    "$(inside Rscript -e "$versions" | tr '"' "'")" "$2" "$3" >> "$stored"
}
versions='
  of <- function(p) if (nzchar(system.file(package = p))) paste(p, packageVersion(p))
  compiler <- system("g++ -dumpfullversion", intern = TRUE)
  cat(paste0("R ", getRversion()), paste("g++", compiler), unlist(lapply(c(
    "RcppEigen", "RcppParallel", "rlang", "testthat", "survival", "glmnet", "ggplot2", "mlr3"
  ), of)), sep = "; ")'

check_package() {
  copy_sources checked
  inside bash -c 'cd /check && rm -f stabilect_*.tar.gz && R CMD build --no-build-vignettes checked'
  # As in tools/check.R: the page of packages is an empty one on disk, since --as-cran breaks off
  # where it cannot be had; CRAN's own look at what comes in is left out.
  inside Rscript -e 'dir.create("/check/pages/web/packages", FALSE, TRUE)' \
    -e 'dir.create("/check/pages/src/contrib", FALSE, TRUE)' \
    -e 'invisible(file.create("/check/pages/src/contrib/PACKAGES"))' \
    -e 'nothing <- data.frame(Package = character(), Maintainer = character())' \
    -e 'saveRDS(nothing, "/check/pages/web/packages/packages.rds")'
  rm -rf "$room/check/stabilect.Rcheck"
  # Suggested packages that neither Debian nor the repository has are told in the log.
  inside env _R_CHECK_FORCE_SUGGESTS_=false _R_CHECK_CRAN_INCOMING_=false \
    _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_XREFS_USE_ALIASES_FROM_CRAN_=false \
    R_CRAN_WEB=file:///check/pages _R_CHECK_XREFS_REPOSITORIES_=file:///check/pages MAKEFLAGS=-j2 \
    bash -c "cd /check && R CMD check --as-cran --no-manual $CHECK_OPTIONS stabilect_*.tar.gz" ||
    true
  log="$room/check/stabilect.Rcheck/00check.log"
  grep -q '^Status: ' "$log" || { echo "The check broke off: $log"; exit 1; }
  notes="$(sed -n 's/^\* checking \(.*\) \.\.\. *\(\[.*\] \)\{0,1\}\(NOTE\|WARNING\|ERROR\)$/\3 \1/p' "$log" |
    paste -sd ';' | sed 's/;/; /g')"
  store check "R CMD check --as-cran --no-manual $CHECK_OPTIONS, without built vignettes" \
    "$(tail -2 "$log" | sed -n 's/^Status: //p') ($notes)"
}

run_tests() {
  copy_sources stabilect
  inside mkdir -p /check/lib
  inside env MAKEFLAGS=-j2 R CMD INSTALL --library=/check/lib /check/stabilect
  inside env R_LIBS=/check/lib NOT_CRAN=true STABILECT_SOURCES=/check/stabilect TESTS="$TESTS" \
    bash -c 'cd /check/stabilect && Rscript --no-save /check/stabilect/tools/check-current-tests.R' ||
    true
  store tests "$(cat "$room/check/stabilect/tests-ran.txt")" \
    "$(cat "$room/check/stabilect/tests-outcome.txt")"
}

for step in $steps; do
  case "$step" in
    room) make_room ;;
    packages) add_packages ;;
    check) check_package ;;
    tests) run_tests ;;
    *) echo "No step is called $step"; exit 1 ;;
  esac
done
[ ! -f "$stored" ] || cat "$stored"
