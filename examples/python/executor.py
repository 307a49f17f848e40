"""An executor: takes the runs of bots whose model is "harbour", and answers them from what the bot may read.

What it may call, and what each call answers, is told in docs/executors.md. It needs Python 3.10 and psycopg 3
(Debian: python3-psycopg). It ends with a sentence and exit code 1 when it loses a connection; let something start it again
that supervises it, as systemd with Restart=always.

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

import psycopg
from psycopg.errors import DeadlockDetected, SerializationFailure

MODEL = "harbour"
URL = os.environ["BOTSTEAD_EXECUTOR_URL"]
ME = uuid.uuid4()
BEAT_SECONDS = 10  # silent for a minute counts as gone
RENEW_SECONDS = 10  # a lease lasts 30 seconds
ready = threading.Event()
stopping = threading.Event()
losses: list[Exception] = []  # what has ended the heart


class RunEnded(Exception):
    """The run has ended, or has gone to somebody else: nothing more can be written to it."""


def ask(db: psycopg.Connection, call: str, values: list):
    """Calls one function of schema runner, in a transaction of its own; again where another's was in its way."""
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
    """A run that is held: its lease is renewed as long as the block lasts."""

    def __init__(self, db: psycopg.Connection, run: dict):
        self.db = db
        self.names = [run["organisationId"], run["runId"], run["leaseId"]]
        self.done = threading.Event()

    def __enter__(self):
        threading.Thread(target=self.renew, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.done.set()

    def renew(self):
        # Whoever works on it learns at the next call that the lease is over.
        with contextlib.suppress(RunEnded, psycopg.Error), psycopg.connect(URL, autocommit=True) as db:
            while not self.done.wait(RENEW_SECONDS):
                ask(db, "renew(%s, %s, %s)", self.names)

    def step(self, kind: str, spend_micro_cents: int = 0):
        """Records a step and what it cost. A budget or the month's limit may end the work here."""
        call = "step(%s, %s, %s, %s, 0, 0, %s)"
        if ask(self.db, call, [*self.names, kind, spend_micro_cents]) != "running":
            raise RunEnded

    def recall(self, question: str) -> list[dict]:
        return ask(self.db, "recall(%s, %s, %s, %s)", [*self.names, question])

    def block(self, reason: str):
        ask(self.db, "block(%s, %s, %s, %s)", [*self.names, reason])

    def finish(self, answer: str, memories: list[str]):
        ask(self.db, "finish(%s, %s, %s, %s, %s::uuid[])", [*self.names, answer, memories])

    def fail(self):
        with contextlib.suppress(RunEnded):
            ask(self.db, "fail(%s, %s, %s, 'executor_failed')", self.names)


def work(db: psycopg.Connection, run: dict):
    """Takes one run to its end."""
    said = [said["text"] for said in run["messages"] if said["runId"] == run["runId"] and said["author"] == "person"]
    question = said[-1] if said else run["message"]
    with Lease(db, run) as lease:
        try:
            lease.step("recall")
            claims = lease.recall(question)
            if not claims:
                lease.block("I know nothing of that. What shall I say?")
                print(f"blocked {run['runId']}", flush=True)
                return
            lease.step("answer")
            lease.finish("\n".join(claim["value"] for claim in claims), [claim["id"] for claim in claims])
            print(f"finished {run['runId']}", flush=True)
        except RunEnded:
            print(f"dropped {run['runId']}", flush=True)
        except Exception as error:
            if db.closed:
                raise  # nothing can be said of the run: its lease runs out, and another executor goes on with it
            print(f"failed {run['runId']}: {error}", file=sys.stderr, flush=True)
            lease.fail()


def beat():
    """Says every few seconds that this executor lives; its own connection, so that no run keeps it waiting."""
    try:
        with psycopg.connect(URL, autocommit=True) as db:
            while not stopping.is_set():
                ask(db, "beat(%s, %s, %s)", [ME, "harbour in Python", [MODEL]])
                ready.set()
                stopping.wait(BEAT_SECONDS)
    except Exception as error:
        losses.append(error)
    finally:
        stopping.set()
        ready.set()


def serve():
    """Takes runs until it is asked to stop."""
    with psycopg.connect(URL, autocommit=True) as db, psycopg.connect(URL, autocommit=True) as wake:
        wake.add_notify_handler(lambda _: None)  # that there is word is all that matters
        wake.execute("listen botstead_runs")
        print("ready", flush=True)
        while not stopping.is_set():
            run = ask(db, "claim(%s)", [ME])
            if run:
                work(db, run)
                continue
            # Word comes when a run can be taken; every two seconds it is looked anyway, for leases that ran out.
            if select.select([wake], [], [], 2)[0]:
                wake.execute("select 1")  # takes what has come


def main():
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: stopping.set())
    heart = threading.Thread(target=beat, daemon=True)
    heart.start()
    ready.wait()
    try:
        serve()
    finally:
        # Whatever has ended it: what takes no runs must not go on saying that it lives. On a new connection, since any may be lost.
        stopping.set()
        heart.join(BEAT_SECONDS)
        with psycopg.connect(URL, autocommit=True) as db:
            ask(db, "leave(%s)", [ME])
    if losses:
        raise losses[0]


if __name__ == "__main__":
    try:
        main()
    except psycopg.Error as error:
        sys.exit(f"No connection to the database: {str(error).splitlines()[0]}")
