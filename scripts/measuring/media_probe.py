"""What ffprobe and ffmpeg, as independent witnesses, say about a file."""

import json
import re
import subprocess


def _run(argv, timeout=300):
    return subprocess.run(
        [str(a) for a in argv], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)


def _input(path):
    """A path that ffmpeg takes for a file, whatever its name looks like."""
    return f"file:{path}"


def probe(path, count_frames=False):
    """ffprobe's facts; with `count_frames` every stream is decoded whole.

    Returns the facts and the lines of complaint.
    """
    argv = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json"]
    argv += ["-count_frames"] * count_frames + [_input(path)]
    done = _run(argv)
    complaints = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode != 0:
        complaints.append(f"ffprobe ended with {done.returncode}")
    try:
        return json.loads(done.stdout or b"{}"), complaints
    except ValueError:
        return {}, complaints + ["ffprobe gave no JSON"]


def streams(facts, kind):
    """The streams of one kind; pictures attached as cover art are not video."""
    return [
        stream for stream in facts.get("streams", [])
        if stream.get("codec_type") == kind
        and not stream.get("disposition", {}).get("attached_pic")]


def duration(facts):
    """The container's seconds, or None."""
    try:
        return float(facts["format"]["duration"])
    except (KeyError, ValueError):
        return None


def frame_count(stream):
    """The frames that a counting probe decoded."""
    return int(stream.get("nb_read_frames", 0) or 0)


def rate(text):
    """A rate such as `30000/1001` as a number; 0 when it is not known."""
    upper, _, lower = (text or "0").partition("/")
    try:
        return float(upper) / float(lower or 1)
    except (ValueError, ZeroDivisionError):
        return 0.0


def rotation(stream):
    """The display rotation in degrees, 0 when there is none."""
    for entry in stream.get("side_data_list", []):
        if "rotation" in entry:
            return int(entry["rotation"])
    return 0


def display_size(stream):
    """Width and height as shown: sample aspect and rotation applied."""
    width, height = stream.get("width", 0), stream.get("height", 0)
    upper, _, lower = stream.get("sample_aspect_ratio", "1:1").partition(":")
    if upper.isdigit() and lower.isdigit() and int(upper) and int(lower):
        width = width * int(upper) / int(lower)
    return (height, width) if rotation(stream) % 180 else (width, height)


def mean_volume(path):
    """The mean level of the first sound at 48 kHz, in dB; None where ffmpeg decodes none."""
    done = _run(["ffmpeg", "-nostdin", "-hide_banner", "-i", _input(path), "-map", "0:a:0", "-vn",
                 "-af", "aresample=48000,volumedetect", "-f", "null", "-"])
    said = done.stderr.decode("utf-8", "replace")
    found = re.search(r"mean_volume: (-?[\d.]+) dB", said)
    return float(found[1]) if found and "n_samples: 0" not in said else None


THUMBNAIL = (64, 36)
_ALPHA = re.compile(r"rgba|bgra|argb|abgr|yuva|gbrap|ya8|ya16|pal8")
_MATRICES = {"bt709": "bt709", "smpte170m": "bt601", "bt470bg": "bt601", "bt2020nc": "bt2020",
             "fcc": "fcc", "smpte240m": "smpte240m"}


def thumbnails(path, stream, chosen=None):
    """Every frame as 64x36 RGB, upright; `chosen` maps a stream specifier or none."""
    matrix = _MATRICES.get(stream.get("color_space"))
    if matrix is None:
        matrix = "bt709" if min(stream.get("width", 0), stream.get("height", 0)) >= 720 else "bt601"
    chain = f"scale={THUMBNAIL[0]}:{THUMBNAIL[1]}:flags=area:in_color_matrix={matrix},format=rgb24"
    if _ALPHA.search(stream.get("pix_fmt", "")):
        chain = "format=rgba,premultiply=inplace=1," + chain
    argv = ["ffmpeg", "-nostdin", "-v", "error", "-i", _input(path)]
    argv += ["-map", chosen] if chosen else []
    argv += ["-an", "-sn", "-dn", "-fps_mode", "vfr", "-vf", chain, "-f", "rawvideo", "-"]
    raw = _run(argv).stdout
    size = THUMBNAIL[0] * THUMBNAIL[1] * 3
    return [raw[at:at + size] for at in range(0, len(raw) - size + 1, size)]


def difference(one, other):
    """The mean absolute difference of two thumbnails, 0 to 255."""
    return sum(abs(a - b) for a, b in zip(one, other)) / len(one)


def likeness(one, other):
    """The correlation of two thumbnails' brightness, and the first one's contrast."""
    first, second = _brightness(one), _brightness(other)
    first_mean, second_mean = sum(first) / len(first), sum(second) / len(second)
    first_power = sum((value - first_mean) ** 2 for value in first)
    second_power = sum((value - second_mean) ** 2 for value in second)
    shared = sum((a - first_mean) * (b - second_mean) for a, b in zip(first, second))
    scale = (first_power * second_power) ** 0.5
    return (shared / scale if scale else 0.0), (first_power / len(first)) ** 0.5


def _brightness(thumbnail):
    return [(2 * red + 5 * green + blue) / 8
            for red, green, blue in zip(thumbnail[::3], thumbnail[1::3], thumbnail[2::3])]
