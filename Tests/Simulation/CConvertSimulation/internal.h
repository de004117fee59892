#ifndef CONVERT_SIMULATION_INTERNAL_H
#define CONVERT_SIMULATION_INTERNAL_H

#include "CConvertSimulation.h"

// Whether functions of the system are hidden. ThreadSanitizer has its own in their place.
#if defined(__linux__) && !__has_feature(thread_sanitizer)
#define SIMULATION_HIDES_SYSTEM 1
#else
#define SIMULATION_HIDES_SYSTEM 0
#endif

extern struct simulation_hooks simulation_hooks;
extern bool simulation_is_on;

/// The function of that name that the executable hides.
void *simulation_real(const char *name);

void simulation_start_scheduling(void);

#endif
