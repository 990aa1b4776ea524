"""A queue, a cache and an output folder of their own, and the programs that work on them."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from measuring import command_run, takeup_tool
from measuring.final_names import FinalNames

TERMINAL = {"succeeded", "cached", "failed", "cancelled", "quarantined"}


@dataclass
class Job:
    """What a job is asked for; `output` is a name in the output folder."""

    id: str
    source: Path
    options: list = field(default_factory=list)
    output: str = ""


class WorkerProcess:
    """One `takeup worker`, with what it says in a file."""

    def __init__(self, child, log):
        self.child, self.log, self.pid = child, log, child.pid
        self.started_at = time.time()

    @property
    def is_running(self):
        return self.child.poll() is None

    def send(self, number):
        self.child.send_signal(number)

    def wait(self, seconds):
        """The exit status, or None when it did not end in time."""
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    @property
    def is_stopped(self):
        """Whether SIGSTOP has taken effect."""
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as stat:
                return stat.read().rpartition(b")")[2].split()[0] == b"T"
        except OSError:
            return False

    @property
    def said(self):
        return self.log.read_text("utf-8", "replace")


class QueuePlace:
    """Everything lies in one folder, which the command line of each process names.

    With a `server`, a PostgresServer, the queue and the manifest are there. With a `bucket`, a BucketServer, the results
    are there, below `prefix`.
    """

    def __init__(self, folder, takeup, cache=None, server=None, bucket=None, prefix="films/takeup"):
        self.server, self.bucket, self.prefix = server, bucket, prefix
        self.folder, self.takeup = Path(folder), takeup
        self.home, self.outputs = self.folder / "home", self.folder / "out"
        self.cache, self.logs = Path(cache or self.folder / "cache"), self.folder / "logs"
        self.database = self.home / "takeup.sqlite"
        for made in (self.outputs, self.logs):
            made.mkdir(parents=True, exist_ok=True)
        self.workers, self.variables = [], {}
        self.environment = takeup_tool.environment(self.folder / "scratch")
        if bucket:
            self.environment |= {**bucket.environment, "TAKEUP_OBJECTS": f"s3://{prefix}"}

    def close(self):
        """Ends whatever this place has started."""
        for worker in self.workers:
            if worker.is_running:
                worker.send(signal.SIGKILL)
                worker.child.wait()

    def prepared(self):
        """Makes the cache and the observer of its final names."""
        made = self.run("cache", "list")
        if made.code != 0:
            raise RuntimeError(f"the cache was not made: {made.last_words()}")
        return FinalNames(None if self.bucket else self.cache / "objects", self.outputs)

    @property
    def caches(self):
        """The cache folder of each machine."""
        return [self.cache]

    def object_files(self):
        """The results that are in the cache, by name; those of a bucket come by another client than ours."""
        if self.bucket:
            found = self.bucket.fetch(f"{self.prefix}/objects", self.folder / "judged")
            return {path.name: path for path in found.values()}
        return {path.name: path for path in (self.cache / "objects").glob("*/*")}

    def words(self, *words):
        database = ["--database", self.server.address] if self.server else []
        return list(map(str, [
            self.takeup, *words, "--home", self.home, "--cache", self.cache, *database]))

    def run(self, *words, timeout=120, **options):
        return command_run.run(
            self.words(*words), timeout=timeout, env=self.environment, **options)

    def submit(self, job):
        """Queues a job; returns once it was accepted."""
        output = ["-o", self.outputs / job.output] if job.output else []
        run = self.run("submit", job.source, "--id", job.id, *output, *job.options)
        if run.code != 0 or run.stdout.strip() != job.id:
            raise RuntimeError(f"'{job.id}' was not accepted ({run.code}): {run.last_words()}")
        return job.id

    def submit_all(self, jobs):
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(self.submit, jobs))

    def start_worker(self, lanes=1, lease="30s", options=(), **variables):
        """Starts a worker; `variables` are added to its environment."""
        log = self.logs / f"worker-{len(self.workers)}.log"
        words = ["worker", "--workers", lanes, "--lease", lease, "--verbose", *options]
        with open(log, "wb") as stream:
            child = subprocess.Popen(
                self.words(*words), stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
                start_new_session=True,
                env={**self.environment, **self.variables, **variables})
        worker = WorkerProcess(child, log)
        self.workers.append(worker)
        return worker

    def stop_workers(self, seconds=30):
        """Drains every worker that runs; names those that do not end well."""
        running = [worker for worker in self.workers if worker.is_running]
        for worker in running:
            worker.send(signal.SIGTERM)
        problems = []
        for worker in running:
            code = worker.wait(seconds)
            if code not in (0, 143, -signal.SIGTERM):  # the last: while the loader ran
                problems.append(f"a worker ended with {code} on SIGTERM: {worker.said[-300:]}")
                worker.send(signal.SIGKILL)
                worker.child.wait()
        return problems

    def query(self, sql, *values):
        """Rows of the database, each a dictionary."""
        if self.server:
            return self.server.query(sql, *values)
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=10)
        try:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql, values)]
        finally:
            connection.close()

    def is_locked(self):
        """Whether somebody holds the database's write lock for longer than a write takes."""
        if self.server:
            return bool(self.server.query(
                "SELECT 1 AS held FROM pg_locks WHERE locktype = 'advisory' AND granted"))
        connection = sqlite3.connect(self.database, timeout=0.5, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            return False
        except sqlite3.OperationalError:
            return True
        finally:
            connection.close()

    def job(self, name):
        """The row of a job; an empty one while there is none."""
        return next(iter(self.query("SELECT * FROM job WHERE id = ?", name)), {})

    def states(self):
        return {row["id"]: row["state"] for row in self.query("SELECT id, state FROM job")}

    def listed(self, *words):
        """What a `list --json` command prints."""
        run = self.run(*words, "list", "--json")
        if run.code != 0:
            raise RuntimeError(f"{words} list ended with {run.code}: {run.last_words()}")
        return json.loads(run.stdout)

    def processes(self):
        """The command lines, by process, that name this place."""
        found, needle = {}, os.fsencode(self.folder)
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                line = Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue  # it ended while we looked
            if needle in line and int(name) != os.getpid():
                found[int(name)] = [os.fsdecode(word) for word in line.split(b"\0")]
        return found

    def helpers(self):
        """The export processes, each with the worker that it belongs to."""
        return {
            pid: int(words[2]) for pid, words in self.processes().items()
            if len(words) > 2 and words[1] == "export-helper" and words[2].isdigit()}


def until(condition, seconds, interval=0.01):
    """Waits for a condition; the seconds that it took, or None when it never held."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if condition():
            return time.monotonic() - began
        time.sleep(interval)
    return None
