-- Jobs that may have ended while the disk of their outputs was away.
CREATE TABLE watch_doubt (
    folder TEXT NOT NULL,
    job TEXT NOT NULL,
    PRIMARY KEY (folder, job)
) STRICT, WITHOUT ROWID;
