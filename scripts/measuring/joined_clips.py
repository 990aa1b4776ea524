"""Clips with flashes and clicks for joins, and what ffmpeg and numpy find of them in an output."""

import json
import subprocess
from fractions import Fraction

import numpy

WIDTH = 16
BURST = 0.0006


class Kind:
    """A clip of one colour, with a white picture and a click near its begin and near its end."""

    def __init__(self, name, size, rate, count, color, video, sound, *, matrix="bt709", form="yuv420p", chosen=None,
                 hdr=False, before=()):
        self.name, self.size, self.rate, self.color = name, size, Fraction(rate), color
        self.video, self.sound, self.matrix, self.form = video, sound, matrix, form
        self.chosen, self.hdr, self.before = chosen, hdr, before
        numbers = [n for n in range(count) if chosen is None or chosen(n)]
        self.times = [n / self.rate for n in numbers]
        self.length = count / self.rate
        self.flashes = [numbers[4], numbers[-4]]
        self.marks = [n / self.rate for n in self.flashes]


def h264(*more):
    return ["-c:v", "libx264", "-preset", "veryfast", "-crf", "8", *more]


# Name, size, rate, pictures, colour; the coding of pictures and sound.
KINDS = [
    Kind("hd.mp4", "640x360", "25", 75, "0x406080", h264("-bf", "3"), ["-ar", "48000", "-ac", "2", "-c:a", "aac"]),
    Kind("mono.mov", "320x180", "30", 60, "0x805030", h264(), ["-ar", "44100", "-ac", "1", "-c:a", "pcm_s16le"]),
    Kind("upright.mp4", "640x360", "30000/1001", 90, "0x307040", h264("-bf", "2"),
         ["-ar", "48000", "-ac", "2", "-c:a", "aac"], before=["-metadata:s:v", "rotate=90"]),
    Kind("sd.mkv", "352x288", "25", 50, "0x704060", ["-c:v", "mpeg2video", "-q:v", "2"],
         ["-ar", "32000", "-ac", "2", "-c:a", "flac"], matrix="smpte170m"),
    Kind("surround.mkv", "640x272", "24000/1001", 72, "0x404870", h264("-bf", "3"),
         ["-ar", "48000", "-ac", "6", "-c:a", "flac"]),
    Kind("mute.mp4", "320x180", "60", 120, "0x586030", h264(), None),
    Kind("hdr.mp4", "640x360", "24", 48, "0x606060", ["-c:v", "libx265", "-preset", "ultrafast", "-crf", "8"],
         ["-ar", "48000", "-ac", "2", "-c:a", "aac"], matrix="bt2020nc", form="yuv420p10le", hdr=True),
    Kind("variable.mkv", "320x180", "30", 90, "0x386068", h264("-bf", "2"),
         ["-ar", "48000", "-ac", "2", "-c:a", "flac"], chosen=lambda n: n % 7 == 0 or n % 11 < 6),
    # VP8 has this matrix alone.
    Kind("fast.mkv", "480x360", "50", 100, "0x604848", ["-c:v", "libvpx", "-b:v", "4M", "-deadline", "realtime"],
         ["-ar", "96000", "-ac", "2", "-c:a", "flac"], matrix="bt470bg"),
    Kind("deep.mkv", "320x240", "30000/1001", 60, "0x486858", ["-c:v", "ffv1"],
         ["-ar", "22050", "-ac", "1", "-c:a", "pcm_s16le"], form="yuv444p10le"),
]


def require(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, check=False, stdin=subprocess.DEVNULL, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr.decode(errors='replace').strip()[-2000:]}")
    return done.stdout


def tags(kind):
    primaries, curve = ("bt2020", "smpte2084") if kind.hdr else ("bt709", "bt709")
    return ["-color_primaries", primaries, "-color_trc", curve, "-colorspace", kind.matrix, "-color_range", "tv"]


def make(folder, kind):
    """The file of a kind; made once."""
    path = folder / kind.name
    if path.exists():
        return path
    matrix = {"bt2020nc": "bt2020", "bt470bg": "bt601"}.get(kind.matrix, kind.matrix)
    graph = f"color=c={kind.color}:s={kind.size}:r={kind.rate}:d={float(kind.length):.9f}"
    white = "+".join(f"eq(n,{n})" for n in kind.flashes)
    graph += f",format=gbrp,drawbox=x=0:y=0:w=iw:h=ih:c=white:t=fill:enable='{white}'"
    if kind.chosen:
        kept = "+".join(f"eq(n,{round(time * kind.rate)})" for time in kind.times)
        graph += f",select='{kept}'"
    graph += f",scale=out_color_matrix={matrix}:out_range=tv:flags=accurate_rnd+full_chroma_int,format={kind.form}"
    graph += f",setparams=colorspace={kind.matrix}:range=tv"
    if not kind.hdr:
        graph += ":color_primaries=bt709:color_trc=bt709"
    words = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", graph]
    if kind.sound:
        rate = int(kind.sound[1])
        clicks = "+".join(f"0.8*exp(-pow((t-{float(mark):.9f})/{BURST},2))*cos(2*PI*1500*(t-{float(mark):.9f}))"
                          for mark in kind.marks)
        words += ["-f", "lavfi", "-i", f"aevalsrc='{clicks}':s={rate}:d={float(kind.length):.9f}"]
        count = int(kind.sound[3])
        words += ["-af", f"pan={count}c|" + "|".join(f"c{n}=c0" for n in range(count))] if count != 1 else []
        if count == 6:
            words[-1] = words[-1].replace("6c", "5.1")
        words += kind.sound
    words += [*kind.video, *tags(kind), "-fps_mode", "vfr" if kind.chosen else "cfr", *kind.before, path]
    require(*words)
    return path


def picture(folder, name, color, hdr):
    """A clip of two seconds of an even colour with slow shades."""
    path = folder / f"{name}.mkv"
    if path.exists():
        return path
    kind = Kind(name, "320x192", "25", 50, color, [], None, hdr=hdr,
                matrix="bt2020nc" if hdr else "bt709", form="yuv420p10le" if hdr else "yuv420p")
    coded = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "lossless=1:log-level=error"] if hdr else [
        "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast"]
    graph = (f"color=c={color}:s=320x192:r=25:d=2,format=gbrp,scale=out_color_matrix={'bt2020' if hdr else 'bt709'}"
             f":out_range=tv,format={kind.form}")
    require("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", graph, *coded, *tags(kind), path)
    return path


def times(path):
    """When each picture is shown, in order."""
    found = json.loads(require("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                               "packet=pts_time,flags", "-of", "json", path))["packets"]
    return sorted(float(packet["pts_time"]) for packet in found if "D" not in packet["flags"])


def flashes(path):
    """When white pictures are shown."""
    raw = require("ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
                  f"crop=iw/4:ih/4,scale={WIDTH}:{WIDTH}:flags=area,format=gray", "-f", "rawvideo", "-")
    levels = numpy.frombuffer(raw, numpy.uint8).reshape(-1, WIDTH * WIDTH).mean(axis=1)
    return [time for time, level in zip(times(path), levels) if level > 190]


class Sound:
    """The sound of a file: all channels together."""

    def __init__(self, path):
        stream = json.loads(require("ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
                                    "stream=sample_rate,channels", "-of", "json", path))["streams"][0]
        self.rate, channels = int(stream["sample_rate"]), stream["channels"]
        raw = require("ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-")
        self.levels = numpy.frombuffer(raw, numpy.float32).reshape(-1, channels).sum(axis=1)

    def click(self, wanted):
        """When the click near a time is heard: where it is most like what was made."""
        first = max(0, round((wanted - 0.04) * self.rate))
        part = self.levels[first:first + round(0.08 * self.rate)]
        around = numpy.arange(-round(0.003 * self.rate), round(0.003 * self.rate) + 1) / self.rate
        burst = numpy.exp(-(around / BURST) ** 2) * numpy.exp(2j * numpy.pi * 1500 * around)
        like = numpy.abs(numpy.convolve(part, burst.conj()[::-1], mode="same"))
        if len(like) == 0 or like.max() < 0.5:
            return float("inf")
        return (first + int(like.argmax())) / self.rate


# Kr and Kb of each matrix.
MATRICES = {"bt709": (0.2126, 0.0722), "smpte170m": (0.299, 0.114), "bt470bg": (0.299, 0.114),
            "bt2020nc": (0.2627, 0.0593)}


def tone(path, time):
    """Red, green and blue of the middle of a picture, 0 to 255, by the file's own tags."""
    stream = json.loads(require("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                                "stream=color_space", "-of", "json", path))["streams"][0]
    raw = require("ffmpeg", "-v", "error", "-noautorotate", "-ss", f"{time:.6f}", "-i", path, "-map", "0:v:0",
                  "-frames:v", "1", "-vf", "format=yuv444p16le,crop=64:64", "-f", "rawvideo", "-")
    planes = numpy.frombuffer(raw, numpy.uint16).reshape(3, -1).mean(axis=1) / 256
    red, blue = MATRICES[stream["color_space"]]
    luma, cb, cr = (planes[0] - 16) / 219, (planes[1] - 128) / 224, (planes[2] - 128) / 224
    r, b = luma + 2 * (1 - red) * cr, luma + 2 * (1 - blue) * cb
    g = (luma - red * r - blue * b) / (1 - red - blue)
    return numpy.array([r, g, b]) * 255


def planes(path):
    """All pictures: luma and both of chroma, at the size of luma."""
    stream = json.loads(require("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                                "stream=width,height", "-of", "json", path))["streams"][0]
    raw = require("ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo",
                  "-pix_fmt", "yuv444p", "-")
    return numpy.frombuffer(raw, numpy.uint8).reshape(-1, 3, stream["height"], stream["width"]).astype(float)


def misplaced(made, outside, inside, box, degrees):
    """How many luma samples are neither as outside nor as inside of a turned box; those at its edges may be between."""
    height, width = made.shape[1:]
    y, x = numpy.mgrid[0:height, 0:width] + 0.5
    middle = ((box["x"] + box["width"] / 2) * width, (box["y"] + box["height"] / 2) * height)
    angle = numpy.radians(degrees)
    across = (x - middle[0]) * numpy.cos(angle) + (y - middle[1]) * numpy.sin(angle)
    down = (y - middle[1]) * numpy.cos(angle) - (x - middle[0]) * numpy.sin(angle)
    depth = numpy.minimum(box["width"] * width / 2 - numpy.abs(across), box["height"] * height / 2 - numpy.abs(down))
    wanted = numpy.where(depth > 0, inside[0], outside[0])
    away = numpy.abs(made[0] - wanted) > 3
    return int((away & (numpy.abs(depth) > 2.5)).sum())
