"""docker-compose.yml as Docker reads it, and what has to hold of every service in it."""

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from measuring.takeup_tool import REPOSITORY

PROGRAM = "takeup"
UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass
class Volume:
    """A folder of the project, and where a service sees it."""

    source: str
    place: str
    is_writable: bool


class Service:
    """One service, with its anchors merged and its variables filled in."""

    def __init__(self, name, fields):
        self.name, self.fields = name, fields
        self.entrypoint = list(fields.get("entrypoint", []))
        self.command = list(fields.get("command", []))
        self.environment = dict(fields.get("environment") or {})
        self.volumes = [self._volume(text) for text in fields.get("volumes", [])]
        self.runs_long = "restart" in fields

    @staticmethod
    def _volume(text):
        source, place, *mode = text.split(":")
        return Volume(source, place, "ro" not in mode)

    def argv(self, arguments=()):
        """What is run, with `arguments` in place of the command where there are any."""
        return self.entrypoint + (list(arguments) or self.command)

    @property
    def health_argv(self):
        """The command of the health check; empty without one."""
        test = (self.fields.get("healthcheck") or {}).get("test") or []
        if isinstance(test, str) or test[:1] == ["CMD-SHELL"]:
            return ["/bin/sh", "-c", test if isinstance(test, str) else test[1]]
        return test[1:]

    def judges_metrics(self):
        """Whether the health check wants the metrics that the service writes to be fresh, and to say that it lives."""
        argv, check = self.argv(), self.health_argv[-1:]
        file = argv[argv.index("--metrics-file") + 1] if "--metrics-file" in argv[:-1] else None
        return bool(file and check and f"find {file} -mmin" in check[0] and f"takeup_alive{{.*}} 1' {file}" in check[0])

    def asks_readiness(self):
        """Whether the health check asks the server that the service is."""
        argv = self.argv()
        port = argv[argv.index("--listen") + 1].rsplit(":", 1)[-1] if "--listen" in argv[:-1] else None
        return bool(port) and any(f"127.0.0.1/{port}" in word and "GET /readyz " in word for word in self.health_argv)

    @property
    def grace_seconds(self):
        return seconds(self.fields.get("stop_grace_period", "10s"))

    def problems(self):
        """What is missing of the seal that every service has, a sentence each."""
        found = []

        def expect(holds, what):
            if not holds:
                found.append(f"{self.name}: {what}")

        fields = self.fields
        expect(fields.get("image") or fields.get("build"), "neither image nor build")
        user = str(fields.get("user", "root")).split(":")
        expect(len(user) == 2 and "0" not in user and "root" not in user, f"user {user} is root, or has no group")
        expect(fields.get("read_only") is True, "its root is not read_only")
        expect(fields.get("cap_drop") == ["ALL"] and not fields.get("cap_add"), "capabilities are left")
        expect("no-new-privileges:true" in fields.get("security_opt", []), "no no-new-privileges")
        expect(not fields.get("privileged"), "it is privileged")
        ports = [str(port) for port in fields.get("ports", [])]
        expect(fields.get("network_mode") == ("bridge" if ports else "none"), "it has a network, or ports without one")
        expect(all(port.startswith("127.0.0.1:") for port in ports), f"{ports} can be reached from other machines")
        expect("/tmp" in fields.get("tmpfs", []), "no tmpfs at /tmp")
        expect(fields.get("init") is True, "no init that reaps what its children leave")
        expect(self.entrypoint[:1] == [PROGRAM], f"it does not run {PROGRAM}")
        expect(not self.runs_long or self.health_argv, "it runs long and has no health check")
        expect(not self.runs_long or self.judges_metrics() or self.asks_readiness(),
               "its health check asks neither its own metrics for takeup_alive nor its server for /readyz")
        expect(self.runs_long or fields.get("profiles"), "it ends by itself, but starts with `up`: no profile")
        for volume in self.volumes:
            expect(re.fullmatch(r"\./[a-z]+", volume.source), f"{volume.source} is no folder of the project")
            expect(ignored(volume.source), f"{volume.source} is not in .gitignore and .dockerignore")
            expect(volume.place.startswith("/"), f"{volume.place} is no absolute path")
        writable = [volume.place for volume in self.volumes if volume.is_writable]
        for place in list(self.environment.values()) + places(self.argv()):
            inside = any(place == known or place.startswith(known + "/") for known in
                         [volume.place for volume in self.volumes] + fields.get("tmpfs", []))
            expect(not place.startswith("/") or inside, f"{place} is on no volume and no tmpfs")
        for variable in ("TAKEUP_HOME", "TAKEUP_CACHE"):
            place = self.environment.get(variable)
            expect(place is None or place in writable, f"{variable} is not writable")
        return found


def places(argv):
    """The arguments that are absolute paths."""
    return [argument for argument in argv[1:] if argument.startswith("/")]


def ignored(source):
    """Whether git and the image leave a folder of the project alone."""
    name = source.removeprefix("./")
    git = (REPOSITORY / ".gitignore").read_text().split()
    image = (REPOSITORY / ".dockerignore").read_text().split()
    return f"/{name}/" in git and name in image


def seconds(text):
    """A time as compose and systemd write it, such as 75s, 5min or 90."""
    number, unit = re.fullmatch(r"(\d+)([a-z]*)", str(text)).groups()
    return int(number) * UNITS[(unit or "s")[0]]


def _filled(value, environment):
    """Every ${NAME:-default} replaced, at any depth."""
    if isinstance(value, dict):
        return {key: _filled(part, environment) for key, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, environment) for part in value]
    if not isinstance(value, str):
        return value
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda match: environment.get(match[1]) or match[2], value)


def load(path=REPOSITORY / "docker-compose.yml", environment=None):
    """The services by name; a file that is no YAML, or has no services, raises."""
    import yaml

    document = yaml.safe_load(Path(path).read_text())
    environment = dict(os.environ) if environment is None else environment
    return {name: Service(name, _filled(fields, environment)) for name, fields in document["services"].items()}


def told_commands(path):
    """The `docker compose` lines that a text tells people to type: lists of words after these two."""
    found = []
    for line in Path(path).read_text().splitlines():
        for part in re.split(r"&&|;", line.strip().lstrip("# ")):
            if part.strip().startswith("docker compose "):
                found.append(shlex.split(part, comments=True)[2:])
    return found


def told_run(words):
    """Service and arguments of `run --rm SERVICE …`; services of `up -d …` have none; None for the rest."""
    if words[:2] == ["run", "--rm"]:
        return [(words[2], words[3:])]
    if words[:2] == ["up", "-d"]:
        names = [word for at, word in enumerate(words[2:], 2) if not word.startswith("-") and words[at - 1] != "--scale"]
        return [(name, []) for name in names]
    return None
