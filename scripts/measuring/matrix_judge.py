"""Whether an output of the matrix is what its sources promise; the witnesses are ffmpeg and numpy."""

import json
import math
from fractions import Fraction

from measuring import matrix_witness

TICK = 0.0016  # seconds: times of containers that count milliseconds, on both sides
SKEW = 0.001  # seconds between a picture and its sound, beyond what the source has
PEAK_DB = 1.0
LEVEL = 2.0  # of 255
LATE_END = 4  # pictures that a copied range may end late: others build on them, and MP4's writer cannot hide them
SHORT_SOUND = 0.06  # seconds: a packet of the source and one of the output

# Refusals that docs/INPUTS.md gives a reason for: the error's code, and a preset that may be refused so.
REFUSALS = {("unsupported", "passthrough")}


def witnessed(path, kinds):
    """What ffmpeg sees in a source."""
    return matrix_witness.seen(path, kinds)


def unfit(source, kinds, rate):
    """Why a clip cannot be a source: ffmpeg itself does not read back what it wrote. None where it does."""
    if "v" in kinds:
        if not source.numbers or source.numbers != list(range(len(source.numbers))):
            return f"ffmpeg reads pictures {spans(source.numbers)}"
        _, stray = matrix_witness.picture_offset(source, rate)
        if stray > 0.5 / rate:
            return f"ffmpeg reads a picture {stray * 1000:.1f} ms from its time"
    if "a" in kinds and len(source.chirps) < int(source.sound_seconds):
        return "ffmpeg does not read its sound"
    if "a" in kinds and source.sound_gap > SHORT_SOUND:
        return f"its times claim a hole of {source.sound_gap * 1000:.0f} ms in its sound"
    return None


def judged(case, sources, done, output):
    """`right`, `refused` or `FAIL`, and why."""
    said = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines() if line.startswith("{")]
    end = next((event for event in reversed(said) if event.get("type") in ("finished", "error")), {})
    if done.returncode != 0:
        error = end.get("error") or {}
        if output.exists():
            return "FAIL", f"exit {done.returncode}, but the output exists"
        reason = f"{error.get('code')}: {error.get('message')}"
        return ("refused" if (error.get("code"), case.preset) in REFUSALS else "FAIL"), reason
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
    """The numbers of the pictures that must be shown, in order."""
    numbers = [number for source in sources for number in source.numbers if number >= 0]
    if case.start is None:
        return numbers
    first = math.floor(case.start * case.rate)
    last = math.ceil(case.end * case.rate) - 1
    return [number for number in numbers if first <= number <= last]


def faults_of_pictures(case, sources, sight):
    expected = wanted(case, sources)
    if -1 in sight.numbers:
        yield f"{sight.numbers.count(-1)} pictures cannot be read, the first at place {sight.numbers.index(-1)}"
    elif not same_pictures(case, sight.numbers, expected):
        yield f"pictures {spans(sight.numbers)} where {spans(expected)} were wanted"
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
            and abs(numbers[0] - expected[0]) <= 1 and -1 <= numbers[-1] - expected[-1] <= LATE_END)


def faults_of_sound(case, sources, sight):
    joined = len(sources) > 1 and case.group == "joins"
    heard = [source for source in sources if source.sound_start is not None]
    if sight.sound_start is None or not heard:
        yield "no sound"
        return
    seconds = sum(source.sound_end for source in heard)
    if case.start is not None:
        seconds = float(min(case.end, Fraction(seconds)) - case.start)
    late = LATE_END / float(case.rate) if case.start is not None and case.preset == "passthrough" else 0
    if not -SHORT_SOUND * len(sources) <= sight.sound_end - seconds <= SHORT_SOUND * len(sources) + late:
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
        there = {band: time - band for band, time, _ in sources[1].chirps}
    if case.start is not None:  # a chirp that is cut counts for nothing
        here = {second: skew for second, skew in here.items() if case.start <= second and second + 0.1 < case.end}
        wanted_seconds = [second for second in there if case.start <= second and second + 0.1 < case.end]
    else:
        wanted_seconds = list(there)
    for second in wanted_seconds:
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
