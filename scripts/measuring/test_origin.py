"""The HTTP origin of the tests, as a program beside a measurement."""

import contextlib
import os
import signal
import subprocess

from measuring import takeup_tool


@contextlib.contextmanager
def serving(root, rate=None, program=None):
    """Serves the files of a folder on loopback, `rate` bytes a second at most; gives its address."""
    command = [program or takeup_tool.REPOSITORY / "scripts/test-origin", "--root", root]
    if rate:
        command += ["--rate", str(int(rate))]
    child = subprocess.Popen(
        [os.fspath(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        text=True)
    try:
        address = child.stdout.readline().strip()
        if not address.startswith("http://"):
            raise SystemExit(f"no origin: {address or 'it ended'}")
        yield address
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait()
        child.stdout.close()
