// Files in the simulation's folder.

#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// <fcntl.h> would rename these functions to those for large files.
#define FLAG_CREATE 0100
#define FLAG_TRUNCATE 01000

enum { file_limit = 1 << 16 };

/// The paths of open files in the folder, by descriptor.
static char *paths[file_limit];
static char *folder;
static size_t folder_length;

void simulation_start(struct simulation_hooks hooks, const char *path) {
    simulation_hooks = hooks;
    free(folder);
    folder = strdup(path);
    folder_length = strlen(folder);
    simulation_start_scheduling();
    simulation_is_on = true;
}

void simulation_close_files(const char *prefix) {
    for (int descriptor = 0; descriptor < file_limit; descriptor++) {
        if (paths[descriptor] != NULL && strncmp(paths[descriptor], prefix, strlen(prefix)) == 0) close(descriptor);
    }
}

#if SIMULATION_HIDES_SYSTEM

static bool is_watched(const char *path) {
    return simulation_is_on && folder_length > 0 && strncmp(path, folder, folder_length) == 0;
}

static const char *watched(int descriptor) {
    if (!simulation_is_on || descriptor < 0 || descriptor >= file_limit) return NULL;
    return paths[descriptor];
}

static int64_t ask(enum simulation_step step, const char *path, const void *bytes, int64_t count, int64_t offset) {
    return simulation_hooks.disk(step, path, bytes, count, offset);
}

static int fail(int64_t result) {
    errno = (int)-result;
    return -1;
}

static int opened(int descriptor, const char *path) {
    if (descriptor >= 0 && descriptor < file_limit) {
        free(paths[descriptor]);
        paths[descriptor] = is_watched(path) ? strdup(path) : NULL;
    }
    return descriptor;
}

static int open_file(const char *name, const char *path, int flags, mode_t mode) {
    int (*real)(const char *, int, ...) = simulation_real(name);
    // Its memory begins anew with each owner, and its pages are no promise.
    size_t length = strlen(path);
    bool is_shared_memory = length > 4 && strcmp(path + length - 4, "-shm") == 0;
    if (is_shared_memory || !is_watched(path)) return real(path, flags, mode);
    if ((flags & FLAG_CREATE) != 0 && access(path, F_OK) != 0) {
        int64_t result = ask(simulation_create, path, NULL, 0, 0);
        if (result < 0) return fail(result);
    }
    if ((flags & FLAG_TRUNCATE) != 0) {
        int64_t result = ask(simulation_truncate, path, NULL, 0, 0);
        if (result < 0) return fail(result);
    }
    return opened(real(path, flags, mode), path);
}

#define OPEN(name)                                                                                           \
    int name(const char *path, int flags, ...) {                                                             \
        mode_t mode = 0;                                                                                     \
        if ((flags & FLAG_CREATE) != 0) {                                                                    \
            va_list arguments;                                                                               \
            va_start(arguments, flags);                                                                      \
            mode = va_arg(arguments, mode_t);                                                                \
            va_end(arguments);                                                                               \
        }                                                                                                    \
        return open_file(#name, path, flags, mode);                                                          \
    }

OPEN(open)
OPEN(open64)

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < file_limit && paths[descriptor] != NULL) {
        free(paths[descriptor]);
        paths[descriptor] = NULL;
    }
    return ((int (*)(int))simulation_real("close"))(descriptor);
}

#define WRITE_AT(name)                                                                                       \
    ssize_t name(int descriptor, const void *bytes, size_t count, off_t offset) {                            \
        ssize_t (*real)(int, const void *, size_t, off_t) = simulation_real(#name);                          \
        const char *path = watched(descriptor);                                                              \
        if (path == NULL) return real(descriptor, bytes, count, offset);                                     \
        int64_t result = ask(simulation_write, path, bytes, (int64_t)count, offset);                         \
        return result < 0 ? fail(result) : real(descriptor, bytes, (size_t)result, offset);                  \
    }

WRITE_AT(pwrite)
WRITE_AT(pwrite64)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    ssize_t (*real)(int, const void *, size_t) = simulation_real("write");
    const char *path = watched(descriptor);
    if (path == NULL) return real(descriptor, bytes, count);
    // Files that are written to without a place are only appended to.
    off_t end = lseek(descriptor, 0, SEEK_END);
    int64_t result = ask(simulation_write, path, bytes, (int64_t)count, end);
    return result < 0 ? fail(result) : real(descriptor, bytes, (size_t)result);
}

#define TRUNCATE(name)                                                                                       \
    int name(int descriptor, off_t size) {                                                                   \
        const char *path = watched(descriptor);                                                              \
        int64_t result = path == NULL ? 0 : ask(simulation_truncate, path, NULL, 0, size);                   \
        return result < 0 ? fail(result) : ((int (*)(int, off_t))simulation_real(#name))(descriptor, size);  \
    }

TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

// The simulation's disk knows what was synced; the real one need not wait.
#define SYNC(name)                                                                                           \
    int name(int descriptor) {                                                                               \
        const char *path = watched(descriptor);                                                              \
        if (path == NULL) return ((int (*)(int))simulation_real(#name))(descriptor);                         \
        int64_t result = ask(simulation_sync, path, NULL, 0, 0);                                             \
        return result < 0 ? fail(result) : 0;                                                                \
    }

SYNC(fsync)
SYNC(fdatasync)

#define REMOVE(name)                                                                                         \
    int name(const char *path) {                                                                             \
        int64_t result = is_watched(path) ? ask(simulation_unlink, path, NULL, 0, 0) : 0;                    \
        return result < 0 ? fail(result) : ((int (*)(const char *))simulation_real(#name))(path);            \
    }

REMOVE(unlink)
REMOVE(remove)

int rename(const char *old, const char *new) {
    int64_t result = is_watched(old) ? ask(simulation_rename, old, new, 0, 0) : 0;
    return result < 0 ? fail(result) : ((int (*)(const char *, const char *))simulation_real("rename"))(old, new);
}

#endif
