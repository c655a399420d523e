# `make demo` and `make check` work in a fresh clone; the others expect what `make deps` installs.
# `make help-all` lists them. Built files go to .build/.

JOBS ?= 2
# R, not make, reads these: flags of the outer make must not reach the compilers that R starts.
R = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL JOBS=$(JOBS) Rscript --no-save --no-restore
LIB = $(abspath .build/lib)
PEERS = $(abspath .build/peers)
PEER_TESTS = run-workers|data-columns|score-screened|adapt-mlr3|result-import|result-foreign|list-calibrated
# Tests do not run in this folder, so that the default place of the data of the papers is spelt out.
export STABILECT_DATA ?= $(abspath ../shared/data)
CPP_FILES = $(wildcard inst/include/stabilect/*/*.h src/cpp_*.cpp src/unit_*.cpp src/r_*.h src/r_*.cpp \
  tests/cpp/*.cpp tests/cpp/*.h)

.PHONY: help help-all demo vignettes check check-alone check-current check-bits deps document rooms \
  readme-table cheatsheet test core-test attack attack-interrupt attack-checkpoint attack-engine attack-sanitized \
  attack-memory peers laws \
  lint format bench gallery data site clean

help:
	@echo 'make demo       install what is missing and the package, score colon and mcl_sll'
	@echo 'make check      install what is missing, R CMD check, core tests, lint'
	@echo 'make test       tests of the R side        make core-test  tests of the core, sanitized'
	@echo 'make document   NAMESPACE, man/ and RcppExports from the comments (needs roxygen2)'
	@echo 'make lint       lintr, layout, rooms       make format     clang-format'
	@echo 'make help-all   the others; CONTRIBUTING.md says more about each'

help-all: help
	@echo 'make vignettes  build the pages that vignette() shows, and install the package with them'
	@echo 'make check-alone   R CMD check without any suggested package'
	@echo 'make check-current   R CMD check and tests with today'"'"'s R and packages, in a chroot of Debian'
	@echo 'make check-bits are results of the core the same on other processors?'
	@echo 'make deps       install what demo and check need and is missing'
	@echo 'make laws       4,000 pairs of calls that must agree, and laws of chance'
	@echo 'make attack     4,000 calls, valid and damaged: they work, or are refused'
	@echo 'make attack-interrupt, attack-checkpoint, attack-engine, attack-sanitized, attack-memory'
	@echo 'make peers      installs bigstatsr, mirai, mlr3, sharp in .build/peers; their tests'
	@echo 'make rooms      draws the rooms of R/ in DESIGN.md'
	@echo 'make readme-table   the table of speeds in bench/README.md'
	@echo 'make cheatsheet     inst/cheatsheet/stabilect.pdf: the verbs on one page'
	@echo 'make bench      every script in bench/     make site       web site (needs pkgdown)'
	@echo 'make gallery    every picture at three sizes, on one page: .build/gallery/index.html'
	@echo 'make paper-zare the experiments of a paper (also -onda, -dernoncourt, -hamer, -brzezinski)'
	@echo 'make data       data sets of the experiments from CRAN and Bioconductor, in STABILECT_DATA'
	@echo 'make clean      remove .build/'

demo:
	@$(R) tools/install-deps.R demo
	@$(R) tools/install-package.R
	@$(R) tools/demo.R

vignettes:
	@$(R) tools/install-deps.R check
	@$(R) tools/install-package.R --vignettes

check:
	@$(R) tools/check.R

check-alone:
	@$(R) tools/check.R alone

# make check-current STEPS='check tests' TESTS='^run-'; the first time with all steps, which takes hours.
check-current:
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL TESTS='$(TESTS)' tools/check-current.sh $(STEPS)

check-bits:
	@tools/check-bits.sh

deps:
	@$(R) tools/install-deps.R check

document:
	@$(R) tools/document.R

rooms:
	@$(R) tools/draw-rooms.R

readme-table:
	@$(R) tools/readme-table.R

cheatsheet:
	@$(R) tools/cheatsheet.R

test:
	@$(R) tools/install-package.R $(LIB)
	@NOT_CRAN=true R_LIBS=$(LIB) $(R) tools/test.R

core-test:
	@$(MAKE) --no-print-directory -C tests/cpp -j$(JOBS)

# make attack CALLS=20000 SEED=7; without SEED another one every time.
attack:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) $(R) tools/attack.R $(or $(CALLS),4000) $(SEED)

# make laws CALLS=20000 SEED=7 CHANCE=20; pairs of calls, and data sets in a cell of chance.
laws:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) CHANCE=$(or $(CHANCE),20) $(R) tools/laws.R $(or $(CALLS),4000) $(SEED)

# make attack-interrupt NAME=forest; the calls whose name has that part.
attack-interrupt:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) $(R) tools/attack-interrupt.R $(NAME)

attack-checkpoint:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) $(R) tools/attack-checkpoint.R $(or $(KILLS),20) $(or $(DAMAGES),200) $(SEED)

attack-engine:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) $(R) tools/attack-engine.R $(or $(DESIGNS),5000) $(SEED)

# make attack-sanitized CALLS=400 SEED=7; builds the package once more, which takes minutes.
attack-sanitized:
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL JOBS=$(JOBS) CALLS=$(CALLS) SEED=$(SEED) \
	  tools/attack-sanitized.sh

# make attack-memory ONLY='valgrind clang'; tools/attack-memory.sh names the tools.
attack-memory:
	@$(R) tools/install-package.R $(LIB)
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL JOBS=$(JOBS) R_LIBS=$(LIB) tools/attack-memory.sh $(ONLY)

peers:
	@$(R) tools/install-deps.R peers
	@$(R) tools/install-package.R $(LIB)
	@NOT_CRAN=true R_LIBS=$(LIB):$(PEERS) $(R) tools/test.R '$(PEER_TESTS)'

lint:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) $(R) tools/lint.R

format:
	clang-format -i $(CPP_FILES)

bench:
	@$(R) tools/install-package.R $(LIB)
	@for script in bench/*.R; do echo "$$script"; R_LIBS=$(LIB) $(R) $$script || exit 1; done

# The folder of data sets that the experiments read, as far as packages have them.
data:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) $(R) tools/data-folder.R $(STABILECT_DATA)

# Experiments of a paper that are not stored; make paper-zare AGAIN=yes for all of them.
paper-%:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) AGAIN=$(AGAIN) $(R) tools/paper.R $*

# make gallery ONLY='fealect tradeoff'; the pictures whose name has one of these parts.
gallery:
	@$(R) tools/install-package.R $(LIB)
	@R_LIBS=$(LIB) $(R) tools/gallery.R $(ONLY)

site:
	@$(R) tools/install-package.R $(LIB)
	@$(R) tools/site.R

clean:
	rm -rf .build
