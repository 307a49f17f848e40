"""An executor: leases the runs of bots with the model "harbour", and answers them with memories that the bot may read.

docs/specification/executors.md describes the functions that it calls. It needs Python 3.10 and psycopg 3 (Debian: python3-psycopg).
When it loses a connection it ends with a message and exit code 1. Run it under a supervisor, such as systemd with
Restart=always.

    export BOTSTEAD_EXECUTOR_URL="$(npx botstead executor mint --name harbour)"
    python3 examples/python/executor.py
"""

import contextlib
import os
import select
import signal
import sys
import threading
import time
import uuid

if not os.environ.get("BOTSTEAD_EXECUTOR_URL"):
    print("usage: BOTSTEAD_EXECUTOR_URL=postgres://… executor.py, with psycopg 3", file=sys.stderr)
    sys.exit(2)

import psycopg
from psycopg.errors import DeadlockDetected, SerializationFailure
from psycopg.types.json import Jsonb

MODEL = "harbour"
URL = os.environ["BOTSTEAD_EXECUTOR_URL"]
ME = uuid.uuid4()
HEARTBEAT_SECONDS = 10  # an executor without a heartbeat for 60 s counts as gone
RENEW_SECONDS = 10  # a lease lasts 30 seconds
ready = threading.Event()
stopping = threading.Event()
losses: list[Exception] = []  # why the heartbeat ended


class RunEnded(Exception):
    """The run has ended, or another executor has its lease: nothing more can be written to it."""


def ask(db: psycopg.Connection, call: str, values: list):
    """Calls one function of schema runner in its own transaction, and retries after a conflict with another transaction."""
    while True:
        try:
            return db.execute(f"select runner.{call}", values).fetchone()[0]
        except (SerializationFailure, DeadlockDetected):
            time.sleep(0.1)
        except psycopg.Error as error:
            if error.sqlstate == "OA002":  # lease_lost
                raise RunEnded from error
            raise


class Lease:
    """The lease of a run, renewed while the block lasts."""

    def __init__(self, db: psycopg.Connection, run: dict):
        self.db = db
        self.names = [run["organisationId"], run["runId"], run["leaseId"]]
        self.results = run["results"]  # of the executors before this one
        self.uses_keys = True
        self.done = threading.Event()

    def __enter__(self):
        threading.Thread(target=self.renew, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.done.set()

    def renew(self):
        # After a failed renewal, the next call of the work raises RunEnded.
        with contextlib.suppress(RunEnded, psycopg.Error), psycopg.connect(URL, autocommit=True) as db:
            while not self.done.wait(RENEW_SECONDS):
                ask(db, "renew(%s, %s, %s)", self.names)

    def once(self, key: str, kind: str, do):
        """Does the work of a step, unless an executor before this one did it. `do` returns a list with the memories that it used.

        A budget or the monthly limit may end the work here.
        """
        if self.uses_keys and key in self.results:
            return self.results[key]
        result = do()
        if self.uses_keys:
            call = "keyed_step(%s, %s, %s, %s, %s, result => %s, memories => %s::uuid[])"
            memories = [memory["id"] for memory in result]
            step = ask(self.db, call, [*self.names, key, kind, Jsonb(result), memories])
            state, self.uses_keys = step["state"], step["kept"]
        else:
            state = ask(self.db, "step(%s, %s, %s, %s)", [*self.names, kind])
        if state != "running":
            raise RunEnded
        return result

    def search_memories(self, question: str) -> list[dict]:
        return ask(self.db, "search_memories(%s, %s, %s, %s)", [*self.names, question])

    def preview(self, answer: str, memories: list[str]):
        """Shows the answer to the person who watches the run. A program that calls a model sends each piece as it arrives."""
        for after in range(0, min(len(answer), 32_000), 1_000):
            piece = answer[after : after + 1_000]
            ask(self.db, "delta(%s, %s, %s, %s, %s, %s::uuid[])", [*self.names, after, piece, memories])

    def block(self, reason: str):
        ask(self.db, "block(%s, %s, %s, %s)", [*self.names, reason])

    def finish(self, answer: str, memories: list[str]):
        ask(self.db, "finish(%s, %s, %s, %s, %s::uuid[])", [*self.names, answer, memories])

    def fail(self):
        with contextlib.suppress(RunEnded):
            ask(self.db, "fail(%s, %s, %s, 'executor_failed')", self.names)


def work(db: psycopg.Connection, run: dict):
    """Works on one run until it ends."""
    said = [said["text"] for said in run["messages"] if said["runId"] == run["runId"] and said["author"] == "person"]
    question = said[-1] if said else run["message"]
    with Lease(db, run) as lease:
        try:
            # A resumed run has another question, so the key has the number of messages.
            memories = lease.once(f"recall {len(said)}", "recall", lambda: lease.search_memories(question))
            if not memories:
                lease.block("I know nothing about that. What is the answer?")
                print(f"blocked {run['runId']}", flush=True)
                return
            answer, ids = "\n".join(memory["value"] for memory in memories), [memory["id"] for memory in memories]
            lease.preview(answer, ids)
            lease.finish(answer, ids)
            print(f"finished {run['runId']}", flush=True)
        except RunEnded:
            print(f"dropped {run['runId']}", flush=True)
        except Exception as error:
            if db.closed:
                raise  # the lease expires, and another executor continues the run
            print(f"failed {run['runId']}: {error}", file=sys.stderr, flush=True)
            lease.fail()


def send_heartbeats():
    """Sends a heartbeat every few seconds. It has its own connection, so that a run cannot delay it."""
    try:
        with psycopg.connect(URL, autocommit=True) as db:
            while not stopping.is_set():
                ask(db, "heartbeat(%s, %s, %s)", [ME, "harbour in Python", [MODEL]])
                ready.set()
                stopping.wait(HEARTBEAT_SECONDS)
    except Exception as error:
        losses.append(error)
    finally:
        stopping.set()
        ready.set()


def serve():
    """Leases runs until it has to stop."""
    with psycopg.connect(URL, autocommit=True) as db, psycopg.connect(URL, autocommit=True) as wake:
        wake.add_notify_handler(lambda _: None)  # only the arrival of a notification counts
        wake.execute("listen botstead_runs")
        print("ready", flush=True)
        while not stopping.is_set():
            run = ask(db, "lease_run(%s)", [ME])
            if run:
                work(db, run)
                continue
            # A notification announces a waiting run. Polling every 2 s also finds runs with expired leases.
            if select.select([wake], [], [], 2)[0]:
                wake.execute("select 1")  # receives the notifications


def main():
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: stopping.set())
    heartbeats = threading.Thread(target=send_heartbeats, daemon=True)
    heartbeats.start()
    ready.wait()
    try:
        serve()
    finally:
        # An executor that leases no runs must not send heartbeats. Deregisters on a new connection: the others may be lost.
        stopping.set()
        heartbeats.join(HEARTBEAT_SECONDS)
        with psycopg.connect(URL, autocommit=True) as db:
            ask(db, "deregister(%s)", [ME])
    if losses:
        raise losses[0]


if __name__ == "__main__":
    try:
        main()
    except psycopg.Error as error:
        sys.exit(f"No connection to the database: {str(error).splitlines()[0]}")
