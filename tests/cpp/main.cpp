// Catch's own main takes longest to compile, so it has an object file to itself.
#define CATCH_CONFIG_MAIN
#include "catch.h"
