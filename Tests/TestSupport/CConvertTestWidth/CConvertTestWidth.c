#include "CConvertTestWidth.h"

#include <stdlib.h>

// How many tests run at once, unless the environment says otherwise. Swift Testing reads the variable when the run
// begins. Without a bound it starts all tests at once: each waits behind all the others, so that its duration says
// nothing and its time limit holds for the whole run, and tests that look now and then whether something has happened
// look thousands of times.
__attribute__((constructor)) static void setWidth(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
