-- Which database this is; a cache directory belongs to one.
CREATE TABLE cache_database (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    uuid TEXT NOT NULL
) STRICT;

-- One row for each work whose result is kept.
CREATE TABLE cache_entry (
    key TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
    extension TEXT NOT NULL CHECK (extension IN ('mp4', 'm4a')),
    bytes INTEGER NOT NULL CHECK (bytes >= 0),
    preset TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at REAL NOT NULL,
    expires_at REAL,
    last_access_at REAL NOT NULL,
    hits INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    duration REAL NOT NULL,
    frames INTEGER NOT NULL,
    warnings TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX cache_entry_object ON cache_entry (sha256, extension);

-- The names that an entry is asked for by; the lowest number is the first one given.
CREATE TABLE cache_alias (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL REFERENCES cache_entry (key) ON DELETE CASCADE
) STRICT;

CREATE INDEX cache_alias_key ON cache_alias (key, number);

CREATE TABLE cache_counter (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What files hold, so that an unchanged one is not read again to know it.
CREATE TABLE file_digest (
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    used_at REAL NOT NULL,
    PRIMARY KEY (device, inode)
) STRICT, WITHOUT ROWID;
