-- The folder that the results are in, as its file `owner` names it, and where it was seen last.
ALTER TABLE cache_database ADD COLUMN folder TEXT;
ALTER TABLE cache_database ADD COLUMN folder_path TEXT;
