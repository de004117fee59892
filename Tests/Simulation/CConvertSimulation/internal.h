#ifndef CONVERT_SIMULATION_INTERNAL_H
#define CONVERT_SIMULATION_INTERNAL_H

#include "CConvertSimulation.h"

extern struct simulation_hooks simulation_hooks;
extern bool simulation_is_on;

/// The function of that name that the executable hides.
void *simulation_real(const char *name);

void simulation_start_scheduling(void);

#endif
