#pragma once

// What the C library declares belongs to Swift's own module of it, and not to the module that is met first.
#pragma clang module import SwiftGlibc

#include <sqlite3.h>

/// `SQLITE_TRANSIENT`, a cast that Swift does not see: SQLite copies what is bound.
static inline sqlite3_destructor_type takeup_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}
