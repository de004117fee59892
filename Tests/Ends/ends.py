"""Ends processes while their first request begins, and counts how they ended. `run` starts it."""

import argparse
import asyncio
import collections
import logging
import os
import random
import signal
import ssl
import sys
import time

MANNERS = ["exit", "thread", "return", "shutdown", "quick", "fork"]
CONFIG = b'{"account_id": "1001", "project": {"id": "2002"}}'
LONGEST_DELAY = 0.05
# How long a process may take; one that is ending waits two seconds at most.
PATIENCE = 60


class Endpoint:
    """Answers every other request, and leaves the others without an answer until the client goes."""

    def __init__(self):
        self.count = 0

    async def serve(self, reader, writer):
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.count += 1
            if self.count % 2 == 0:
                length = str(len(CONFIG)).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: " + length + b"\r\n\r\n" + CONFIG)
                await writer.drain()
            await reader.read()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


class Database:
    """Agrees to speak TLS as a PostgreSQL server does, and then says nothing."""

    def __init__(self, tls):
        self.tls = tls

    async def serve(self, reader, writer):
        try:
            while True:
                request = await reader.readexactly(8)
                if int.from_bytes(request[4:]) == 80877103:
                    writer.write(b"S")
                    await writer.start_tls(self.tls)
                    await reader.read()
                else:
                    writer.write(b"N")
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def start(serve, tls=None):
    """Starts a server, and returns its port."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls, backlog=1024)
    return server.sockets[0].getsockname()[1]


async def start_all(options):
    """Starts the servers, and returns the arguments that lead to them, by their kinds."""
    loop = asyncio.get_running_loop()
    # A client that ends amid a handshake is no error here.
    loop.set_exception_handler(lambda *_: None)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(options.certificate, options.key)
    serve = Endpoint().serve
    kinds = {
        "http": [f"http://127.0.0.1:{await start(serve)}"],
        "https": [f"https://127.0.0.1:{await start(serve, tls)}"],
    }
    if options.names:
        # A name server that never answers.
        await loop.create_datagram_endpoint(asyncio.DatagramProtocol, ("127.0.0.1", 53))
        kinds["name"] = ["https://no-such-host.test"]
    if options.postgres:
        port = await start(Database(tls).serve)
        for arguments in kinds.values():
            arguments.append(f"host=127.0.0.1 port={port} user=shop dbname=shop sslmode=require")
    return kinds


async def end(probe, manner, delay, arguments):
    """Runs one process. Returns its exit status: negative for a signal, `None` if it had to be killed."""
    if manner == "fork" and "dbname" in arguments[-1]:
        # In a child that is made while libgssapi_krb5 begins, the end of that library aborts.
        arguments = [*arguments[:-1], f"{arguments[-1]} gssencmode=disable"]
    process = await asyncio.create_subprocess_exec(
        probe, manner, str(int(delay * 1_000_000)), *arguments,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, start_new_session=True)
    try:
        return await asyncio.wait_for(process.wait(), PATIENCE)
    except asyncio.TimeoutError:
        # A child that it forked is of its group.
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        return None


def name(status):
    if status is None:
        return f"no end within {PATIENCE} s"
    return signal.Signals(-status).name if status < 0 else f"status {status}"


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe")
    parser.add_argument("--processes", type=int, default=300)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()

    kinds = await start_all(options)
    cases = [(manner, kind) for manner in MANNERS for kind in kinds]
    generator = random.Random(options.seed)
    plan = [(*cases[index % len(cases)], generator.uniform(0, LONGEST_DELAY)) for index in range(options.processes)]
    ends = collections.Counter()
    began = time.monotonic()

    async def work():
        while plan:
            manner, kind, delay = plan.pop()
            ends[manner, kind, await end(options.probe, manner, delay, kinds[kind])] += 1

    await asyncio.gather(*(work() for _ in range(options.parallel)))
    database = " and to a database" if options.postgres else ""
    print(f"{options.processes} processes over {', '.join(kinds)}{database} in {time.monotonic() - began:.0f} s")
    failures = {key: count for key, count in ends.items() if key[2] != 0}
    for (manner, kind, status), count in sorted(failures.items(), key=str):
        print(f"  {manner} over {kind}: {count} × {name(status)}")
    print(f"{sum(failures.values())} did not end in order")
    sys.exit(1 if failures else 0)


asyncio.run(main())
