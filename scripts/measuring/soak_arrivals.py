"""Files that keep arriving in a folder which may go away, and which are renamed now and then."""

import contextlib
import hashlib
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

KINDS = ("plain", "renamed", "rewritten")
BAD = ("cut", "words", "empty")
WRITERS = 4


@dataclass
class Arrival:
    """A file that was put whole; `names` are all that it had, from the folder on."""

    name: str
    sha256: str
    frames: int = 0
    kind: str = "plain"
    names: list = field(default_factory=list)

    @property
    def is_known(self):
        """Whether a job is made of it: an empty file waits for its content."""
        return self.kind != "empty"


class Arrivals:
    """Puts files into a folder from a few threads until `finish`."""

    def __init__(self, inbox, pool, choice):
        self.inbox, self.pool, self.choice = Path(inbox), pool, choice
        self.good, self.bad, self.number = [], [], 0
        self.lock, self.paths, self.ended = threading.Lock(), threading.RLock(), threading.Event()
        self.threads = []

    def start(self):
        for _ in range(WRITERS):
            choice = random.Random(self.choice.getrandbits(64))
            thread = threading.Thread(target=self._keep_putting, args=(choice,), daemon=True)
            self.threads.append(thread)
            thread.start()

    def finish(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    @contextlib.contextmanager
    def away(self):
        """While the folder's disk is gone nobody uses its paths; what is open stays so."""
        with self.paths:
            yield

    def rename_one(self):
        """Gives one of the latest another name in the tree, if it is still there."""
        with self.lock:
            late = self.good[-8:]
        if late:
            self._rename(self.choice, self.choice.choice(late))

    def _rename(self, choice, file):
        with self.paths:
            name = f"{choice.randrange(5)}/moved-{len(file.names)}-{Path(file.name).name}"
            (self.inbox / name).parent.mkdir(exist_ok=True)
            # Noted before: a look at its names never misses one.
            file.names.append(name)
            try:
                (self.inbox / file.name).rename(self.inbox / name)
                file.name = name
            except FileNotFoundError:
                file.names.remove(name)  # it is in `done` by now

    def _keep_putting(self, choice):
        while not self.ended.is_set():
            with self.lock:
                self.number += 1
                number = self.number
            if choice.random() < 0.08:
                self._put_bad(choice, number)
            else:
                self._put_good(choice, number)
            self.ended.wait(choice.uniform(0, 6))

    def _put_bad(self, choice, number):
        kind = choice.choice(BAD)
        with self.lock:
            content, _ = self.pool.clip()
        # The headers stay, and a good part of the samples goes.
        content = {"cut": content[:len(content) * choice.randrange(40, 80) // 100], "empty": b"",
                   "words": f"this is a text, number {number}\n".encode() * 100}[kind]
        file = Arrival(f"bad/{kind}-{number:05}.mp4", hashlib.sha256(content).hexdigest(), kind=kind)
        self._write(choice, file, content, 5e6)
        with self.lock:
            self.bad.append(file)

    def _put_good(self, choice, number):
        with self.lock:
            content, frames = self.pool.clip(choice.randrange(64, 200_000))
        file = Arrival(f"{choice.randrange(5)}/clip-{number:05}.mp4", hashlib.sha256(content).hexdigest(), frames,
                       choice.choice(KINDS))
        file.names.append(file.name)
        self._write(choice, file, content, 10 ** choice.uniform(4.5, 7))
        with self.lock:
            self.good.append(file)
        if choice.random() < 0.2:
            # While it is waited for, queued, exported or about to be moved.
            self.ended.wait(choice.uniform(0, 5))
            self._rename(choice, file)

    def _write(self, choice, file, content, rate):
        path = self.inbox / file.name
        part = path.with_name(f".{path.name}.part") if file.kind == "renamed" else path
        with self.paths:
            path.parent.mkdir(exist_ok=True)
            opened = open(part, "wb")
        with opened:
            if file.kind == "rewritten":
                self._fill(choice, opened, content[:len(content) // 2], rate)
                opened.truncate(0)
                opened.seek(0)
            self._fill(choice, opened, content, rate)
        if part != path:
            with self.paths:
                part.rename(path)

    @staticmethod
    def _fill(choice, opened, content, rate):
        block = 1 << 15
        for start in range(0, len(content), block):
            opened.write(content[start:start + block])
            opened.flush()
            time.sleep(block / rate)
            if choice.random() < 0.03:
                time.sleep(choice.uniform(0, 6))
