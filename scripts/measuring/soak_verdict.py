"""What must hold after a soak, and the table of what happened."""

import collections

from measuring import media_probe
from measuring.final_names import sha256
from measuring.queue_invariants import leftovers

GROWTH = 0.05  # of the memory, from the fifth minute of a long incarnation to its end
MORE_DESCRIPTORS = 4


def problems(soak):
    """What is wrong, in words, after the last daemon has ended."""
    yield from _jobs(soak)
    yield from _outputs(soak)
    yield from _sources(soak)
    yield from _bad(soak)
    yield from _held(soak)
    yield from (words for words in leftovers(soak.place) if "output folder holds" not in words)


def _jobs(soak):
    """One success and one row of the manifest for each good file, under whichever of its names."""
    done = collections.Counter(job["source"] for job in soak.place.jobs() if job["state"] in ("succeeded", "cached"))
    manifest = collections.Counter(entry["source"] for entry in soak.place.listed("cache"))
    for file in soak.arrivals.good:
        paths = [f"{soak.place.inbox}/{name}" for name in dict.fromkeys(file.names)]
        for words, found in (("jobs that succeeded", done), ("rows in the manifest", manifest)):
            if sum(found[path] for path in paths) != 1:
                yield f"{file.names} has {sum(found[path] for path in paths)} {words}"
    good = {f"{soak.place.inbox}/{name}" for file in soak.arrivals.good for name in file.names}
    for path in [path for path in done if path not in good]:
        yield f"{path} was exported and is no good file"


def _outputs(soak):
    """One output for each good file, with each of its frames, and no other."""
    present = soak.place.exported()
    for file in soak.arrivals.good:
        outputs = [name for name in dict.fromkeys(file.names) if name in present]
        present -= set(outputs)
        if len(outputs) != 1:
            yield f"{file.names} has the outputs {outputs}"
        for name in outputs[:1]:
            facts, complaints = media_probe.probe(soak.place.outputs / name, count_frames=True)
            found = sum(map(media_probe.frame_count, media_probe.streams(facts, "video")[:1]))
            if complaints or found != file.frames:
                yield f"{name} decodes to {found} frames of {file.frames}: {complaints[:1]}"
    for name in sorted(present):  # hidden ones too
        yield f"the output {name} belongs to nothing"


def _sources(soak):
    """Every source is there as it was, once: in `done`, or in the inbox if it was renamed when it was done."""
    places = collections.defaultdict(list)
    for path in soak.place.inbox.rglob("*"):
        if path.is_file():
            places[sha256(path)].append(str(path.relative_to(soak.place.inbox)))
    soak.left = 0
    for file in soak.arrivals.good:
        found = places[file.sha256]
        if len(found) != 1:
            yield f"the source {file.names} is at {found}"
        elif not found[0].startswith("done/"):
            soak.left += 1
            if len(file.names) == 1:
                yield f"the source {found[0]} is done and was not moved"


def _bad(soak):
    reasons = {row["path"]: row["reason"] for row in soak.place.files("failed")}
    for file in soak.arrivals.bad:
        path = soak.place.inbox / file.name
        if not path.is_file() or sha256(path) != file.sha256:
            yield f"the bad file {file.name} was touched"
        if file.is_known and not reasons.get(file.name):
            yield f"the bad file {file.name} was not reported as failed"


def _held(soak):
    for place, words in ((1, "memory"), (2, "descriptors")):
        early, late = soak.samples.long_medians(place)
        if early is None or late is None:
            if soak.seconds >= 600:
                yield f"there is no long incarnation whose {words} could be compared"
        elif place == 1 and soak.samples.long_seconds >= 900 and late > early * (1 + GROWTH):
            yield f"memory grew from {early / 1e6:.1f} to {late / 1e6:.1f} MB"
        elif place == 2 and late > early + MORE_DESCRIPTORS:
            yield f"descriptors grew from {early:.0f} to {late:.0f}"


def tell(soak, drain_seconds):
    """The table."""
    jobs = soak.place.jobs()
    incarnations = [one for one in soak.samples.incarnations if one.samples]
    most = max((sample[1] for one in incarnations for sample in one.samples), default=0)
    descriptors = [sample[2] for one in incarnations for sample in one.samples]
    (early, late), (first, last) = soak.samples.long_medians(1), soak.samples.long_medians(2)
    rows = {
        "good files": len(soak.arrivals.good), "bad files": len(soak.arrivals.bad),
        "renamed": sum(len(file.names) > 1 for file in soak.arrivals.good),
        "done and left under a new name": getattr(soak, "left", "?"),
        **{f"trouble: {name}": count for name, count in sorted(soak.troubles.items())},
        "daemons": len(soak.samples.incarnations), "jobs": len(jobs),
        "interrupted": sum(job["interruptions"] for job in jobs),
        "failed attempts": sum(job["failures"] for job in jobs),
        "drained after, s": f"{drain_seconds:.0f}" if drain_seconds is not None else "never",
        "most memory, MB": f"{most / 1e6:.1f}",
        "descriptors": f"{min(descriptors, default=0)} to {max(descriptors, default=0)}",
        "long incarnation, s": f"{soak.samples.long_seconds or 0:.0f}"}
    if early and late:
        rows["its memory, MB"] = f"{early / 1e6:.1f} then {late / 1e6:.1f} ({100 * (late / early - 1):+.1f} %)"
        rows["its descriptors"] = f"{first:.0f} then {last:.0f}"
    for name, value in rows.items():
        print(f"{name:<34}{value}", flush=True)
