-- How much the cache holds, kept by the database, so that nobody has to add it up: a file that several entries name
-- counts once, with the largest size that one of them says.
CREATE TABLE cache_total (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    entries INTEGER NOT NULL,
    -- Not a whole number: whatever sizes damaged rows claim, no sum of them overflows.
    bytes REAL NOT NULL
) STRICT;

INSERT INTO cache_total (one, entries, bytes)
VALUES (1, (SELECT count(*) FROM cache_entry), coalesce((SELECT sum(1.0 * bytes)
    FROM (SELECT max(bytes) AS bytes FROM cache_entry GROUP BY sha256, extension) AS file), 0));

CREATE TRIGGER cache_entry_added AFTER INSERT ON cache_entry BEGIN
    UPDATE cache_total SET entries = entries + 1, bytes = bytes + max(0, 1.0 * NEW.bytes - coalesce(
        (SELECT max(bytes) FROM cache_entry
        WHERE sha256 = NEW.sha256 AND extension = NEW.extension AND key <> NEW.key), 0));
END;

CREATE TRIGGER cache_entry_removed AFTER DELETE ON cache_entry BEGIN
    UPDATE cache_total SET entries = entries - 1, bytes = bytes - max(0, 1.0 * OLD.bytes - coalesce(
        (SELECT max(bytes) FROM cache_entry
        WHERE sha256 = OLD.sha256 AND extension = OLD.extension), 0));
END;

-- Nobody does this but by hand.
CREATE TRIGGER cache_entry_changed AFTER UPDATE OF sha256, extension, bytes ON cache_entry BEGIN
    UPDATE cache_total SET bytes = coalesce((SELECT sum(1.0 * bytes)
        FROM (SELECT max(bytes) AS bytes FROM cache_entry GROUP BY sha256, extension) AS file), 0);
END;

-- What may go, in the orders in which it goes.
CREATE INDEX cache_entry_use ON cache_entry (last_access_at, key) WHERE pinned = 0;
CREATE INDEX cache_entry_end ON cache_entry (expires_at) WHERE pinned = 0 AND expires_at IS NOT NULL;
CREATE INDEX cache_entry_age ON cache_entry (created_at) WHERE pinned = 0;
