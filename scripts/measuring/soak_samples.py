"""What the daemons of a soak hold, every ten seconds."""

import statistics
import threading
import time
from dataclasses import dataclass, field

EVERY = 10.0


@dataclass
class Incarnation:
    daemon: object
    began: float
    samples: list = field(default_factory=list)  # age, bytes, descriptors

    def median(self, place, since, until):
        found = [sample[place] for sample in self.samples if since <= sample[0] <= until]
        return statistics.median(found) if found else None


class Samples(threading.Thread):
    """Looks at the daemon that runs; one of them is the long one, which is left alone."""

    def __init__(self):
        super().__init__(daemon=True)
        self.incarnations, self.long, self.long_seconds = [], None, None
        self.ended = threading.Event()
        self.start()

    @property
    def has_long(self):
        return self.long is not None

    def follow(self, daemon):
        self.incarnations.append(Incarnation(daemon, time.monotonic()))

    def begin_long(self):
        self.long = self.incarnations[-1]

    def end_long(self):
        if self.long and self.long_seconds is None:
            self.long_seconds = time.monotonic() - self.long.began

    def run(self):
        while not self.ended.wait(EVERY):
            if not self.incarnations:
                continue
            now = self.incarnations[-1]
            held, descriptors = now.daemon.memory(), now.daemon.descriptors()
            if held and descriptors:
                now.samples.append((time.monotonic() - now.began, held, descriptors))

    def finish(self):
        self.ended.set()
        self.join()

    def long_medians(self, place):
        """Of the long incarnation: around its fifth minute, or its first third when it is short, and at its end."""
        if not self.long or not self.long_seconds:
            return None, None
        early = min(300.0, self.long_seconds / 3)
        return (self.long.median(place, early - 30, early + 30),
                self.long.median(place, self.long_seconds - 60, self.long_seconds))
