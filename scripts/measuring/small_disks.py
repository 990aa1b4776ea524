"""Small disks that can be mounted, taken away, filled and given back; as root."""

import os
import shutil
import subprocess
from pathlib import Path


class Skipped(Exception):
    """A case that cannot be tried on this machine; says why."""


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
