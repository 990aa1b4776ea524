"""Cases of `chaos-watch`: disks that go away, come back, are full, or cannot be read in part."""

import os
import time

from measuring.queue_place import until
from measuring.small_disks import Disk, MemoryDisk, Skipped
from measuring.watch_knowledge import NOBODY, settle
from measuring.watch_place import once_each

BACK = 30.0  # seconds until a daemon goes on


def disks_away(trial):
    """W7: what cannot be seen has not gone, and nothing is held against it."""
    yield from _inbox_away(trial)
    yield from _outbox_away(trial)
    yield from _killed_while_away(trial)
    yield from _half_readable(trial)


def _kept(place, words, before, allowed=()):
    """Whether files are known as before and no job failed; what is not so."""
    if (now := len(place.files())) < before:
        yield f"{words}: {before - now} files were taken for gone"
    good = ("succeeded", "cached", *allowed)
    bad = [(job["source"], job["fault"]) for job in place.jobs() if job["state"] not in good]
    if bad or place.files("failed"):
        yield f"{words}: failures were recorded: {bad[:3]} {[row['reason'] for row in place.files('failed')][:3]}"


def _inbox_away(trial):
    place, longest = trial.place, 0.0
    disk = Disk(place.folder / "inbox.image", place.inbox)
    try:
        frames = trial.put(10, "first")
        daemon = place.watch("--stable", "1s", "--scan", "3s", "--workers", "1")
        if not place.drained(10):
            yield "the first ten were not done"
        for turn in range(trial.size(5, 2)):
            frames |= trial.put(5, f"turn-{turn}", 1 << 18)
            # In the midst of it all: while files are waited for, queued and exported.
            time.sleep(trial.choice.uniform(0, 4))
            before = len(place.files())
            disk.unmount()
            away = until(lambda: daemon.count("cannot be watched now:") > turn, BACK)
            time.sleep(trial.size(12, 5))
            yield from _kept(place, "with the inbox away", before, ("queued", "scheduled", "running", "failed"))
            disk.mount()
            back = until(lambda: daemon.count("there again") > turn, BACK)
            if away is None or back is None:
                yield f"the log does not say that the inbox went and came: {daemon.last_words()}"
            trial.pool.put(place.inbox / f"new-{turn}.mp4")
            began = time.monotonic()
            seconds = until(lambda: daemon.handed.get(f"new-{turn}.mp4"), 2 * BACK)
            longest = max(longest, (back or 0) + (seconds or time.monotonic() - began))
        count = len(frames) + trial.size(5, 2)
        if not place.drained(count, 120):
            yield f"{len(place.files('done'))} of {count} are done"
        settle(daemon)
        trial.tell(part="inbox away", times=trial.size(5, 2), resumed_s=longest, jobs=len(place.jobs()), files=count)
        if longest > BACK:
            yield f"after the inbox was back, a file was taken after {longest:.1f} s"
        yield from _kept(place, "after the inbox was back", count)
        yield from once_each(place, [*frames, *(f"new-{turn}.mp4" for turn in range(trial.size(5, 2)))])
        yield from daemon.stop()
    finally:
        for daemon in place.daemons:
            daemon.kill()
        disk.close()


def _outbox_away(trial):
    """The outbox is on a disk of its own; while that is away its place is one where nothing can be made."""
    place = trial.place
    place.outputs = place.folder / "out-disk/out"
    inbox = place.folder / "second"
    inbox.mkdir()
    disk = Disk(place.folder / "outbox.image", place.folder / "out-disk")
    place.inbox, names, longest = inbox, [], 0.0
    try:
        place.outputs.mkdir()
        daemon = place.watch("--stable", "1s", "--scan", "3s", "--workers", "1", "--after", "move")
        until(lambda: daemon.scans, 30)
        for turn in range(trial.size(5, 2)):
            names += trial.put(5, f"turn-{turn}", 1 << 18)
            time.sleep(trial.choice.uniform(0, 3))
            disk.unmount()
            away = time.time()
            names += trial.put(3, f"away-{turn}")
            time.sleep(trial.size(12, 6))
            failed = [row["reason"] for row in place.files("failed") if row["folder"] == str(inbox)]
            hidden = [path for path in (place.folder / "out-disk").rglob("*") if path.is_file()]
            if failed:
                yield f"with the outbox away failures were recorded: {failed[:2]}"
            # The daemon looks each second; what went beneath until then is made again.
            late = [path for path in hidden if path.stat().st_ctime > away + 3]
            if late:
                yield f"{len(late)} outputs were written beneath the outbox's place long after it went"
            disk.mount()
            began = time.monotonic()
            trial.pool.put(inbox / f"new-{turn}.mp4")
            names.append(f"new-{turn}.mp4")
            seconds = until(lambda: (place.outputs / f"new-{turn}.mp4").exists(), 2 * BACK)
            longest = max(longest, seconds or time.monotonic() - began)
        until(lambda: len(list((inbox / "done").glob("*"))) >= len(names), 60, 0.2)
        missing = [name for name in names if not (place.outputs / name).exists()]
        trial.tell(part="outbox away", resumed_s=longest, files=len(names), missing=len(missing))
        if missing:
            moved = [name for name in missing if (inbox / "done" / name).exists()]
            yield f"{len(missing)} outputs are missing, the sources of {len(moved)} were moved: {missing[:3]}"
        if longest > BACK:
            yield f"after the outbox was back, an output appeared after {longest:.1f} s"
        yield from daemon.stop()
    finally:
        for daemon in place.daemons:
            daemon.kill()
        disk.close()


def _killed_while_away(trial):
    """Nothing tells the next daemon that the outbox was away: what went beneath its place must be made again."""
    place = trial.place
    folder = place.folder / "killed-disk"
    place.outputs, place.inbox, names, beneath = folder / "out", place.folder / "fourth", [], set()
    place.inbox.mkdir()
    disk = Disk(place.folder / "killed.image", folder)
    options = ("--stable", "1s", "--scan", "3s", "--workers", "1", "--after", "move")
    try:
        place.outputs.mkdir()
        for turn in range(trial.size(10, 4)):
            daemon = place.watch(*options)
            until(lambda: daemon.scans, 30)
            names += trial.put(8, f"killed-{turn}", 1 << 18)
            until(lambda: place.exported() & set(names[-8:]), 30)
            disk.unmount()
            # At once when the first one went beneath, before the daemon has looked; or some time later.
            until(lambda: place.exported() - beneath, 2)
            time.sleep(trial.choice.choice((0, 0.3, 3)))
            daemon.kill()
            beneath |= place.exported()
            disk.mount()
        daemon = place.watch(*options)

        def stand():
            return all((place.outputs / name).exists() and (place.inbox / "done" / name).exists() for name in names)
        seconds = until(stand, 120, 0.2)
        settle(daemon)
        missing = [name for name in names if not (place.outputs / name).exists()]
        moved = [name for name in names if (place.inbox / "done" / name).exists()]
        trial.tell(part="killed while the outbox is away", files=len(names), beneath=len(beneath),
                   missing=len(missing), moved=len(moved), all_s=seconds)
        if not beneath:
            yield "no output went beneath the outbox's place: nothing was tried"
        if missing or len(moved) < len(names):
            lost = [name for name in missing if name in moved]
            yield (f"killed while the outbox was away: of {len(names)} files {len(missing)} have no output, "
                   f"{len(names) - len(moved)} were not moved, {len(lost)} were moved for nothing: {missing[:3]}")
        yield from daemon.stop()
    finally:
        for daemon in place.daemons:
            daemon.kill()
        disk.close()


def _half_readable(trial):
    """A folder whose rights are taken away is no folder that was emptied."""
    if os.geteuid() != 0:
        raise Skipped("a daemon of another user needs root")
    place = trial.place
    place.inbox, place.outputs = place.folder / "third", place.folder / "third-out"
    for folder in (place.inbox, place.outputs):
        folder.mkdir()
    for folder in (place.home, place.cache, place.outputs, place.inbox, place.folder / "scratch"):
        for inner in [folder, *folder.rglob("*")]:
            os.chown(inner, NOBODY, NOBODY, follow_symlinks=False)
    for number in range(20):
        trial.pool.put(place.inbox / f"{number % 4}/clip-{number}.mp4")
    before = len(place.jobs())
    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    daemon = place.watch("--stable", "1s", "--scan", "2s", prefix=prefix)
    until(lambda: len(place.jobs()) >= before + 20, 60, 0.2)
    place.drained(20)
    known = sum(row["folder"] == str(place.inbox) for row in place.files())
    folder = place.inbox / "2"
    folder.chmod(0)
    os.chown(folder, 0, 0)
    settle(daemon)
    now = sum(row["folder"] == str(place.inbox) for row in place.files())
    trial.tell(part="half readable", known=known, known_while_not_readable=now,
               said=[text for _, text in daemon.messages if "cannot be read" in text][:1])
    if now != known:
        yield f"{known - now} files of a folder that cannot be read were taken for gone"
    os.chown(folder, NOBODY, NOBODY)
    folder.chmod(0o755)
    trial.pool.put(folder / "new.mp4")
    if until(lambda: daemon.handed.get("2/new.mp4"), BACK) is None:
        yield f"a file in the folder was not taken {BACK} s after it could be read again"
    place.drained(1)
    settle(daemon)
    if len(place.jobs()) != before + 21:
        yield f"{len(place.jobs()) - before} jobs for 21 files"
    yield from daemon.stop()


def full_outbox(trial):
    """W8: on a full disk the queue pauses, uses up no attempt, leaves nothing partial, and goes on."""
    place, count = trial.place, 20
    disk = MemoryDisk(place.outputs, 8 << 20)
    try:
        ballast = disk.fill()
        frames = trial.put(count)
        daemon = place.watch("--stable", "1s", "--workers", "2")
        paused = until(lambda: daemon.says("nothing is started for now"), 60)
        began = min((job["started_at"] for job in place.jobs() if job["started_at"]), default=time.time())
        if paused is None:
            yield f"the queue has not paused: {daemon.last_words()}"
        after = (daemon.says("nothing is started for now") or time.time()) - began
        until(lambda: len(place.jobs()) == count, 30)
        time.sleep(5)
        jobs = place.jobs()
        used = [job["id"] for job in jobs if job["failures"] or job["crashes"]]
        partial = [path.name for path in place.outputs.iterdir() if path != ballast]
        ballast.unlink()
        freed = time.time()
        until(lambda: (daemon.says("going on") or 0) >= freed, 60)
        resumed = (daemon.says("going on") or time.time()) - freed
        trial.tell(queued=len(jobs), paused_s=after, attempts_used=len(used), partial=len(partial), resumed_s=resumed)
        if after > 5:
            yield f"the queue paused {after:.1f} s after the first start"
        if used or partial:
            yield f"while it waits: {len(used)} jobs have used attempts, the outbox holds {partial[:3]}"
        if not 0 <= resumed <= 10:
            yield f"the queue went on {resumed:.1f} s after there was room"
        if not place.drained(count):
            yield f"{len(place.files('done'))} of {count} are done"
        yield from daemon.stop()
        if [job for job in place.jobs() if job["failures"] or job["crashes"]]:
            yield "attempts were used up"
        yield from once_each(place, frames, frames)
    finally:
        for daemon in place.daemons:
            daemon.kill()
        disk.close()
