"""Watches, from outside, every final name appear, and reads what it leads to at that instant."""

import ctypes
import hashlib
import os
import select
import struct
import threading
from pathlib import Path

MODIFY, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE, OVERFLOW = (
    0x2, 0x8, 0x40, 0x80, 0x100, 0x200, 0x4000)
EVENTS = MODIFY | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE
HEADER = struct.Struct("iIII")
LIBC = ctypes.CDLL(None, use_errno=True)


def sha256(path):
    """The hash of a file's content, without following a link."""
    digest = hashlib.sha256()
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def is_final(name):
    """Hidden names, and the `#number` of a file that has none, are work in progress."""
    return name.endswith((".mp4", ".m4a")) and name[0] not in ".#"


class FinalNames(threading.Thread):
    """Looks at a cache's objects, where they are in a folder, and at an output folder until `finish`.

    `appeared` has, for each path, the hash of its content at each moment it appeared;
    `problems` says what must never be: a name with the wrong content, an output that appears
    twice or goes away, a file that is written to under its final name.
    """

    def __init__(self, objects, outputs):
        super().__init__(daemon=True)
        self.appeared, self.problems, self.vanished = {}, [], 0
        self.outputs = Path(outputs)
        self.descriptor = LIBC.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        self.stopped, self.wake = os.pipe()
        self.folders = {}
        shards = [Path(objects) / f"{number:02x}" for number in range(256)] if objects else []
        for folder in [self.outputs, *shards]:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            watch = LIBC.inotify_add_watch(self.descriptor, os.fsencode(folder), EVENTS)
            if watch < 0:
                raise OSError(ctypes.get_errno(), f"inotify_add_watch {folder}")
            self.folders[watch] = folder
        self.start()

    def run(self):
        ended = False
        while not ended:
            ready, _, _ = select.select([self.descriptor, self.stopped], [], [])
            ended = self.stopped in ready
            self._drain()

    def finish(self):
        """Takes what there is, ends the watch and says what was wrong."""
        os.write(self.wake, b".")
        self.join()
        for descriptor in (self.descriptor, self.stopped, self.wake):
            os.close(descriptor)
        return self.problems

    def _drain(self):
        while True:
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return
            offset = 0
            while offset < len(data):
                watch, mask, _, size = HEADER.unpack_from(data, offset)
                offset += HEADER.size + size
                name = os.fsdecode(data[offset - size:offset].rstrip(b"\0"))
                if mask & OVERFLOW:
                    self.problems.append("the observer lost events")
                elif name and is_final(name):
                    self._take(self.folders[watch] / name, mask)

    def _take(self, path, mask):
        is_output = path.parent == self.outputs
        if mask & MODIFY:
            self.problems.append(f"{path} was written to under its final name")
        if mask & (DELETE | MOVED_FROM) and is_output:
            self.problems.append(f"{path} went away")
        if mask & (CREATE | MOVED_TO):
            self._appear(path, is_output)

    def _appear(self, path, is_output):
        try:
            found = sha256(path)
        except FileNotFoundError:
            self.vanished += 1  # an object that no row names is swept at once
            if is_output:
                self.problems.append(f"{path} appeared and was gone at once")
            return
        before = self.appeared.setdefault(path, [])
        if is_output and before:
            self.problems.append(f"{path} appeared twice")
        if not is_output and found != path.stem:
            self.problems.append(f"{path} appeared with content of hash {found}")
        before.append(found)
