-- With which settings each folder was watched last, in JSON: for who asks about its files without naming them.
CREATE TABLE watch_settings (
    folder TEXT PRIMARY KEY,
    settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
