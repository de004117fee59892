"""Sends an edge server what no client should, over plain sockets.

    hostile.py URL KEY PID     the server's address, an access key, and its process

It fails unless each request gets one of the statuses beside it, a plain request is answered at any time, and the
process takes no more than 32 MB more afterwards.
"""

import socket
import sys
import time
import urllib.parse

FLAG = "/ofrep/v1/evaluate/flags/checkout-form"
BODY = b'{"context": {"targetingKey": "visitor-4"}}'
# The server closed the connection without a response.
CLOSED = 0


def connect():
    return socket.create_connection((address.hostname, address.port), timeout=20)


def head(path=FLAG, *fields, length=len(BODY)):
    lines = [f"POST {path} HTTP/1.1", "Host: edge", f"X-API-Key: {key}", *fields]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


def chunked(body):
    parts = [body[start : start + 65536] for start in range(0, len(body), 65536)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def response(client):
    received = b""
    try:
        while b"\r\n\r\n" not in received:
            part = client.recv(65536)
            if not part:
                break
            received += part
    except ConnectionResetError:
        pass
    return received


def send(parts, pause=0.0):
    """The response to a request that is sent in parts."""
    with connect() as client:
        try:
            for part in parts:
                client.sendall(part)
                time.sleep(pause)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return response(client)


def status(received):
    return int(received.split(b" ", 2)[1]) if received.startswith(b"HTTP/1.1 ") else CLOSED


def check(name, received, *statuses):
    if status(received) not in statuses:
        sys.exit(f"FAILED: {name}: {received[:200]}")


def check_plain(when):
    started = time.monotonic()
    check(f"a plain request {when}", send([head() + BODY]), 200)
    if time.monotonic() - started > 5:
        sys.exit(f"FAILED: a plain request {when} takes long")


def memory():
    with open(f"/proc/{pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def check_endless_body():
    """A body beyond the limit is not read for long."""
    with connect() as client:
        client.sendall(head(FLAG, "Transfer-Encoding: chunked", length=None))
        started = time.monotonic()
        try:
            while time.monotonic() - started < 20:
                client.sendall(chunked(b"[" * 65536).removesuffix(b"0\r\n\r\n"))
        except (BrokenPipeError, ConnectionResetError):
            return
        sys.exit("FAILED: an endless body is read on and on")


def check_bodies():
    brackets = b"[" * 10_000_000
    check("10 MB", send([head(length=len(brackets)), brackets]), 413)
    check("10 MB in chunks", send([head(FLAG, "Transfer-Encoding: chunked", length=None), chunked(brackets)]), 413)
    check_endless_body()
    check("an announced exabyte", send([head(length=10**18)]), 413)
    keys = b'{"context": {' + b",".join(b'"key-%d": 1' % number for number in range(1_000_000)) + b"}}"
    check("a million members", send([head(length=len(keys)), keys]), 413)
    check("deep JSON", send([head(length=100_000), b"[" * 100_000]), 400)
    latin = b'{"context": {"targetingKey": "\xff\xfe"}}'
    check("bytes that are not UTF-8", send([head(length=len(latin)), latin]), 400)
    check("a body with zeros", send([head(length=4), b"\0\0\0\0"]), 400)
    check("no body", send([head(length=0)]), 400)


def check_heads():
    check("fields in many packets", send([bytes([byte]) for byte in head() + BODY], 0.001), 200)
    check("a folded field", send([head(FLAG, "X-Folded: a\r\n b") + BODY]), 200, 400)
    check("a zero in a field", send([head(FLAG, "X-Zero: a\0b") + BODY]), 400)
    check("a space before the colon", send([head(FLAG, "X-Space : a") + BODY]), 400)
    check("two lengths", send([head(FLAG, "Content-Length: 3") + BODY]), 400)
    check("a length and chunks", send([head(FLAG, "Transfer-Encoding: chunked") + BODY]), 400)
    check("a negative length", send([head(length=-1) + BODY]), 400)
    endless = head(FLAG, "Transfer-Encoding: chunked", length=None) + b"fffffffffffffffff\r\n"
    check("an endless chunk", send([endless]), 400)
    check("150 fields", send([head(FLAG, *[f"X-{number}: a" for number in range(150)]) + BODY]), 400, 431)
    check("a field of 1 MB", send([head(FLAG, "X-Long: " + "a" * 1_000_000) + BODY]), 400, 431, CLOSED)
    check("two keys", send([head(FLAG, "Authorization: Bearer other") + BODY]), 401)
    tags = "If-None-Match: " + '"a",' * 3_900
    check("thousands of tags", send([head("/ofrep/v1/evaluate/flags", tags) + BODY]), 200)
    check("no HTTP", send([b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"]), 400, CLOSED)


def check_white_space():
    # The decoder keeps it, and counts it for no limit of its own.
    chunks = head(FLAG, "Transfer-Encoding: chunked", length=None)
    for start in (b"GET /health HTTP/1.1\r\nHost: edge\r\nX:", b"GET /health ", chunks + b"0\r\nX:"):
        before = memory()
        client = connect()
        try:
            client.sendall(start)
            for _ in range(300):
                client.sendall(b" " * 100_000)
        except ConnectionError:
            pass
        growth = memory() - before
        if growth > 8:
            sys.exit(f"FAILED: 30 MB of white space take {growth:.1f} MB")
        client.close()


def check_paths():
    flags = "/ofrep/v1/evaluate/flags"
    check("a slash in a key", send([head(flags + "/..%2F..%2Fetc%2Fpasswd") + BODY]), 404)
    check("dots", send([head(flags + "/../flags") + BODY]), 404)
    check("two slashes", send([head("//ofrep/v1/evaluate/flags") + BODY]), 404)
    check("a whole URL", send([head("http://edge" + FLAG) + BODY]), 200, 404)
    check("a key that is not UTF-8", send([head(flags + "/%ff") + BODY]), 400)
    check("half an escape", send([head(flags + "/%2") + BODY]), 400)
    check("a path of 10 KB", send([head(flags + "/" + "a" * 10_000) + BODY]), 414)
    injected = send([head(flags + "/a%0d%0aX-Injected:%20b") + BODY])
    check("a line break in a key", injected, 404)
    if b"\r\nX-Injected" in injected:
        sys.exit("FAILED: a key becomes a field of the response")


def check_slow_clients():
    # Some stop amid the fields, some amid the body.
    slow = [connect() for _ in range(400)]
    for number, client in enumerate(slow):
        client.sendall(head()[:40] if number % 2 else head() + BODY[:10])
    check_plain("beside 400 slow clients")
    # They ask for more and more, and read nothing.
    greedy = [connect() for _ in range(10)]
    for client in greedy:
        client.settimeout(0.5)
        try:
            for _ in range(200):
                client.sendall((head("/ofrep/v1/evaluate/flags") + BODY) * 100)
        except TimeoutError:
            pass
    check_plain("beside clients that do not read")
    for client in slow + greedy:
        client.close()


def unread():
    """The bytes that the server's sockets have and it has not read, by the clients' ports."""
    with open("/proc/net/tcp") as lines:
        fields = [line.split() for line in lines][1:]
    port = f":{address.port:04X}"
    return {int(f[2].split(":")[1], 16): int(f[4].split(":")[1], 16) for f in fields if f[1].endswith(port)}


def check_ended_clients():
    """The server reads all that a client sent at once when the client closes its direction."""
    clients = [socket.socket() for _ in range(40)]
    for client in clients:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((address.hostname, address.port))
        client.settimeout(5)
    # Each of them asks, and reads nothing, until the server cannot write and so reads no more.
    asking = clients
    while asking:
        for client in asking:
            client.sendall((head("/ofrep/v1/evaluate/flags") + BODY) * 10)
        time.sleep(0.02)
        sizes = unread()
        asking = [client for client in asking if sizes.get(client.getsockname()[1], 0) < 3000]
    for client in clients:
        client.sendall(b"GET / HTTP/1.1\r\nHost: e\r\n\r\n" * 1500)
    start = memory()
    for client in clients:
        client.shutdown(socket.SHUT_WR)
    time.sleep(1)
    check_plain("beside clients that do not read and send no more")
    growth = memory() - start
    for client in clients:
        client.close()
    if growth > 16:
        sys.exit(f"FAILED: {len(clients)} clients that do not read and send no more take {growth:.1f} MB")


url, key, pid = sys.argv[1:]
address = urllib.parse.urlsplit(url)
for _ in range(50):
    check_plain("at first")
before = memory()
# First, while the process has no memory that it no longer needs.
check_ended_clients()
check_bodies()
check_heads()
check_white_space()
check_paths()
check_slow_clients()
check_plain("after all that")
growth = memory() - before
if growth > 32:
    sys.exit(f"FAILED: hostile requests leave {growth:.1f} MB")
print(f"hostile requests get clear statuses, and leave {growth:.1f} MB")
