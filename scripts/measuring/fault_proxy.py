"""Stands in front of a server, as a program: passes requests on, and answers most of them with 5xx while a file exists.

Usage: fault_proxy.py BURST-FILE HOST:PORT=PORT…, each an address to listen at and a port of loopback to pass on to.
"""

import http.client
import os
import random
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REFUSED = 0.7  # of the requests in a burst
BLOCK = 1 << 16
ERRORS = ((500, "InternalError"), (502, ""), (503, "SlowDown"), (503, "ServiceUnavailable"), (429, "TooManyRequests"))
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "expect"}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, port, burst):
        super().__init__(address, Handler)
        self.port, self.burst = port, burst


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 120

    def log_message(self, *words):
        pass

    def _pass(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if os.path.exists(self.server.burst) and random.random() < REFUSED:
            return self._refuse(*random.choice(ERRORS))
        server = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in HOP_BY_HOP:
                    server.putheader(name, value)
            server.endheaders(body or None)
            answer = server.getresponse()
        except (OSError, http.client.HTTPException):
            server.close()
            return self._refuse(502, "")
        try:
            self._give(answer)
        except (OSError, http.client.HTTPException):
            pass  # one of the two went away: the other learns of it by the end of its connection
        finally:
            server.close()

    def _give(self, answer):
        self.send_response_only(answer.status, answer.reason)
        length = answer.headers.get("Content-Length")
        for name, value in answer.headers.items():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        has_body = self.command != "HEAD" and answer.status not in (204, 304)
        if has_body and length is None:
            self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = self.close_connection or (has_body and length is None)
        left = int(length) if length is not None else None
        while has_body and left != 0 and (block := answer.read(BLOCK)):
            self.wfile.write(block)
            left = left - len(block) if left is not None else None
        if left and has_body:
            self.close_connection = True  # cut short: so is what the client gets

    def _refuse(self, status, code):
        text = f"<Error><Code>{code}</Code></Error>".encode() if code and self.command != "HEAD" else b""
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _pass


def main():
    burst, *doors = sys.argv[1:]
    servers = []
    for door in doors:
        address, _, port = door.partition("=")
        host, _, own = address.rpartition(":")
        servers.append(Server((host, int(own)), int(port), burst))
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print("ready", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
