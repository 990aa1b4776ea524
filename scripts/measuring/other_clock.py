"""Clocks of machines that are wrong."""

import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")


def built(folder):
    """The library that sets a process's wall clock; made in a folder."""
    library = Path(folder) / "other-clock.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    return library


def variables(library, seconds):
    """What sets the clock of a process so many seconds ahead; negative is behind."""
    return {"LD_PRELOAD": str(library), "OTHER_CLOCK": str(seconds)}
