"""Whether an output of the matrix is what its sources promise; the witnesses are ffmpeg and numpy."""

import json
import math
import re
from fractions import Fraction

from measuring import matrix_witness, takeup_tool

TICK = 0.0016  # seconds: times of containers that count milliseconds, on both sides
SKEW = 0.001 + 1e-9  # seconds that an output may move sound against its picture; 1e-9 allows for rounding
PEAK_DB = 1.0
LEVEL = 2.0  # of 255
SHORT_SOUND = 0.06  # seconds: a packet of the source and one of the output

INPUTS = takeup_tool.REPOSITORY / "docs/INPUTS.md"
REFUSED = re.compile(r"^\| `([^`]+)` \| (copies|all) \|", re.MULTILINE)  # a row of its table of refusals


def documented():
    """The refusals that docs/INPUTS.md gives a reason for: a phrase of the message, and whether only copies are refused."""
    section = INPUTS.read_text().split("## What is refused, and why", 1)[-1].split("\n## ", 1)[0]
    rows = [(phrase, presets == "copies") for phrase, presets in REFUSED.findall(section)]
    sources = "".join(path.read_text() for path in (takeup_tool.REPOSITORY / "Sources/TakeupExport").rglob("*.swift"))
    if unknown := [phrase for phrase, _ in rows if phrase not in sources]:
        raise ValueError(f"{INPUTS.name} gives reasons that no message has: {unknown}")
    if not rows:
        raise ValueError(f"{INPUTS.name} has no table of refusals")
    return rows


def is_documented(code, message, preset, rows):
    """Whether docs/INPUTS.md says why this is refused."""
    return code == "unsupported" and any(
        phrase in message and (preset == "passthrough" or not copies) for phrase, copies in rows)


def witnessed(path, kinds):
    """What ffmpeg sees in a source."""
    return matrix_witness.seen(path, kinds, doubts=True)


def unfit(source, kinds, rate):
    """Why a clip cannot be a source: ffmpeg itself does not read back what it wrote. None where it does."""
    if "v" in kinds:
        if not source.numbers or source.numbers != list(range(len(source.numbers))):
            return f"ffmpeg reads pictures {spans(source.numbers)}"
        _, stray = matrix_witness.picture_offset(source, rate)
        if stray > 1.5 / rate:  # AVI and WMV do not say when B-frames are shown, and ffmpeg may be off by one
            return f"ffmpeg reads a picture {stray * 1000:.1f} ms from its time"
    return unfit_sound(source, kinds, rate) if "a" in kinds else None


def unfit_sound(source, kinds, rate):
    length = len(source.numbers) / float(rate) if "v" in kinds else source.sound_seconds
    if len(source.chirps) + source.torn < int(source.sound_seconds) or source.sound_seconds < length - 0.2:
        return f"ffmpeg reads {source.sound_seconds:.3f} s of its sound, {len(source.chirps)} chirps"
    if source.drift() > matrix_witness.DRIFT:
        return f"ffmpeg hears chirps {source.drift() * 1000:.0f} ms apart from whole seconds"
    return None


def judged(case, sources, done, output, rows):
    """`right`, `refused` or `FAIL`, and why; `rows` are the refusals that are documented."""
    said = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines() if line.startswith("{")]
    end = next((event for event in reversed(said) if event.get("type") in ("finished", "error")), {})
    if done.returncode != 0:
        error = end.get("error") or {}
        if output.exists():
            return "FAIL", f"exit {done.returncode}, but the output exists"
        reason = f"{error.get('code')}: {error.get('message')}"
        is_right = is_documented(error.get("code"), error.get("message") or "", case.preset, rows)
        return ("refused" if is_right else "FAIL"), reason
    kinds = "".join(sorted({kind for _, some in case.sources for kind in some}))
    sight = matrix_witness.seen(output, kinds)
    faults = list(faults_of(case, sources, sight, output))
    return ("FAIL", "; ".join(faults)) if faults else ("right", "")


def faults_of(case, sources, sight, output):
    """Everything that is wrong with an output."""
    if sight.complaints:
        yield f"ffmpeg complains: {sight.complaints[0][:120]}"
    kinds = "".join(some for _, some in case.sources)
    if "v" in kinds:
        yield from faults_of_pictures(case, sources, sight)
    if "a" in kinds:
        yield from faults_of_sound(case, sources, sight)
    if case.most_bytes and output.stat().st_size > case.most_bytes:
        yield f"{output.stat().st_size} bytes, at most {case.most_bytes}"


def wanted(case, sources):
    """The numbers of the pictures that must be shown, in order.

    Several rows where times that were rounded leave open on which side of a cut a picture lies.
    """
    numbers = [number for source in sources for number in source.numbers if number >= 0]
    if case.start is None:
        return [numbers]
    offset, _ = matrix_witness.picture_offset(sources[0], case.rate)
    offset -= sources[0].start
    rows = []
    for near in (0, -TICK, TICK):
        for far in (0, -TICK, TICK):
            first = math.floor((float(case.start) - offset + near) * float(case.rate) + 1e-6)
            last = math.ceil((float(case.end) - offset + far) * float(case.rate) - 1e-6) - 1
            rows.append([number for number in numbers if first <= number <= last])
    return rows


def faults_of_pictures(case, sources, sight):
    expected = wanted(case, sources)
    if -1 in sight.numbers:
        yield f"{sight.numbers.count(-1)} pictures cannot be read, the first at place {sight.numbers.index(-1)}"
    elif not any(same_pictures(case, sight.numbers, row) for row in expected):
        yield f"pictures {spans(sight.numbers)} where {spans(expected[0])} were wanted"
    elif len(sources) == 1 or case.group == "two-sources":
        # The first picture of a range is shown from the range's begin on, not from its own.
        shown = matrix_witness.Sight()
        shown.numbers, shown.times = sight.numbers[1:], sight.times[1:]
        _, stray = matrix_witness.picture_offset(shown, case.rate)
        if stray > TICK:
            yield f"a picture is {stray * 1000:.1f} ms from its time"
    clear = next((source.patches for source in sources if source.patches is not None), None)
    if case.preset != "passthrough" and clear is not None and sight.patches is not None:
        difference = abs(clear - sight.patches).max()
        if difference > LEVEL + 0.5:
            yield f"a colour is off by {difference:.1f} of 255"


def same_pictures(case, numbers, expected):
    """Whether the pictures are those; a range that is copied may be moved to pictures of its own."""
    if case.start is None or case.preset != "passthrough" or not numbers:
        return numbers == expected
    return (numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            and abs(numbers[0] - expected[0]) <= 1 and -1 <= numbers[-1] - expected[-1] <= 0)


def faults_of_sound(case, sources, sight):
    joined = len(sources) > 1 and case.group == "joins"
    heard = [source for source in sources if source.sound_start is not None]
    if sight.sound_start is None or not heard:
        yield "no sound"
        return
    seconds = sum(source.sound_end for source in heard)
    if case.start is not None:
        seconds = float(min(case.end, Fraction(seconds)) - case.start)
    if not -SHORT_SOUND * len(sources) <= sight.sound_end - seconds <= SHORT_SOUND * len(sources):
        yield f"sound until {sight.sound_end:.3f} s where {seconds:.3f} were wanted"
    loudest = max(source.peak for source in heard)
    if case.start is None and sight.peak > 0 and abs(20 * math.log10(sight.peak / loudest)) > PEAK_DB:
        yield f"a peak of {sight.peak:.3f} became one of {loudest:.3f}"
    if not joined:
        yield from faults_of_skew(case, sources, sight)


def faults_of_skew(case, sources, sight):
    if not sight.numbers:
        here, there = dict(enumerate(chirp[1] for chirp in sight.chirps)), {}
        there = dict(enumerate(chirp[1] for source in sources for chirp in source.chirps))
        here = {second: time - sight.sound_start for second, time in here.items()}
        there = {second: time - sources[0].sound_start for second, time in there.items()}
    elif len(sources) == 1:
        here, there = matrix_witness.skews(sight, case.rate), matrix_witness.skews(sources[0], case.rate)
    else:
        here = matrix_witness.skews(sight, case.rate)
        there = {band: time - sources[1].sound_start - band for band, time, _ in sources[1].chirps}
    begin = matrix_witness.picture_offset(sources[0], case.rate)[0] - sources[0].start if case.start is not None else 0
    for second, skew in there.items():
        at = second + skew + begin
        if case.start is not None and not (case.start <= at and at + 0.1 < case.end):
            continue  # a chirp that is cut counts for nothing
        if second not in here:
            yield f"second {second} cannot be heard"
        elif abs(here[second] - there[second]) > SKEW:
            yield f"second {second} is heard {(here[second] - there[second]) * 1000:.1f} ms late"
        else:
            continue
        return


def spans(numbers):
    """A short text of a row of numbers."""
    if not numbers:
        return "none"
    parts, first, last = [], numbers[0], numbers[0]
    for number in [*numbers[1:], None]:
        if number is not None and number == last + 1:
            last = number
            continue
        parts.append(str(first) if first == last else f"{first}–{last}")
        first = last = number
    return " ".join(parts[:6]) + (" …" if len(parts) > 6 else "")
