-- Folders that are watched. Times are seconds since 1970.
CREATE TABLE watch_folder (
    path TEXT PRIMARY KEY,
    -- What it was when it was seen last, in JSON: a missing disk is told from an empty folder by it.
    memory TEXT NOT NULL,
    seen_at REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- What became of each file that had settled. Paths are relative to the folder.
CREATE TABLE watch_file (
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    -- Of the content, whatever the name.
    fingerprint TEXT NOT NULL,
    -- Of all that was to be made of it: the preset's content, the output's name.
    work TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('handed', 'done', 'failed', 'skipped')),
    job TEXT,
    reason TEXT,
    updated_at REAL NOT NULL,
    -- Since when nothing has the name; its content is still known.
    gone_at REAL,
    PRIMARY KEY (folder, path),
    CHECK ((state = 'skipped') = (job IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX watch_file_content ON watch_file (folder, fingerprint);
CREATE INDEX watch_file_handed ON watch_file (folder) WHERE state = 'handed';
CREATE INDEX watch_file_failed ON watch_file (folder) WHERE state = 'failed';
CREATE INDEX watch_file_gone ON watch_file (gone_at) WHERE gone_at IS NOT NULL;

-- What is still to be done with sources whose outputs are there.
CREATE TABLE watch_action (
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    job TEXT NOT NULL,
    -- The source as it was encoded: another file of that name is left alone.
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    kind TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    due_at REAL NOT NULL,
    -- Why the last try failed.
    reason TEXT,
    PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;

CREATE INDEX watch_action_due ON watch_action (folder, due_at);
