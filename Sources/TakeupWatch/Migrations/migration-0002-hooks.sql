-- What hooks are still to be told. Times are seconds since 1970.
CREATE TABLE watch_hook (
    -- In the order in which things happened.
    sequence INTEGER PRIMARY KEY,
    -- The hook's key, of what it calls.
    hook TEXT NOT NULL,
    folder TEXT NOT NULL,
    -- Events of one line go to a hook in their order: the path of the file that they are about.
    line TEXT NOT NULL,
    -- The event's id, the same however often it is told.
    event TEXT NOT NULL,
    -- The event in JSON, as it is sent.
    body TEXT NOT NULL,
    created_at REAL NOT NULL,
    due_at REAL NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    -- Why the last try failed.
    reason TEXT,
    UNIQUE (hook, event)
) STRICT;

CREATE INDEX watch_hook_due ON watch_hook (hook, due_at);
CREATE INDEX watch_hook_line ON watch_hook (hook, line, sequence);
