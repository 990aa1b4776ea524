"""A systemd unit: what it says, and a program under its filter of system calls without systemd."""

import ctypes
import ctypes.util
import os
import re
import subprocess
from pathlib import Path

ERRNO, ALLOW, PERMISSION = 0x00050000, 0x7FFF0000, 1
NO_NEW_PRIVILEGES = 38


class UnitFile:
    """The assignments of a unit, in order; one that may be given again has all its values."""

    def __init__(self, path):
        self.path = Path(path)
        lines = [line.strip() for line in self.path.read_text().splitlines()]
        self.assignments = [tuple(line.split("=", 1)) for line in lines if "=" in line and line[0] not in "#;["]

    def values(self, name):
        return [value for key, value in self.assignments if key == name]

    def value(self, name):
        return (self.values(name) or [""])[-1]

    @property
    def argv(self):
        return self.value("ExecStart").split()

    def exposure(self):
        """The score of `systemd-analyze security`, from 0 (sealed) to 10."""
        said = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager", self.path], capture_output=True, text=True)
        found = re.search(r"exposure level for .*: ([0-9.]+)", said.stdout)
        return float(found[1]) if found else None

    def calls(self):
        """The names of the system calls that its filter lets pass."""
        allowed = set()
        for line in self.values("SystemCallFilter"):
            names = {name for word in line.removeprefix("~").split() for name in expanded(word)}
            allowed = allowed - names if line.startswith("~") else allowed | names
        # systemd itself needs it to start anything, and lets it pass.
        return allowed | set(expanded("@default")) | {"execve"}


def expanded(word):
    """A call's name, or all that are in a set of systemd's."""
    if not word.startswith("@"):
        return [word]
    said = subprocess.run(["systemd-analyze", "syscall-filter", word], capture_output=True, text=True, check=True)
    names = [line.strip() for line in said.stdout.splitlines()[1:]]
    return [name for inner in names if inner and inner[0] != "#" for name in expanded(inner)]


def filter_library():
    """libseccomp, or None without it."""
    name = ctypes.util.find_library("seccomp") or "libseccomp.so.2"
    try:
        library = ctypes.CDLL(name, use_errno=True)
    except OSError:
        return None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    return library


def confining(library, names):
    """What a child calls before its program, so that all but the named calls fail with EPERM."""
    numbers = [library.seccomp_syscall_resolve_name(name.encode()) for name in sorted(names)]
    libc = ctypes.CDLL(None, use_errno=True)

    def confine():
        libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        rules = library.seccomp_init(ERRNO | PERMISSION)
        for number in numbers:
            if number >= 0:
                library.seccomp_rule_add_array(rules, ALLOW, number, 0, None)
        if library.seccomp_load(rules) != 0:
            os._exit(71)

    return confine
