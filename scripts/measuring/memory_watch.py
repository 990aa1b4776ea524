"""What a running process holds in memory."""

import statistics
import threading
from pathlib import Path


class MemoryWatch(threading.Thread):
    """Notes what a process holds, at first and again and again."""

    def __init__(self, pid, every=0.25):
        super().__init__(daemon=True)
        self.pid, self.every, self.samples, self.ended = pid, every, [], threading.Event()
        self.start()

    def run(self):
        while True:
            try:
                status = Path(f"/proc/{self.pid}/status").read_text()
            except OSError:
                return
            held = next((line for line in status.splitlines() if line.startswith("VmRSS:")), None)
            if held:
                self.samples.append(int(held.split()[1]) * 1024)
            if self.ended.wait(self.every):
                return

    def finish(self):
        """The medians of the second and of the last quarter."""
        self.ended.set()
        self.join()
        quarter = max(1, len(self.samples) // 4)
        return (statistics.median(self.samples[quarter:2 * quarter] or self.samples),
                statistics.median(self.samples[-quarter:]))
