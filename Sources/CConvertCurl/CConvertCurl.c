#include "CConvertCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

// The beginning of `curl_version_info_data`, which only ever grew at its end.
typedef struct {
    int age;
    const char *version;
    unsigned int number;
} VersionInfo;

// `CURLMsg`; the last member is a union with a pointer.
typedef struct {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} Message;

static const int version_info_first = 0;
static const long global_ssl = 1;
static const int message_done = 1;

// Function pointers come as `void *`, which ISO C does not convert; POSIX says that their bytes are the same.
static int find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL) { return 0; }
    memcpy(function, &symbol, sizeof symbol);
    return 1;
}

static int find_all(void *library, ConvertCurlFunctions *curl) {
    return find(library, "curl_version", &curl->version_text)
        && find(library, "curl_easy_init", &curl->easy_init)
        && find(library, "curl_easy_cleanup", &curl->easy_cleanup)
        && find(library, "curl_easy_setopt", &curl->easy_setopt)
        && find(library, "curl_slist_append", &curl->slist_append)
        && find(library, "curl_slist_free_all", &curl->slist_free_all)
        && find(library, "curl_multi_init", &curl->multi_init)
        && find(library, "curl_multi_cleanup", &curl->multi_cleanup)
        && find(library, "curl_multi_add_handle", &curl->multi_add_handle)
        && find(library, "curl_multi_remove_handle", &curl->multi_remove_handle)
        && find(library, "curl_multi_perform", &curl->multi_perform)
        && find(library, "curl_multi_poll", &curl->multi_poll)
        && find(library, "curl_multi_wakeup", &curl->multi_wakeup)
        && find(library, "curl_multi_info_read", &curl->multi_info_read);
}

// Why the last `dlopen` found nothing: only its text tells.
static ConvertCurlLoading failure_to_load(void) {
    const char *text = dlerror();
    const int passing[] = {EMFILE, ENFILE, ENOMEM};
    for (size_t index = 0; text != NULL && index < sizeof passing / sizeof *passing; index++) {
        if (strstr(text, strerror(passing[index])) != NULL) { return CONVERT_CURL_OUT_OF_RESOURCES; }
    }
    return CONVERT_CURL_MISSING;
}

ConvertCurlLoading convert_curl_load(const char *file, ConvertCurlFunctions *curl) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { return failure_to_load(); }
    const VersionInfo *(*version_info)(int);
    int (*global_init)(long);
    if (!find(library, "curl_version_info", &version_info) || !find(library, "curl_global_init", &global_init)) {
        return CONVERT_CURL_MISSING;
    }
    const VersionInfo *info = version_info(version_info_first);
    if (info == NULL || info->number < CONVERT_CURL_OLDEST) { return CONVERT_CURL_TOO_OLD; }
    curl->version = info->number;
    if (!find_all(library, curl)) { return CONVERT_CURL_MISSING; }
    return global_init(global_ssl) == CONVERT_CURLE_OK ? CONVERT_CURL_LOADED : CONVERT_CURL_UNUSABLE;
}

int convert_curl_set_long(const ConvertCurlFunctions *curl, void *easy, int option, long value) {
    return curl->easy_setopt(easy, option, value);
}

int convert_curl_set_size(const ConvertCurlFunctions *curl, void *easy, int option, int64_t value) {
    return curl->easy_setopt(easy, option, value);
}

int convert_curl_set_pointer(const ConvertCurlFunctions *curl, void *easy, int option, const void *value) {
    return curl->easy_setopt(easy, option, value);
}

int convert_curl_set_receiver(const ConvertCurlFunctions *curl, void *easy, int option, ConvertCurlReceiver value) {
    return curl->easy_setopt(easy, option, value);
}

int convert_curl_allow_http(const ConvertCurlFunctions *curl, void *easy) {
    // 7.85 has the option that takes names.
    if (curl->version >= 0x075500) { return curl->easy_setopt(easy, CONVERT_CURLOPT_PROTOCOLS_STR, "http,https"); }
    return curl->easy_setopt(easy, CONVERT_CURLOPT_PROTOCOLS, CONVERT_CURLPROTO_HTTP_HTTPS);
}

int convert_curl_leave_resolver(const ConvertCurlFunctions *curl, void *easy) {
    return curl->version >= 0x075700 ? curl->easy_setopt(easy, CONVERT_CURLOPT_QUICK_EXIT, 1L) : CONVERT_CURLE_OK;
}

void *convert_curl_next_ended(const ConvertCurlFunctions *curl, void *multi, int *result) {
    int left = 0;
    for (;;) {
        const Message *message = curl->multi_info_read(multi, &left);
        if (message == NULL) { return NULL; }
        if (message->kind != message_done || message->easy == NULL) { continue; }
        *result = message->data.result;
        return message->easy;
    }
}

int convert_curl_start_thread(void *(*body)(void *), void *context) {
    // A thread begins with the mask of the one that starts it. An app's handlers run on the app's threads: one that ends
    // the process on this one would wait for it in vain. What a thread's own fault raises is not to be blocked.
    sigset_t blocked, former;
    sigfillset(&blocked);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) { sigdelset(&blocked, faults[index]); }
    int status = pthread_sigmask(SIG_BLOCK, &blocked, &former);
    if (status != 0) { return status; }
    pthread_t thread;
    status = pthread_create(&thread, NULL, body, context);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    return status;
}

uintptr_t convert_curl_current_thread(void) { return (uintptr_t)pthread_self(); }

void convert_curl_join_thread(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }
