#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

// libcurl, loaded when an address is first used: a command without one starts without its thirty libraries. The
// declarations are those of the header; `so.4` has named its interface since 2006.

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>

// Macros that Swift cannot see, and numbers that newer headers spell with a cast.
static const long takeup_global_default = CURL_GLOBAL_DEFAULT;
static const long takeup_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long takeup_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long takeup_netrc_ignored = CURL_NETRC_IGNORED;
static const unsigned int takeup_url_disallow_user = CURLU_DISALLOW_USER;
static const unsigned int takeup_url_default_port = CURLU_DEFAULT_PORT;
static const unsigned int takeup_url_no_default_port = CURLU_NO_DEFAULT_PORT;
static const int takeup_prerequest_ok = CURL_PREREQFUNC_OK;
static const int takeup_prerequest_abort = CURL_PREREQFUNC_ABORT;
static const curl_socket_t takeup_no_socket = CURL_SOCKET_BAD;
static const size_t takeup_read_abort = CURL_READFUNC_ABORT;
static const int takeup_seek_ok = CURL_SEEKFUNC_OK;
static const int takeup_seek_failed = CURL_SEEKFUNC_FAIL;

/// The library; NULL where it is not installed.
static inline void *takeup_curl_library(void) {
    static void *library;
    void *known = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
    if (!known) {
        known = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
        __atomic_store_n(&library, known, __ATOMIC_RELEASE);
    }
    return known;
}

// Looked up at each call, which is far less work than any call. The parentheses keep the type-checking macros of the
// header away.
#define TAKEUP_CURL(name) ((__typeof__(&(name)))dlsym(takeup_curl_library(), #name))

static inline CURLcode takeup_global_init(long flags) { return TAKEUP_CURL(curl_global_init)(flags); }
static inline const char *takeup_easy_words(CURLcode code) { return TAKEUP_CURL(curl_easy_strerror)(code); }
static inline const char *takeup_url_words(CURLUcode code) { return TAKEUP_CURL(curl_url_strerror)(code); }
static inline CURLU *takeup_url(void) { return TAKEUP_CURL(curl_url)(); }
static inline void takeup_url_cleanup(CURLU *url) { TAKEUP_CURL(curl_url_cleanup)(url); }
static inline CURLUcode takeup_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return TAKEUP_CURL(curl_url_set)(url, part, text, flags);
}
static inline CURLUcode takeup_url_get(const CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return TAKEUP_CURL(curl_url_get)(url, part, text, flags);
}
static inline struct curl_slist *takeup_list_append(struct curl_slist *list, const char *line) {
    return TAKEUP_CURL(curl_slist_append)(list, line);
}
static inline void takeup_list_free(struct curl_slist *list) { TAKEUP_CURL(curl_slist_free_all)(list); }
static inline void takeup_curl_free(void *memory) { TAKEUP_CURL(curl_free)(memory); }

// `CURL` and `CURLM` are `void` or structs by the version: here a handle is always `void *`.
static inline void *takeup_easy_init(void) { return takeup_curl_library() ? TAKEUP_CURL(curl_easy_init)() : NULL; }
static inline void takeup_easy_cleanup(void *easy) { TAKEUP_CURL(curl_easy_cleanup)(easy); }
static inline void takeup_easy_reset(void *easy) { TAKEUP_CURL(curl_easy_reset)(easy); }
static inline void *takeup_multi_init(void) { return TAKEUP_CURL(curl_multi_init)(); }
static inline CURLMcode takeup_multi_cleanup(void *multi) { return TAKEUP_CURL(curl_multi_cleanup)(multi); }
static inline CURLMcode takeup_multi_add(void *multi, void *easy) {
    return TAKEUP_CURL(curl_multi_add_handle)(multi, easy);
}
static inline CURLMcode takeup_multi_remove(void *multi, void *easy) {
    return TAKEUP_CURL(curl_multi_remove_handle)(multi, easy);
}
static inline CURLMcode takeup_multi_perform(void *multi, int *running) {
    return TAKEUP_CURL(curl_multi_perform)(multi, running);
}
static inline CURLMcode takeup_multi_poll(void *multi, int milliseconds) {
    return TAKEUP_CURL(curl_multi_poll)(multi, NULL, 0, milliseconds, NULL);
}
static inline CURLMcode takeup_multi_wakeup(void *multi) { return TAKEUP_CURL(curl_multi_wakeup)(multi); }

// The variadic functions, once for each type that is set or asked.
static inline CURLMcode takeup_multi_set_long(void *multi, CURLMoption option, long value) {
    return TAKEUP_CURL(curl_multi_setopt)(multi, option, value);
}
static inline CURLcode takeup_easy_set_long(void *easy, CURLoption option, long value) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode takeup_easy_set_string(void *easy, CURLoption option, const char *value) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode takeup_easy_set_list(
    void *easy, CURLoption option, struct curl_slist *value) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode takeup_easy_set_pointer(void *easy, CURLoption option, void *value) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, option, value);
}
// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode takeup_easy_set_receiver(
    void *easy, CURLoption option, curl_write_callback receiver) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, option, receiver);
}
static inline CURLcode takeup_easy_set_offset(void *easy, CURLoption option, curl_off_t value) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode takeup_easy_set_sender(void *easy, curl_read_callback sender) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, CURLOPT_READFUNCTION, sender);
}
static inline CURLcode takeup_easy_set_seeker(void *easy, curl_seek_callback seeker) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, seeker);
}
static inline CURLcode takeup_easy_set_opener(void *easy, curl_opensocket_callback opener) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
}
static inline CURLcode takeup_easy_set_prerequest(void *easy, curl_prereq_callback prerequest) {
    return TAKEUP_CURL(curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, prerequest);
}
static inline CURLcode takeup_easy_get_offset(void *easy, CURLINFO info, curl_off_t *value) {
    return TAKEUP_CURL(curl_easy_getinfo)(easy, info, value);
}

// How the one request of a multi handle ended: 1 and its code, or 0 while it goes on.
static inline int takeup_multi_finished(void *multi, CURLcode *code) {
    int left = 0;
    struct CURLMsg *message;
    while ((message = TAKEUP_CURL(curl_multi_info_read)(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *code = message->data.result;
            return 1;
        }
    }
    return 0;
}

// The address of a socket to be: its bytes in network order (4 or 16, 0 for no Internet address)
// and its port.
static inline int takeup_socket_address(
    const struct curl_sockaddr *address, unsigned char bytes[16], unsigned short *port) {
    const struct sockaddr *generic = &address->addr;
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)generic;
        __builtin_memcpy(bytes, &v4->sin_addr, 4);
        *port = ntohs(v4->sin_port);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)generic;
        __builtin_memcpy(bytes, &v6->sin6_addr, 16);
        *port = ntohs(v6->sin6_port);
        return 16;
    }
    return 0;
}
