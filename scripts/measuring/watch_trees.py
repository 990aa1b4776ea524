"""The case of `chaos-watch` about a large tree: what it costs to look at it again and again."""

import sqlite3
import time

from measuring.queue_place import until

COLD, INCREMENTAL = 30.0, 5.0  # seconds of a scan
MEMORY = 150 << 20
IDLE = 0.01  # of a processor
LONGEST_PAUSE = 320  # seconds between two scans, and some for one


def large_tree(trial):
    """W12: a tree of 100,000 files costs little: at first, at each scan, in memory, and when nothing happens."""
    place, count = trial.place, trial.size(100_000, 5_000)
    known = place.folder / "known"
    yield from _scanned(trial, "side-cars", place.inbox, _side_cars(trial, count), ["--exclude", "*.ts"])
    known.mkdir()
    yield from _scanned(trial, "known", known, _known_files(trial, known, count), [])


def _side_cars(trial, count):
    """Files that nothing is to be made of by their names, and fifty that are media."""
    for number in range(count):
        folder = trial.place.inbox / f"{number // 200:03}"
        if number % 200 == 0:
            folder.mkdir()
        suffix = ("srt", "nfo", "jpg", "ts", "mp4.part")[number % 5]
        (folder / f"file-{number:06}.{suffix}").write_bytes(b"x")
    for number in range(50):
        trial.pool.put(trial.place.inbox / f"{number % (count // 200):03}" / f"real-{number}.mp4")
    return 50


def _known_files(trial, inbox, count):
    """Files that the ledger knows as done: as after a long life of the folder."""
    place = trial.place
    trial.pool.put(inbox / "first.mp4")
    daemon = place.watch("--stable", "1s", inbox=inbox)
    until(lambda: any(row["folder"] == str(inbox) and row["state"] == "done" for row in place.files()), 60, 0.2)
    daemon.stop()
    first = next(row for row in place.files() if row["folder"] == str(inbox))
    connection = sqlite3.connect(place.database)
    with connection:
        for number in range(count):
            folder = inbox / f"{number // 200:03}"
            if number % 200 == 0:
                folder.mkdir()
            path = folder / f"film-{number:06}.mp4"
            path.write_bytes(b"known")
            facts = path.stat()
            row = {**first, "path": str(path.relative_to(inbox)), "inode": facts.st_ino, "bytes": facts.st_size,
                   "modified_ns": facts.st_mtime_ns, "changed_ns": facts.st_ctime_ns, "fingerprint": f"{number:064x}"}
            connection.execute(f"INSERT INTO watch_file ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                               list(row.values()))
    connection.close()
    return 0


def _scanned(trial, name, inbox, real, options):
    place, jobs = trial.place, len(trial.place.jobs())
    began = time.monotonic()
    daemon = place.watch(*options, inbox=inbox)
    until(lambda: daemon.scans, 120, 0.05)
    first = time.monotonic() - began
    until(lambda: len(place.jobs()) >= jobs + real and not [row for row in place.files("handed")], 180, 0.5)
    descriptors = daemon.descriptors()
    # From the end of one scan of everything to that of the next: that scan and all that there is beside it.
    seen = len(daemon.scans)
    began_idle = until(lambda: len(daemon.scans) > seen, LONGEST_PAUSE, 0.2)
    before, at = daemon.processor_seconds(), time.monotonic()
    ended_idle = until(lambda: len(daemon.scans) > seen + 1, LONGEST_PAUSE, 0.2)
    share = (daemon.processor_seconds() - before) / (time.monotonic() - at)
    scans, most = daemon.scans, daemon.memory("VmHWM")
    trial.tell(tree=name, cold_s=first, cold_scan_s=scans[0], incremental_s=max(scans[1:], default=0.0),
               most_megabytes=most / 1e6, megabytes=daemon.memory() / 1e6, idle_percent=100 * share,
               descriptors=descriptors)
    if first > COLD:
        yield f"{name}: the first scan ended after {first:.1f} s"
    if not scans[1:] or max(scans[1:]) > INCREMENTAL:
        yield f"{name}: later scans took {scans[1:]} s"
    if most > MEMORY:
        yield f"{name}: {most / 1e6:.0f} MB of memory"
    if began_idle is None or ended_idle is None:
        yield f"{name}: after {seen} scans there were {len(scans) - seen} more, of which each had {LONGEST_PAUSE} s"
    if share >= IDLE:
        yield f"{name}: {100 * share:.2f} % of a processor while nothing happens"
    if len(place.jobs()) != jobs + real:
        yield f"{name}: {len(place.jobs()) - jobs} jobs for {real} new files"
    yield from daemon.stop()
