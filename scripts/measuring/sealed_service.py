"""A service of docker-compose.yml, run without Docker: what it may see and do is as there.

Its root is read-only and made of this machine's programs, its volumes are folders of a test's own, it
has the service's user, no capability, no way to new privileges and no network. Needs root for that.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

TOOLS = ("unshare", "nsenter", "setpriv", "chroot", "mount")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SCENE = r"""
set -e
root=$1 installed=$2 extra=$3; shift 3
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$root"
for name in /bin /sbin /lib /lib32 /lib64 /usr /etc $extra; do
    [ -e "$name" ] || continue
    if [ -L "$name" ]; then cp -a "$name" "$root$name"; continue; fi
    mkdir -p "$root$name"
    mount --rbind "$name" "$root$name"
    mount -o remount,bind,ro "$root$name"
done
! command -v ip >/dev/null || ip link set lo up
mount --rbind "$installed" "$root/usr/local"
mount -o remount,bind,ro "$root/usr/local"
mkdir "$root/dev" "$root/proc" "$root/sys" "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir -m 1777 "$root/dev/shm"
for name in null zero full random urandom; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
done
ln -s /proc/self/fd "$root/dev/fd"
mount --rbind /proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs -o mode=1777,noexec,nosuid,nodev tmpfs "$root/tmp"
while [ "$1" != -- ]; do
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
    [ "$3" = rw ] || mount -o remount,bind,ro "$root$2"
    shift 3
done
shift
mount -o remount,ro "$root"
exec chroot "$root" "$@"
"""


def lacking():
    """What this machine lacks for it, in words; empty when nothing."""
    if os.geteuid() != 0:
        return "root"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return ", ".join(missing)
    tried = subprocess.run(["unshare", "-m", "-n", "true"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else tried.stderr.strip()


def library_folders(program):
    """The folders outside of the system's own that a program's libraries lie in, such as Swift's."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    paths = [word for line in listed.splitlines() for word in line.split() if word.startswith("/")]
    return sorted({str(Path(path).parent) for path in paths if not path.startswith(("/lib", "/usr/lib"))})


class SealedService:
    """One run of a service; `project` takes the place of the folder of docker-compose.yml."""

    def __init__(self, service, project, installed, arguments=()):
        self.service, self.log = service, project / f"{service.name}-{time.monotonic_ns()}.log"
        root = project / f"root-{time.monotonic_ns()}"
        root.mkdir()
        volumes = []
        for volume in service.volumes:
            volumes += [project / volume.source, volume.place, "rw" if volume.is_writable else "ro"]
        programs = (installed / "bin/takeup", installed / "libexec/takeup/takeup-media")
        extra = " ".join(sorted({folder for program in programs for folder in library_folders(program)}))
        argv = ["unshare", "-m", "-n", "sh", "-c", SCENE, "sh", root, installed, extra, *volumes, "--",
                *self._sealed(service.argv(arguments))]
        with self.log.open("wb") as log:
            self.child = subprocess.Popen(
                [os.fspath(word) for word in argv], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)

    def _sealed(self, argv):
        user, group = self.service.fields["user"].split(":")
        variables = [f"{name}={value}" for name, value in self.service.environment.items()]
        return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs",
                "--bounding-set=-all", "--inh-caps=-all", "env", "-i",
                "-C", self.service.fields.get("working_dir", "/"), f"PATH={PATH}", *variables, *argv]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()

    def inside(self, argv, timeout=30):
        """Runs a command beside the service, as its health check; what it ended with."""
        entering = ["nsenter", "-t", str(self.child.pid), "-m", "-n", "-r", "-w"]
        run = subprocess.run(entering + self._sealed(argv), capture_output=True, text=True, timeout=timeout)
        return run.returncode

    def is_healthy(self):
        return self.child.poll() is None and self.inside(self.service.health_argv) == 0

    def wait(self, timeout):
        """The exit code; None when it still runs then."""
        try:
            return self.child.wait(timeout)
        except subprocess.TimeoutExpired:
            return None

    def stop(self):
        """SIGTERM, and the exit code within the service's time to stop; None when that was too short."""
        self.child.send_signal(signal.SIGTERM)
        return self.wait(self.service.grace_seconds)

    def last_words(self, limit=400):
        """The end of what it said, on one line."""
        return " | ".join(self.log.read_text(errors="replace").strip().splitlines())[-limit:]
