"""Opens a thousand streams of an edge server, changes its config, and prints what they cost and when they are notified.

    streams.py URL CONFIG PID     the server's address, the file with its config, and its process

The server has CONVERT_REFRESH_SECONDS=1, so it reads the new config within a second. It fails if the streams take more
than 32 MB, or if the last one is notified more than a second after that.
"""

import json
import os
import socket
import sys
import time
import urllib.parse


def change(config):
    with open(config) as file:
        changed = json.load(file)
    changed["experiences"][0]["variations"].reverse()
    with open(config + ".new", "w") as file:
        json.dump(changed, file)
    os.replace(config + ".new", config)


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def receive_until(stream, wanted):
    received = b""
    while wanted not in received:
        part = stream.recv(4096)
        if not part:
            sys.exit(f"FAILED: a stream ends after {received[:200]}")
        received += part


def open_streams(address, count):
    streams = []
    for _ in range(count):
        stream = socket.create_connection((address.hostname, address.port), timeout=30)
        stream.sendall(b"GET /ofrep/v1/changes HTTP/1.1\r\nHost: edge\r\n\r\n")
        streams.append(stream)
    for stream in streams:
        receive_until(stream, b": \n\n")
    return streams


def main(url, config, pid):
    address = urllib.parse.urlsplit(url)
    # What the first ones cost is the server's start.
    streams = open_streams(address, 20)
    before = memory(pid)
    streams += open_streams(address, 1000)
    growth = memory(pid) - before
    change(config)
    changed = time.monotonic()
    receive_until(streams[0], b"refetchEvaluation")
    # The server looks at its file once a second.
    seen = time.monotonic()
    for stream in streams[1:]:
        receive_until(stream, b"refetchEvaluation")
    end = time.monotonic()
    print(
        f"1,000 idle streams: {growth:.1f} MB; the last one is notified {end - changed:.2f} s after the file changed, "
        f"{end - seen:.2f} s after the first one"
    )
    if growth > 32 or end - changed > 2 or end - seen > 1:
        sys.exit("FAILED: at most 32 MB and one second after the first one are wanted")


if __name__ == "__main__":
    main(*sys.argv[1:])
