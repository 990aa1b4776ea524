#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

#include <microhttpd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Variadic functions, which Swift cannot call.

/// What the library calls; each gets `owner` first. Must outlive the daemon.
struct takeup_http_callbacks {
    void *owner;
    MHD_AcceptPolicyCallback accepts;
    MHD_NotifyConnectionCallback connection;
    void *(*line)(void *owner, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    /// The library is about to refuse what it is reading on this thread.
    void (*refuses)(void *owner, unsigned status);
};

/// Targets stay as they came: who routes decides what is decoded, and once.
static inline size_t takeup_http_keep(void *owner, struct MHD_Connection *connection, char *text) {
    (void)owner; (void)connection;
    return strlen(text);
}

/// The library has no other hook for its own refusals, whose pages are HTML and sometimes have two heads.
static inline void takeup_http_note(void *raw, const char *format, va_list arguments) {
    const struct takeup_http_callbacks *callbacks = (const struct takeup_http_callbacks *)raw;
    if (strstr(format, "HTTP response code is %u") == NULL) return;
    callbacks->refuses(callbacks->owner, va_arg(arguments, unsigned));
}

static inline int takeup_http_is_strict(void) { return atoi(MHD_get_version()) >= 1; }

static inline struct MHD_Daemon *takeup_http_start(
    const struct takeup_http_callbacks *callbacks, int listener, unsigned connections,
    size_t memory, size_t stack) {
    return MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ITC
            | MHD_USE_ERROR_LOG,
        0, callbacks->accepts, callbacks->owner, callbacks->request, callbacks->owner,
        MHD_OPTION_EXTERNAL_LOGGER, takeup_http_note, (void *)callbacks,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_THREAD_STACK_SIZE, stack,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->owner,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->owner,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->line, callbacks->owner,
        MHD_OPTION_UNESCAPE_CALLBACK, takeup_http_keep, callbacks->owner,
        // Release 1 refuses bare line feeds, folded lines and their like itself; see RequestSyntax for those before.
        MHD_OPTION_STRICT_FOR_CLIENT, takeup_http_is_strict() ? 1 : 0,
        MHD_OPTION_END);
}

static inline int takeup_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

static inline const struct sockaddr *takeup_http_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

static inline void *takeup_http_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// From the method's first byte to the end of the empty line.
static inline size_t takeup_http_head_bytes(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// No length, no chunks: only the end of the connection ends such a body.
static inline void takeup_http_end_by_closing(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

static const uint64_t takeup_http_unknown_size = MHD_SIZE_UNKNOWN;
static const ssize_t takeup_http_end = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t takeup_http_broken = MHD_CONTENT_READER_END_WITH_ERROR;
