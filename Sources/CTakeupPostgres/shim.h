#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

// libpq, loaded when a database of PostgreSQL is opened: a program that uses SQLite starts without its twenty libraries.
// The declarations are those of libpq-fe.h, whose interface has been the same since version 8; `so.5` names it.

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef struct takeup_pg_connection takeup_pg_connection;
typedef struct takeup_pg_result takeup_pg_result;

enum {
    takeup_pg_connection_ok = 0,
    takeup_pg_command_ok = 1,
    takeup_pg_tuples_ok = 2,
    takeup_pg_pipeline_sync = 10,
    takeup_pg_no_transaction = 0,
    takeup_pg_failed_transaction = 3,
    takeup_pg_sqlstate = 'C',
    takeup_pg_primary_message = 'M',
    takeup_pg_source_function = 'R',
};

/// The library; NULL where it is not installed.
static inline void *takeup_pg_library(void) {
    static void *library;
    void *known = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
    if (!known) {
        known = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
        __atomic_store_n(&library, known, __ATOMIC_RELEASE);
    }
    return known;
}

/// Calls one of its functions, which is looked up once.
#define TAKEUP_PG(result, name, parameters, arguments)                              \
    static inline result takeup_##name parameters {                                 \
        static void *known;                                                         \
        void *function = __atomic_load_n(&known, __ATOMIC_ACQUIRE);                 \
        if (!function) {                                                            \
            function = dlsym(takeup_pg_library(), #name);                           \
            __atomic_store_n(&known, function, __ATOMIC_RELEASE);                   \
        }                                                                           \
        return ((result(*) parameters)function) arguments;                          \
    }

TAKEUP_PG(takeup_pg_connection *, PQconnectdbParams,
          (const char *const *keys, const char *const *values, int expands), (keys, values, expands))
TAKEUP_PG(int, PQstatus, (const takeup_pg_connection *c), (c))
TAKEUP_PG(int, PQtransactionStatus, (const takeup_pg_connection *c), (c))
TAKEUP_PG(char *, PQerrorMessage, (const takeup_pg_connection *c), (c))
TAKEUP_PG(void, PQfinish, (takeup_pg_connection *c), (c))
TAKEUP_PG(takeup_pg_result *, PQexec, (takeup_pg_connection *c, const char *sql), (c, sql))
TAKEUP_PG(int, PQsendQuery, (takeup_pg_connection *c, const char *sql), (c, sql))
TAKEUP_PG(takeup_pg_result *, PQgetResult, (takeup_pg_connection *c), (c))
TAKEUP_PG(takeup_pg_result *, PQexecParams,
          (takeup_pg_connection *c, const char *sql, int count, const unsigned *types,
           const char *const *values, const int *lengths, const int *formats, int format),
          (c, sql, count, types, values, lengths, formats, format))
TAKEUP_PG(takeup_pg_result *, PQprepare,
          (takeup_pg_connection *c, const char *name, const char *sql, int count, const unsigned *types),
          (c, name, sql, count, types))
TAKEUP_PG(takeup_pg_result *, PQexecPrepared,
          (takeup_pg_connection *c, const char *name, int count, const char *const *values, const int *lengths,
           const int *formats, int format),
          (c, name, count, values, lengths, formats, format))
// Several statements in one go, since version 14.
TAKEUP_PG(int, PQenterPipelineMode, (takeup_pg_connection *c), (c))
TAKEUP_PG(int, PQexitPipelineMode, (takeup_pg_connection *c), (c))
TAKEUP_PG(int, PQpipelineSync, (takeup_pg_connection *c), (c))
TAKEUP_PG(int, PQsendPrepare,
          (takeup_pg_connection *c, const char *name, const char *sql, int count, const unsigned *types),
          (c, name, sql, count, types))
TAKEUP_PG(int, PQsendQueryParams,
          (takeup_pg_connection *c, const char *sql, int count, const unsigned *types,
           const char *const *values, const int *lengths, const int *formats, int format),
          (c, sql, count, types, values, lengths, formats, format))
TAKEUP_PG(int, PQsendQueryPrepared,
          (takeup_pg_connection *c, const char *name, int count, const char *const *values, const int *lengths,
           const int *formats, int format),
          (c, name, count, values, lengths, formats, format))
TAKEUP_PG(int, PQresultStatus, (const takeup_pg_result *r), (r))
TAKEUP_PG(char *, PQresultErrorField, (const takeup_pg_result *r, int field), (r, field))
TAKEUP_PG(int, PQntuples, (const takeup_pg_result *r), (r))
TAKEUP_PG(char *, PQgetvalue, (const takeup_pg_result *r, int row, int column), (r, row, column))
TAKEUP_PG(int, PQgetlength, (const takeup_pg_result *r, int row, int column), (r, row, column))
TAKEUP_PG(int, PQgetisnull, (const takeup_pg_result *r, int row, int column), (r, row, column))
TAKEUP_PG(char *, PQcmdStatus, (takeup_pg_result *r), (r))
TAKEUP_PG(int, PQfnumber, (const takeup_pg_result *r, const char *column), (r, column))
TAKEUP_PG(char *, PQcmdTuples, (takeup_pg_result *r), (r))
TAKEUP_PG(int, PQbackendPID, (const takeup_pg_connection *c), (c))
TAKEUP_PG(int, PQsocket, (const takeup_pg_connection *c), (c))
TAKEUP_PG(int, PQconsumeInput, (takeup_pg_connection *c), (c))
TAKEUP_PG(void, PQclear, (takeup_pg_result *r), (r))

typedef struct takeup_pg_options takeup_pg_options;
TAKEUP_PG(takeup_pg_options *, PQconninfoParse, (const char *address, char **error), (address, error))
TAKEUP_PG(void, PQconninfoFree, (takeup_pg_options *o), (o))
TAKEUP_PG(void, PQfreemem, (void *memory), (memory))

/// Whether several statements go in one.
static inline int takeup_pg_has_pipelines(void) {
    return dlsym(takeup_pg_library(), "PQenterPipelineMode") != NULL;
}

/// What was told on a channel; of its members, only the payload is used here.
typedef struct takeup_pg_notice {
    char *channel;
    int process;
    char *payload;
    struct takeup_pg_notice *next;
} takeup_pg_notice;
TAKEUP_PG(takeup_pg_notice *, PQnotifies, (takeup_pg_connection *c), (c))

/// Whether libpq can read an address; connects to nothing.
static inline int takeup_pg_reads(const char *address) {
    char *error = NULL;
    takeup_pg_options *options = takeup_PQconninfoParse(address, &error);
    if (error) takeup_PQfreemem(error);
    if (!options) return 0;
    takeup_PQconninfoFree(options);
    return 1;
}

typedef void (*takeup_pg_hearer)(void *given_up, const takeup_pg_result *notice);
TAKEUP_PG(takeup_pg_hearer, PQsetNoticeReceiver,
          (takeup_pg_connection *c, takeup_pg_hearer hearer, void *given_up), (c, hearer, given_up))

/// Notes that a commit's wait for its standbys was cancelled: the server says so in a warning, and success in its answer.
static inline void takeup_pg_note(void *given_up, const takeup_pg_result *notice) {
    const char *function = takeup_PQresultErrorField(notice, takeup_pg_source_function);
    if (given_up && function && strcmp(function, "SyncRepWaitForLSN") == 0) *(int *)given_up = 1;
}

/// Takes the server's notices: libpq would write them to standard error, where a program says its own words.
///
/// given_up: set to 1 by the notice that a commit's wait for its standbys was cancelled; may be NULL.
static inline void takeup_pg_hear(takeup_pg_connection *c, int *given_up) {
    takeup_PQsetNoticeReceiver(c, takeup_pg_note, given_up);
}
