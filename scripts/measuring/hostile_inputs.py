"""Inputs that lie, each in a folder of its own beside the siblings it would like to have read."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from measuring import box_tree, generated_clips, huge_pictures, many_streams

NOT_MEDIA = (65,)
MISSING = (66,)
NO_FILE = (65, 66)  # there, but no regular file: the contract does not say which
STREAMS = 1000


@dataclass
class HostileInput:
    """What is given to the program, from which folder, and the exit codes that are right."""

    name: str
    given: str
    folder: Path
    codes: tuple
    options: list = field(default_factory=list)


class Builder:
    """Makes every input below one folder."""

    def __init__(self, root):
        self.root = Path(root)
        self.clip = generated_clips.built(self.root / "clip/clip.mp4", [
            "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=1", "-f", "lavfi",
            "-i", "sine=duration=1", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"])
        self.sound = generated_clips.built(self.root / "clip/sound.mp4", [
            "-f", "lavfi", "-i", "sine=duration=0.1", "-c:a", "aac"])
        self.segment = generated_clips.built(
            self.root / "clip/segment.ts", ["-i", self.clip, "-c", "copy", "-f", "mpegts"])
        self.inputs = []

    def add(self, name, file, content=None, codes=NOT_MEDIA, given=None, options=()):
        """One input: `file` in a folder called `name`, given by its whole path unless `given` says how."""
        folder = self.root / name
        folder.mkdir()
        path = folder / file
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.inputs.append(HostileInput(name, given or str(path), folder, codes, list(options)))
        return folder

    def sibling(self, folder, *names):
        """A playable file beside an input, as bait."""
        for name in names:
            (folder / name).write_bytes((self.segment if name.endswith(".ts") else self.clip).read_bytes())

    def not_media(self):
        """Text, nothing, descriptions and scripts under a media name."""
        self.add("text", "notes.mp4", "This is not a film.\n" * 200)
        self.add("empty", "empty.mp4", b"")
        self.add("sdp", "stream.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\n"
                 "m=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n")
        self.add("tty", "art.ans", "\x1b[1;31mred\x1b[0m\r\n" * 500)
        self.add("xbin", "art.xb", b"XBIN\x1a" + bytes([80, 0, 25, 0, 16, 0]) + b"A\x07" * 2000)
        self.add("avisynth", "script.avs", 'DirectShowSource("clip.mp4")\n')
        self.add("html", "page.mp4", "<html><img src='http://127.0.0.1:9/x'></html>\n")

    def playlists(self):
        """Files that name other files."""
        playlist = ("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n"
                    "segment.ts\n#EXT-X-ENDLIST\n")
        master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=320x180\nvariant.m3u8\n'
        remote = playlist.replace("segment.ts", "http://127.0.0.1:9/segment.ts")
        script = "ffconcat version 1.0\nfile 'sibling.mp4'\nfile 'sibling.mp4'\n"
        manifest = (
            '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
            'mediaPresentationDuration="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>'
            '<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="800000">'
            '<BaseURL>sibling.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>\n')
        for suffix in ("mp4", "m3u8"):
            self.sibling(self.add(f"hls-{suffix}", f"list.{suffix}", playlist), "segment.ts")
        folder = self.add("hls-master", "master.mp4", master)
        (folder / "variant.m3u8").write_text(playlist)
        self.sibling(folder, "segment.ts")
        self.add("hls-remote", "list.mp4", remote)
        for suffix in ("mp4", "ffconcat"):
            self.sibling(self.add(f"concat-{suffix}", f"script.{suffix}", script), "sibling.mp4")
        self.sibling(self.add("concat-absolute", "script.mp4", script.replace("sibling.mp4", str(self.clip))))
        for suffix in ("mp4", "mpd"):
            self.sibling(self.add(f"dash-{suffix}", f"manifest.{suffix}", manifest), "sibling.mp4")

    def huge(self):
        """Small files, enormous pictures: beyond FFmpeg's own limit, and just within it."""
        small = generated_clips.built(self.root / "clip/small.jpg", [
            "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "1", "-f", "image2"]).read_bytes()
        for side in (16384, 16000):
            self.add(f"png-{side}", "huge.png", huge_pictures.png(side))
            self.add(f"jpeg-{side}", "huge.jpg", huge_pictures.jpeg(small, side))
            self.add(f"h264-{side}", "huge.h264", huge_pictures.h264(side))

    def many(self):
        """A thousand streams in three containers."""
        self.add("streams-ts", "many.ts", many_streams.transport_stream(STREAMS))
        self.add("streams-mkv", "many.mkv", many_streams.matroska(STREAMS))
        self.add("streams-mp4", "many.mp4", box_tree.with_tracks(self.sound.read_bytes(), STREAMS))

    def sealed(self):
        """Encrypted tracks, and media said to lie in another file."""
        key = "00112233445566778899aabbccddeeff"
        locked = generated_clips.built(self.root / "clip/locked.mp4", [
            "-i", self.clip, "-c", "copy", "-encryption_scheme", "cenc-aes-ctr",
            "-encryption_key", key, "-encryption_kid", key])
        self.add("encrypted", "locked.mp4", locked.read_bytes())
        raw = self.clip.read_bytes()
        for name, entry in (("url", box_tree.url_entry("sibling.mp4")),
                            ("alias", box_tree.alias_entry("/media/sibling.mp4"))):
            content = box_tree.with_reference(raw, entry)
            self.sibling(self.add(f"reference-{name}", "reference.mov", content), "sibling.mp4")
        far = box_tree.with_reference(raw, box_tree.url_entry(f"file://{self.clip}"))
        self.add("reference-absolute", "reference.mov", far)
        self.add("truncated-index", "cut.mp4", raw[:len(raw) * 3 // 4])

    def no_files(self):
        """Things that are not regular files, or not there."""
        os.mkfifo(self.add("fifo", "pipe.mp4", codes=NO_FILE) / "pipe.mp4")
        (self.add("directory", "folder.mp4", codes=NO_FILE) / "folder.mp4").mkdir()
        self.add("dev-zero", "none", codes=NO_FILE, given="/dev/zero")
        self.add("missing", "none.mp4", codes=MISSING)
        with open(self.add("sparse-100gb", "zeros.mp4") / "zeros.mp4", "wb") as zeros:
            zeros.truncate(100 * 10**9)

    def names(self):
        """Names that mean something to somebody else."""
        folder = self.add("pattern", "img%03d.png", codes=MISSING)
        subprocess.run(["ffmpeg", "-v", "error", "-i", self.clip, "-frames:v", "3", folder / "img%03d.png"],
                       check=True, stdin=subprocess.DEVNULL)
        for name, given in {
                "protocol-concat": "concat:sibling.mp4|sibling.mp4", "protocol-file": "file:sibling.mp4",
                "protocol-subfile": "subfile,,start,0,end,0,,:sibling.mp4",
                "protocol-data": "data:video/mp4;base64,AAAA", "protocol-pipe": "pipe:0",
                "glob": "*.mp4"}.items():
            self.sibling(self.add(name, "none", codes=MISSING, given=given), "sibling.mp4")
        clip = self.clip.read_bytes()
        self.add("newline", "two\nlines.mp4", clip, codes=(0,))
        self.add("colon", "http:x.mp4", clip, codes=(0,))
        self.add("percent", "clip%03d.mp4", clip, codes=(0,))
        self.add("dash", "-dash.mp4", clip, codes=(0,), given="-dash.mp4")
        self.add("dash-as-option", "-dash.mp4", clip, codes=(64,), given="-dash.mp4", options=["no --"])
        # An address that nobody allowed: refused before any connection.
        self.add("loopback-url", "none", codes=(64, 65, 66, 69, 77), given="http://127.0.0.1:9/x.mp4")

    def everything(self):
        """All inputs, made."""
        for make in (self.not_media, self.playlists, self.huge, self.many, self.sealed, self.no_files,
                     self.names):
            make()
        return self.inputs
