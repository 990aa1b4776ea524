-- One row for each job that was accepted, as SQLite's tables have it from their second version on. Times are seconds
-- since 1970. Names are compared by their bytes.
CREATE TABLE job (
    -- The order of acceptance.
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    spec TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'queued', 'scheduled', 'running', 'succeeded', 'cached', 'failed', 'cancelled', 'quarantined')),
    priority BIGINT NOT NULL,
    retries BIGINT NOT NULL,
    failures BIGINT NOT NULL DEFAULT 0,
    crashes BIGINT NOT NULL DEFAULT 0,
    interruptions BIGINT NOT NULL DEFAULT 0,
    cancel_requested BIGINT NOT NULL DEFAULT 0,
    token BIGINT NOT NULL DEFAULT 0,
    owner TEXT,
    lease_until DOUBLE PRECISION,
    created_at DOUBLE PRECISION NOT NULL,
    run_at DOUBLE PRECISION NOT NULL,
    started_at DOUBLE PRECISION,
    finished_at DOUBLE PRECISION,
    work_key TEXT,
    publication TEXT,
    progress TEXT,
    result TEXT,
    fault TEXT,
    note TEXT,
    noted_at DOUBLE PRECISION,
    source_marks TEXT,
    CHECK ((state = 'running') = (owner IS NOT NULL)),
    CHECK ((state = 'running') = (lease_until IS NOT NULL))
);

CREATE INDEX job_queued ON job (priority DESC, sequence) WHERE state = 'queued';
CREATE INDEX job_scheduled ON job (priority, run_at, sequence) WHERE state = 'scheduled';
CREATE INDEX job_due ON job (run_at, sequence) WHERE state IN ('queued', 'scheduled');
CREATE INDEX job_running ON job (work_key) WHERE state = 'running';
CREATE INDEX job_ended ON job (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX job_accepted ON job (created_at, sequence);
CREATE INDEX job_state ON job (state, created_at, sequence);

-- The last token that was given out.
CREATE TABLE job_token (one BIGINT PRIMARY KEY CHECK (one = 1), last BIGINT NOT NULL);
INSERT INTO job_token (one, last) VALUES (1, 0);
