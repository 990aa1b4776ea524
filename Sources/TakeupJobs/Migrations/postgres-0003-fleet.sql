-- Tokens without a row that every claim would wait for.
CREATE SEQUENCE job_token_number;
SELECT setval('job_token_number', greatest(last, 1), last > 0) FROM job_token;
DROP TABLE job_token;

-- The token of the last attempt that its own worker has ended: how a lost answer is told from a lost lease.
ALTER TABLE job ADD COLUMN ended_token BIGINT NOT NULL DEFAULT 0;
-- The queue and the tags that a worker must have, and whose share of the workers the job takes; empty for none.
ALTER TABLE job ADD COLUMN need TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN share TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX job_token ON job (token) WHERE state = 'running';
CREATE INDEX job_need ON job (need, priority DESC, sequence)
    WHERE state IN ('queued', 'scheduled') AND need <> '';
CREATE INDEX job_share ON job (share, priority DESC, sequence) WHERE state = 'queued' AND share <> '';
CREATE INDEX job_sharing ON job (share) WHERE state = 'running' AND share <> '';

-- Who works, and the last sign of life; the database's clock.
CREATE TABLE worker (
    id TEXT COLLATE "C" PRIMARY KEY,
    host TEXT NOT NULL,
    process BIGINT NOT NULL,
    version TEXT NOT NULL,
    state TEXT NOT NULL,
    lanes BIGINT NOT NULL,
    running BIGINT NOT NULL,
    queues TEXT NOT NULL,
    tags TEXT NOT NULL,
    started_at DOUBLE PRECISION NOT NULL,
    seen_at DOUBLE PRECISION NOT NULL
);
