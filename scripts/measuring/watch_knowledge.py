"""Cases of `chaos-watch`: what is done once stays done, and what is no source is not taken for one."""

import json
import os
import shutil
import time

from measuring import command_run
from measuring.queue_place import until
from measuring.small_disks import Skipped

NOBODY = 65534
QUICK = ("--stable", "1s", "--scan", "1s")


def settle(daemon, scans=4):
    """Waits for so many further scans of everything: what was to be found is found, and stands still."""
    count = len(daemon.scans) + scans
    until(lambda: len(daemon.scans) >= count, 60 + 10 * scans, 0.05)


def undeletable(trial):
    """W4: a source that cannot be removed is encoded once, and what waits has a reason."""
    if os.geteuid() != 0:
        raise Skipped("a daemon of another user needs root")
    place = trial.place
    for folder in (place.home, place.cache, place.outputs, place.folder / "scratch"):
        folder.mkdir(exist_ok=True)
        shutil.chown(folder, NOBODY, NOBODY)
        for inner in folder.iterdir():
            shutil.chown(inner, NOBODY, NOBODY)
    trial.put(1)
    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    scans, reasons = 0, []
    for _ in range(4):  # three restarts
        daemon = place.watch("--after", "delete", "--stable", "1s", "--scan", "2s", prefix=prefix)
        until(lambda: len(daemon.scans) >= trial.size(20, 6) // 4 + 1, 120, 0.1)
        place.drained(1)
        until(lambda: daemon.says("could not be deleted yet"), 20)
        scans += len(daemon.scans)
        reasons += [text for _, text in daemon.messages if "could not be deleted yet" in text][:1]
        yield from daemon.stop()
    actions = place.pending_actions()
    trial.tell(scans=scans, restarts=3, jobs=len(place.jobs()), tries=[row["tries"] for row in actions],
               reason=(actions or [{}])[0].get("reason"), said=reasons[-1:])
    if scans < trial.size(20, 6):
        yield f"{scans} scans only"
    if [job["state"] for job in place.jobs()] != ["succeeded"]:
        yield f"not one encode: {[job['state'] for job in place.jobs()]}"
    if len(actions) != 1 or not actions[0]["reason"] or not reasons:
        yield f"what waits is not told with its reason: {actions} {reasons}"
    if len(list(place.inbox.iterdir())) != 1 or len(place.exported()) != 1:
        yield f"the inbox has {list(place.inbox.iterdir())}, the outbox {place.exported()}"


def same_content(trial):
    """W5: names, times and rights make nothing anew; content does, and a preset as it was asked for."""
    place = trial.place
    inbox, aside = place.inbox, place.folder / "aside.mp4"
    trial.put(6)
    daemon = place.watch(*QUICK)
    if not place.drained(6):
        yield "the first six were not done"

    def changed(words, wanted):
        settle(daemon)
        place.drained(1)
        settle(daemon, 1)
        jobs = len(place.jobs())
        trial.tell(after=words, jobs=jobs)
        if jobs != wanted:
            yield f"{words}: {jobs} jobs, {wanted} were right"

    (inbox / "clip-0000.mp4").rename(inbox / "renamed.mp4")
    yield from changed("a rename", 6)
    (inbox / "deep/er").mkdir(parents=True)
    (inbox / "clip-0001.mp4").rename(inbox / "deep/er/moved.mp4")
    yield from changed("a move", 6)
    (inbox / "deep").rename(inbox / "elsewhere")
    yield from changed("a rename of its folder", 6)
    os.utime(inbox / "clip-0002.mp4")
    os.utime(inbox / "clip-0003.mp4", (1, 1))
    yield from changed("a touch", 6)
    (inbox / "clip-0002.mp4").chmod(0o600)
    yield from changed("a change of rights", 6)
    shutil.copy2(inbox / "clip-0004.mp4", aside)
    (inbox / "clip-0004.mp4").unlink()
    yield from changed("a removal", 6)
    shutil.copy(aside, inbox / "clip-0004.mp4")
    yield from changed("a copy back", 6)
    shutil.copy(aside, inbox / "clip-0004.mp4")
    yield from changed("a copy over it", 6)
    yield from daemon.stop()
    daemon = place.watch(*QUICK)
    yield from changed("a restart", 6)
    trial.pool.put(inbox / "clip-0005.mp4")
    yield from changed("other content", 7)
    yield from daemon.stop()
    daemon = place.watch(*QUICK, "--preset", "low", "--on-preset-change", "ignore")
    yield from changed("another preset that is to be ignored", 7)
    yield from daemon.stop()
    daemon = place.watch(*QUICK, "--preset", "low")
    place.drained(6)
    yield from changed("another preset", 13)
    yield from daemon.stop()
    states = {job["state"] for job in place.jobs()}
    if not states <= {"succeeded", "cached"}:
        yield f"jobs ended as {states}"


def loops(trial):
    """W6: folders that could feed themselves are refused; what is done inside does not come back."""
    place = trial.place
    inside = place.inbox / "out"
    for words, options in {
            "the outbox inside": ["--output", inside],
            "the cache inside": ["--cache", place.inbox / "cache", "--output", place.outputs],
            "the database inside": ["--home", place.inbox / "home", "--output", place.outputs],
            "the outbox around": ["--output", place.folder]}.items():
        folders = {"--home": place.home, "--cache": place.cache, **dict(zip(options[::2], options[1::2]))}
        pairs = [word for pair in folders.items() for word in pair]
        ran = command_run.run([place.takeup, "watch", place.inbox, *pairs], timeout=60, env=place.environment)
        if ran.code != 78:
            yield f"{words}: exit {ran.code}: {ran.last_words()}"
    yield from _circles(trial)
    if list(place.inbox.iterdir()):
        yield f"a refused daemon has made {list(place.inbox.iterdir())}"
    (place.inbox / ".takeupignore").write_text("ignored/\n")
    trial.pool.put(place.inbox / "ignored/clip.mp4")
    for after, count in {"move": trial.size(5, 2), "replace": trial.size(5, 2)}.items():
        before = len(place.jobs())
        trial.put(count, after)
        daemon = place.watch("--after", after, "--stable", "1s", "--scan", "0.2s")
        until(lambda: len(place.jobs()) >= before + count, 60, 0.2)
        until(lambda: place.drained(1, 1) and not place.pending_actions(), 60, 0.2)
        settle(daemon, trial.size(100, 20))
        trial.tell(after=after, scans=len(daemon.scans), jobs=len(place.jobs()) - before, files=count)
        if len(place.jobs()) != before + count:
            yield f"--after {after}: {len(place.jobs()) - before} jobs for {count} files"
        yield from daemon.stop()
    if not (place.inbox / "ignored/clip.mp4").exists() or len(list((place.inbox / "done").iterdir())) < 1:
        yield "the ignored file is gone, or nothing was moved"


def _circles(trial):
    """Two watched folders of one configuration of which what leaves one comes to the other, and back or twice."""
    place = trial.place
    one, other, aside = place.folder / "one", place.folder / "other", place.folder / "elsewhere"
    for folder in (one, other, aside):
        folder.mkdir()
    for words, first, second in [
            ("each other's output", {"output": other}, {"output": one}),
            ("outputs inside each other", {"output": other / "out"}, {"output": one / "out"}),
            ("outputs inside each other, behind a name that is not there",
             {"output": place.folder / "none/../other/out"}, {"output": place.folder / "none/../one/out"}),
            ("done inside the other one", {"output": aside / "one", "after": "move", "done": other / "done"},
             {"output": aside / "other"}),
            ("failed inside the other one",
             {"output": aside / "one", "after-failure": "move", "failed": other / "failed"},
             {"output": aside / "other"})]:
        folders = [{"path": str(path), **{key: str(value) for key, value in more.items()}}
                   for path, more in ((one, first), (other, second))]
        # Whichever comes first.
        for order in (folders, folders[::-1]):
            configuration = place.folder / "circle.json"
            configuration.write_text(json.dumps({"watch": {"folders": order}}))
            ran = command_run.run([place.takeup, "watch", "--once", "--config", configuration, "--home", place.home,
                                   "--cache", place.cache], timeout=60, env=place.environment)
            if ran.code != 78:
                yield f"{words}, {'as' if order is folders else 'not as'} written: exit {ran.code}: {ran.last_words()}"
    if made := [path for folder in (one, other) for path in folder.iterdir()]:
        yield f"a refused daemon has made {made}"


def second_daemon(trial):
    """W13: a second daemon with the same folder and database ends with 75, until the first one is gone."""
    place, count = trial.place, trial.size(1000, 20)
    trial.put(count)
    daemon = place.watch("--stable", "1s", "--workers", "2")
    until(lambda: daemon.scans, 30)
    codes = [place.run("watch", place.inbox, "-o", place.outputs, timeout=60).code for _ in range(3)]
    if codes != [75] * 3:
        yield f"second daemons ended with {codes}"
    if not place.drained(count, 900):
        yield f"{len(place.files('done'))} of {count} are done"
    sources = [job["source"] for job in place.jobs()]
    trial.tell(files=count, second=codes, jobs=len(sources), postgres="not applicable yet")
    if len(sources) != count or len(set(sources)) != count or len(place.exported()) != count:
        yield f"{len(sources)} jobs and {len(place.exported())} outputs for {count} files"
    daemon.kill()
    after = place.watch("--stable", "1s")
    if until(lambda: after.scans, 30) is None:
        yield f"after a kill no daemon can start: {after.last_words()}"
    yield from after.stop()
    time.sleep(0.1)
