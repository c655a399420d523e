# What Makevars and Makevars.win share: how the sources are compiled.

# Warnings in the headers of other packages are theirs to mend.
SYSTEM_HEADERS = $(patsubst -I%,-isystem %,$(CLINK_CPPFLAGS))

# Symbols for a debugger double the compiler's time and memory, and the library would have 100 MB
# instead of 3. `DEBUG_SYMBOLS=-g R CMD INSTALL .` makes them.
DEBUG_SYMBOLS ?= -g0

all: $(SHLIB)
$(OBJECTS): ALL_CXXFLAGS += $(DEBUG_SYMBOLS)

# What is compiled again: a header by the units that can include it, a source by its own.
headers = $(wildcard $(1:%=../inst/include/stabilect/%/*.h))
sources = $(shell sed -n 's/^.include "\(cpp_.*\)"/\1/p' $(1))
$(OBJECTS): $(wildcard *.h) $(call headers,base)
unit_path.o: $(call headers,path likelihood) $(call sources,unit_path.cpp)
unit_linear.o: $(call headers,linear) $(call sources,unit_linear.cpp)
unit_score.o: $(call headers,score signal) $(call sources,unit_score.cpp)
unit_lists.o: $(call headers,rank stability simulate) $(call sources,unit_lists.cpp)
