"""What ffmpeg and numpy see in a file: the numbers and times of its pictures, where its chirps are, how loud it is."""

import bisect
import functools
import math
import re
import subprocess
import tempfile
from pathlib import Path

import numpy

from measuring import matrix_clips

THUMBNAIL = (64, 36)
DRIFT = 0.003  # seconds: chirps of a source that are farther from whole seconds than this are wrong
WRONG = 0.2  # seconds of gaps: of those of a clip, which has none, more are not believed
GAP = 0.02  # seconds: times that differ by less jitter
SHOWN = re.compile(rb"\[Parsed_showinfo.* n: *\d+ pts: *\S+ +pts_time:(\S+)")
HEARD = re.compile(rb"\[Parsed_ashowinfo.* n:\d+ pts:\S+ pts_time:(\S+) .*rate:(\d+) nb_samples:(\d+)")
COMPLAINT = re.compile(rb"\[(?:error|fatal|panic)\] ?(?!Application provided invalid)(.*)")


class Sight:
    """One decoded file.

    `numbers` and `times` are of the pictures in order of showing, -1 for one whose barcode cannot be read; `patches`
    holds the mean colours of all that can be read; `chirps` are (second modulo 4, seconds, peak), beside `torn` ones that
    have a gap within; `sound_seconds` is
    how much sound there is, and `sound_end` is when it ends, counted from the first picture or sample.
    """

    def __init__(self):
        self.numbers, self.times = [], []
        self.patches = None
        self.chirps, self.peak, self.sound_start, self.sound_seconds = [], 0.0, None, 0.0
        self.torn, self.sound_end = 0, 0.0
        self.complaints = []

    def drift(self):
        """How far apart the chirps are from whole seconds, in seconds."""
        apart = [time - self.chirps[0][1] for _, time, _ in self.chirps]
        found = [seconds - round(seconds) for seconds in apart]
        return max(found) - min(found) if len(found) > 1 else math.inf

    @property
    def start(self):
        """When the first picture or sample comes."""
        return min(time for time in (self.sound_start, *self.times[:1], math.inf) if time is not None and time == time)


def seen(path, kinds="va", channels=1, doubts=False):
    """Decodes a file with its own times, as players would show it.

    With `doubts`, long gaps in the times of sound count for nothing where they move chirps from whole seconds.
    """
    sight = Sight()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        pictures, samples = Path(scratch) / "pictures", Path(scratch) / "samples"
        width, height = THUMBNAIL
        see = ["-map", "0:V:0", "-fps_mode", "passthrough", "-enc_time_base:v", "1:90000", "-vf",
               f"showinfo=checksum=0,scale={width}:{height}:flags=area+accurate_rnd+full_chroma_int,format=rgb24",
               "-f", "rawvideo", pictures]
        hear = ["-map", "0:a:0", "-af", f"ashowinfo,aresample={matrix_clips.SOUND_RATE}", "-ac", channels,
                "-f", "f32le", samples]
        wanted = [output for kind, output in (("v", see), ("a", hear)) if kind in kinds]
        log = b"".join(_decoded(path, output, sight) for output in _processes(wanted))
        if pictures.exists():
            sight.times = [_number(text) for text in SHOWN.findall(log)]
            _read_pictures(sight, pictures.read_bytes())
        if samples.exists():
            blocks = HEARD.findall(log)
            heard = numpy.frombuffer(samples.read_bytes(), numpy.float32).reshape(-1, channels)
            timed, counted = SoundTimes(blocks), SoundTimes(blocks, keeps_gaps=False)
            _read_sound(sight, heard, timed)
            if doubts and sight.drift() > DRIFT and timed.end - counted.end > WRONG:
                _read_sound(sight, heard, counted)
    return sight


def _processes(outputs):
    """The outputs of each process: one makes all, but since FFmpeg 7 filters run in threads, whose lines in one log mingle."""
    return outputs if _version() >= 7 else [[word for output in outputs for word in output]]


@functools.cache
def _version():
    """The main number of ffmpeg's version; a large one where it is a commit."""
    said = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout
    found = re.match(r"ffmpeg version n?(\d+)\.", said)
    return int(found[1]) if found else 1000


def _decoded(path, output, sight):
    """Decodes what `output` says, notes what ffmpeg complains of, and returns its log."""
    command = ["ffmpeg", "-nostdin", "-y", "-hide_banner", "-loglevel", "level+info", "-copyts", "-i", f"file:{path}"]
    done = subprocess.run([str(word) for word in command + output], stdin=subprocess.DEVNULL, capture_output=True)
    sight.complaints += [text.decode("utf-8", "replace") for text in COMPLAINT.findall(done.stderr)]
    return done.stderr


class SoundTimes:
    """When each sample is heard: blocks follow one another, except where a later time claims a gap."""

    def __init__(self, blocks, keeps_gaps=True):
        self.start = self.end = _number(blocks[0][0]) if blocks else 0.0
        seconds = 0.0
        self.places, self.times = [], []
        for time, rate, count in blocks:
            gap = _number(time) - self.end
            if gap > GAP and keeps_gaps:
                self.end += gap
            self.places.append(seconds)
            self.times.append(self.end)
            seconds += int(count) / int(rate)
            self.end += int(count) / int(rate)

    def time(self, seconds):
        """When the sound is heard that so many seconds of sound come before."""
        block = max(0, bisect.bisect_right(self.places, seconds) - 1)
        return self.times[block] + seconds - self.places[block] if self.times else seconds

    def is_torn(self, seconds):
        """Whether a gap lies within the chirp that begins there."""
        length = matrix_clips.CHIRP_SECONDS
        return self.time(seconds + length) - self.time(seconds) > length + GAP / 2


def _number(text):
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _read_pictures(sight, raw):
    width, height = THUMBNAIL
    count = len(raw) // (width * height * 3)
    frames = numpy.frombuffer(raw[:count * width * height * 3], numpy.uint8).reshape(count, height, width, 3)
    green = frames[..., 1].astype(numpy.int16)
    block = width // matrix_clips.BITS
    upper = green[:, 1:7].mean(axis=1).reshape(count, matrix_clips.BITS, block)[:, :, 1:3].mean(axis=2)
    lower = green[:, 9:15].mean(axis=1).reshape(count, matrix_clips.BITS, block)[:, :, 1:3].mean(axis=2)
    weights = 1 << numpy.arange(matrix_clips.BITS - 1, -1, -1)
    numbers = ((upper > lower) * weights).sum(axis=1)
    legible = numpy.abs(upper - lower).min(axis=1) > 60
    sight.numbers = [int(number) if clear else -1 for number, clear in zip(numbers, legible)]
    if legible.any():
        rows = frames[legible, 20:28].astype(numpy.float64).mean(axis=(0, 1))
        sight.patches = rows.reshape(8, 8, 3)[:, 2:6].mean(axis=1)


def _read_sound(sight, samples, clock):
    sight.sound_start, sight.sound_end = clock.start, clock.end
    sight.sound_end -= sight.start
    sight.sound_seconds = len(samples) / matrix_clips.SOUND_RATE
    sight.chirps, sight.torn = [], 0
    if not len(samples):
        return
    sight.peak = float(numpy.abs(samples).max())
    mono = samples.mean(axis=1)
    least = len(mono) + matrix_clips.SOUND_RATE
    step = 1 << max(0, least.bit_length() - 4)
    size = -(-least // step) * step  # small prime factors, for the transform
    spectrum = numpy.fft.rfft(mono, size)
    for band in range(len(matrix_clips.CHIRP_BANDS)):
        strength = numpy.abs(numpy.fft.irfft(spectrum * _template(band, size), size)[:len(mono)])
        while (at := int(strength.argmax())) or strength[0]:
            if strength[at] < 0.2 * matrix_clips.CHIRP_PEAK:
                break
            if clock.is_torn(at / matrix_clips.SOUND_RATE):
                sight.torn += 1
            else:
                sight.chirps.append((band, clock.time(at / matrix_clips.SOUND_RATE), float(strength[at])))
            strength[max(0, at - matrix_clips.SOUND_RATE // 2):at + matrix_clips.SOUND_RATE // 2] = 0
    sight.chirps.sort(key=lambda chirp: chirp[1])


@functools.lru_cache(maxsize=32)
def _template(band, size):
    """What the spectrum of a sound is multiplied with for the strength of one kind of chirp."""
    template = matrix_clips.chirp(band)
    return numpy.conj(numpy.fft.rfft(template, size)) / float((template**2).sum())


def picture_offset(sight, rate):
    """When picture 0 would be shown, in seconds, and how far single pictures are from their own places."""
    places = numpy.array([time - float(number / rate) for number, time in zip(sight.numbers, sight.times)
                          if number >= 0 and time == time])
    if not len(places):
        return 0.0, 0.0
    offset = float(numpy.median(places))
    return offset, float(numpy.abs(places - offset).max())


def skews(sight, rate):
    """How much later than its picture each second's chirp is heard, in seconds, by the number of the second."""
    offset, _ = picture_offset(sight, rate)
    bands = len(matrix_clips.CHIRP_BANDS)
    found = {}
    for band, heard, _ in sight.chirps:
        second = band + bands * round((heard - offset - band) / bands)
        found[second] = heard - offset - second
    return found
