-- What a job is found by, besides its id: its first source and the name of that file, in lower case.
ALTER TABLE job ADD COLUMN place TEXT COLLATE "C";
ALTER TABLE job ADD COLUMN file TEXT COLLATE "C";
-- Of the rows that are there, as far as this can be told from their texts. The first source is the first text with that
-- name, or, of the first form, in that list.
UPDATE job SET place = told.place, file = regexp_replace(told.place, '^.*/', '')
FROM (
    SELECT sequence, regexp_replace(lower(replace(replace(
        substring(spec FROM '"sources?":\[?"((?:[^"\\]|\\.)*)"'),
        '\"', '"'), '\\', '\')), '^(https?://[^?]*)[?].*$', '\1') AS place
    FROM job
) AS told
WHERE job.sequence = told.sequence AND told.place IS NOT NULL;
CREATE INDEX job_place ON job (place);
CREATE INDEX job_file ON job (file);
