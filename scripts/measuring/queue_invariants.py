"""What must hold of a queue, its cache and its outputs, whatever was killed meanwhile."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measuring import media_probe, takeup_tool
from measuring.final_names import is_final, sha256
from measuring.queue_place import until


def problems(place, jobs, observer, good=("succeeded",), failures=0):
    """Checks everything after the last worker has ended; what is wrong, in words.

    `jobs` are those that were accepted and must have ended in a good state, each a work of its own; `failures` is what
    each may have used up where sources were away.
    """
    rows = {row["id"]: row for row in place.query("SELECT * FROM job")}
    entries = {row["key"]: row for row in place.query("SELECT * FROM cache_entry")}
    found = [*observer.finish(), *_states(place, jobs, rows, good, failures)]
    files = place.object_files()
    found += _manifest(place, jobs, rows, entries)
    found += _objects(files, entries)
    found += _outputs(place, jobs, rows, observer)
    found += leftovers(place)
    return found + _decoded(files, jobs, rows)


def _states(place, jobs, rows, good, failures):
    listed = {entry["id"]: entry["state"] for entry in place.listed("jobs")}
    wanted = {job.id for job in jobs}
    for name in sorted(wanted ^ set(listed)):
        yield f"job {name} {'is lost' if name in wanted else 'was never accepted'}"
    for name in sorted(wanted & set(listed)):
        row = rows.get(name, {})
        if listed[name] not in good or row.get("state") != listed[name]:
            yield f"job {name} is {listed[name]}: {row.get('fault') or row.get('note')}"
        if row.get("failures", 0) > failures or row.get("crashes"):
            yield f"job {name} has used {row['failures']} failures and {row['crashes']} crashes"


def _manifest(place, jobs, rows, entries):
    aliases = {row["id"]: row["key"] for row in place.query("SELECT id, key FROM cache_alias")}
    keys = [rows[job.id]["work_key"] for job in jobs if job.id in rows]
    if len(set(keys)) != len(keys) or set(keys) != set(entries):
        yield f"{len(entries)} manifest rows for {len(set(keys))} works of {len(keys)} jobs"
    for job in jobs:
        row = rows.get(job.id)
        result = json.loads(row["result"] or "{}") if row else {}
        entry = entries.get(row["work_key"]) if row else None
        if entry and (result.get("sha256"), result.get("bytes")) != (entry["sha256"], entry["bytes"]):
            yield f"job {job.id} names another result than its manifest row"
        if row and aliases.get(job.id) != row["work_key"]:
            yield f"the manifest does not know {job.id} by its name"


def _objects(present, entries):
    wanted = {f"{row['sha256']}.{row['extension']}": row for row in entries.values()}
    for name in sorted(set(wanted) ^ set(present)):
        yield f"object {name} {'is missing' if name in wanted else 'has no row'}"
    for name in set(wanted) & set(present):
        if sha256(present[name]) != wanted[name]["sha256"]:
            yield f"object {name} has other content"
        if present[name].stat().st_size != wanted[name]["bytes"]:
            yield f"object {name} has another size than its row"


def _outputs(place, jobs, rows, observer):
    named = {place.outputs / job.output: job for job in jobs if job.output}
    present = set(place.outputs.iterdir())
    for path in sorted(present ^ set(named)):
        yield f"output {path.name} {'is missing' if path in named else 'belongs to no job'}"
    for path in present & set(named):
        row = rows.get(named[path].id) or {}
        result = json.loads(row.get("result") or "{}")
        if sha256(path) != result.get("sha256"):
            yield f"{path.name} has not the content that its job records"
        if observer.appeared.get(path) != [result.get("sha256")]:
            yield f"{path.name} appeared as {observer.appeared.get(path)}, not once and whole"
        if result.get("output") != str(path):
            yield f"job {named[path].id} records {result.get('output')} as its output"


def leftovers(place, seconds=2):
    """Temporary files and processes that nobody owns any more."""
    until(lambda: not place.processes(), seconds, 0.05)
    for pid, words in place.processes().items():
        yield f"process {pid} is left: {' '.join(words[:3])}"
    of_caches = [cache / name for cache in place.caches for name in ("staging", "quarantine")]
    for folder in (*of_caches, place.home / "workers", place.folder / "scratch/tmp"):
        if folder.is_dir() and (left := takeup_tool.listing(folder)):
            yield f"{folder.name} holds {left[:4]} ({len(left)})"
    for cache in place.caches:
        if left := [path.name for path in cache.glob("copies/.takeup-*")]:
            yield f"the copies in {cache.name} hold {left[:4]}"
    hidden = [path.name for path in place.outputs.iterdir() if not is_final(path.name)]
    if hidden:
        yield f"the output folder holds {hidden[:4]}"


def _decoded(files, jobs, rows):
    def look(job):
        output = json.loads((rows.get(job.id) or {}).get("result") or "{}").get("output") or ""
        path = Path(output) if job.output else files.get(Path(output).name, Path(output))
        if not path.is_file():
            return None
        facts, complaints = media_probe.probe(path, count_frames=True)
        frames = sum(map(media_probe.frame_count, media_probe.streams(facts, "video")[:1]))
        wanted = json.loads(rows[job.id]["result"])["frames"]
        if complaints or frames != wanted or not frames:
            return f"{path.name} decodes to {frames} frames of {wanted}: {complaints[:1]}"
        return None

    with ThreadPoolExecutor(2) as pool:
        return [problem for problem in pool.map(look, jobs) if problem]
