"""PgBouncer in transaction mode, before a PostgreSQL server of a trial's own."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

PROGRAM = Path("/usr/sbin/pgbouncer")


class Pooler:
    """Behind it, as behind a cut cable for wake-ups, no worker hears of new jobs."""

    def __init__(self, server):
        self.server, self.name = server, server.name
        self.folder = Path(tempfile.mkdtemp(prefix="takeup-pooler-"))
        self.folder.chmod(0o777)
        settings = self.folder / "ini"
        settings.write_text(
            f"[databases]\n* = host={server.folder} user=takeup\n[pgbouncer]\nlisten_addr =\n"
            f"unix_socket_dir = {self.folder}\nlisten_port = 6432\nauth_type = any\npool_mode = transaction\n"
            f"default_pool_size = 20\nlogfile = {self.folder}/log\n")
        options = {}
        if os.geteuid() == 0:  # it refuses to be run by root
            owner = pwd.getpwnam("postgres")
            options = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        self.child = subprocess.Popen(
            [PROGRAM, "-q", settings], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=self.folder, **options)
        end = time.monotonic() + 20
        while not (self.folder / ".s.PGSQL.6432").exists():
            if self.child.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PgBouncer does not start: {(self.folder / 'log').read_text()[-300:]}")
            time.sleep(0.02)

    @property
    def address(self):
        return f"postgres://takeup@/{self.name}?host={quote(str(self.folder), safe='')}&port=6432"

    def query(self, sql, *values):
        """Rows, as the server itself tells them."""
        return self.server.query(sql, *values)

    def close(self):
        self.child.kill()
        self.child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
