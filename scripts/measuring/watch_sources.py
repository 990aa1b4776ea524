"""Cases of `chaos-watch`: what becomes of sources, of damaged ones, of odd names, and of files beside them."""

import os
import socket
import subprocess
import time

from measuring.final_names import sha256
from measuring.queue_place import until
from measuring.watch_knowledge import settle
from measuring.watch_place import once_each

CUTS = (10, 40, 90)  # percent
OLD = 1_000_000_000  # a time long ago, in seconds


def linked(trial):
    """W9: an output that replaces a source leaves the source's other links alone, and takes over its traits."""
    place = trial.place
    clip, link = place.inbox / "clip.mp4", place.folder / "link.mp4"
    other, turned = place.inbox / "deep/film.mkv", place.folder / "film.mkv"
    other.parent.mkdir()
    trial.pool.put(clip)
    other.write_bytes(trial.pool.remuxed(2, "mkv").read_bytes())
    for path, extra in ((clip, link), (other, turned)):
        os.link(path, extra)
        if os.geteuid() == 0:
            os.chown(path, 1234, 2345)
        path.chmod(0o640)
        os.utime(path, (OLD, OLD))
    hashes, owner = {path: sha256(path) for path in (link, turned)}, clip.stat()
    daemon = place.watch("--after", "replace", "--stable", "1s", "--scan", "1s", "--copy", "never")
    if not place.drained(2) or until(lambda: not place.pending_actions(), 60, 0.1) is None:
        yield f"not done: {place.pending_actions()} {daemon.last_words()}"
    settle(daemon)
    facts = {}
    for path in (clip, other.with_suffix(".mp4")):
        found = path.stat()
        facts[path.name] = [oct(found.st_mode & 0o7777), found.st_uid, found.st_gid, int(found.st_mtime)]
        if (found.st_mode, found.st_uid, found.st_gid, int(found.st_mtime)) != (
                owner.st_mode, owner.st_uid, owner.st_gid, OLD):
            yield f"{path.name} has other traits than its source: {facts[path.name]}"
        if path.stat().st_ino in (link.stat().st_ino, turned.stat().st_ino):
            yield f"{path.name} was not replaced"
    for path, before in hashes.items():
        if sha256(path) != before:
            yield f"the other link {path.name} was changed"
    if other.exists() or len(place.jobs()) != 2:
        yield f"{len(place.jobs())} jobs; the replaced source is {'there' if other.exists() else 'gone'}"
    outputs = {sha256(place.outputs / name) for name in place.exported()}
    if not {sha256(clip), sha256(other.with_suffix(".mp4"))} <= outputs:
        yield "what took the sources' places is not what was exported"
    trial.tell(traits=facts, jobs=len(place.jobs()), scans=len(daemon.scans))
    yield from daemon.stop()


def damaged(trial):
    """W10: nothing that is cut short, empty or no media is accepted without a word, and none of it goes."""
    place, rounds = trial.place, trial.size(5, 1)
    hashes, silent, states = {}, [], {}
    for turn in range(rounds):
        for name, content in _damage(trial, turn).items():
            path = place.inbox / f"{turn}" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            hashes[path] = sha256(path)
    sound = place.inbox / "sound.m4a"
    words = ["ffmpeg", "-nostdin", "-v", "error", "-i", trial.pool.paths[1], "-vn", "-c", "copy", sound]
    subprocess.run(words, check=True)
    for after in ("delete", "replace"):
        ran = place.run("watch", place.inbox, "-o", place.outputs, "--once", "--stable", "1s", "--after", after,
                        "--json", "--verbose", *(["--preset", "low"] if after == "replace" else []), timeout=600)
        if ran.code != 3:
            yield f"--after {after}: exit {ran.code}: {ran.last_words()}"
        gone = [path for path, before in hashes.items() if not path.is_file() or sha256(path) != before]
        for path in gone:
            yield f"--after {after}: {path.relative_to(place.inbox)} was deleted or replaced"
    for job in place.jobs():
        name = os.path.basename(job["source"])
        states.setdefault(f"{name}: {job['state']}", 0)
        states[f"{name}: {job['state']}"] += 1
        if job["state"] in ("succeeded", "cached") and '"warnings":[]' in (job["result"] or "").replace(" ", ""):
            silent.append(name)
    good = [name for name in silent if name != sound.name]
    trial.tell(bad=len(hashes), intact=sum(path.is_file() for path in hashes), silent=len(good),
               sound_alone="is good media: exported, and its source " + ("stays" if sound.exists() else "goes"),
               states=states)
    for name in good:
        yield f"{name} was accepted without a word"
    # A broadcast that ends within a packet is exported with a warning, as recorders leave such files.
    for state in states:
        if state.startswith("cut-") and ".ts: " not in state and not state.endswith(": failed"):
            yield f"{state}, and it is no broadcast"
    broadcasts = {name for name in place.exported() if os.path.basename(name).startswith("cut-")}
    if place.exported() - broadcasts - {"sound.mp4", "sound.m4a", "sound (1).mp4", "sound (2).mp4"}:
        yield f"the outbox holds {sorted(place.exported())[:6]}"


def _damage(trial, turn):
    found = {"empty.mp4": b"", "words.mp4": f"this is a text, number {turn}\n".encode() * 200}
    for suffix in ("mkv", "ts", "mp4"):
        number = turn % len(trial.pool.paths)
        path = trial.pool.paths[number] if suffix == "mp4" else trial.pool.remuxed(number, suffix)
        content = path.read_bytes()
        for cut in CUTS:
            found[f"cut-{cut}.{suffix}"] = content[:len(content) * cut // 100]
    header = trial.place.folder / "header.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", trial.pool.paths[turn], "-c", "copy",
                    "-movflags", "empty_moov", header], check=True)
    # Two tracks are declared there, and nothing is in them.
    return found | {"no-duration.mp4": header.read_bytes().partition(b"moof")[0][:-4]}


def names(trial):
    """W14: whatever a file is called, it is exported as what it is; what is no file is named and left alone."""
    place, inbox = trial.place, os.fsencode(trial.place.inbox)
    good = ["with spaces.mp4", "it's \"quoted\".mp4", "two\nlines.mp4", "🎬 film ✨.mp4", "-i.mp4", "--output=x.mp4",
            "$(touch pwned).mp4", "`touch pwned`.mp4", "; touch pwned;.mp4", "a|b&c>d.mp4", "back\\slash.mp4",
            "star*?[x]{y}.mp4", "%s%n%d.mp4", "é" * 100 + ".mp4", "x" * 251 + ".mp4", "tab\t.mp4", "{stem}.mp4",
            "file:x.mp4", "concat:a|b.mp4", "日本語/日本語.mp4", " lead and trail .mp4", "dots...mp4",
            "e\u0301.mp4", "\u00e9.mp4"]
    frames = {name: trial.pool.put(place.inbox / name) for name in good}
    base = trial.pool.bases[0]
    with open(inbox + b"/not-\xff\xfe-utf8.mp4", "wb") as file:
        file.write(base)
    (place.inbox / "loop").mkdir()
    os.symlink("..", place.inbox / "loop/round")
    os.symlink("self.mp4", place.inbox / "self.mp4")
    os.symlink("/etc/passwd", place.inbox / "passwd.mp4")
    os.mkfifo(place.inbox / "pipe.mp4")
    server = socket.socket(socket.AF_UNIX)
    folder = os.open(place.inbox, os.O_PATH)
    server.bind(f"/proc/self/fd/{folder}/socket.mp4")
    os.close(folder)
    specials = {"self.mp4": "link", "passwd.mp4": "link", "pipe.mp4": "pipe", "socket.mp4": "socket", "utf8": "UTF-8",
                "loop/round": "link"}
    if os.geteuid() == 0:
        os.mknod(place.inbox / "device.mp4", 0o600 | 0o020000, os.makedev(1, 3))
        specials["device.mp4"] = "device"
    daemon = place.watch("--stable", "1s", "--scan", "2s", "--after", "move")
    place.drained(len(good), 180)
    until(lambda: not place.pending_actions(), 30, 0.1)
    settle(daemon)
    said = [text for _, text in daemon.messages if "is passed over: " in text]
    told = {name for name, word in specials.items() if any(name in text and word in text for text in said)}
    for name in sorted(set(specials) - told):
        yield f"{name} was not passed over with its reason"
    failed = [(row["path"], row["reason"]) for row in place.files("failed")]
    trial.tell(good=len(good), exported=len(place.exported()), told=len(told), failed=failed)
    yield from daemon.stop()
    if not {"self.mp4", "pipe.mp4", "socket.mp4"} <= set(os.listdir(place.inbox)):
        yield "a special file was moved"
    effects = [path for path in place.folder.rglob("pwned*") if path.suffix != ".mp4"]
    if effects:
        yield f"a name was run as a command: {effects}"
    server.close()
    yield from once_each(place, good, frames)


def beside(trial):
    """W16: what lies beside media is left as it is, and what is not final waits until it is."""
    place, inbox = trial.place, trial.place.inbox
    kept = {name: trial.choice.randbytes(5000) for name in (
        "clip.en.srt", "clip.nfo", "clip.jpg", "clip.wav", "film-sample.mp4", "deep/note.txt", "deep/.hidden.mp4",
        ".DS_Store", "clip.mp4.bak", "~$clip.mp4")}
    kept["tiny.mp4"] = trial.pool.bases[0][:100]
    waiting = {"_UNPACK_film/film.mp4": "film/film.mp4", "late.mp4.part": "late.mp4", "late.part.mp4": "later.mp4",
               ".rsync.mp4.Xy12": "synced.mp4"}
    for name, content in kept.items():
        (inbox / name).parent.mkdir(exist_ok=True)
        (inbox / name).write_bytes(content)
    frames = {"clip.mp4": trial.pool.put(inbox / "clip.mp4")}
    later = {final: trial.pool.put(inbox / name) for name, final in waiting.items()}
    hashes = {inbox / name: sha256(inbox / name) for name in [*kept, *waiting]}
    daemon = place.watch("--stable", "1s", "--scan", "1s", "--after", "delete", "--min-size", "4KB",
                         "--exclude", "*.wav", "--exclude", "*sample*")
    place.drained(1)
    until(lambda: not (inbox / "clip.mp4").exists(), 30, 0.1)
    settle(daemon, trial.size(20, 5))
    early = [job["source"] for job in place.jobs() if not job["source"].endswith("/clip.mp4")]
    if early or (inbox / "clip.mp4").exists():
        yield f"taken before their time: {early}; the source is {'there' if (inbox / 'clip.mp4').exists() else 'gone'}"
    for path in [path for path, before in hashes.items() if not path.is_file() or sha256(path) != before]:
        yield f"{path.relative_to(inbox)} was changed or deleted"
    for name, final in waiting.items():
        if name.startswith("_UNPACK_"):
            (inbox / "_UNPACK_film").rename(inbox / "film")
        else:
            (inbox / name).rename(inbox / final)
    put = time.time()
    until(lambda: not any((inbox / final).exists() for final in later), 60, 0.1)
    trial.tell(kept=len(kept), waited=len(waiting), gone_after_s=time.time() - put, jobs=len(place.jobs()))
    for path in [path for path in map(inbox.joinpath, kept) if not path.is_file() or sha256(path) != hashes[path]]:
        yield f"{path.relative_to(inbox)} was changed or deleted in the end"
    left = {str(path.relative_to(inbox)) for path in inbox.rglob("*") if path.is_file()} - set(kept)
    if left:
        yield f"sources are left: {left}"
    yield from daemon.stop()
    yield from once_each(place, [*frames, *later], frames | later)
