"""The cases of the matrix: which clips are made, what is asked of Takeup, and what must come out."""

from dataclasses import dataclass
from fractions import Fraction

PAL = "scale=720:576:flags=neighbor,setsar=64/45"

# Codec of pictures: options for ffmpeg. `G` stands for the distance of keyframes.
PICTURES = {
    "h264": "-c:v libx264 -preset veryfast -g G -keyint_min G -sc_threshold 0 -bf 3 -pix_fmt yuv420p",
    "h264-open": "-c:v libx264 -preset veryfast -g G -bf 3 -x264-params open-gop=1:scenecut=0 -pix_fmt yuv420p",
    "h264-refresh": "-c:v libx264 -preset veryfast -g G -x264-params intra-refresh=1:scenecut=0 -pix_fmt yuv420p",
    "h264-plain": "-c:v libx264 -preset veryfast -g G -keyint_min G -sc_threshold 0 -bf 0 -pix_fmt yuv420p",
    "hevc": "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=G:min-keyint=G:scenecut=0:open-gop=0:bframes=3",
    "hevc-open": "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=G:min-keyint=G:scenecut=0:open-gop=1:bframes=3",
    "av1": "-c:v libaom-av1 -cpu-used 9 -usage realtime -g G -crf 35",
    "vp8": "-c:v libvpx -deadline realtime -cpu-used 8 -g G -b:v 1M",
    "vp9": "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g G -b:v 1M",
    "mpeg1": "-c:v mpeg1video -g G -bf 2 -q:v 3",
    "mpeg2": "-c:v mpeg2video -g G -bf 2 -q:v 3",
    "mpeg4": "-c:v mpeg4 -g G -bf 2 -q:v 3",
    "mpeg4-plain": "-c:v mpeg4 -g G -bf 0 -q:v 3",
    "msmpeg4": "-c:v msmpeg4 -g G -q:v 3",
    "wmv2": "-c:v wmv2 -g G -q:v 3",
    "flv1": "-c:v flv -g G -q:v 3",
    "h263p": "-c:v h263p -g G -q:v 3",
    "theora": "-c:v libtheora -g G -q:v 8",
    "mjpeg": "-c:v mjpeg -pix_fmt yuvj420p -q:v 3",
    "prores": "-c:v prores_ks -profile:v 0",
    "dnxhr": "-c:v dnxhd -profile:v dnxhr_sq -pix_fmt yuv422p",
    "ffv1": "-c:v ffv1",
    "huffyuv": "-c:v huffyuv",
    "utvideo": "-c:v utvideo",
    "raw": "-c:v rawvideo",
    "qtrle": "-c:v qtrle",
    "png": "-c:v png",
    "vc2": "-c:v vc2",
    "dv": f"-vf {PAL} -pix_fmt yuv420p -c:v dvvideo",
    "imx": f"-vf {PAL} -pix_fmt yuv422p -c:v mpeg2video -intra 1 -b:v 30M -minrate 30M -maxrate 30M -bufsize 2M",
}

SOUNDS = {
    "aac": "-c:a aac -b:a 96k",
    "mp3": "-c:a libmp3lame -b:a 96k",
    "mp2": "-c:a mp2 -b:a 128k",
    "ac3": "-c:a ac3 -b:a 128k",
    "eac3": "-c:a eac3 -b:a 128k",
    "opus": "-c:a libopus -b:a 64k",
    "vorbis": "-c:a libvorbis -q:a 5",
    "flac": "-c:a flac",
    "alac": "-c:a alac",
    "pcm": "-c:a pcm_s16le",
    "pcm-be": "-c:a pcm_s16be",
    "mulaw": "-c:a pcm_mulaw -ar 8000",
    "adpcm": "-c:a adpcm_ima_wav",
    "wma": "-c:a wmav2 -b:a 128k",
    "dts": "-c:a dca -strict -2 -b:a 384k",
}


@dataclass(frozen=True)
class Container:
    """A container: its suffix, ffmpeg's options, the sound beside each codec of pictures and the other way round."""

    suffix: str
    options: str = ""
    sound: str = "aac"
    picture: str = "h264"


CONTAINERS = {
    "mp4": Container("mp4"),
    "mov": Container("mov"),
    "fmp4": Container("mp4", "-movflags frag_keyframe+empty_moov+default_base_moof"),
    "ismv": Container("ismv"),
    "3gp": Container("3gp"),
    "f4v": Container("f4v"),
    "mkv": Container("mkv"),
    "webm": Container("webm", sound="opus", picture="vp9"),
    "avi": Container("avi", sound="mp3", picture="mpeg4-plain"),
    "ts": Container("ts", "-f mpegts"),
    "m2ts": Container("m2ts", "-f mpegts -mpegts_m2ts_mode 1", sound="ac3"),
    "mpg": Container("mpg", "-f vob", sound="mp2", picture="mpeg2"),
    "flv": Container("flv"),
    "wmv": Container("wmv", sound="wma", picture="wmv2"),
    "ogv": Container("ogv", sound="vorbis", picture="theora"),
    "mxf": Container("mxf", sound="pcm", picture="mpeg2"),
    "gxf": Container("gxf", sound="pcm", picture="imx"),
    "dv": Container("dv", sound="pcm", picture="dv"),
    "nut": Container("nut", sound="pcm"),
    "wtv": Container("wtv", sound="mp2", picture="mpeg2"),
    "asf": Container("asf", sound="mp3", picture="msmpeg4"),
    "swf": Container("swf", sound="mp3", picture="flv1"),
}

# Elementary streams: no container and no times.
STREAMS = {"h264": "h264", "hevc": "hevc", "mpeg2": "m2v", "mpeg4": "m4v", "mjpeg": "mjpeg", "av1": "obu", "vp9": "ivf"}
SOUND_FILES = {"aac": ["aac", "m4a"], "mp3": ["mp3"], "ac3": ["ac3"], "flac": ["flac"], "alac": ["m4a", "caf"],
               "pcm": ["wav", "w64"], "pcm-be": ["aiff", "au"], "opus": ["opus", "mka"], "vorbis": ["ogg"],
               "wma": ["wma"], "mulaw": ["wav", "au"]}

# Kinds whose cuts are tried, each with keyframes far apart and close together.
CUT_KINDS = [("mp4", "h264"), ("mp4", "mpeg4-plain"), ("mp4", "hevc-open"), ("mov", "prores"), ("fmp4", "h264"), ("mkv", "h264-open"),
             ("mkv", "hevc"), ("webm", "vp9"), ("avi", "mpeg4-plain"), ("ts", "h264"), ("ts", "h264-open"),
             ("ts", "h264-refresh"), ("ts", "hevc"), ("ts", "hevc-open"), ("ts", "mpeg2"), ("m2ts", "h264"),
             ("mpg", "mpeg2"), ("mpg", "h264"), ("flv", "h264"), ("wmv", "wmv2"), ("ogv", "theora"),
             ("mxf", "mpeg2"), ("nut", "h264")]
CUT_SECONDS = 14
CUT_PLACES = [Fraction(place, 100) for place in
              (0, 4, 50, 100, 130, 199, 200, 296, 333, 400, 517, 600, 730, 801, 888, 964, 1000, 1111, 1200, 1290)]

RATES = ["24000/1001", "25/2", "30000/1001", "50/1", "60000/1001", "1/1"]


@dataclass
class Case:
    """One export and what must come out of it."""

    group: str
    name: str
    sources: list  # of (file, kinds): kinds as `va`
    arguments: list
    preset: str = "medium"
    rate: Fraction = Fraction(25)
    start: Fraction | None = None
    end: Fraction | None = None
    most_bytes: int | None = None


def split(options, keyframes=25):
    """ffmpeg's options as words."""
    words = options.replace("keyint=G", f"keyint={keyframes}").split(" ")
    return [str(keyframes) if word == "G" else word for word in words if word]


class Matrix:
    """Makes the cases of each group. `short` takes a few of each."""

    def __init__(self, workshop, short=False):
        self.workshop, self.short = workshop, short

    def picture(self, codec, seconds, keyframes=25, rate=Fraction(25)):
        name = f"{codec}-g{keyframes}"
        # These carry their headers in the stream, where a track that is made for NUT has them beside it.
        inside = ["-bsf:v", "dump_extra"] if codec.startswith(("h264", "hevc", "mpeg", "imx")) else []
        options = ["-map", "0:v", *split(PICTURES[codec], keyframes), *inside]
        return self.workshop.encoded(name, options, seconds, rate)

    def sound(self, codec, seconds):
        return self.workshop.encoded(codec, ["-map", "0:a", *split(SOUNDS[codec])], seconds, suffix="mka")

    def clip(self, container, picture, sound, seconds=3, keyframes=25, rate=Fraction(25)):
        """A file with both tracks, either may be None; None where ffmpeg cannot make it."""
        inputs = [self.picture(picture, seconds, keyframes, rate)] if picture else []
        inputs += [self.sound(sound, seconds)] if sound else []
        if None in inputs:
            return None
        kind = CONTAINERS[container]
        name = f"{container}-{picture}-{sound}-{seconds}-g{keyframes}-{float(rate):.3f}"
        return self.workshop.muxed(name, kind.suffix, inputs, split(kind.options))

    def groups(self):
        return {"containers": self.containers, "streams": self.streams, "sounds": self.sounds, "cuts": self.cuts,
                "joins": self.joins, "two-sources": self.two_sources, "rates": self.rates, "sizes": self.sizes,
                "colours": self.colours}

    def both(self, group, name, source, kinds="va", **rest):
        """The source by `medium` and by passthrough."""
        for preset in ("medium", "passthrough"):
            yield Case(group, f"{name} {preset}", [(source, kinds)], [], preset, **rest)

    def containers(self):
        chosen = [("mkv", "h264"), ("ts", "hevc"), ("avi", "mpeg4"), ("mp4", "vp9")] if self.short else None
        for container, kind in CONTAINERS.items():
            for picture in PICTURES:
                if chosen and (container, picture) not in chosen:
                    continue
                source = self.clip(container, picture, kind.sound)
                if source:
                    yield from self.both("containers", f"{container} {picture} {kind.sound}", source)
            for sound in SOUNDS:
                if chosen or sound == kind.sound:
                    continue
                source = self.clip(container, kind.picture, sound)
                if source:
                    yield from self.both("containers", f"{container} {kind.picture} {sound}", source)

    def streams(self):
        for codec, suffix in STREAMS.items():
            if self.short and codec != "h264":
                continue
            track = self.picture(codec, 3)
            source = track and self.workshop.muxed(f"stream-{codec}", suffix, [track], [])
            if source:
                yield from self.both("streams", f"{suffix} {codec}", source, "v")

    def sounds(self):
        for codec, suffixes in SOUND_FILES.items():
            for suffix in suffixes:
                if self.short and suffix != "mp3":
                    continue
                track = self.sound(codec, 3)
                source = track and self.workshop.muxed(f"sound-{codec}", suffix, [track], [])
                if source:
                    yield from self.both("sounds", f"{suffix} {codec}", source, "a")

    def cuts(self):
        kinds = [("ts", "h264"), ("mkv", "hevc")] if self.short else CUT_KINDS
        for container, picture in kinds:
            for keyframes in (12, 250):
                source = self.clip(container, picture, CONTAINERS[container].sound, CUT_SECONDS, keyframes)
                if not source:
                    continue
                for place, start in enumerate(CUT_PLACES):
                    if self.short and place not in (7, 12):
                        continue
                    length = Fraction((50, 100, 130, 37)[place % 4], 100)
                    end = min(start + length, Fraction(CUT_SECONDS))
                    for preset in ("medium", "passthrough"):
                        yield Case("cuts", f"{container} {picture} g{keyframes} {float(start)}+{float(end - start)} {preset}",
                                   [(source, "va")], ["--start", str(start), "--end", str(end)], preset,
                                   start=start, end=end)

    def joins(self):
        pairs = [("mp4", "h264"), ("mkv", "h264"), ("mkv", "hevc"), ("ts", "h264"), ("avi", "mpeg4-plain"),
                 ("mov", "prores"), ("mpg", "mpeg2"), ("webm", "vp9")]
        for container, picture in pairs[1:2] if self.short else pairs:
            first = self.clip(container, picture, CONTAINERS[container].sound)
            second = self.clip(container, picture, CONTAINERS[container].sound, 2)
            if first and second:
                for preset in ("medium", "passthrough"):
                    yield Case("joins", f"{container} {picture} twice {preset}", [(first, "va"), (second, "va")], [], preset)
        if not self.short:
            first, second = self.clip("mp4", "h264", "aac"), self.clip("webm", "vp9", "opus", 2)
            if first and second:
                yield Case("joins", "mp4 h264 then webm vp9", [(first, "va"), (second, "va")], [])

    def two_sources(self):
        pairs = [("mp4", "h264", "wav", "pcm"), ("mkv", "hevc", "mp3", "mp3"), ("ts", "h264", "m4a", "aac")]
        for container, picture, suffix, sound in pairs[:1] if self.short else pairs:
            video = self.clip(container, picture, None)
            track = self.sound(sound, 3)
            audio = track and self.workshop.muxed(f"sound-{sound}", suffix, [track], [])
            if video and audio:
                yield Case("two-sources", f"{container} {picture} with {suffix}", [(video, "v"), (audio, "a")],
                           ["--video", str(video), "--audio", str(audio)])

    def rates(self):
        for text in RATES[2:3] if self.short else RATES:
            rate = Fraction(text)
            seconds = 8 if rate == 1 else 3
            for container in ("mp4", "mkv", "ts"):
                source = self.clip(container, "h264", "aac", seconds, rate=rate)
                if source:
                    yield from self.both("rates", f"{container} {text}", source, rate=rate)

    def sizes(self):
        source = self.clip("mp4", "h264", "aac", CUT_SECONDS, 250)
        if source:
            for limit in (200_000, 400_000, 25_000_000):
                yield Case("sizes", f"at most {limit}", [(source, "va")],
                           ["--size-limit", str(limit), "--copy", "never"], most_bytes=limit)

    def colours(self):
        kinds = [("ffv1", "gray"), ("ffv1", "gray10le"), ("ffv1", "gray16le"), ("ffv1", "yuv420p10le"), ("ffv1", "yuv444p"),
                 ("ffv1", "bgr0"), ("ffv1", "yuva420p"), ("png", "gray"), ("png", "gray16be"), ("png", "rgb24"),
                 ("png", "rgb48be"), ("png", "ya8"), ("png", "pal8"), ("mjpeg", "yuvj444p"), ("mjpeg", "yuvj420p"),
                 ("libx264", "gray"), ("libx264", "yuv422p"), ("libx265", "gray"), ("libx265", "yuv420p10le"),
                 ("libx265", "gray10le"), ("huffyuv", "rgb24"), ("prores_ks", "yuv422p10le"), ("libaom-av1", "gray")]
        for codec, form in kinds[:2] if self.short else kinds:
            for levels in ("tv", "pc"):
                quiet = ["-x265-params", "log-level=none"] if codec == "libx265" else []
                quick = ["-cpu-used", "9", "-usage", "realtime"] if codec == "libaom-av1" else []
                track = self.workshop.encoded(
                    f"colour-{codec}-{form}-{levels}",
                    ["-map", "0:v", "-vf", f"scale=out_range={levels},format={form}", "-color_range", levels,
                     "-c:v", codec, *quiet, *quick], 1)
                source = track and self.workshop.muxed(f"colour-{codec}-{form}-{levels}", "mkv", [track], [])
                if source:
                    for preset in ("medium", "hevc-highest"):
                        yield Case("colours", f"{codec} {form} {levels} {preset}", [(source, "v")], [], preset)
