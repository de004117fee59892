// Work, time and randomness.

#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct simulation_hooks simulation_hooks;
bool simulation_is_on;
static int64_t simulation_now;

/// Noon of a day in 2026, in seconds since 1970: where the calendar is when the clocks are at zero.
static const int64_t calendar_start = 1790000000;

static const int64_t second = 1000000000;

int64_t simulation_time(void) { return simulation_now; }

void simulation_set_time(int64_t time) { simulation_now = time; }

void simulation_set_on(bool is_on) { simulation_is_on = is_on; }

void *simulation_real(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    return function;
}

// MARK: Swift's jobs

typedef __attribute__((swiftcall)) void (*swift_enqueue)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, swift_enqueue original);
extern __attribute__((swiftcall)) void swift_job_run(void *job, uintptr_t identity, uintptr_t implementation);

static __attribute__((swiftcall)) void enqueue_global(void *job, swift_enqueue original) {
    if (simulation_is_on) simulation_hooks.enqueue_job(job); else original(job);
}

// On the generic executor, as a thread of the pool runs it.
void simulation_run_job(void *job) { swift_job_run(job, 0, 0); }

void simulation_start_scheduling(void) { swift_task_enqueueGlobal_hook = enqueue_global; }

static int (*real_clock)(clockid_t, struct timespec *);

static int64_t real_nanoseconds(clockid_t clock) {
    struct timespec time;
    if (real_clock == NULL) real_clock = simulation_real("clock_gettime");
    real_clock(clock, &time);
    return time.tv_sec * second + time.tv_nsec;
}

int64_t simulation_processor_time(void) { return real_nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

int64_t simulation_real_time(void) { return real_nanoseconds(CLOCK_MONOTONIC); }

#if SIMULATION_HIDES_SYSTEM

// MARK: libdispatch

// What Swift's runtime does not hand to its hook, such as sleeps, comes here, as do the package's own queues.

extern void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

struct block {
    void *class;
    int flags;
    int reserved;
    void (*invoke)(void *block);
};

static void run_block(void *block) {
    ((struct block *)block)->invoke(block);
    _Block_release(block);
}

/// Queues that run several calls at once, of which Swift's runtime makes one for each priority of what sleeps.
static void *concurrent_queues[16];
static size_t concurrent_count;

void dispatch_queue_set_width(void *queue, long width) {
    if (!simulation_is_on) {
        ((void (*)(void *, long))simulation_real("dispatch_queue_set_width"))(queue, width);
    } else if (concurrent_count < sizeof concurrent_queues / sizeof *concurrent_queues) {
        concurrent_queues[concurrent_count++] = queue;
    } else {
        abort();
    }
}

static void *serial(void *queue) {
    for (size_t index = 0; index < concurrent_count; index++) {
        if (queue == concurrent_queues[index]) return NULL;
    }
    static const intptr_t qualities[] = {0x21, 0x19, 0x15, 0x11, 0x09, 0x05, 2, 0, -2};
    for (size_t index = 0; index < sizeof qualities / sizeof *qualities; index++) {
        if (queue == dispatch_get_global_queue(qualities[index], 0)) return NULL;
        if (queue == dispatch_get_global_queue(qualities[index], 2)) return NULL;
    }
    return queue;
}

/// The nanoseconds of a `dispatch_time_t`. Its two highest bits name the clock; all clocks are one here.
static int64_t nanoseconds(uint64_t time) {
    uint64_t wall = 3ull << 62;
    if (time == UINT64_MAX) return INT64_MAX;
    if ((time & wall) == wall) return -(int64_t)time - calendar_start * second;
    return (int64_t)(time & ~wall);
}

void dispatch_async_f(void *queue, void *context, void (*function)(void *)) {
    if (simulation_is_on) return simulation_hooks.enqueue_call(serial(queue), simulation_now, context, function);
    ((void (*)(void *, void *, void (*)(void *)))simulation_real("dispatch_async_f"))(queue, context, function);
}

void dispatch_async(void *queue, void *block) {
    if (simulation_is_on) {
        return simulation_hooks.enqueue_call(serial(queue), simulation_now, _Block_copy(block), run_block);
    }
    ((void (*)(void *, void *))simulation_real("dispatch_async"))(queue, block);
}

void dispatch_sync(void *queue, void *block) {
    if (!simulation_is_on) return ((void (*)(void *, void *))simulation_real("dispatch_sync"))(queue, block);
    void *line = serial(queue);
    simulation_hooks.begin_call(line);
    ((struct block *)block)->invoke(block);
    simulation_hooks.end_call(line);
}

void dispatch_after_f(uint64_t time, void *queue, void *context, void (*function)(void *)) {
    if (simulation_is_on) {
        return simulation_hooks.enqueue_call(serial(queue), nanoseconds(time), context, function);
    }
    ((void (*)(uint64_t, void *, void *, void (*)(void *)))simulation_real("dispatch_after_f"))(
        time, queue, context, function);
}

void dispatch_after(uint64_t time, void *queue, void *block) {
    if (simulation_is_on) {
        return simulation_hooks.enqueue_call(serial(queue), nanoseconds(time), _Block_copy(block), run_block);
    }
    ((void (*)(uint64_t, void *, void *))simulation_real("dispatch_after"))(time, queue, block);
}

// MARK: Time

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!simulation_is_on) {
        if (real_clock == NULL) real_clock = simulation_real("clock_gettime");
        return real_clock(clock, time);
    }
    bool is_calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    time->tv_sec = simulation_now / second + (is_calendar ? calendar_start : 0);
    time->tv_nsec = simulation_now % second;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) *result = now.tv_sec;
    return now.tv_sec;
}

int usleep(useconds_t microseconds) {
    if (simulation_is_on) {
        simulation_hooks.sleep((int64_t)microseconds * 1000);
        return 0;
    }
    return ((int (*)(useconds_t))simulation_real("usleep"))(microseconds);
}

// MARK: Randomness

void swift_stdlib_random(void *bytes, size_t count) {
    if (simulation_is_on) return simulation_hooks.fill(bytes, count);
    ((void (*)(void *, size_t))simulation_real("swift_stdlib_random"))(bytes, count);
}

ssize_t getrandom(void *bytes, size_t count, unsigned int flags) {
    if (simulation_is_on) {
        simulation_hooks.fill(bytes, count);
        return (ssize_t)count;
    }
    return ((ssize_t (*)(void *, size_t, unsigned int))simulation_real("getrandom"))(bytes, count, flags);
}

/// Within Swift's library random bytes come by this name. All system calls take at most six arguments.
long syscall(long number, ...) {
    long values[6];
    va_list arguments;
    va_start(arguments, number);
    for (int index = 0; index < 6; index++) values[index] = va_arg(arguments, long);
    va_end(arguments);
    if (simulation_is_on && number == SYS_getrandom) {
        simulation_hooks.fill((void *)values[0], (size_t)values[1]);
        return values[1];
    }
    static long (*real)(long, ...);
    if (real == NULL) real = simulation_real("syscall");
    return real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

// MARK: What no seed decides

#define UNCOVERED(result, name, parameters, arguments)                                                       \
    result name parameters {                                                                                 \
        if (simulation_is_on) simulation_hooks.uncovered(#name);                                             \
        return ((result(*) parameters)simulation_real(#name))arguments;                                      \
    }

UNCOVERED(int, pthread_create,
    (pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
    (thread, attributes, body, argument))
UNCOVERED(void *, dispatch_source_create, (const void *type, uintptr_t handle, uintptr_t mask, void *queue),
    (type, handle, mask, queue))
UNCOVERED(unsigned int, sleep, (unsigned int seconds), (seconds))
UNCOVERED(int, nanosleep, (const struct timespec *wanted, struct timespec *left), (wanted, left))
UNCOVERED(int, clock_nanosleep,
    (clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left), (clock, flags, wanted, left))
UNCOVERED(int, getentropy, (void *bytes, size_t count), (bytes, count))

#endif
