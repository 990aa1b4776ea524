"""Whether an output is its source: every frame, upright, in its colours, at its level."""

from measuring import media_probe

COLOUR_LIMIT = 5.0  # of 255: a right conversion stays below 3, a wrong range starts at 5.5
LIKENESS_LIMIT = 0.9  # correlation of brightness: mirrored or shifted pictures stay below 0.5
FLAT = 4.0  # a picture of less contrast has no structure to compare
LEVEL_LIMIT_DB = 3.0
MIX_DB = 3.1  # one channel shared by two, or two summed into one
SILENCE_DB = -60.0
HDR_TRANSFERS = ("smpte2084", "arib-std-b67")


def counted_frames(path):
    """The frames of the first video stream, decoded one by one."""
    facts, _ = media_probe.probe(path, count_frames=True)
    return sum(map(media_probe.frame_count, media_probe.streams(facts, "video")[:1]))


def complete(source, facts, output, row):
    """Every problem of an output, and notes on what is near or was not compared."""
    found, complaints = media_probe.probe(output, count_frames=True)
    problems, notes = [], []
    if complaints:
        problems.append(f"output does not decode clean: {complaints[0]} ({len(complaints)} lines)")
    if row["n_video"] not in ("", "0"):
        _check_video(source, facts, output, found, row, problems, notes)
    _check_duration(found, row, problems)
    if row["src_a_codec"] and row["n_audio"] not in ("", "0"):
        _check_sound(source, output, found, row, problems, notes)
    return problems, notes


def _check_duration(found, row, problems):
    if not row["ref_duration"]:
        return
    wanted, got = float(row["ref_duration"]), media_probe.duration(found)
    frame_rate = media_probe.rate(row["src_fps"])
    rates = [int(s["sample_rate"]) for s in media_probe.streams(found, "audio")]
    allowed = max(1 / frame_rate if frame_rate else 0, 0.05) + (1024 / rates[0] if rates else 0)
    if got is None or abs(got - wanted) > allowed + 0.001:
        problems.append(f"duration {got} s, not {wanted} s ± {allowed:.3f}")


def _check_video(source, facts, output, found, row, problems, notes):
    videos = media_probe.streams(found, "video")
    if not videos:
        problems.append("no video in the output")
        return
    video, frames = videos[0], media_probe.frame_count(videos[0])
    wanted = int(row["ref_vfr_frames"] or 0)
    if row["ref_vfr_frames"] and frames != wanted:
        near = abs(frames - wanted) == 1
        doubt = "" if row["src_v_frames"] == row["ref_vfr_frames"] else \
            f" (the index also says src_v_frames {row['src_v_frames']})"
        (notes if near else problems).append(
            f"{'near: ' if near else ''}{frames} frames, not {wanted}{doubt}")
    if media_probe.rotation(video):
        problems.append(f"rotation tag of {media_probe.rotation(video)}° left")
    original = _chosen_video(facts, row)
    if original is None:
        notes.append("picture not compared: the source shows no video stream")
        return
    _check_upright(original, video, row, problems)
    _check_colour((source, original), (output, video), problems, notes)


def _chosen_video(facts, row):
    """The stream that the index speaks of, or the first."""
    videos = media_probe.streams(facts, "video")
    same = [s for s in videos if f"{s.get('width')}x{s.get('height')}" == row["src_WxH"]]
    return (same or videos or [None])[0]


def _check_upright(original, video, row, problems):
    width, height = map(float, media_probe.display_size(original))
    if abs(int(float(row["rotation"] or 0))) % 180 == 90 and not media_probe.rotation(original):
        width, height = height, width
    got_width, got_height = map(float, media_probe.display_size(video))
    if not width * height * got_width * got_height:
        problems.append("a picture of no size")
        return
    slack = 0.02 + 2 / min(got_width, got_height)  # even sizes cost up to a pixel a side
    if abs((got_width / got_height) / (width / height) - 1) > slack:
        problems.append(f"shown as {got_width:.0f}x{got_height:.0f}, source as {width:.0f}x{height:.0f}")
    coded, upright = video["width"] > video["height"], got_width > got_height
    if abs(int(float(row["rotation"] or 0))) % 180 == 90 and coded != upright:
        problems.append(f"coded {video['width']}x{video['height']} is not upright")


def _check_colour(one, other, problems, notes):
    (source, original), (output, video) = one, other
    transfers = original.get("color_transfer"), video.get("color_transfer")
    if transfers[0] in HDR_TRANSFERS and transfers[1] != transfers[0]:
        notes.append("tone-mapped: colours not compared")
        return
    before = media_probe.thumbnails(source, original, f"0:{original['index']}")
    after = media_probe.thumbnails(output, video)
    if not before or not after:
        problems.append(f"no pictures to compare ({len(before)} and {len(after)})")
        return
    for part in (0.25, 0.5, 0.75):
        middle = int(part * len(after))
        at = int(part * len(before)) if abs(len(before) - len(after)) > 1 else middle
        near = before[max(0, at - 1):at + 2]
        if not near:
            problems.append(f"picture {middle} has no picture of the source beside it")
            return
        least, same = min((media_probe.difference(picture, after[middle]), picture) for picture in near)
        likeness, contrast = media_probe.likeness(same, after[middle])
        if least > COLOUR_LIMIT or (contrast > FLAT and likeness < LIKENESS_LIMIT):
            problems.append(f"picture {middle} differs by {least:.1f} of 255, likeness {likeness:.2f}")
            return


def _check_sound(source, output, found, row, problems, notes):
    if not media_probe.streams(found, "audio"):
        if media_probe.mean_volume(source) is None:
            notes.append("sound of the source does not decode")
        else:
            problems.append("no sound in the output")
        return
    if int(row["src_a_channels"] or 0) > 2:
        return
    before, after = media_probe.mean_volume(source), media_probe.mean_volume(output)
    mixed = int(row["src_a_channels"] or 0) != media_probe.streams(found, "audio")[0]["channels"]
    allowed = LEVEL_LIMIT_DB + (MIX_DB if mixed else 0)
    if before is None:
        notes.append("sound of the source does not decode")
    elif after is None:
        problems.append("sound of the output does not decode")
    elif abs(max(before, SILENCE_DB) - max(after, SILENCE_DB)) > allowed:
        problems.append(f"sound at {after} dB, source at {before} dB")
