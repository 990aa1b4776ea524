"""A `takeup watch` under test, and what it says and holds."""

import collections
import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

HANDED = re.compile(r"(?s)(.*) is whole and queued as (watch-\w+)")


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
