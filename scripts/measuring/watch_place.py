"""A watched folder with a queue, a cache and an outbox of its own, and the daemons that watch it."""

import collections
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

from measuring import media_probe
from measuring.queue_place import QueuePlace, until

HANDED = re.compile(r"(?s)(.*) is whole and queued as (watch-\w+)")


class Skipped(Exception):
    """A case that cannot be tried on this machine; says why."""


class WatchDaemon(threading.Thread):
    """One `takeup watch --json --verbose`, and each line that it says with the time at which it came."""

    def __init__(self, child, inbox, log):
        super().__init__(daemon=True)
        self.child, self.pid, self.inbox, self.log = child, child.pid, str(inbox), log
        self.lines, self.loose = [], []  # objects and other text, each with its time
        self.start()

    def run(self):
        with open(self.log, "ab") as log:
            for line in self.child.stdout:
                now = time.time()
                log.write(line)
                log.flush()
                try:
                    self.lines.append((now, json.loads(line)))
                except ValueError:
                    self.loose.append((now, line.decode("utf-8", "replace")))

    @property
    def is_running(self):
        return self.child.poll() is None

    @property
    def messages(self):
        """What the log says, in order: time and text, the folder's own name left out."""
        found = [(at, line["message"].removeprefix(f"{self.inbox}: "))
                 for at, line in self.lines[:] if line.get("type") == "log"]
        return found + self.loose[:]

    def says(self, words):
        """When a message with these words came; None for never."""
        return next((at for at, text in self.messages if words in text), None)

    def count(self, words):
        return sum(words in text for _, text in self.messages)

    @property
    def scans(self):
        """The seconds that each scan of everything took."""
        return [line.get("seconds", 0) for _, line in self.lines[:] if line.get("message", "").endswith(": scanned")]

    @property
    def handed(self):
        """When each file was handed to the queue, by its path in the folder."""
        found = collections.defaultdict(list)
        for at, text in self.messages:
            if match := HANDED.fullmatch(text):
                found[match[1]].append(at)
        return found

    def times(self, kind):
        """When jobs `started` or `finished`, by their sources."""
        found = collections.defaultdict(list)
        for at, line in self.lines[:]:
            if line.get("type") == kind:
                found[line["source"]].append(at)
        return found

    def send(self, number):
        self.child.send_signal(number)

    def wait(self, seconds):
        """The exit status, or None when it did not end in time."""
        try:
            code = self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self.join(5)
        return code

    def stop(self, seconds=90):
        """Ends it by SIGTERM; what was wrong with how it ended."""
        if self.is_running:
            self.send(signal.SIGTERM)
        code = self.wait(seconds)
        if code is None:
            self.kill()
            return [f"the daemon still ran {seconds} s after SIGTERM"]
        return [] if code in (0, 3, 143, -signal.SIGTERM) else [f"the daemon ended with {code}: {self.last_words()}"]

    def kill(self):
        if self.is_running:
            self.send(signal.SIGKILL)
        self.child.wait()
        self.join(5)

    def last_words(self):
        return " | ".join(text.strip() for _, text in self.messages[-3:])[-400:]

    def processor_seconds(self):
        """User and system time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, field="VmRSS"):
        """Bytes; 0 once it has ended."""
        try:
            text = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return 0
        return next((int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith(f"{field}:")), 0)

    def descriptors(self):
        try:
            return len(os.listdir(f"/proc/{self.pid}/fd"))
        except OSError:
            return 0


class WatchPlace(QueuePlace):
    """Everything lies in one folder, which anybody may enter: a daemon may be another user's."""

    def __init__(self, folder, takeup):
        super().__init__(folder, takeup)
        self.inbox = self.folder / "inbox"
        self.inbox.mkdir()
        self.daemons = []

    def watch(self, *options, prefix=(), output=True, inbox=None, **variables):
        """Starts a daemon; `prefix` runs it as somebody else, `variables` are added to its environment."""
        inbox = inbox or self.inbox
        words = self.words("watch", inbox, *(["--output", self.outputs] if output else []), "--json", "--verbose", *options)
        child = subprocess.Popen(
            [*map(str, prefix), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, cwd=self.folder, env={**self.environment, **variables})
        daemon = WatchDaemon(child, inbox, self.logs / f"watch-{len(self.daemons)}.log")
        self.daemons.append(daemon)
        return daemon

    def close(self):
        super().close()
        for daemon in self.daemons:
            daemon.kill()

    def rows(self, sql, *values):
        """Rows of the database, none while it, or its tables, are still to be made."""
        try:
            return self.query(sql, *values) if self.database.exists() else []
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise

    def jobs(self):
        """The rows of all jobs, each with the path of its source."""
        found = self.rows("SELECT * FROM job ORDER BY sequence")
        return [{**row, "source": json.loads(row["spec"])["sources"][0]} for row in found]

    def files(self, state=None):
        """What the ledger knows of the folder's files that have their names still."""
        sql = "SELECT * FROM watch_file WHERE gone_at IS NULL"
        return self.rows(sql + (" AND state = ?" if state else ""), *([state] if state else []))

    def pending_actions(self):
        return self.rows("SELECT * FROM watch_action")

    def drained(self, count, seconds=120):
        """Waits until so many files are done or failed; whether they are."""
        def ended():
            rows = self.rows("SELECT state, count(*) AS n FROM watch_file GROUP BY state")
            counts = {row["state"]: row["n"] for row in rows}
            return counts.get("done", 0) + counts.get("failed", 0) >= count and not counts.get("handed")
        return until(ended, seconds, 0.2) is not None

    def exported(self):
        """The outputs, by their paths in the outbox."""
        return {str(path.relative_to(self.outputs)) for path in self.outputs.rglob("*") if path.is_file()}


def once_each(place, sources, frames=None):
    """Whether every source has one job, one manifest row and one output, and there is nothing else; what is not so.

    `sources` are paths in the inbox; `frames` says how many the output of each decodes to.
    """
    jobs = collections.Counter(job["source"] for job in place.jobs())
    manifest = collections.Counter(entry["source"] for entry in place.listed("cache"))
    present = place.exported()
    wanted = {_output(name, present): name for name in sources}
    for name in sources:
        path = f"{place.inbox}/{name}"
        if jobs[path] != 1:
            yield f"{name} has {jobs[path]} jobs"
        if manifest[path] != 1:
            yield f"{name} has {manifest[path]} rows in the manifest"
    for name in sorted(present ^ set(wanted)):
        yield f"output {name} {'is missing' if name in wanted else 'belongs to nothing'}"
    for name in sorted(present & set(wanted)) if frames else []:
        facts, complaints = media_probe.probe(place.outputs / name, count_frames=True)
        found = sum(map(media_probe.frame_count, media_probe.streams(facts, "video")[:1]))
        if complaints or found != frames[wanted[name]]:
            yield f"{name} decodes to {found} frames of {frames[wanted[name]]}: {complaints[:1]}"


def _output(source, present):
    """The output of a source; one whose name has control characters gets another one, ended by a hash."""
    plain = re.sub("[\0-\x1f]", "_", source)
    name = str(Path(plain).with_suffix(".mp4"))
    if plain == source:
        return name
    pattern = re.escape(name.removesuffix(".mp4")) + r"~[0-9a-f]{16}\.mp4"
    return next((path for path in present if re.fullmatch(pattern, path)), name)


class Disk:
    """A small ext4 file system in a file: what is on it stays while it is not mounted."""

    def __init__(self, image, folder, size=64 << 20):
        self.image, self.folder = Path(image), Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.image, "wb") as file:
            file.truncate(size)
        run("mkfs.ext4", "-q", "-F", "-m", "0", self.image)
        # One device for all mounts: a lazy one may still be there when the next one is made.
        self.device = run("losetup", "--find", "--show", self.image)
        self.is_mounted = False
        self.mount()

    def mount(self):
        run("mount", self.device, self.folder)
        shutil.rmtree(self.folder / "lost+found", ignore_errors=True)
        self.is_mounted = True

    def unmount(self):
        """Also while it is busy: it is gone from its place at once."""
        run("umount", "--lazy", self.folder)
        self.is_mounted = False

    def close(self):
        if self.is_mounted:
            self.unmount()
        run("losetup", "--detach", self.device)


class MemoryDisk(Disk):
    """A small tmpfs."""

    def __init__(self, folder, size):
        self.folder, self.size = Path(folder), size
        self.folder.mkdir(parents=True, exist_ok=True)
        self.mount()

    def close(self):
        if self.is_mounted:
            self.unmount()

    def mount(self):
        run("mount", "-t", "tmpfs", "-o", f"size={self.size},mode=0755", "tmpfs", self.folder)
        self.is_mounted = True

    def fill(self):
        """Takes all the room there is; the file to be removed again."""
        ballast = self.folder / ".ballast"
        with open(ballast, "ab") as file:
            try:
                while True:
                    os.write(file.fileno(), bytes(1 << 16))
            except OSError:
                return ballast  # it is full


def run(*words):
    """What a tool of the system's says; `Skipped` where it is not allowed."""
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skipped(f"{words[0]} ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    return done.stdout.strip()
