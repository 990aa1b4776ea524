-- One row for each job that was accepted. Times are seconds since 1970.
CREATE TABLE job (
    -- The order of acceptance.
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    -- The job as it was accepted, in JSON; never changed while the job is live.
    spec TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'queued', 'scheduled', 'running', 'succeeded', 'cached', 'failed', 'cancelled', 'quarantined')),
    priority INTEGER NOT NULL,
    retries INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    -- Of the last claim; what an earlier holder writes is refused.
    token INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    lease_until REAL,
    created_at REAL NOT NULL,
    run_at REAL NOT NULL,
    started_at REAL,
    finished_at REAL,
    work_key TEXT,
    publication TEXT,
    progress TEXT,
    result TEXT,
    fault TEXT,
    note TEXT,
    CHECK ((state = 'running') = (owner IS NOT NULL)),
    CHECK ((state = 'running') = (lease_until IS NOT NULL))
) STRICT;

CREATE INDEX job_queued ON job (priority DESC, sequence) WHERE state = 'queued';
CREATE INDEX job_scheduled ON job (run_at) WHERE state = 'scheduled';
CREATE INDEX job_due ON job (run_at, sequence) WHERE state IN ('queued', 'scheduled');
-- Finds all that run, too: one index less to write for each claim and each end.
CREATE INDEX job_running ON job (work_key) WHERE state = 'running';
CREATE INDEX job_ended ON job (finished_at) WHERE finished_at IS NOT NULL;

-- The last token that was given out.
CREATE TABLE job_token (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL) STRICT;
INSERT INTO job_token (one, last) VALUES (1, 0);
