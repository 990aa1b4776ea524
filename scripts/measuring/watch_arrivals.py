"""Cases of `chaos-watch`: how files arrive, and when they are found."""

import hashlib
import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measuring.final_names import sha256
from measuring.queue_place import until
from measuring.small_disks import Skipped, run
from measuring.watch_place import once_each

EVENTS_QUEUED = Path("/proc/sys/fs/inotify/max_queued_events")
KINDS = ("plain", "plain", "plain", "renamed", "rewritten", "reopened")
GRACE = 3.0  # seconds from when a file may be taken until it is


class Copy:
    """One file that is copied in slowly; `ended` is when its last byte was there, `pause` its longest stall."""

    def __init__(self, trial, number, longest_stall, most_bytes):
        self.choice = random.Random(trial.choice.getrandbits(64))
        self.rate = 10 ** self.choice.uniform(-0.7, 1.3) * 1e6  # 0.2 to 20 MB/s
        self.content, self.frames = trial.pool.clip(int(min(self.rate * self.choice.uniform(1, 4), most_bytes)))
        self.kind = self.choice.choice(KINDS)
        self.name, self.path = f"{self.kind}-{number:03}.mp4", trial.place.inbox / f"{self.kind}-{number:03}.mp4"
        self.longest_stall, self.ended, self.pause, self.again = longest_stall, None, 0.0, 0.0

    def write(self, stable):
        """As a copy, as rsync, or cut off and written anew: with the same handle, or after a close."""
        if self.kind == "renamed":
            part = self.path.with_name(f".{self.name}.{self.choice.getrandbits(32):x}")
            with open(part, "wb") as file:
                self._fill(file, self.content)
            self.ended = time.time()
            part.rename(self.path)
            return
        if self.kind == "reopened":
            with open(self.path, "wb") as file:
                self._fill(file, self.content[:len(self.content) // 2], stalls_last=False)
            self.again = self.choice.uniform(0.1, 0.5) * stable
            time.sleep(self.again)
        with open(self.path, "wb") as file:
            if self.kind == "rewritten":
                self._fill(file, self.content[:len(self.content) // 2])
                file.truncate(0)
                file.seek(0)
            self._fill(file, self.content)
            self.ended = time.time()

    def _fill(self, file, content, stalls_last=True):
        """Without `stalls_last` what was written does not stand still before the close: it would count as whole."""
        stalls = {self.choice.randrange(len(content)) for _ in range(self.choice.randrange(3))}
        block = 1 << 17
        for start in range(0, len(content), block):
            file.write(content[start:start + block])
            file.flush()
            time.sleep(min(block, len(content) - start) / self.rate)
            is_last = start + block >= len(content)
            if any(start <= stall < start + block for stall in stalls) and (stalls_last or not is_last):
                pause = self.choice.uniform(0, self.longest_stall)
                self.pause = max(self.pause, pause)
                time.sleep(pause)

    def latest(self, stable):
        """How long after its end it may be taken: one that grew after a close has to stand still for longer."""
        learnt = 3 * max(self.pause, self.again) if self.kind == "reopened" else 0
        return max(stable, learnt) + GRACE


def slow_copies(trial):
    """W1: slow, stalling, renamed and rewritten copies are taken when they are whole, and soon."""
    place, count, stable = trial.place, trial.size(200, 24), trial.size(10, 3)
    copies = [Copy(trial, number, trial.size(20, 6), trial.size(6 << 20, 1 << 20)) for number in range(count)]
    daemon = place.watch("--stable", f"{stable}s", "--workers", "2")
    until(lambda: daemon.scans, 30)
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda copy: copy.write(stable), copies))
    if not place.drained(count, 600):
        yield f"not all is done: {len(place.files('done'))} of {count}"
    handed, started, waits = daemon.handed, daemon.times("started"), {}
    for copy in copies:
        times = handed.get(copy.name, [])
        if len(times) != 1:
            yield f"{copy.name} was handed over {len(times)} times"
            continue
        if times[0] < copy.ended or min(started.get(str(copy.path), [copy.ended])) < copy.ended:
            yield f"{copy.name} was taken {copy.ended - times[0]:.2f} s before its end"
        waits.setdefault(copy.kind, []).append(times[0] - copy.ended)
        if times[0] - copy.ended > copy.latest(stable):
            yield f"{copy.name} waited {times[0] - copy.ended:.1f} s, {copy.latest(stable):.1f} s at most were right"
    trial.tell(files=count, stable_s=stable, longest_stall_s=max(copy.pause for copy in copies),
               longest_wait_s={kind: round(max(found), 2) for kind, found in waits.items()})
    yield from daemon.stop()
    yield from once_each(place, [copy.name for copy in copies], {copy.name: copy.frames for copy in copies})


def burst(trial):
    """W2: with room for 16 events, files of a burst are found by the next scan, none twice."""
    if not os.access(EVENTS_QUEUED, os.W_OK):
        raise Skipped("fs.inotify.max_queued_events cannot be set")
    place, count, before = trial.place, trial.size(10_000, 500), EVENTS_QUEUED.read_text()
    EVENTS_QUEUED.write_text("16")
    try:
        daemon = place.watch("--workers", "1")
        until(lambda: daemon.scans, 30)
    finally:
        EVENTS_QUEUED.write_text(before)
    for number in range(count):  # not media, which is seen soon: this is about finding
        (place.inbox / f"burst-{number:05}.mp4").write_text(f"not media, {number} " * 40)
    ended, allowed = time.time(), 60 + 5 + 10
    until(lambda: sum(map(len, daemon.handed.values())) >= count, 4 * allowed, 0.5)
    handed = daemon.handed
    last = max((at for times in handed.values() for at in times), default=ended) - ended
    trial.tell(files=count, found=len(handed), last_found_s=last, allowed_s=allowed)
    if len(handed) != count or last > allowed:
        yield f"{len(handed)} of {count} were found, the last one after {last:.1f} s"
    daemon.kill()
    sources = [job["source"] for job in place.jobs()]
    if len(sources) != len(set(sources)) or any(len(times) > 1 for times in handed.values()):
        yield f"{len(sources)} jobs for {len(set(sources))} files"
    if len(set(sources)) != count:
        yield f"{len(set(sources))} of {count} files have jobs"


def polling(trial):
    """W3: without events files are found by scans, and the log says that it polls."""
    place, scan, stable = trial.place, trial.size(5, 2), trial.size(10, 2)
    options = ["--scan", f"{scan}s", "--stable", f"{stable}s"]
    layers = [place.folder / name for name in ("lower", "upper", "work", "merged")]
    for layer in layers:
        layer.mkdir()
    inboxes = {"as it was set": (place.inbox, ["--changes", "polling"])}
    try:
        run("mount", "-t", "overlay", "overlay", "-o", "lowerdir={},upperdir={},workdir={}".format(*layers), layers[3])
        inboxes["overlay"] = (layers[3], [])
    except Skipped as refusal:
        print(f"     no overlay is tried: {refusal}", flush=True)
    try:
        for words, (inbox, more) in inboxes.items():
            daemon = place.watch(*options, *more, inbox=inbox)
            until(lambda: daemon.scans, 30)
            if not any("watching, polling" in text and words in text for _, text in daemon.messages):
                yield f"{words}: the log does not say that it polls: {daemon.messages[:1]}"
            longest = 0.0
            for number in range(trial.size(10, 3)):
                time.sleep(trial.choice.uniform(0, scan))
                trial.pool.put(inbox / f"{words[:2]}-{number}.mp4")
                put = time.time()
                until(lambda: daemon.handed.get(f"{words[:2]}-{number}.mp4"), 60, 0.05)
                found = daemon.handed.get(f"{words[:2]}-{number}.mp4", [put + 60])
                longest = max(longest, found[0] - put)
            trial.tell(mode=[text for _, text in daemon.messages if "watching, " in text][:1], longest_s=longest, allowed_s=scan + stable + 2)
            if longest > scan + stable + 2:
                yield f"{words}: a file was found after {longest:.1f} s"
            yield from daemon.stop()
    finally:
        if len(inboxes) > 1:
            run("umount", "--lazy", layers[3])


def killed(trial):
    """W11: a daemon that is killed again and again does each file once, and loses no source."""
    place, count, hashes, frames, kills = trial.place, trial.size(300, 30), {}, {}, 0
    options = ["--after", "move", "--stable", "2s", "--workers", "2", "--scan", "10s", "--copy", "never"]

    def arrive():
        for number in range(count):
            path = place.inbox / f"{number % 7}" / f"clip-{number:03}.mp4"
            content, seen = trial.pool.clip(trial.choice.randrange(64, 1 << 19))
            path.parent.mkdir(exist_ok=True)
            name = f"{number % 7}/{path.name}"
            with open(path, "wb") as file:
                for start in range(0, len(content), 1 << 16):
                    file.write(content[start:start + (1 << 16)])
                    time.sleep(0.02)
            hashes[name], frames[name] = hashlib.sha256(content).hexdigest(), seen
            time.sleep(trial.choice.uniform(0, 2 * trial.size(0.8, 0.4)))

    arrivals = threading.Thread(target=arrive)
    arrivals.start()
    daemon, most_kills = place.watch(*options), trial.size(200, 4)
    while arrivals.is_alive() or kills < most_kills and not place.drained(count, 0.3):
        time.sleep(trial.choice.uniform(5, 15) if not trial.is_short else trial.choice.uniform(2, 5))
        if not daemon.is_running:
            yield f"the daemon ended by itself with {daemon.child.returncode}: {daemon.last_words()}"
        daemon.kill()
        kills += 1
        daemon = place.watch(*options)
    if not place.drained(count, 300):
        yield f"not all is done: {len(place.files('done'))} of {count}"
    until(lambda: not place.pending_actions(), 60, 0.2)
    yield from daemon.stop()
    interruptions = sum(job["interruptions"] for job in place.jobs())
    trial.tell(files=count, kills=kills, interrupted_jobs=interruptions)
    yield from once_each(place, sorted(hashes), frames)
    yield from moved_whole(place, hashes)


def moved_whole(place, hashes):
    """Whether each source lies in `done` as it was, and nothing is left beside them; what is not so."""
    done = {str(path.relative_to(place.inbox / "done")): path
            for path in (place.inbox / "done").rglob("*") if path.is_file()}
    left = [path for path in place.inbox.rglob("*") if path.is_file() and place.inbox / "done" not in path.parents]
    for name in sorted(set(done) ^ set(hashes)):
        yield f"source {name} {'is not in done' if name in hashes else 'is in done and was never put'}"
    for name in sorted(set(done) & set(hashes)):
        if sha256(done[name]) != hashes[name]:
            yield f"source {name} has other content than it had"
    for path in left:
        yield f"{path.relative_to(place.inbox)} is still in the inbox"
