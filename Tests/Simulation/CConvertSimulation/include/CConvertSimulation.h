// What an executable puts in the place of the system's functions, so that a seed decides what they do. Linux only:
// there a function of the executable wins over one of the same name in a shared library.

#ifndef CONVERT_SIMULATION_H
#define CONVERT_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A step that changes what is on the disk.
enum simulation_step {
    simulation_create,
    simulation_write,
    simulation_truncate,
    simulation_sync,
    simulation_unlink,
    simulation_rename,
};

/// What the simulation does in the place of the system. All are called on the thread that calls the system.
struct simulation_hooks {
    /// Takes a job of Swift's that can run, on no queue in particular.
    void (*enqueue_job)(void *job);
    /// Takes a call that can run at `time`, behind those of the same queue. The queue is null for one that is
    /// concurrent.
    void (*enqueue_call)(void *queue, int64_t time, void *context, void (*function)(void *));
    /// Fills memory with random bytes.
    void (*fill)(void *bytes, size_t count);
    /// Lets the calling thread sleep.
    void (*sleep)(int64_t nanoseconds);
    /// Decides about a step on a file in the simulation's folder before it is done. Returns how many bytes are to be
    /// written, or a negative error number.
    int64_t (*disk)(enum simulation_step step, const char *path, const void *bytes, int64_t count, int64_t offset);
    /// Whether a thread hands the baton on where it takes a lock.
    bool (*hands_on)(void);
    /// Lets one of the threads run that wait for the baton, so that the lock is released that the caller waits for.
    void (*resume_any)(void);
    /// Lets what waits on a serial queue run, so that the caller can run something on it, and ends that.
    void (*begin_call)(void *queue);
    void (*end_call)(void *queue);
    /// Receives the name of a function whose effects no seed decides.
    void (*uncovered)(const char *name);
};

/// The time in nanoseconds, which every clock shows while a simulation runs.
int64_t simulation_time(void);
void simulation_set_time(int64_t time);

/// Puts the hooks in the place of the system, for files in `folder` and for all else.
void simulation_start(struct simulation_hooks hooks, const char *folder);

/// Lets the system answer, or the hooks again.
void simulation_set_on(bool is_on);

/// Runs a job of Swift's until it waits for something.
void simulation_run_job(void *job);

/// Starts threads of which one runs at a time, up to 8.
void simulation_start_baton(int count);

/// Lets a thread call `function`. Returns whether that is over; otherwise the thread waits for the baton.
bool simulation_begin(int thread, void *context, void (*function)(void *));

/// Gives the baton to a thread that waits for it. Returns whether what it calls is over.
bool simulation_resume(int thread);

/// Lets a thread run that waits for the baton. There has to be one.
void simulation_hand_on(void);

/// Closes all files in the folder whose paths begin with `prefix`, as the end of a process does.
void simulation_close_files(const char *prefix);

/// The processor time of this process in nanoseconds, by the system's clock.
int64_t simulation_processor_time(void);

/// The time in nanoseconds by the system's clock.
int64_t simulation_real_time(void);

#endif
