"""One child process, timed, measured and never left behind."""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field


@dataclass
class CommandRun:
    """What a finished child did and what it cost.

    `rss_bytes` is the kernel's figure for the largest process of the child's tree
    that was waited for; `cpu` is user and system time of the whole tree.
    """

    argv: list
    code: int
    wall: float
    cpu: float
    rss_bytes: int
    stdout: str
    stderr: str
    timed_out: bool = False
    leftovers: list = field(default_factory=list)

    @property
    def died_of_signal(self):
        """The name of the signal that ended the child, or None."""
        return signal.Signals(-self.code).name if self.code < 0 else None

    def last_words(self, limit=300):
        """The end of what the child said on stderr, on one line."""
        return " | ".join(self.stderr.strip().splitlines())[-limit:]


def session_members(session):
    """The live processes of a session, without its leader."""
    members = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as stat:
                fields = stat.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it ended while we looked
        if int(fields[3]) == session and int(name) != session and fields[0] != b"Z":
            members.append(int(name))
    return members


def _stop(child, expired):
    expired.set()
    os.killpg(child.pid, signal.SIGKILL)


def _end_leftovers(pid, grace=0.3):
    """Names, then kills, what outlived the leader. The unreaped leader holds the number."""
    deadline = time.monotonic() + grace
    left = session_members(pid)
    while left and time.monotonic() < deadline:
        time.sleep(0.02)
        left = session_members(pid)
    for member in left:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass  # gone between the look and the kill
    return left


def run(argv, timeout=600.0, on_start=None, **options):
    """Runs a command in a session of its own and waits for its end.

    `on_start` gets the child once it runs; `options` go to `subprocess.Popen`.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        child = subprocess.Popen(
            [os.fspath(a) for a in argv], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            start_new_session=True, **options)
        expired = threading.Event()
        timer = threading.Timer(timeout, _stop, (child, expired))
        timer.start()
        if on_start:
            on_start(child)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, but keeps its number
        wall = time.monotonic() - began
        timer.cancel()
        timer.join()
        leftovers = _end_leftovers(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return CommandRun(
            list(argv), child.returncode, wall, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024, _text(out), _text(err), expired.is_set(), leftovers)


def _text(stream):
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def median_milliseconds(command, env, runs=11):
    """The median time of a command; ends the script when it fails."""
    walls = []
    for _ in range(runs):
        found = run(command, env=env)
        if found.code != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with {found.code}: {found.last_words()}")
        walls.append(found.wall * 1000)
    return statistics.median(walls)
