-- When the time that a job waits for, or its lease, was counted from; null for a time that a user gave.
-- A clock that is behind it now was ahead then.
ALTER TABLE job ADD COLUMN noted_at REAL;
-- Of the rows that are there, the longest waits and leases that could be.
UPDATE job SET noted_at = CASE state WHEN 'queued' THEN run_at WHEN 'scheduled' THEN run_at - 600
    ELSE lease_until - 3600 END
WHERE state IN ('queued', 'scheduled', 'running');
-- Size and modification time of each source when the job was accepted, in JSON; null where nothing is known.
ALTER TABLE job ADD COLUMN source_marks TEXT;

-- A claim looks at the first due job of each priority, however many are due.
DROP INDEX job_scheduled;
CREATE INDEX job_scheduled ON job (priority, run_at, sequence, work_key) WHERE state = 'scheduled';
-- With the work, so that jobs whose work is being done are passed over in the index alone.
DROP INDEX job_queued;
CREATE INDEX job_queued ON job (priority DESC, sequence, work_key) WHERE state = 'queued';
-- Lists, the newest first, of all states or of some.
CREATE INDEX job_accepted ON job (created_at, sequence);
CREATE INDEX job_state ON job (state, created_at, sequence);
