"""What a fleet must leave behind, seen by triggers of the database that are none of the product's, and by rclone."""

import hashlib
import subprocess
import time

from measuring import queue_invariants

# Every end of a job and every change of the manifest's rows, in transactions of those who make them.
JOURNAL = """
CREATE SCHEMA judge;
CREATE TABLE judge.ended (id text, state text, token bigint);
CREATE TABLE judge.entry (key text, sha256 text, change text);
CREATE FUNCTION judge.job() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
    INSERT INTO judge.ended VALUES (NEW.id, NEW.state, NEW.token); RETURN NULL; END$$;
CREATE FUNCTION judge.manifest() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
    IF TG_OP = 'DELETE' THEN INSERT INTO judge.entry VALUES (OLD.key, OLD.sha256, TG_OP);
    ELSE INSERT INTO judge.entry VALUES (NEW.key, NEW.sha256, TG_OP); END IF; RETURN NULL; END$$;
CREATE TRIGGER judge AFTER UPDATE OF state ON job FOR EACH ROW
    WHEN (NEW.state <> OLD.state AND NEW.state NOT IN ('queued', 'scheduled', 'running')) EXECUTE FUNCTION judge.job();
CREATE TRIGGER judge AFTER INSERT OR DELETE OR UPDATE OF key, sha256 ON cache_entry
    FOR EACH ROW EXECUTE FUNCTION judge.manifest();
"""
AGE = 7200  # seconds; an object that no row names is held for an hour


def begin(place):
    """Starts the journal, and puts an object into the bucket that no row will name; its name."""
    made = place.run("worker", "--once")
    if made.code != 0:
        raise RuntimeError(f"the tables were not made: {made.last_words()}")
    place.server.execute(JOURNAL)
    stray = b"a result that nobody has recorded"
    name = f"{hashlib.sha256(stray).hexdigest()}.mp4"
    path = place.bucket.folder / place.prefix / "objects" / name[:2] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(stray)
    return name


def maintained(place, machines, stray):
    """A last start on each host, hours later, removes what the dead have left; what it left after all."""
    bucket = place.bucket
    bucket.age(f"{place.prefix}/objects", AGE)
    for host in machines:
        last = place.start_on(host, 1, "30s", options=["--once"])
        if last.wait(120) != 0:
            yield f"the last worker of {host.name} ended with {last.child.returncode}: {last.said[-300:]}"
    aside = bucket.fetch(place.prefix, place.folder / "aside")
    if f"orphans/{stray}" not in aside:
        yield "the stray object was not set aside"
    for name in aside:
        if name.startswith("orphans/") and name != f"orphans/{stray}":
            print(f"      set aside: {name}", flush=True)
        if name.startswith(("quarantine/", "probe/")):
            yield f"the bucket holds {name}"


def problems(place, jobs, observer, began, failures):
    """Everything that must hold once the last job has ended."""
    skew = place.query("SELECT max(abs(created_at - extract(epoch FROM clock_timestamp()))) AS seconds FROM job")
    if skew[0]["seconds"] > time.monotonic() - began + 60:
        yield f"a job was accepted {skew[0]['seconds']:.0f} s away by the server's clock"
    tokens = place.query("SELECT count(*) AS jobs, count(DISTINCT token) AS tokens FROM job")[0]
    if tokens["jobs"] != tokens["tokens"]:
        yield f"{tokens['jobs']} jobs have {tokens['tokens']} tokens"
    left = place.query(
        "SELECT id FROM worker WHERE state <> 'draining' AND seen_at > extract(epoch FROM clock_timestamp()) - 5")
    if left:
        yield f"the register has {len(left)} workers that have ended"
    for row in place.query(
            "SELECT job.id, count(ended.id) AS ends, string_agg(ended.state || ' ' || ended.token, ', ') AS how "
            "FROM job LEFT JOIN judge.ended ON ended.id = job.id GROUP BY job.id HAVING count(ended.id) <> 1"):
        yield f"job {row['id']} ended {row['ends']} times: {row['how']}"
    for row in place.query(
            "SELECT key, string_agg(change || ' ' || sha256, ', ') AS how FROM judge.entry "
            "GROUP BY key HAVING count(*) <> 1"):
        yield f"the row of {row['key']} did not come once and stay: {row['how']}"
    yield from queue_invariants.problems(place, jobs, observer, failures=failures)


def hashed(place):
    """Compares every object with its name by `sha256sum`; the number of objects that were right."""
    files = place.object_files()
    said = subprocess.run(["sha256sum", *files.values()], capture_output=True, text=True, check=True).stdout
    return sum(line.split()[0] in line.split("/")[-1] for line in said.splitlines())
