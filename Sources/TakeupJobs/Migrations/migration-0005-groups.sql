-- Jobs that wait are found by what they ask for and by their key first, so that a worker passes over none that it may
-- not take, however many there are; with the work, so that those whose work is being done are passed over in the index alone.
DROP INDEX job_queued;
DROP INDEX job_scheduled;
DROP INDEX job_due;
DROP INDEX job_need;
DROP INDEX job_share;
DROP INDEX job_sharing;
CREATE INDEX job_queued ON job (need, share, priority DESC, sequence, work_key) WHERE state = 'queued';
CREATE INDEX job_scheduled ON job (need, share, priority, run_at, sequence, work_key) WHERE state = 'scheduled';
CREATE INDEX job_due ON job (need, share, run_at, sequence, work_key) WHERE state IN ('queued', 'scheduled');
