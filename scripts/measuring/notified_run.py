"""A unit's command, started as systemd starts it: its variables, its filter, and a socket that is told of its state."""

import os
import signal
import socket
import subprocess
import time


class NotifiedRun:
    """One run of a unit's `ExecStart`; `folder` has its runtime folder and its log.

    `listening` is a socket that the run is handed, as from a socket unit.
    """

    def __init__(self, argv, folder, confine=None, listening=None):
        self.said, self.log = [], folder / "log"
        runtime = folder / "run"
        runtime.mkdir()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "notify"))
        self.socket.setblocking(False)
        variables = dict(os.environ) | {
            "NOTIFY_SOCKET": str(folder / "notify"), "RUNTIME_DIRECTORY": str(runtime), "WATCHDOG_USEC": "60000000"}
        argv = [word.replace("${RUNTIME_DIRECTORY}", str(runtime)) for word in argv]
        if listening:
            # The shell's process id is the program's: it is told that the socket is its own.
            argv = ["bash", "-c", f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&{listening.fileno()}', "bash", *argv]
        with self.log.open("wb") as log:
            self.child = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables, preexec_fn=confine,
                pass_fds=[listening.fileno()] if listening else [], start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        self.socket.close()

    def was_told(self, line):
        """Whether a line such as READY=1 has come."""
        while True:
            try:
                self.said += self.socket.recv(65536).decode().splitlines()
            except BlockingIOError:
                return line in self.said

    def waits_for(self, line, seconds):
        """Whether a line comes before the time is over, or the program's end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.was_told(line):
            if self.child.poll() is not None:
                return self.was_told(line)
            time.sleep(0.1)
        return self.was_told(line)

    def stop(self, seconds):
        """SIGTERM, and the exit code; None when the time was too short."""
        self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def last_words(self, limit=400):
        """The end of what it said, on one line."""
        return " | ".join(self.log.read_text(errors="replace").strip().splitlines())[-limit:]
