"""A watched folder with a queue, a cache and an outbox of its own, and the daemons that watch it."""

import collections
import json
import re
import sqlite3
import subprocess
from pathlib import Path

from measuring import media_probe
from measuring.queue_place import QueuePlace, until
from measuring.watch_daemon import WatchDaemon


class WatchPlace(QueuePlace):
    """Everything lies in one folder, which anybody may enter: a daemon may be another user's."""

    def __init__(self, folder, takeup):
        super().__init__(folder, takeup)
        self.inbox = self.folder / "inbox"
        self.inbox.mkdir()
        self.daemons = []

    def watch(self, *options, prefix=(), inbox=None, **variables):
        """Starts a daemon; `prefix` runs it as somebody else, `variables` are added to its environment."""
        inbox = inbox or self.inbox
        words = self.words("watch", inbox, "--output", self.outputs, "--json", "--verbose", *options)
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
        return [{**row, "source": _source(json.loads(row["spec"]))} for row in found]

    def files(self, state=None):
        """What the ledger knows of the folder's files that have their names still."""
        sql = "SELECT * FROM watch_file WHERE gone_at IS NULL"
        return self.rows(sql + (" AND state = ?" if state else ""), *([state] if state else []))

    def pending_actions(self):
        """Those that can be done; others wait for a source that has no name any more."""
        return self.rows("SELECT * FROM watch_action WHERE due_at < 1e12")

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


def _source(spec):
    """The first source of a job, as the queue stores it."""
    return spec["request"]["composition"]["tracks"][0]["segments"][0]["source"]
