"""Clips made from ffmpeg's own sources, each built once and moved into place whole."""

import os
import subprocess
import sys
from pathlib import Path


def built(path, arguments):
    """The file at `path`, made by ffmpeg with `arguments` when it is not there yet."""
    path = Path(path)
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{os.getpid()}-{path.name}")
    print(f"making {path.name} …", file=sys.stderr)
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments), str(part)]
    try:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        part.rename(path)
    except subprocess.CalledProcessError as failure:
        sys.exit(f"could not make {path}: ffmpeg ended with {failure.returncode}")
    finally:
        part.unlink(missing_ok=True)
    return path


def textured_motion(path, seconds=60, size="1920x1080"):
    """Panned fractal texture, a moving test picture and film noise, with a stereo tone."""
    width, height = size.split("x")
    still = (f"mandelbrot=size={int(width) * 3 // 2}x{int(height) * 3 // 2}:rate=30:"
             "start_scale=0.4:start_x=-0.743:start_y=-0.131,trim=end_frame=1,"
             f"loop=loop=-1:size=1,setpts=N/30/TB,crop={width}:{height}:"
             "x='(iw-ow)*(0.5+0.5*sin(t*0.9))':y='(ih-oh)*(0.5+0.5*cos(t*0.7))'")
    graph = (f"{still}[back];testsrc2=size=640x360:rate=30[card];"
             "[back][card]overlay=x='(W-w)*abs(sin(t*0.4))':y='(H-h)*abs(cos(t*0.6))',"
             "noise=alls=7:allf=t,format=yuv420p[v];"
             "sine=frequency=440:sample_rate=48000[left];sine=frequency=554:sample_rate=48000[right];"
             "[left][right]join=inputs=2:channel_layout=stereo[a]")
    return built(path, [
        "-filter_complex", graph, "-map", "[v]", "-map", "[a]", "-t", seconds,
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-maxrate", "12M", "-bufsize", "24M",
        "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709",
        "-c:a", "aac", "-b:a", "160k", "-movflags", "+faststart", "-f", "mp4"])


def looped(source, path, times, seconds=None):
    """The source repeated `times` times by copying packets, cut at `seconds`."""
    cut = ["-t", seconds] if seconds else []
    return built(path, ["-stream_loop", times - 1, "-i", source, "-map", "0:v:0", "-map", "0:a:0?",
                        *cut, "-c", "copy", "-f", "mp4"])


def moving_clip(path, seconds, size="1280x720"):
    """A moving test picture under noise, with a tone: quick to make, slow to encode."""
    return built(path, [
        "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=30,noise=alls=20:allf=t",
        "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", seconds,
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-pix_fmt", "yuv420p",
        "-c:a", "aac", "-b:a", "96k", "-f", "mp4"])


def tiny_clips(folder, count, seconds=2):
    """Clips of different sizes and content, from 160x90 to 320x180."""
    folder = Path(folder)
    clips = []
    for number in range(count):
        width = 160 + 32 * (number % 6)
        size = f"{width}x{width * 9 // 16 // 2 * 2}"
        clips.append(built(folder / f"clip-{number:02}.mp4", [
            "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=30,hue=h={number * 17}",
            "-f", "lavfi", "-i", f"sine=frequency={300 + 20 * number}:sample_rate=48000",
            "-t", seconds, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "23",
            "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k", "-f", "mp4"]))
    return clips
