"""Medians, ratios and their table."""

import math
import os
import platform
import re
import statistics
import subprocess

METRICS = {"wall": "wall s", "cpu": "CPU s", "rss": "peak MiB", "size": "size MB", "ssim": "SSIM"}
_SCALE = {"rss": 1 / 2**20, "size": 1e-6}


def spread(values):
    """Median and 95th percentile (nearest rank) of a list."""
    ordered = sorted(values)
    return {"median": statistics.median(ordered),
            "p95": ordered[math.ceil(0.95 * len(ordered)) - 1]}


def machine(bench):
    """What the figures were measured on."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as text:
        model = re.search(r"model name\s*:\s*(.+)", text.read())
    return {
        "type": "machine", "cpu": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(),
        "ffmpeg": _first_line("ffmpeg", "-version"),
        "takeup": _first_line(bench.takeup, "--version"),
        "source": bench.source.name, "sourceSeconds": bench.seconds, "load": os.getloadavg()[0]}


def _first_line(*argv):
    done = subprocess.run([str(a) for a in argv], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["?"])[0]


def ratios(case, results):
    """Each metric of the first contender over each other's, with target and verdict."""
    ours, rows = results[0], []
    for at, theirs in enumerate(results[1:]):
        for metric in METRICS:
            if metric not in ours or metric not in theirs:
                continue
            mine, other = ours[metric]["median"], theirs[metric]["median"]
            ratio = mine / other if other else math.inf
            target = case.targets.get(metric) if at == 0 else None
            rows.append({
                "type": "ratio", "case": case.name, "metric": metric, "to": theirs["tool"],
                "ratio": round(ratio, 4), "target": target,
                "met": None if target is None else _met(case, metric, ratio, target, mine)})
    return rows


def _met(case, metric, ratio, target, mine):
    if metric == "ssim":
        return ratio >= target
    return ratio <= target or (metric == "wall" and mine < case.wall_floor)


def table(case, results, rows):
    """The lines that a person reads."""
    lines = [f"\n{case.name}  ({results[0]['runs']} runs each, median / p95)"]
    lines.append("  " + "".join(f"{title:>20}" for title in ["", *METRICS.values()]))
    for result in results:
        cells = [_cell(result.get(metric), metric) for metric in METRICS]
        lines.append("  " + f"{result['tool']:>20}" + "".join(f"{cell:>20}" for cell in cells))
    for other in dict.fromkeys(row["to"] for row in rows):
        cells = {row["metric"]: _verdict(row) for row in rows if row["to"] == other}
        lines.append("  " + f"{'÷ ' + other:>20}" +
                     "".join(f"{cells.get(metric, ''):>20}" for metric in METRICS))
    return lines


def _cell(value, metric):
    if value is None:
        return "-"
    scale, digits = _SCALE.get(metric, 1), {"ssim": 5, "rss": 0}.get(metric, 3)
    middle = f"{value['median'] * scale:.{digits}f}"
    return f"{middle} / {value['p95'] * scale:.{digits}f}" if metric in ("wall", "cpu") else middle


def _verdict(row):
    if row["target"] is None:
        return f"{row['ratio']:.3f}"
    sign = "≥" if row["metric"] == "ssim" else "≤"
    return f"{row['ratio']:.3f} {sign}{row['target']:g} {'ok' if row['met'] else 'MISS'}"
