#ifndef CCONVERTCURL_H
#define CCONVERTCURL_H

// The part of libcurl's interface that the transport calls, with declarations of our own, so that building needs no
// headers of libcurl. Everything here has kept its number and its form since soname 4 began; libcurl promises that for
// the soname's life. What newer versions added is asked for only if the library that was found has it.

#include <stddef.h>
#include <stdint.h>

// Options of a transfer: the number of the option plus its type's, 0 for `long`, 10000 for pointers, 20000 for
// functions, 30000 for `curl_off_t`.
#define CONVERT_CURLOPT_SSLVERSION 32
#define CONVERT_CURLOPT_NOBODY 44
#define CONVERT_CURLOPT_FOLLOWLOCATION 52
#define CONVERT_CURLOPT_NOSIGNAL 99
#define CONVERT_CURLOPT_TIMEOUT_MS 155
#define CONVERT_CURLOPT_PROTOCOLS 181
#define CONVERT_CURLOPT_SUPPRESS_CONNECT_HEADERS 265
#define CONVERT_CURLOPT_QUICK_EXIT 322
#define CONVERT_CURLOPT_WRITEDATA 10001
#define CONVERT_CURLOPT_URL 10002
#define CONVERT_CURLOPT_PROXY 10004
#define CONVERT_CURLOPT_USERAGENT 10018
#define CONVERT_CURLOPT_HTTPHEADER 10023
#define CONVERT_CURLOPT_HEADERDATA 10029
#define CONVERT_CURLOPT_CUSTOMREQUEST 10036
#define CONVERT_CURLOPT_ACCEPT_ENCODING 10102
#define CONVERT_CURLOPT_COPYPOSTFIELDS 10165
#define CONVERT_CURLOPT_PROTOCOLS_STR 10318
#define CONVERT_CURLOPT_WRITEFUNCTION 20011
#define CONVERT_CURLOPT_HEADERFUNCTION 20079
#define CONVERT_CURLOPT_POSTFIELDSIZE_LARGE 30120

#define CONVERT_CURL_SSLVERSION_TLSv1_2 6L
#define CONVERT_CURLPROTO_HTTP_HTTPS 3L

// How a transfer ended.
#define CONVERT_CURLE_OK 0
#define CONVERT_CURLE_UNSUPPORTED_PROTOCOL 1
#define CONVERT_CURLE_URL_MALFORMAT 3
#define CONVERT_CURLE_COULDNT_RESOLVE_PROXY 5
#define CONVERT_CURLE_COULDNT_RESOLVE_HOST 6
#define CONVERT_CURLE_COULDNT_CONNECT 7
#define CONVERT_CURLE_WEIRD_SERVER_REPLY 8
#define CONVERT_CURLE_HTTP2 16
#define CONVERT_CURLE_PARTIAL_FILE 18
#define CONVERT_CURLE_WRITE_ERROR 23
#define CONVERT_CURLE_OUT_OF_MEMORY 27
#define CONVERT_CURLE_OPERATION_TIMEDOUT 28
#define CONVERT_CURLE_SSL_CONNECT_ERROR 35
#define CONVERT_CURLE_BAD_FUNCTION_ARGUMENT 43
#define CONVERT_CURLE_INTERFACE_FAILED 45
#define CONVERT_CURLE_GOT_NOTHING 52
#define CONVERT_CURLE_SEND_ERROR 55
#define CONVERT_CURLE_RECV_ERROR 56
#define CONVERT_CURLE_SSL_CERTPROBLEM 58
#define CONVERT_CURLE_SSL_CIPHER 59
#define CONVERT_CURLE_PEER_FAILED_VERIFICATION 60
#define CONVERT_CURLE_BAD_CONTENT_ENCODING 61
#define CONVERT_CURLE_SSL_CACERT_BADFILE 77
#define CONVERT_CURLE_SSL_CRL_BADFILE 82
#define CONVERT_CURLE_SSL_ISSUER_ERROR 83
#define CONVERT_CURLE_SSL_INVALIDCERTSTATUS 91
#define CONVERT_CURLE_HTTP2_STREAM 92
#define CONVERT_CURLE_PROXY 97
#define CONVERT_CURLE_SSL_CLIENTCERT 98
#define CONVERT_CURLE_TOO_LARGE 100

#define CONVERT_CURLM_OK 0

/// Takes `size * count` bytes that arrived; any other result than that ends the transfer.
typedef size_t (*ConvertCurlReceiver)(char *bytes, size_t size, size_t count, void *context);

/// The functions of a library that was found. Easy and multi handles and lists are pointers to what only the library
/// knows.
typedef struct {
    /// 0xXXYYZZ for the version X.Y.Z.
    unsigned int version;
    const char *(*version_text)(void);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *easy);
    int (*easy_setopt)(void *easy, int option, ...);
    void *(*slist_append)(void *list, const char *text);
    void (*slist_free_all)(void *list);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *multi);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *running);
    int (*multi_poll)(void *multi, void *extra, unsigned int extra_count, int milliseconds, int *ready);
    int (*multi_wakeup)(void *multi);
    void *(*multi_info_read)(void *multi, int *left);
} ConvertCurlFunctions;

typedef enum {
    /// All functions are there.
    CONVERT_CURL_LOADED,
    /// The system's loader finds no such library, or one without a function that is needed.
    CONVERT_CURL_MISSING,
    /// It is older than `CONVERT_CURL_OLDEST`.
    CONVERT_CURL_TOO_OLD,
    /// Its global initialization failed.
    CONVERT_CURL_UNUSABLE,
    /// There is no descriptor or no memory left to load it with; it may be another time.
    CONVERT_CURL_OUT_OF_RESOURCES,
} ConvertCurlLoading;

/// 7.68.0, the first version whose wait can be ended by another thread.
#define CONVERT_CURL_OLDEST 0x074400

/// Loads the library of that file name, initializes it and fills in `functions`. It stays loaded until the process
/// ends.
ConvertCurlLoading convert_curl_load(const char *file, ConvertCurlFunctions *functions);

// Swift cannot call variadic functions: one wrapper for each type of argument.

int convert_curl_set_long(const ConvertCurlFunctions *curl, void *easy, int option, long value);
int convert_curl_set_size(const ConvertCurlFunctions *curl, void *easy, int option, int64_t value);
int convert_curl_set_pointer(const ConvertCurlFunctions *curl, void *easy, int option, const void *value);
int convert_curl_set_receiver(const ConvertCurlFunctions *curl, void *easy, int option, ConvertCurlReceiver value);

/// Allows http and https, nothing else.
int convert_curl_allow_http(const ConvertCurlFunctions *curl, void *easy);

/// Lets a handle go while a name is being looked up for it; before 7.87 the thread waits for the system's resolver.
int convert_curl_leave_resolver(const ConvertCurlFunctions *curl, void *easy);

/// Takes the next transfer that has ended; its handle, or null if there is none.
void *convert_curl_next_ended(const ConvertCurlFunctions *curl, void *multi, int *result);

// Threads, because their type differs from one C library to the next.

/// Starts a thread that runs `body` with `context`, where SIGPIPE is blocked: some versions write to a socket that the
/// peer has closed without guarding against it. 0 if it runs.
int convert_curl_start_thread(void *(*body)(void *), void *context);

/// The calling thread.
uintptr_t convert_curl_current_thread(void);

/// Waits until a thread has ended, which nobody else may wait for.
void convert_curl_join_thread(uintptr_t thread);

#endif
