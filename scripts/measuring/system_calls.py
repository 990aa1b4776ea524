"""What a program opened, ran and connected to, read from strace's record."""

import codecs
import os
import re
from dataclasses import dataclass, field

TRACED = "trace=open,openat,openat2,creat,execve,execveat,connect,seccomp,pread64"
_CALL = re.compile(r"^(?:\d+\s+)?(\w+)\((.*)$")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_LIBRARY = re.compile(r"\.so(\.[\d.]+)?$")
_DESCRIPTOR = re.compile(r"^\d+<((?:[^>\\]|\\.)*)>")
_FOLDER = re.compile(r"^(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>")


@dataclass
class Record:
    """Paths opened (tried ones too), programs run, addresses called; whether media was read before the seal."""

    opened: list = field(default_factory=list)
    executed: list = field(default_factory=list)
    connected: list = field(default_factory=list)
    sealed: bool = False
    read_unsealed: bool = False


def _plain(text):
    return os.fsdecode(codecs.escape_decode(text.encode("latin-1"))[0])


def record(trace, folder):
    """Reads the lines of `strace -f -y`; relative paths start at `folder` unless the line says where."""
    found = Record()
    for line in trace.splitlines():
        call = _CALL.match(line)
        if not call:
            continue
        name, rest = call.groups()
        if name == "seccomp":
            found.sealed |= "SECCOMP_SET_MODE_FILTER" in rest and rest.endswith("= 0")
            continue
        if name == "pread64":
            # Only media and libraries are read at places, and `/dev/null`, which tries whether that works.
            place = _plain(_DESCRIPTOR.match(rest)[1])
            found.read_unsealed |= not (found.sealed or place == "/dev/null" or _LIBRARY.search(place))
            continue
        if name == "connect":
            found.connected.append(rest)
            continue
        text = _STRING.search(rest)
        if not text:
            continue
        base = _FOLDER.match(rest)
        path = os.path.normpath(os.path.join(_plain(base[1]) if base else str(folder), _plain(text[1])))
        (found.executed if name.startswith("execve") else found.opened).append(path)
    return found


SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/proc", "/sys", "/dev", "/etc",
          "/usr/share/zoneinfo", "/usr/share/locale", "/run/systemd/machines")


def within(path, folders):
    """Whether a path is one of some folders or below one."""
    return any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in map(str, folders))


def media_program(program):
    """The program that works on media for another, beside it or below libexec."""
    folder = os.path.dirname(os.path.realpath(program))
    places = [f"{folder}/takeup-media", f"{os.path.dirname(folder)}/libexec/takeup/takeup-media"]
    return next(filter(os.path.exists, places), places[0])


def trespasses(found, program, allowed):
    """What a program touched beyond its input, its own folders and the system's."""
    said = []
    for path in dict.fromkeys(found.opened):
        own = within(path, allowed) or path == str(program)
        # The loader tries every folder of its search path before the right one.
        system = within(path, SYSTEM) or _LIBRARY.search(path) or "glibc-hwcaps" in path
        if not (own or system):
            said.append(f"opened {path!r}")
    said += [f"ran {path}" for path in dict.fromkeys(found.executed)
             if os.path.realpath(path) not in map(os.path.realpath, (program, media_program(program)))]
    # The C library asks a name service daemon, on this one local socket, who the user is.
    said += [f"connected to {address}" for address in found.connected if "/nscd/socket" not in address]
    return said
