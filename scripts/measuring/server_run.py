"""A `takeup serve` of a trial's own, on a free port, that can be asked, killed and started again."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

from measuring import takeup_tool


def free_port():
    """A port that nobody has now; the same one is used after each restart."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class ServerRun:
    """Lies in one folder; `words` are options of `serve`."""

    def __init__(self, takeup, folder, *words, home=None, cache=None, **variables):
        self.folder, self.takeup, self.port = Path(folder), takeup, free_port()
        self.environment = takeup_tool.environment(self.folder / "scratch") | variables
        self.home, self.cache = Path(home or self.folder / "home"), Path(cache or self.folder / "cache")
        self.environment |= {"TAKEUP_HOME": str(self.home), "TAKEUP_CACHE": str(self.cache)}
        self.log = self.folder / "serve.log"
        self.words = [takeup, "serve", "--listen", f"127.0.0.1:{self.port}", "--quiet", *words]
        self.child = None
        self.start()

    address = property(lambda self: f"http://127.0.0.1:{self.port}")
    is_running = property(lambda self: self.child.poll() is None)

    def start(self, patience=60):
        """Returns once it answers."""
        with self.log.open("ab") as log:
            self.child = subprocess.Popen(
                list(map(str, self.words)), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment,
                start_new_session=True)
        end = time.monotonic() + patience
        while not self.is_alive():
            if not self.is_running or time.monotonic() > end:
                raise SystemExit(f"no server: {self.last_words()}")
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_running:
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()

    def kill(self):
        self.child.kill()
        self.child.wait()

    def stop(self, seconds=90):
        """SIGTERM, and the exit code."""
        self.child.send_signal(signal.SIGTERM)
        return self.child.wait(seconds)

    def connection(self, seconds=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)

    def ask(self, method, path, body=None, fields=None, seconds=30):
        """Status, fields and body; JSON goes out for anything but bytes."""
        fields = dict(fields or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            fields.setdefault("Content-Type", "application/json")
        connection = self.connection(seconds)
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def read(self, path, **options):
        """The JSON of a path that has to be there."""
        status, _, body = self.ask("GET", path, **options)
        if status != 200:
            raise RuntimeError(f"GET {path} answers {status}: {body[:300]!r}")
        return json.loads(body)

    def is_alive(self):
        try:
            return self.ask("GET", "/livez", seconds=5)[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def raw(self, sent, seconds=5.0):
        """Everything that comes back for some bytes; the sending side is closed behind them."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            got = b""
            try:
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
                while piece := connection.recv(65536):
                    got += piece
            except OSError:
                pass  # it was cut: what came before counts
            return got

    def run(self, *words, timeout=120):
        """The program beside the server, on its own database."""
        return subprocess.run(
            list(map(str, [self.takeup, *words])), capture_output=True, text=True, timeout=timeout, env=self.environment)

    def proxied(self, address):
        """The path under which an address is read through the server."""
        status, _, body = self.ask("POST", "/v1/proxy", {"url": address})
        if status not in (200, 201):
            raise RuntimeError(f"POST /v1/proxy answers {status}: {body[:300]!r}")
        return re.sub(r"^https?://[^/]*", "", json.loads(body)["url"])

    def resident_bytes(self):
        status = Path(f"/proc/{self.child.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def last_words(self, limit=600):
        return " | ".join(self.log.read_text(errors="replace").strip().splitlines())[-limit:]
