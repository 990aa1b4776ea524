"""Network namespaces that stand for machines, joined by a switch; a database on one of them, a bucket on another."""

import os
import signal
import subprocess
import time

from measuring import other_clock
from measuring.postgres_server import PostgresServer
from measuring.queue_place import QueuePlace, WorkerProcess

NETWORK = "10.77.31"


def ip(*words, check=True):
    return subprocess.run(["ip", *map(str, words)], check=check, capture_output=True, text=True)


class Host:
    """A namespace with an address of its own, whose cable can be pulled."""

    def __init__(self, prefix, number, switch):
        self.name, self.address = f"{prefix}{number}", f"{NETWORK}.{number}"
        self.cable, self.switch = f"{prefix}v{number}", switch
        self.is_cut = False
        ip("netns", "add", self.name)
        ip("-n", switch, "link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("-n", switch, "link", "set", self.cable, "master", "bridge", "up")
        ip("-n", self.name, "address", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            ip("-n", self.name, "link", "set", device, "up")

    def words(self, *words):
        return ["ip", "netns", "exec", self.name, *map(str, words)]

    def cut(self):
        """Nothing gets out or in any more; nobody is told."""
        ip("-n", self.switch, "link", "set", self.cable, "nomaster")
        self.is_cut = True

    def mend(self):
        ip("-n", self.switch, "link", "set", self.cable, "master", "bridge")
        self.is_cut = False


class Hosts:
    """So many hosts and a switch; all of them go with `close`."""

    def __init__(self, count):
        self.prefix = f"tk{os.getpid() % 10000}-"
        self.switch = f"{self.prefix}sw"
        self.all = []
        ip("netns", "add", self.switch)
        ip("-n", self.switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", self.switch, "link", "set", "bridge", "up")
        for number in range(1, count + 1):
            self.all.append(Host(self.prefix, number, self.switch))

    def close(self):
        for host in self.all:
            ip("netns", "delete", host.name, check=False)
        ip("netns", "delete", self.switch, check=False)


class HostedServer(PostgresServer):
    """PostgreSQL on a host, for the others by its address, for the judge by its socket."""

    def __init__(self, host):
        self.host = host
        super().__init__()

    @property
    def address(self):
        return f"postgres://takeup@{self.host.address}/{self.name}"

    def start(self):
        rule = f"host all all {NETWORK}.0/24 trust\n"
        rules = self.folder / "data/pg_hba.conf"
        if rule not in rules.read_text():
            with open(rules, "a") as file:
                file.write(rule)
        owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        with open(self.folder / "server.log", "ab") as log:
            self.child = subprocess.Popen(
                self.host.words(
                    *owner, self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder,
                    "-c", f"listen_addresses={self.host.address}", "-c", "max_connections=200"),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=self.folder)
        self.await_answer()

    def await_answer(self, seconds=60):
        end = time.monotonic() + seconds
        while True:
            try:
                return self.query("SELECT 1 AS one")
            except RuntimeError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def restart(self, is_fast):
        """Ends every connection in order, or as a crash does."""
        self.stop(signal.SIGINT if is_fast else signal.SIGQUIT)
        self.start()


class FleetPlace(QueuePlace):
    """A queue whose workers are on hosts, each with a home folder, a cache folder and a clock of its own."""

    def __init__(self, folder, takeup, hosts, server, bucket):
        super().__init__(folder, takeup, server=server, bucket=bucket)
        self.hosts, self.client = hosts, hosts[0]
        self.clock = other_clock.built(self.folder)

    def words(self, *words):
        return self.client.words(*super().words(*words, "--allow-network", f"{NETWORK}.0/24"))

    @property
    def caches(self):
        return [self.cache, *(self.folder / f"cache-{host.name}" for host in self.hosts[1:])]

    def start_on(self, host, lanes, lease, clock_seconds=0, options=()):
        """Starts a worker on a host whose clock is so many seconds ahead."""
        home, log = self.folder / f"home-{host.name}", self.logs / f"worker-{len(self.workers)}.log"
        environment = {**self.environment, "TMPDIR": str(self.folder / f"tmp-{host.name}")}
        os.makedirs(environment["TMPDIR"], exist_ok=True)
        if clock_seconds:
            environment |= other_clock.variables(self.clock, clock_seconds)
        words = [self.takeup, "worker", "--workers", lanes, "--lease", lease, "--verbose", *options,
                 "--home", home, "--cache", self.folder / f"cache-{host.name}", "--database", self.server.address,
                 "--allow-network", f"{NETWORK}.0/24"]
        with open(log, "wb") as stream:
            child = subprocess.Popen(
                host.words(*words), stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
                start_new_session=True, env=environment)
        worker = WorkerProcess(child, log)
        worker.host = host
        self.workers.append(worker)
        return worker
