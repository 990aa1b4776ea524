"""Distinct small clips without an encode for each: a few of ffmpeg's, with boxes of random bytes behind them."""

import struct
from pathlib import Path

from measuring import generated_clips, media_probe

LENGTHS = (1.0, 1.4, 1.8, 2.2, 2.6, 3.0)  # seconds
RATE = 25


class MediaPool:
    """Makes as many files as one likes, no two alike, each with a known number of frames."""

    def __init__(self, folder, choice):
        self.folder, self.choice = Path(folder), choice
        self.paths = [self._made(number, seconds) for number, seconds in enumerate(LENGTHS)]
        self.bases = [path.read_bytes() for path in self.paths]
        self.frames = [self._counted(path) for path in self.paths]

    def _made(self, number, seconds):
        return generated_clips.built(self.folder / f"base-{number}.mp4", [
            "-f", "lavfi", "-i", f"testsrc2=size=320x180:rate={RATE},hue=h={number * 50}",
            "-f", "lavfi", "-i", f"sine=frequency={300 + 60 * number}:sample_rate=48000", "-t", seconds,
            "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k",
            "-movflags", "+faststart", "-f", "mp4"])

    @staticmethod
    def _counted(path):
        facts, complaints = media_probe.probe(path, count_frames=True)
        if complaints:
            raise RuntimeError(f"{path}: {complaints}")
        return media_probe.frame_count(media_probe.streams(facts, "video")[0])

    def remuxed(self, number, suffix):
        """One of the clips in another container; its path."""
        formats = {"mkv": "matroska", "ts": "mpegts", "mov": "mov"}
        return generated_clips.built(self.folder / f"base-{number}.{suffix}", [
            "-i", self.paths[number], "-c", "copy", "-f", formats[suffix]])

    def clip(self, extra=64):
        """The bytes of a new clip and its frames; `extra` random ones that no player looks at are part of it."""
        number = self.choice.randrange(len(self.bases))
        return self.bases[number] + free_box(self.choice.randbytes(max(extra, 16))), self.frames[number]

    def put(self, path, extra=64):
        """Writes a new clip under a hidden name and renames it; its frames."""
        content, frames = self.clip(extra)
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.parent / f".incoming-{self.choice.getrandbits(48):x}"
        part.write_bytes(content)
        part.rename(path)
        return frames


def free_box(content):
    """An MP4 box that every reader passes over."""
    return struct.pack(">I4s", len(content) + 8, b"free") + content
