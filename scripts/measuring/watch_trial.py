"""What each case of `chaos-watch` gets: a place, clips, chance, and the way to tell what was measured."""

import json
import random
from dataclasses import dataclass

from measuring.media_pool import MediaPool
from measuring.watch_place import WatchPlace


@dataclass
class WatchTrial:
    name: str
    place: WatchPlace
    pool: MediaPool
    choice: random.Random
    is_short: bool

    def size(self, full, short):
        """The stated number, or that of a short run."""
        return short if self.is_short else full

    def tell(self, **figures):
        """Prints what was measured; seconds are rounded."""
        shown = {key: round(value, 3) if isinstance(value, float) else value for key, value in figures.items()}
        print(json.dumps({"case": self.name, **shown}), flush=True)

    def put(self, count, prefix="clip", extra=64):
        """So many new clips in the inbox; the frames of each by its name."""
        names = [f"{prefix}-{number:04}.mp4" for number in range(count)]
        return {name: self.pool.put(self.place.inbox / name, extra) for name in names}
