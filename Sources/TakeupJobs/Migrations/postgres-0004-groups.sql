-- Jobs that wait are found by what they ask for and by their key first, so that a worker passes over none that it may
-- not take, however many there are.
DROP INDEX job_queued;
DROP INDEX job_scheduled;
DROP INDEX job_due;
DROP INDEX job_need;
DROP INDEX job_share;
DROP INDEX job_sharing;
CREATE INDEX job_queued ON job (need, share, priority DESC, sequence) WHERE state = 'queued';
CREATE INDEX job_scheduled ON job (need, share, priority, run_at, sequence) WHERE state = 'scheduled';
CREATE INDEX job_due ON job (need, share, run_at, sequence) WHERE state IN ('queued', 'scheduled');
-- A job that ends leaves at least two dead rows, which each look steps over until they are vacuumed: measured, 60,000 such jobs
-- make a claim take 1.3 ms instead of 0.5. By itself a server waits until a fifth of the table is dead.
ALTER TABLE job SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
