-- Jobs whose outputs may lie beneath the place of a disk that was away.
CREATE TABLE watch_doubt (
    folder TEXT NOT NULL,
    job TEXT NOT NULL,
    -- 1 when it is known that the disk was away, 0 when nobody looked, as around a kill.
    is_sure INTEGER NOT NULL,
    PRIMARY KEY (folder, job)
) STRICT, WITHOUT ROWID;
-- Folders whose watching was begun and not ended: after a kill all of their jobs are doubtful.
CREATE TABLE watch_begun (
    folder TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
