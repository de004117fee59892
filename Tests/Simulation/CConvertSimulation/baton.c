// Threads of which exactly one runs. It hands the baton on where it takes a lock of the product's.

#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { worker_limit = 8 };

struct worker {
    sem_t go;
    void *context;
    void (*function)(void *);
    bool is_over;
};

static struct worker workers[worker_limit];
/// Posted when a worker hands the baton back.
static sem_t back;
static bool is_on;
/// The worker that the calling thread is; -1 for the one that hands the baton out.
static _Thread_local int self = -1;

static void wait_for(sem_t *semaphore) {
    while (sem_wait(semaphore) != 0) {}
}

static void *work(void *argument) {
    self = (int)(intptr_t)argument;
    struct worker *worker = &workers[self];
    while (true) {
        wait_for(&worker->go);
        worker->function(worker->context);
        worker->is_over = true;
        sem_post(&back);
    }
}

void simulation_start_baton(int count) {
    sem_init(&back, 0, 0);
    simulation_is_on = false;
    for (int index = 0; index < count && index < worker_limit; index++) {
        pthread_t thread;
        sem_init(&workers[index].go, 0, 0);
        if (pthread_create(&thread, NULL, work, (void *)(intptr_t)index) != 0) abort();
    }
    simulation_is_on = true;
    is_on = true;
}

bool simulation_resume(int index) {
    workers[index].is_over = false;
    sem_post(&workers[index].go);
    wait_for(&back);
    return workers[index].is_over;
}

bool simulation_begin(int index, void *context, void (*function)(void *)) {
    workers[index].context = context;
    workers[index].function = function;
    return simulation_resume(index);
}

#if SIMULATION_HIDES_SYSTEM

/// Lets others run.
static void hand_on(void) {
    if (self < 0) return simulation_hooks.resume_any();
    sem_post(&back);
    wait_for(&workers[self].go);
}

void simulation_hand_on(void) {
    if (!is_on) {
        simulation_hooks.uncovered("dispatch_sync on the caller's own queue");
        abort();
    }
    hand_on();
}

/// Whether the code at the address is linked into the executable, as the product is, and not into a shared library.
static bool is_own(const void *address) {
    extern const char __executable_start[], etext[];
    return (const char *)address >= __executable_start && (const char *)address < etext;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (real == NULL) real = simulation_real("pthread_mutex_lock");
    if (!is_on || !simulation_is_on) return real(mutex);
    if (self >= 0 && is_own(__builtin_return_address(0)) && simulation_hooks.hands_on()) hand_on();
    int result;
    while ((result = pthread_mutex_trylock(mutex)) == EBUSY) hand_on();
    return result;
}

/// Without a baton, a wait that is not over at once would never be.
intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
    static intptr_t (*real)(void *, uint64_t);
    if (real == NULL) real = simulation_real("dispatch_semaphore_wait");
    if (!simulation_is_on) return real(semaphore, timeout);
    while (real(semaphore, 0) != 0) {
        if (!is_on) {
            simulation_hooks.uncovered("dispatch_semaphore_wait");
            abort();
        }
        hand_on();
    }
    return 0;
}

#else

void simulation_hand_on(void) { abort(); }

#endif
