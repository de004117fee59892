"""Uses connections to an edge server in every way that HTTP allows, over plain sockets.

    connections.py URL KEY                   order, ends, interim responses and methods
    connections.py --idle URL KEY            a server with EDGE_IDLE_SECONDS=1
    connections.py --limited URL             a server with EDGE_CONNECTIONS=4
    connections.py --shutdown URL KEY PID    ends the server amid a request, and after others
    connections.py --burst URL PID           ends the server while connections arrive

The environment's SSL_CERT_FILE has the certificate of a server at an https address. TLS connections are not closed in
one direction only, so some checks are left out there.
"""

import os
import signal
import socket
import ssl
import struct
import sys
import time
import urllib.parse

FLAG = "/ofrep/v1/evaluate/flags/checkout-form"
BULK = "/ofrep/v1/evaluate/flags"
TRACK = "/convert/v1/track/order-placed"
BODY = b'{"context": {"targetingKey": "visitor-4"}}'
# What a connection fails with that the server has closed.
CLOSED = (ConnectionError, ssl.SSLError)

count = 0


def check(is_true, what):
    global count
    count += 1
    if not is_true:
        sys.exit(f"FAILED: {what}")


class Connection:
    """A connection that reads responses one by one."""

    def __init__(self, timeout=10):
        self.socket = socket.create_connection((address.hostname, address.port), timeout=timeout)
        if address.scheme == "https":
            tls = ssl.create_default_context()
            self.socket = tls.wrap_socket(self.socket, server_hostname=address.hostname)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *parts):
        self.socket.sendall(b"".join(parts))

    def more(self):
        part = self.socket.recv(65536)
        self.received += part
        return part

    def until(self, end):
        while end not in self.received:
            if not self.more():
                sys.exit(f"FAILED: the connection ends after {self.received[:200]}")
        taken, _, self.received = self.received.partition(end)
        return taken

    def head(self):
        lines = self.until(b"\r\n\r\n").decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:])
        return int(lines[0].split(" ")[1]), fields

    def response(self, method="POST"):
        status, fields = self.head()
        length = 0 if method == "HEAD" else int(fields.get("content-length", 0))
        while len(self.received) < length:
            if not self.more():
                sys.exit("FAILED: a body is cut short")
        body, self.received = self.received[:length], self.received[length:]
        return status, fields, body

    def close_at_once(self):
        """Resets the connection."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close_one_direction(self):
        self.socket.shutdown(socket.SHUT_WR)

    def is_closed(self):
        """Whether the server closes the connection without sending anything."""
        try:
            return self.received == b"" and self.socket.recv(1) == b""
        except CLOSED:
            return True


def head(path=FLAG, *fields, method="POST", version="1.1", length=len(BODY)):
    lines = [f"{method} {path} HTTP/{version}", "Host: edge", f"X-API-Key: {key}", *fields]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def get(path, *fields, method="GET"):
    return head(path, *fields, method=method, length=None)


def check_order():
    with Connection() as client:
        flag, bulk = head() + BODY, head(BULK) + BODY
        client.send(flag, get("/health"), flag, bulk, get("/ready"), head("/nothing") + BODY, flag)
        kinds = []
        for _ in range(7):
            status, _, body = client.response()
            kinds.append((status, body[:7]))
        flag, bulk = (200, b'{"key":'), (200, b'{"flags')
        check(kinds[:4] == [flag, (200, b""), flag, bulk], f"the order of responses: {kinds}")
        check(kinds[4][0] == 200 and kinds[5][0] == 404 and kinds[6] == flag, f"the order of responses: {kinds}")
    with Connection() as client:
        client.send((head() + BODY + get("/health")) * 200)
        check([client.response()[0] for _ in range(400)] == [200] * 400, "400 requests at once")


def check_ends():
    last = head(FLAG, "Connection: close") + BODY
    for request in (last, head(FLAG, version="1.0") + BODY, get("/health", "Connection: close")):
        with Connection() as client:
            # What comes after the last request is not answered.
            client.send(request, head() + BODY)
            status, fields, _ = client.response()
            check(status == 200 and fields.get("connection") == "close", f"the last response: {fields}")
            check(client.is_closed(), f"the connection stays open after {request[:60]}")
    with Connection() as client:
        client.send(head("/ofrep/v1/changes", method="GET", version="1.0", length=None))
        status, fields = client.head()
        check(status == 200 and "transfer-encoding" not in fields, f"a stream in HTTP/1.0: {status} {fields}")
    # Responses to requests before the last one arrive, whatever comes behind it.
    for last in (last, head(FLAG, version="1.0") + BODY, head().replace(b"Host", b"Most") + BODY):
        with Connection() as client:
            client.send(get("/health") * 6 + last, b"x" * 50_000)
            statuses = [client.response()[0] for _ in range(7)]
            check(statuses[:6] == [200] * 6, f"responses before the last one: {statuses}")
            check(client.is_closed(), "the connection stays open after what is discarded")
    # Another protocol is not spoken: clients that offer one get an answer, and the end of the connection.
    upgrade = head(FLAG, "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c") + BODY
    websocket = get("/health", "Connection: upgrade", "Upgrade: websocket")
    for request, status in ((upgrade, 200), (websocket, 200), (get("edge:443", method="CONNECT"), 404)):
        with Connection() as client:
            client.send(request)
            answer, fields, _ = client.response()
            check(answer == status and fields.get("connection") == "close", f"{answer} {fields} after {request[:60]}")
            check(client.is_closed(), f"the connection stays open after {request[:60]}")
    # Responses before it arrive, although more bytes come behind it.
    for request in (upgrade, websocket):
        with Connection() as client:
            client.send((head(BULK) + BODY) * 50, request, b"x" * 100_000)
            time.sleep(0.3)
            check([client.response()[0] for _ in range(51)] == [200] * 51, "responses before another protocol")
            check(client.is_closed(), "the connection stays open after another protocol")
    if address.scheme == "https":
        with Connection(timeout=5) as client:
            client.send(get("/ofrep/v1/changes"))
            client.until(b": \n\n\r\n")
            try:
                ends = client.socket.unwrap() is not None
            except TimeoutError:
                ends = False
            check(ends, "a stream goes on after its client has ended TLS")
        return
    # A client that sends no more still gets all responses.
    with Connection() as client:
        client.send((head(BULK) + BODY) * 500, get("/health"), head() + BODY)
        client.socket.shutdown(socket.SHUT_WR)
        statuses = [client.response()[0] for _ in range(502)]
        check(statuses == [200] * 502, "the responses to a client that sends no more")
        check(client.is_closed(), "the connection of a client that sends no more")
    with Connection() as client:
        client.send((head(BULK) + BODY) * 500)
        client.socket.shutdown(socket.SHUT_WR)
        time.sleep(0.5)
        check([client.response()[0] for _ in range(500)] == [200] * 500, "responses that are read late")
    # A stream ends when its client sends no more, also if that was before the stream began.
    for pause in (0, 0.5):
        with Connection() as client:
            client.send(get("/ready") * 5, get("/ofrep/v1/changes"))
            time.sleep(pause)
            client.socket.shutdown(socket.SHUT_WR)
            check([client.response()[0] for _ in range(5)] == [200] * 5, "the responses before a stream")
            client.socket.settimeout(5)
            try:
                # One part of a stream may be on its way, and no comment that keeps a stream alive.
                ends = any(not client.more() for _ in range(3))
            except TimeoutError:
                ends = False
            check(ends, "the stream of a client that sends no more stays open")


def check_bodies():
    brackets = b"[" * 65536
    chunk = b"%x\r\n%b\r\n" % (len(brackets), brackets)
    endless = head(FLAG, "Transfer-Encoding: chunked", length=None)
    for request, parts in ((head(length=10_000_000), brackets), (endless, chunk)):
        with Connection() as client:
            try:
                client.send(request)
                for _ in range(8):
                    client.send(parts)
            except CLOSED:
                pass
            status, fields, _ = client.response()
            check(status == 413 and fields["connection"] == "close", f"a body beyond the limit: {status} {fields}")
            check(client.is_closed(), "the connection stays open after a body beyond the limit")
    with Connection() as client:
        client.send(head("/ofrep/v1/changes", "Transfer-Encoding: chunked", method="GET", length=None), chunk * 5)
        check(client.response()[0] == 413, "a stream whose request has a body beyond the limit")
    # What comes behind a last response is not executed, because it could not be answered.
    def executed():
        with Connection() as client:
            client.send(get("/metrics"))
            lines = client.response()[2].decode().split("\n")
            return next((line for line in lines if line.startswith('convert_edge_requests_total{status="202"}')), None)

    conversion = b'{"context": {"targetingKey": "behind"}, "revenue": 5, "forcesMultipleTransactions": true}'
    first = executed()
    with Connection() as client:
        client.send(head(TRACK, length=len(conversion)) + conversion)
        check(client.response()[0] == 202, "a conversion")
    before = executed()
    check(before != first, "a request that is executed does not count")
    with Connection() as client:
        client.send(endless + chunk * 5 + b"0\r\n\r\n" + head(TRACK, length=len(conversion)) + conversion)
        check(client.response()[0] == 413, "a body beyond the limit, and a request behind it")
        check(client.is_closed(), "the request behind it is answered")
    check(executed() == before, "a request that is not answered is executed")
    # The rest of a body that no one reads is bounded as well.
    with Connection() as client:
        client.send(head("/nothing", "Transfer-Encoding: chunked", length=None))
        try:
            for _ in range(1_000):
                client.send(chunk)
                time.sleep(0.01)
            check(False, "a body without an end is read")
        except CLOSED:
            check(True, "its connection is closed")
    for broken in (b"fffffffffffffffff\r\n", b"5\r\nabcdeXX", b"-1\r\n", b"zz\r\n"):
        with Connection() as client:
            client.send(head(FLAG, "Transfer-Encoding: chunked", length=None), broken)
            status, fields, _ = client.response()
            check(status == 400, f"malformed chunks {broken}: {status}")
            check(client.is_closed(), "the connection stays open after malformed chunks")
    with Connection() as client:
        length = len(BODY)
        client.send(head(FLAG, "Transfer-Encoding: chunked", length=None), b"%x\r\n%b\r\n0\r\n\r\n" % (length, BODY))
        client.send(head() + BODY)
        check([client.response()[0] for _ in range(2)] == [200, 200], "chunks, and a request after them")


def check_framing():
    """What other servers on the way may read differently is refused, after the responses to what came before."""
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)
    hostless = head().replace(b"Host: edge\r\n", b"") + BODY
    for broken in (
        hostless,
        head().replace(b"Host: edge", b"Host:") + BODY,
        head(FLAG, "Host: edge") + BODY,
        head(FLAG, "Transfer-Encoding: chunked", version="1.0", length=None) + chunks,
        head(FLAG, "Transfer-Encoding: gzip, chunked", length=None) + chunks,
        head(FLAG, "Transfer-Encoding: identity") + BODY,
        head(FLAG, "Transfer-Encoding: chunked") + chunks,
        head(FLAG, f"Content-Length: {len(BODY) + 1}") + BODY,
    ):
        with Connection() as client:
            client.send(head() + BODY, get("/health"), broken, head() + BODY)
            check([client.response()[0] for _ in range(2)] == [200, 200], "requests before a malformed one")
            status, fields, _ = client.response()
            check(status == 400 and fields["connection"] == "close", f"{status} {fields} for {broken}")
            check(client.is_closed(), f"the connection stays open after {broken}")
    with Connection() as client:
        client.send(hostless.replace(b"HTTP/1.1", b"HTTP/1.0"))
        check(client.response()[0] == 200, "HTTP/1.0 without a host")
    with Connection() as client:
        client.send(head(length=2**63))
        status, fields, _ = client.response()
        check(status == 413 and fields["connection"] == "close", f"a length beyond 64 bits: {status} {fields}")
        check(client.is_closed(), "the connection stays open after a length beyond 64 bits")


def check_heads_first():
    """A request is rejected before its body arrives, and a client that waits is asked for it."""
    for fields in ((), ("Transfer-Encoding: chunked",)):
        length = None if fields else len(BODY)
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY) if fields else BODY
        with Connection() as client:
            client.send(head(FLAG, "Expect: 100-continue", *fields, length=length))
            check(client.head()[0] == 100, "a client waits for 100")
            client.send(body)
            check(client.response()[0] == 200, "a response after 100")
        with Connection() as client:
            client.send(head("/ofrep/nothing", "Expect: 100-continue", *fields, length=length))
            status, found, _ = client.response()
            check(status == 404 and found["connection"] == "close", "a rejected client that waits for 100")
            check(client.is_closed(), "the connection of a rejected client that waited")
        with Connection() as client:
            client.send(head(FLAG, "X-API-Key: other", *fields, length=length))
            check(client.response()[0] == 401, "two keys, before the body")
    with Connection() as client:
        client.send(head("/health", "Expect: 100-continue", method="GET"))
        check(client.head()[0] == 100, "a client of a status waits for 100")
        client.send(BODY, head() + BODY)
        check([client.response()[0] for _ in range(2)] == [200, 200], "responses after a status with a body")
    with Connection() as client:
        client.send(head(FLAG, "Expect: 100-continue", version="1.0"))
        time.sleep(0.2)
        client.send(BODY)
        check(client.response()[0] == 200, "HTTP/1.0 has no interim responses")
    if address.scheme == "http":
        with Connection() as client:
            client.send(get("/health"), head(FLAG, "X-API-Key: other"), BODY[:5])
            client.socket.shutdown(socket.SHUT_WR)
            check([client.response()[0] for _ in range(2)] == [200, 401], "a rejected request behind another")
            check(client.is_closed(), "two responses to a rejected request behind another")
    for cut in () if address.scheme == "https" else (0, 5):
        with Connection() as client:
            client.send(head("/ofrep/v1/evaluate/flags/%ff"), BODY[:cut])
            check(client.response()[0] == 400, "a rejected request")
            client.socket.shutdown(socket.SHUT_WR)
            check(client.is_closed(), "two responses to a request whose rest does not come")
    with Connection() as client:
        client.send(head(FLAG, "X-API-Key: other", "Connection: Upgrade", "Upgrade: h2c"))
        check(client.response()[0] == 401, "a rejected request that offers another protocol")
        for byte in BODY:
            client.send(bytes([byte]))
            time.sleep(0.002)
        check(client.is_closed(), "its connection stays open")
    with Connection() as client:
        client.send(head("/ofrep/v1/evaluate/flags/%ff"), BODY[:5])
        check(client.response()[0] == 400, "a key that is not UTF-8, before the body")
        client.send(BODY[5:], head() + BODY)
        check(client.response()[0] == 200, "a request after a rejected one")


def check_targets():
    """A target may begin with a scheme and a host."""
    with Connection() as client:
        client.send(head("http://edge" + FLAG) + BODY, get("http://edge/health"), get("http://edge"))
        check([client.response()[0] for _ in range(3)] == [200, 200, 404], "targets in absolute form")
    with Connection() as client:
        client.send(head("http://edge" + FLAG, "X-API-Key: other"), BODY[:5])
        check(client.response()[0] == 401, "two keys, before the body of a target in absolute form")


def check_methods():
    statuses = {"/health": 200, "/ready": 200, "/metrics": 200, FLAG: 405, "/ofrep/v1/changes": 405, "/nothing": 404}
    for path, status in statuses.items():
        with Connection() as client:
            client.send(get(path, method="HEAD"), get("/health"))
            found, fields, _ = client.response("HEAD")
            check(found == status, f"HEAD {path}: {found}")
            check(client.response()[0] == 200, f"HEAD {path} has a body")


def check_idle():
    with Connection() as silent, Connection() as half, Connection() as stream, Connection(timeout=20) as deaf:
        half.send(head(), BODY[:5])
        stream.send(get("/ofrep/v1/changes"))
        stream.until(b": \n\n")
        deaf.socket.settimeout(0.2)
        try:
            while True:
                deaf.send((head(BULK) + BODY) * 100)
        except (TimeoutError, ConnectionError):
            pass
        started = time.monotonic()
        check(silent.is_closed() and half.is_closed(), "idle connections stay open")
        # It reads nothing, so only its next attempts to send show that the server has gone.
        is_closed = False
        while not is_closed and time.monotonic() - started < 8:
            time.sleep(0.2)
            try:
                deaf.socket.send(b"POST")
            except (TimeoutError, BlockingIOError):
                continue
            except ConnectionError:
                is_closed = True
        check(is_closed, "the connection of a client that never reads stays open")
        stream.socket.settimeout(0.2)
        try:
            check(stream.more() != b"", "an idle stream is closed")
        except TimeoutError:
            pass


def check_limited():
    clients = [Connection() for _ in range(4)]
    for client in clients:
        client.send(get("/health"))
        check(client.response()[0] == 200, "a connection within the limit")
    with Connection(timeout=0.5) as waiting:
        waiting.send(get("/health"))
        try:
            check(waiting.more() == b"", "a connection beyond the limit is served")
        except TimeoutError:
            check(True, "it waits")
        waiting.socket.settimeout(10)
        clients.pop().socket.close()
        check(waiting.response()[0] == 200, "a connection that waited")
    for client in clients:
        client.socket.close()
    time.sleep(0.5)
    # All at once.
    many = [Connection(timeout=1) for _ in range(12)]
    for client in many:
        client.send(get("/health"))
    served = 0
    for client in many:
        try:
            served += client.response()[0] == 200
        except TimeoutError:
            pass
    check(served == 4, f"{served} of 12 connections that came at once are served at a time")
    for client in many:
        client.socket.close()
    time.sleep(0.5)
    # Half of the connections may be streams; those of clients that have gone do not count.
    for _ in range(10):
        for close in (Connection.close_at_once, Connection.close_one_direction):
            with Connection() as client:
                client.send(get("/ofrep/v1/changes"))
                check(client.head()[0] == 200, "a stream after others whose clients have gone")
                close(client)
            time.sleep(0.05)


def check_burst(pid):
    clients = [socket.create_connection((address.hostname, address.port)) for _ in range(60)]
    os.kill(pid, signal.SIGTERM)
    check(len(clients) == 60, "connections")


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(") ", 1)[1][0] != "Z"
    except FileNotFoundError:
        return False


def check_shutdown(pid):
    half, stream, idle, late, sent, rejected, deaf = (Connection() for _ in range(7))
    # It reads nothing, not even the end of its TLS connection.
    deaf.send(head(), BODY[:5])
    begun = time.monotonic()
    half.send(head(), BODY[:5])
    stream.send(get("/ofrep/v1/changes"))
    stream.until(b": \n\n")
    idle.send(get("/health"))
    idle.response()
    sent.send(get("/health"))
    sent.response()
    late.send(head(), BODY[:5])
    rejected.send(head("/nothing"), BODY[:5])
    rejected.response()
    time.sleep(0.2)
    os.kill(pid, signal.SIGTERM)
    time.sleep(0.1)
    sent.send(head() + BODY)
    status, fields, _ = sent.response()
    check(status == 200 and fields.get("connection") == "close", f"a request on its way: {status} {fields}")
    check(sent.is_closed() and idle.is_closed(), "an idle connection stays open")
    rejected.send(BODY[5:])
    check(rejected.is_closed(), "a connection whose request was answered before stays open")
    late.send(BODY[5:])
    status, fields, _ = late.response()
    check(status == 200 and fields.get("connection") == "close", f"a request amid the end: {status} {fields}")
    started = time.monotonic()
    check(half.is_closed(), "a slow client holds up the end")
    check(time.monotonic() - started < 8, "a slow client holds up the end")
    while is_running(pid) and time.monotonic() - begun < 9:
        time.sleep(0.1)
    check(not is_running(pid), "a client that reads nothing holds up the end")


if sys.argv[1].startswith("--"):
    mode = sys.argv.pop(1)
else:
    mode = None
address = urllib.parse.urlsplit(sys.argv[1])
key = sys.argv[2] if len(sys.argv) > 2 else "none"
if mode == "--idle":
    check_idle()
elif mode == "--limited":
    check_limited()
elif mode == "--burst":
    check_burst(int(sys.argv[2]))
elif mode == "--shutdown":
    check_shutdown(int(sys.argv[3]))
else:
    check_order()
    check_ends()
    check_bodies()
    check_framing()
    check_heads_first()
    check_targets()
    check_methods()
print(f"{count} checks of connections hold")
