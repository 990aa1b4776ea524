"""Clips for the matrix: every picture carries its number as a barcode, every second of sound begins with a chirp.

A clip is 256x144. The upper 32 lines hold 16 blocks, the bits of the picture's number with the highest first; the
next 32 lines hold the same bits inverted, so that a picture without its references is seen as such. Below lie eight
columns of known brightness and colour, and a block that moves.
"""

import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy

WIDTH, HEIGHT, BITS = 256, 144, 16
SOUND_RATE = 48000
CHIRP_SECONDS = 0.05
CHIRP_BANDS = [(400, 900), (1000, 1600), (1700, 2300), (2400, 3000)]  # Hz: the second modulo 4 tells which
CHIRP_PEAK = 0.5
PATCHES = [(32, 128, 128), (64, 128, 128), (128, 128, 128), (192, 128, 128),
           (100, 90, 160), (150, 170, 100), (110, 150, 150), (180, 108, 118)]  # Y, Cb, Cr of limited range


def chirp(band, rate=SOUND_RATE):
    """A sweep through one of the bands, with a peak of 1."""
    low, high = CHIRP_BANDS[band % len(CHIRP_BANDS)]
    time = numpy.arange(int(CHIRP_SECONDS * rate)) / rate
    sweep = numpy.sin(2 * numpy.pi * (low * time + (high - low) / (2 * CHIRP_SECONDS) * time**2))
    return (sweep * numpy.hanning(len(time))).astype(numpy.float32)


def sound(seconds, rate=SOUND_RATE):
    """Mono samples with a chirp that begins at each whole second, over a faint noise."""
    samples = numpy.random.default_rng(7).normal(0, 0.001, int(seconds * rate)).astype(numpy.float32)
    for second in range(int(numpy.ceil(seconds))):
        wave = CHIRP_PEAK * chirp(second, rate)
        at = second * rate
        samples[at:at + len(wave)] += wave[:max(0, len(samples) - at)]
    return samples


def picture(number):
    """One picture as planar 4:2:0 of limited range."""
    luma = numpy.full((HEIGHT, WIDTH), 96, numpy.uint8)
    bits = [(number >> (BITS - 1 - place)) & 1 for place in range(BITS)]
    block = WIDTH // BITS
    for place, bit in enumerate(bits):
        luma[:32, place * block:(place + 1) * block] = 220 if bit else 30
        luma[32:64, place * block:(place + 1) * block] = 30 if bit else 220
    blue = numpy.full((HEIGHT // 2, WIDTH // 2), 128, numpy.uint8)
    red = blue.copy()
    for place, (y, cb, cr) in enumerate(PATCHES):
        luma[72:120, place * 32:(place + 1) * 32] = y
        blue[36:60, place * 16:(place + 1) * 16] = cb
        red[36:60, place * 16:(place + 1) * 16] = cr
    at = (number * 4) % (WIDTH - 16)
    luma[126:142, at:at + 16] = 200
    return luma.tobytes() + blue.tobytes() + red.tobytes()


def made(path, command):
    """The file at `path`, made by ffmpeg with `command` unless it exists; None where ffmpeg cannot make it."""
    path = Path(path)
    refused = path.with_name(path.name + ".refused")
    if path.exists():
        return path
    if refused.exists():
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name("part-" + path.name)
    done = subprocess.run(["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "fatal", "-y", *map(str, command), str(part)],
                          stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != 0 or not part.exists() or part.stat().st_size == 0:
        part.unlink(missing_ok=True)
        refused.write_bytes(done.stderr)
        return None
    part.rename(path)
    return path


class Workshop:
    """Makes clips in one folder, each once."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def raw(self, seconds, rate=Fraction(25)):
        """Uncompressed pictures and sound of the given length."""
        count = int(seconds * rate)
        path = self.folder / f"raw-{float(rate):.3f}-{seconds}.nut"
        if path.exists():
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            pictures, samples = Path(scratch) / "pictures", Path(scratch) / "samples"
            with open(pictures, "wb") as file:
                for number in range(count):
                    file.write(picture(number))
            samples.write_bytes(sound(seconds).tobytes())
            return made(path, [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{WIDTH}x{HEIGHT}", "-framerate", rate, "-i", pictures,
                "-f", "f32le", "-ar", SOUND_RATE, "-ac", 1, "-i", samples,
                "-color_range", "tv", "-c:v", "rawvideo", "-c:a", "pcm_f32le", "-f", "nut"])

    def encoded(self, name, options, seconds, rate=Fraction(25), suffix="nut"):
        """One elementary track by ffmpeg's options; None where this ffmpeg has no such encoder."""
        return made(self.folder / f"{name}-{float(rate):.3f}-{seconds}.{suffix}",
                    ["-i", self.raw(seconds, rate), *options])

    def muxed(self, name, suffix, inputs, options):
        """Several tracks copied into one container; None where the container cannot hold them."""
        sources = [word for source in inputs for word in ("-i", source)]
        maps = [word for place in range(len(inputs)) for word in ("-map", place)]
        return made(self.folder / f"{name}.{suffix}", [*sources, *maps, "-c", "copy", *options])
