"""The comparisons of `scripts/bench`: who runs what, and which ratio is wanted."""

import json
import shutil
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from measuring import generated_clips, media_probe


@dataclass
class Contender:
    """One program's way to do the work of a case; `suffix` is None when it writes nothing."""

    name: str
    argv: list
    suffix: str | None = ".mp4"


@dataclass
class Case:
    """Contenders for the same work; the first is Takeup. `targets` are ratios to the second."""

    name: str
    contenders: list
    targets: dict
    source: Path | None = None
    compare_pictures: bool = False
    compare_output: bool = True
    runs: int | None = None
    wall_floor: float = 0.0


@dataclass
class Bench:
    """What every case needs: the program, the source, a place for files."""

    takeup: Path
    source: Path
    folder: Path
    rate: Fraction = field(init=False)
    seconds: float = field(init=False)

    def __post_init__(self):
        facts, complaints = media_probe.probe(self.source)
        videos = media_probe.streams(facts, "video")
        if not videos or complaints:
            raise SystemExit(f"{self.source} is no video to measure on: {' '.join(complaints)}")
        self.rate = Fraction(videos[0]["avg_frame_rate"])
        self.seconds = media_probe.duration(facts)

    def preset(self, speed, width=1280, height=720):
        """A preset file with the settings that `encoder` gives to ffmpeg."""
        name = f"bench-{speed}-{height}p"
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({
            "name": name, "description": f"The benchmark's {height}p H.264 at CRF 23, speed {speed}",
            "container": "mp4",
            "video": {
                "codec": "h264", "maxWidth": width, "maxHeight": height, "crf": 23, "speed": speed,
                "maxBitRate": None, "keyframeSeconds": float(250 / self.rate),
                "maxFrameRate": None},
            "audio": {
                "codec": "aac", "bitRatePerChannel": 64000, "maxChannels": 2,
                "maxSampleRate": 48000, "tracks": "first"},
            "fastStart": True}, indent=2) + "\n")
        return path

    def export(self, *arguments):
        """Takeup's command line; `OUT` stands for the output."""
        return [self.takeup, "export", *arguments, "-o", "OUT", "--quiet"]


def encoder(speed):
    """ffmpeg's side of the same settings, with its default scaler."""
    return ["-vf", "scale=1280:720", "-c:v", "libx264", "-preset", speed, "-crf", "23",
            "-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart"]


def _ffmpeg(*arguments):
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments, "OUT"]


def _encode(bench, speed, targets):
    contenders = [
        Contender("takeup", bench.export(
            bench.source, "--preset", bench.preset(speed), "--copy", "never")),
        Contender("ffmpeg", _ffmpeg("-i", bench.source, *encoder(speed)))]
    if shutil.which("HandBrakeCLI"):
        contenders.append(Contender("HandBrakeCLI", [
            "HandBrakeCLI", "-i", bench.source, "-o", "OUT", "-f", "av_mp4", "-O", "-e", "x264",
            "--encoder-preset", speed, "-q", "23", "-w", "1280", "-l", "720", "--crop", "0:0:0:0",
            "--no-comb-detect", "--no-decomb", "--no-detelecine", "-a", "1", "-E", "av_aac",
            "-B", "128"]))
    wanted = dict(targets, rss=1.1, size=1.005, ssim=0.995)
    return Case(f"encode-{speed}", contenders, wanted, bench.source, compare_pictures=True)


def encode_veryfast(bench):
    """1080p to 720p H.264, the encoder at `veryfast`."""
    return _encode(bench, "veryfast", {"wall": 0.88, "cpu": 0.92})


def encode_medium(bench):
    """1080p to 720p H.264, the encoder at `medium`."""
    return _encode(bench, "medium", {"wall": 0.95, "cpu": 0.96})


def passthrough(bench):
    """Packets of about 1 GB copied into a new MP4."""
    times = max(1, round(1e9 / bench.source.stat().st_size))
    large = generated_clips.looped(bench.source, bench.folder / f"{_stem(bench)}-1gb.mp4", times)
    copy = ["-i", large, "-map", "0:v:0", "-map", "0:a:0?", "-c", "copy"]
    return Case("passthrough-1gb", [
        Contender("takeup", bench.export(large, "--preset", "passthrough")),
        Contender("ffmpeg", _ffmpeg(*copy)),
        Contender("ffmpeg +faststart", _ffmpeg(*copy, "-movflags", "+faststart"))],
        {"wall": 1.0}, large)


def copy_matroska(bench):
    """Ten minutes of Matroska that a preset allows as they are: copied, and decoded to see that all is well."""
    times = int(600 // bench.seconds) + 1
    long = generated_clips.looped(bench.source, bench.folder / f"{_stem(bench)}-10min.mp4", times, 600)
    matroska = generated_clips.built(long.with_suffix(".mkv"), [
        "-i", long, "-map", "0:v:0", "-map", "0:a:0?", "-c:v", "copy", "-af", "aresample=async=1", "-c:a", "aac",
        "-b:a", "96k", "-f", "matroska"])
    copy = _ffmpeg("-i", matroska, "-c", "copy", "-movflags", "+faststart")
    check = 'ffmpeg -nostdin -v error -i "$0" -f null - && "$@"'
    return Case("copy-matroska", [
        Contender("takeup", bench.export(matroska, "--preset", bench.preset("veryfast", 4096, 4096))),
        Contender("ffmpeg", ["sh", "-c", check, matroska, *copy]),
        Contender("ffmpeg unchecked", copy)],
        {"wall": 1.0, "size": 1.01}, matroska)


def trim(bench):
    """The last five seconds of ten minutes, encoded."""
    times = int(600 // bench.seconds) + 1
    long = generated_clips.looped(
        bench.source, bench.folder / f"{_stem(bench)}-10min.mp4", times, 600)
    return Case("trim-last-5s", [
        Contender("takeup", bench.export(
            long, "--start", "595", "--preset", bench.preset("veryfast"), "--copy", "never")),
        Contender("ffmpeg", _ffmpeg("-ss", "595", "-i", long, *encoder("veryfast")))],
        {"wall": 1.0}, long)


def trim_smart(bench):
    """Ten minutes out of eleven that meet the preset: copied but for the pictures at the cuts.

    Where the source begins again, a picture lasts a third longer: ffmpeg is told to repeat none there.
    """
    times = int(660 // bench.seconds) + 1
    ready = generated_clips.built(bench.folder / f"{_stem(bench)}-ready.mp4", [
        "-i", bench.source, *encoder("medium"), "-f", "mp4"])
    long = generated_clips.looped(ready, bench.folder / f"{_stem(bench)}-ready-11min.mp4", times, 660)
    return Case("trim-10min", [
        Contender("takeup", bench.export(
            long, "--start", "31.37", "--duration", "600", "--preset", bench.preset("medium"))),
        Contender("ffmpeg", _ffmpeg("-ss", "31.37", "-i", long, "-t", "600", "-fps_mode", "vfr",
                                      *encoder("medium")))],
        {"wall": 0.1}, long, runs=1)


def startup_version(bench):
    """The time to say a version: mostly the loader's."""
    return _startup(bench, "--version")


def startup_help(bench):
    """The time to print the help."""
    return _startup(bench, "--help")


def _startup(bench, option):
    return Case(f"startup{option[1:]}", [
        Contender("takeup", [bench.takeup, option], None),
        Contender("ffmpeg", ["ffmpeg", "-version"], None)],
        {"wall": 1.0}, runs=20, wall_floor=0.1, compare_output=False)


def _stem(bench):
    stat = bench.source.stat()
    return f"{bench.source.stem}-{stat.st_size:x}-{int(stat.st_mtime):x}"


def reference_picture(bench):
    """The source scaled once by lanczos, stored without loss, for SSIM."""
    return generated_clips.built(bench.folder / f"{_stem(bench)}-720p-lossless.mp4", [
        "-i", bench.source, "-an", "-vf", "scale=1280:720:flags=lanczos", "-fps_mode", "vfr",
        "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-f", "mp4"])


CASES = {
    "encode-veryfast": encode_veryfast, "encode-medium": encode_medium,
    "passthrough-1gb": passthrough, "copy-matroska": copy_matroska, "trim-last-5s": trim,
    "trim-10min": trim_smart,
    "startup-version": startup_version, "startup-help": startup_help}
