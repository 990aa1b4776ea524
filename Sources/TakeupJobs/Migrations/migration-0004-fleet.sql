-- The token of the last attempt that its own worker has ended: how a lost answer is told from a lost lease.
ALTER TABLE job ADD COLUMN ended_token INTEGER NOT NULL DEFAULT 0;
-- The queue and the tags that a worker must have, and whose share of the workers the job takes; empty for none.
ALTER TABLE job ADD COLUMN need TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN share TEXT NOT NULL DEFAULT '';
CREATE INDEX job_need ON job (need, priority DESC, sequence)
    WHERE state IN ('queued', 'scheduled') AND need <> '';
CREATE INDEX job_share ON job (share, priority DESC, sequence) WHERE state = 'queued' AND share <> '';
CREATE INDEX job_sharing ON job (share) WHERE state = 'running' AND share <> '';

-- Who works, and the last sign of life.
CREATE TABLE worker (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    process INTEGER NOT NULL,
    version TEXT NOT NULL,
    state TEXT NOT NULL,
    lanes INTEGER NOT NULL,
    running INTEGER NOT NULL,
    queues TEXT NOT NULL,
    tags TEXT NOT NULL,
    started_at REAL NOT NULL,
    seen_at REAL NOT NULL
) STRICT;
