"""Where the program under test is, what surrounds it, and what it says."""

import json
import os
import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def add_option(parser):
    """Gives a script the option that names the program under test."""
    parser.add_argument(
        "--takeup", metavar="PATH", type=Path, default=REPOSITORY / ".build/release/takeup",
        help="program under test (default: .build/release/takeup)")


def located(path):
    """The absolute path of an executable program; ends the script when there is none."""
    path = Path(path).absolute()
    if not os.access(path, os.X_OK) or path.is_dir():
        sys.exit(f"no program at {path}: build it with 'swift build -c release'")
    return path


def environment(scratch):
    """An environment whose state, cache and temporary folders lie in `scratch`."""
    folders = {
        "TAKEUP_HOME": "home", "TAKEUP_CACHE": "cache", "XDG_STATE_HOME": "state",
        "XDG_CACHE_HOME": "xdg-cache", "TMPDIR": "tmp"}
    chosen = dict(os.environ)
    for variable, name in folders.items():
        folder = Path(scratch) / name
        folder.mkdir(parents=True, exist_ok=True)
        chosen[variable] = str(folder)
    return chosen


def events(text):
    """The objects of a `--json` run; a line that is none is a ValueError."""
    found = [json.loads(line) for line in text.splitlines() if line.strip()]
    if not all(isinstance(event, dict) and "type" in event for event in found):
        raise ValueError("a line of the JSON output has no type")
    return found


def finished(found):
    """The `finished` object of a run, or an empty one."""
    return next((event for event in reversed(found) if event["type"] == "finished"), {})


def loss_stated(found):
    """Whether a run says that part of its source is missing from its output."""
    end = finished(found)
    if (end.get("lostSeconds") or 0) > 0:
        return True
    warnings = [event for event in found if event["type"] == "warning"]
    said = json.dumps([warnings, end.get("warnings") or []])
    return re.search(r"lost|loss|truncat|damag|salvag|corrupt|incomplete|missing", said, re.I) is not None


def listing(folder):
    """Every path below a folder, hidden ones too, relative to it."""
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*"))
