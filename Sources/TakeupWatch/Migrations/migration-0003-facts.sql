-- What was found in a file when it was looked into, in JSON; nil where nobody asked.
ALTER TABLE watch_file ADD COLUMN facts TEXT;
-- What was done with it once its output stood: it goes the same way when it comes back.
ALTER TABLE watch_file ADD COLUMN acted TEXT;
-- How often it was asked for again.
ALTER TABLE watch_file ADD COLUMN again INTEGER NOT NULL DEFAULT 0;
-- Files that somebody wants made again; the daemon takes them up.
CREATE TABLE watch_again (
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    asked_at REAL NOT NULL,
    PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;
-- Folders of outputs, as they were seen last, in JSON: a missing disk is told by it.
CREATE TABLE watch_output (
    path TEXT PRIMARY KEY,
    memory TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- Folders inside watched ones that sources have been moved to; absolute.
CREATE TABLE watch_aside (
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;
