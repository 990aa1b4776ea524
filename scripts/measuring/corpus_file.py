"""One real input, exported and held to its bar."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from measuring import command_run, media_probe, output_checks, takeup_tool

TIME_LIMIT = 120.0
REJECT_SECONDS = 5.0


class Failed(Exception):
    """The bar that was missed, in words."""


@dataclass
class Exporter:
    """How every file is exported."""

    takeup: Path
    preset: str


@dataclass
class Trial:
    """One run of the program on one file, in folders of its own."""

    run: command_run.CommandRun
    output: Path
    events: list
    left: list


def is_sound_only(facts):
    """Whether a source has sound and no picture but cover art."""
    return bool(media_probe.streams(facts, "audio")) and not media_probe.streams(facts, "video")


def tried(exporter, source, folder, sound_only, *options):
    """Exports a file, and holds the run to what must never happen."""
    outputs, scratch = Path(folder) / "out", Path(folder) / "scratch"
    outputs.mkdir()
    output = outputs / ("out.m4a" if sound_only else "out.mp4")
    preset = "m4a" if sound_only else exporter.preset
    run = command_run.run(
        [exporter.takeup, "export", source, "-o", output, "--preset", preset, "--json", *options],
        timeout=TIME_LIMIT, env=takeup_tool.environment(scratch))
    trial = Trial(run, output, [], takeup_tool.listing(outputs))
    if run.timed_out:
        raise Failed(f"ran longer than {TIME_LIMIT:.0f} s")
    if run.died_of_signal or run.code > 128:
        raise Failed(f"died of {run.died_of_signal or f'a signal (exit {run.code})'}: {run.last_words()}")
    if run.code == 70:
        raise Failed(f"internal error (exit 70): {run.last_words()}")
    if run.leftovers:
        raise Failed(f"left {len(run.leftovers)} process(es) running")
    if trial.left != ([output.name] if run.code == 0 else []):
        raise Failed(f"exit {run.code} with {trial.left or 'nothing'} in the output folder")
    temporary = takeup_tool.listing(scratch / "tmp")
    if temporary:
        raise Failed(f"left {temporary[:3]} in the temporary folder")
    try:
        trial.events = takeup_tool.events(run.stdout)
    except ValueError as problem:
        raise Failed(f"JSON output: {problem}") from problem
    _check_events(trial)
    return trial


def _check_events(trial):
    fractions = [e.get("fraction", 0) for e in trial.events if e["type"] == "progress"]
    if fractions != sorted(fractions):
        raise Failed("progress fell")
    end = takeup_tool.finished(trial.events)
    wanted = ("succeeded", "cached") if trial.run.code == 0 else ("failed",)
    if trial.run.code not in (0, 64) and not end and trial.run.code not in (66, 73):
        raise Failed(f"exit {trial.run.code} without a finished line")
    if trial.run.code == 0 and not end:
        raise Failed("exit 0 without a finished line")
    if end and end.get("status") not in wanted:
        raise Failed(f"exit {trial.run.code} with status {end.get('status')}")


def convert(exporter, source, row):
    """Holds a file to a complete and right output."""
    facts, _ = media_probe.probe(source)
    sound_only = row["n_video"] in ("", "0")
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        trial = tried(exporter, source, folder, sound_only)
        if trial.run.code != 0:
            raise Failed(f"exit {trial.run.code}: {trial.run.last_words()}")
        problems, notes = output_checks.complete(source, facts, trial.output, row)
        said = takeup_tool.finished(trial.events).get("frames")
        counted = output_checks.counted_frames(trial.output)
        if not sound_only and said is not None and said != counted:
            problems.append(f"finished line says {said} frames, {counted} decoded")
        if problems:
            raise Failed("; ".join(problems))
        return ", ".join(notes)


def salvage(exporter, source, row):
    """Holds a damaged file to a clean failure, and to a stated loss when asked to salvage."""
    sound_only = row["n_video"] in ("", "0") and row["n_audio"] not in ("", "0")
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        trial = tried(exporter, source, folder, sound_only)
        if trial.run.code != 65:
            raise Failed(f"exit {trial.run.code} where damage must end in 65: {trial.run.last_words()}")
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        trial = tried(exporter, source, folder, sound_only, "--on-truncated", "salvage")
        if trial.run.code != 0:
            raise Failed(f"salvage: exit {trial.run.code}: {trial.run.last_words()}")
        if not takeup_tool.loss_stated(trial.events):
            raise Failed("salvage: the loss is not stated")
        facts, complaints = media_probe.probe(trial.output, count_frames=True)
        if complaints:
            raise Failed(f"salvage: output does not decode clean: {complaints[0]}")
        frames = sum(map(media_probe.frame_count, media_probe.streams(facts, "video")[:1]))
        wanted = 0.9 * float(row["ref_vfr_frames"] or 0)
        if frames < wanted or not facts.get("streams"):
            raise Failed(f"salvage: {frames} frames of {row['ref_vfr_frames']}")
        return f"{frames} of {row['ref_vfr_frames']} frames salvaged"


def reject(exporter, source, row):
    """Holds a hopeless file to a quick and clear failure."""
    sound_only = row["n_video"] in ("", "0") and row["n_audio"] not in ("", "0")
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        trial = tried(exporter, source, folder, sound_only)
    if trial.run.code == 0:
        raise Failed("exit 0 for a file that cannot be right")
    if not trial.run.stderr.strip():
        raise Failed(f"exit {trial.run.code} without a message on stderr")
    if trial.run.wall >= REJECT_SECONDS:
        raise Failed(f"took {trial.run.wall:.1f} s to fail")
    return f"exit {trial.run.code} in {trial.run.wall:.1f} s"


def either(exporter, source, row):
    """Salvage's bar or rejection's."""
    try:
        return reject(exporter, source, row)
    except Failed as rejection:
        try:
            return salvage(exporter, source, row)
        except Failed as loss:
            raise Failed(f"neither rejected ({rejection}) nor salvaged ({loss})") from loss


def warned(exporter, source, row):
    """Holds a broadcast that is cut at an end to a complete output that says so."""
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        trial = tried(exporter, source, folder, sound_only=False)
        if trial.run.code != 0:
            raise Failed(f"exit {trial.run.code}: {trial.run.last_words()}")
        if not any(e["type"] == "warning" and e.get("code") == "cutPacket" for e in trial.events):
            raise Failed("nothing says that the stream is cut")
        facts, complaints = media_probe.probe(trial.output, count_frames=True)
        if complaints:
            raise Failed(f"output does not decode clean: {complaints[0]}")
        frames = sum(map(media_probe.frame_count, media_probe.streams(facts, "video")[:1]))
        if frames != int(row["src_v_frames"]):
            raise Failed(f"{frames} frames of {row['src_v_frames']}")
        return f"all {frames} frames, with a warning"


def by_source(exporter, source, row):
    """Holds an output to what is in the source, where the index's reference is of a part of it."""
    facts, _ = media_probe.probe(source)
    whole = {"ref_vfr_frames": row["src_v_frames"], "ref_duration": str(media_probe.duration(facts))}
    return convert(exporter, source, {**row, **whole})


BARS = {"convert": convert, "salvage": salvage, "reject": reject, "either": either}


@dataclass
class Reason:
    """Why a file is held to another bar than its line of the index, as long as the line says what it said."""

    column: str
    value: str
    bar: object
    words: str


REASONS = {
    "derived__d05_cut_both_ends_unaligned.ts": Reason(
        "expect", "salvage", warned,
        "broadcasts are cut anywhere: a packet that is cut at either end is a warning, since every picture is there"),
    "opencast-opencast__modules-smil-workflowoperation-src-test-resources-testvideo_320x180.mp4": Reason(
        "ref_vfr_frames", "20", by_source,
        "the reference is of its first 20 s; the file, and src_v_frames too, have 180 pictures in 180 s"),
}


def reason(row):
    """The reason why a line of the index does not hold; None for most."""
    known = REASONS.get(row["file"])
    return known if known and row[known.column] == known.value else None


def unindexed(exporter, source):
    """Holds a file of which nothing is known to what must never happen."""
    facts, _ = media_probe.probe(source)
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        trial = tried(exporter, source, folder, is_sound_only(facts))
        if trial.run.code != 0:
            if not trial.run.stderr.strip():
                raise Failed(f"exit {trial.run.code} without a message on stderr")
            return f"exit {trial.run.code}: {trial.run.last_words(120)}"
        found, complaints = media_probe.probe(trial.output, count_frames=True)
        if complaints or not found.get("streams"):
            raise Failed(f"output does not decode clean: {(complaints or ['no streams'])[0]}")
        wanted, got = media_probe.duration(facts), media_probe.duration(found)
        if wanted and (got is None or abs(got - wanted) > 0.05 * wanted):
            raise Failed(f"{got} s from a source of {wanted} s")
        return f"{got:.2f} s" if got else "no duration"
