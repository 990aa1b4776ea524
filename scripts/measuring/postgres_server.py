"""A PostgreSQL server of a trial's own, without a port, that can be stopped in the middle of anything."""

import copy
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote


def _programs():
    versions = Path("/usr/lib/postgresql")
    found = sorted((int(path.name) for path in versions.glob("[0-9]*")), reverse=True)
    if not found:
        raise RuntimeError(f"there is no PostgreSQL in {versions}: run scripts/setup")
    return versions / str(found[0]) / "bin"


class PostgresServer:
    """Lies in a folder of its own with a short path, as a socket's has to be; PostgreSQL refuses to be run by root."""

    def __init__(self, **settings):
        self.settings = {"listen_addresses": "", "max_connections": "200", **settings}
        self.folder, self.programs = Path(tempfile.mkdtemp(prefix="takeup-pg-")), _programs()
        self.folder.chmod(0o755)
        self.name = "postgres"
        self.options = {}
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.options = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        subprocess.run(
            [self.programs / "initdb", "-D", self.folder / "data", "-A", "trust", "-U", "takeup", "-E", "UTF8",
             "--locale=C"], check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self.options)
        self.child = None
        self.start()

    def database(self, name):
        """Another database on it, with the same calls."""
        self.run("postgres", f'CREATE DATABASE "{name}"')
        other = copy.copy(self)
        other.name = name
        return other

    @property
    def address(self):
        return f"postgres://takeup@/{self.name}?host={quote(str(self.folder), safe='')}"

    def start(self):
        self.child = subprocess.Popen(
            [self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder,
             *(word for name, value in self.settings.items() for word in ("-c", f"{name}={value}"))],
            stdin=subprocess.DEVNULL, stdout=open(self.folder / "server.log", "ab"), stderr=subprocess.STDOUT,
            cwd=self.folder, **self.options)
        end = time.monotonic() + 60
        while True:
            try:
                return self.query("SELECT 1 AS one")
            except RuntimeError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def stop(self, number=signal.SIGQUIT):
        """Stops it as a crash does, which loses what was not committed; SIGINT stops it in order."""
        self.child.send_signal(number)
        self.child.wait()

    def query(self, sql, *values):
        """Rows, each a dictionary; `?` stands for a value."""
        parts = sql.split("?")
        text = "".join(part + (self._literal(values[index]) if index < len(values) else "")
                       for index, part in enumerate(parts))
        said = self.run(self.name, f"SELECT row_to_json(found) FROM ({text}) AS found")
        return [json.loads(line) for line in said.splitlines()]

    def execute(self, text):
        """Statements without an answer."""
        self.run(self.name, text)

    def run(self, name, text):
        """What psql prints for statements in a database."""
        run = subprocess.run(
            [self.programs / "psql", "-h", self.folder, "-U", "takeup", "-d", name, "-AtqX",
             "-v", "ON_ERROR_STOP=1", "-c", text], capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"{text}: {run.stderr.strip()}")
        return run.stdout

    @staticmethod
    def _literal(value):
        return str(value) if isinstance(value, (int, float)) else "'" + str(value).replace("'", "''") + "'"

    def close(self):
        if self.child and self.child.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
