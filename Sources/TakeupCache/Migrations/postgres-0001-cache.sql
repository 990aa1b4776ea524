-- The same tables as SQLite's third version has, except `file_digest`: that is about one machine's files and stays local.
-- Names are compared by their bytes.
CREATE TABLE cache_database (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    uuid TEXT NOT NULL,
    folder TEXT,
    folder_path TEXT
);

CREATE TABLE cache_entry (
    key TEXT COLLATE "C" PRIMARY KEY,
    sha256 TEXT COLLATE "C" NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    extension TEXT COLLATE "C" NOT NULL CHECK (extension IN ('mp4', 'm4a')),
    bytes BIGINT NOT NULL CHECK (bytes >= 0),
    preset TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL,
    expires_at DOUBLE PRECISION,
    last_access_at DOUBLE PRECISION NOT NULL,
    hits BIGINT NOT NULL,
    pinned BIGINT NOT NULL,
    duration DOUBLE PRECISION NOT NULL,
    frames BIGINT NOT NULL,
    warnings TEXT NOT NULL
);

CREATE INDEX cache_entry_object ON cache_entry (sha256, extension);
CREATE INDEX cache_entry_use ON cache_entry (last_access_at, key) WHERE pinned = 0;
CREATE INDEX cache_entry_end ON cache_entry (expires_at) WHERE pinned = 0 AND expires_at IS NOT NULL;
CREATE INDEX cache_entry_age ON cache_entry (created_at) WHERE pinned = 0;

CREATE TABLE cache_alias (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    key TEXT COLLATE "C" NOT NULL REFERENCES cache_entry (key) ON DELETE CASCADE
);

CREATE INDEX cache_alias_key ON cache_alias (key, number);

CREATE TABLE cache_counter (
    name TEXT COLLATE "C" PRIMARY KEY,
    value BIGINT NOT NULL
);

CREATE TABLE cache_total (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    entries BIGINT NOT NULL,
    bytes DOUBLE PRECISION NOT NULL
);

INSERT INTO cache_total (one, entries, bytes) VALUES (1, 0, 0);

CREATE FUNCTION cache_entry_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    other DOUBLE PRECISION;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT coalesce(max(bytes), 0) INTO other FROM cache_entry
            WHERE sha256 = NEW.sha256 AND extension = NEW.extension AND key <> NEW.key;
        UPDATE cache_total SET entries = entries + 1, bytes = bytes + greatest(0, NEW.bytes - other);
    ELSIF TG_OP = 'DELETE' THEN
        SELECT coalesce(max(bytes), 0) INTO other FROM cache_entry
            WHERE sha256 = OLD.sha256 AND extension = OLD.extension;
        UPDATE cache_total SET entries = entries - 1, bytes = bytes - greatest(0, OLD.bytes - other);
    ELSE
        UPDATE cache_total SET bytes = coalesce((SELECT sum(file.bytes::double precision)
            FROM (SELECT max(bytes) AS bytes FROM cache_entry GROUP BY sha256, extension) AS file), 0);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER cache_entry_counted AFTER INSERT OR DELETE OR UPDATE OF sha256, extension, bytes ON cache_entry
    FOR EACH ROW EXECUTE FUNCTION cache_entry_counted();
