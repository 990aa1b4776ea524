-- What a job is found by, besides its id: its first source and the name of that file, in lower case.
ALTER TABLE job ADD COLUMN place TEXT;
ALTER TABLE job ADD COLUMN file TEXT;
-- Of the rows that are there, as far as this can be told from their texts.
UPDATE job SET (place, file) = (
    SELECT known, substr(known, length(rtrim(known, replace(known, '/', ''))) + 1)
    FROM (
        SELECT CASE WHEN source GLOB 'http*://*[?]*' THEN substr(source, 1, instr(source, '?') - 1)
            ELSE source END AS known
        FROM (
            SELECT lower(coalesce(
                json_extract(job.spec, '$.request.composition.tracks[0].segments[0].source'),
                json_extract(job.spec, '$.sources[0]'), '')) AS source
        )
    )
)
WHERE json_valid(spec);
CREATE INDEX job_place ON job (place);
CREATE INDEX job_file ON job (file);
