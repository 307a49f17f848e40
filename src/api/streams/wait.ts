/**
 * A read with `?wait=`: it is answered when the run has ended or the time is over. Meanwhile it uses no database
 * connection. It reads again after each notification, and once more before the answer, so that a revoked key is refused.
 * (docs/specification/runs.md#waiting)
 */
import { isUnderWay } from "../../contract/run-fields.ts";
import { digestOf } from "../../secrets/credentials.ts";
import type { Answer, Perform, PerformOpen, Request } from "../request.ts";
import { refusal } from "../stages/respond.ts";
import { followDeltas } from "./deltas.ts";
import type { Notifications } from "./notifications.ts";
import { newGate, type Reader, type Watcher } from "./reader.ts";
import type { Slots } from "./slots.ts";

type Parts = {
  perform: Perform;
  notifications: Notifications;
  reader: Reader;
  slots: Slots;
  /** Aborted when the process stops: waiting requests are answered at once. */
  stopping: AbortSignal;
};

export function makeWait({ perform, notifications, reader, slots, stopping }: Parts): PerformOpen {
  return async (request, response) => {
    const signal = makeSignal();
    // Before the first read, so that no change is missed between the two.
    const unsubscribe = notifications.subscribe(request.params.id ?? "", signal.notify);
    stopping.addEventListener("abort", signal.finish);
    response.once("close", signal.finish);
    let releaseSlot: (() => void) | undefined;
    try {
      const first = await perform(request);
      const seconds = Number(request.query.get("wait"));
      const mayWait = first.status === 200 && seconds > 0 && !stopping.aborted;
      if (!mayWait || !isUnderWay(JSON.parse(first.body))) return first;
      releaseSlot = slots.acquire(digestOf(request.bearer ?? ""), first.caller?.organisationId);
      if (!releaseSlot) return noSlot(request, first);
      const timer = setTimeout(signal.finish, seconds * 1000);
      const endDeltas = passDeltas(request, first, { notifications, reader });
      try {
        for (;;) {
          const isLast = !(await signal.isNotified());
          if (response.destroyed) return first; // the caller has disconnected
          const answer = await perform({ ...request, since: performance.now(), again: true });
          if (isLast || answer.status !== 200 || !isUnderWay(JSON.parse(answer.body))) return answer;
        }
      } finally {
        clearTimeout(timer);
        endDeltas();
      }
    } finally {
      unsubscribe();
      stopping.removeEventListener("abort", signal.finish);
      response.off("close", signal.finish);
      releaseSlot?.();
    }
  };
}

/** Passes the deltas of the run on while the request waits. */
function passDeltas(
  { onDelta, bearer = "", address, params }: Request,
  { caller }: Answer,
  parts: Pick<Parts, "notifications" | "reader">,
): () => void {
  if (!onDelta) return () => {};
  let isOpen = true;
  const gate = newGate();
  const watcher: Watcher = {
    ...{ credential: digestOf(bearer), address, organisationId: caller?.organisationId },
    ...{ runId: (params.id ?? "").toLowerCase(), position: 0, gate },
    hasRoom: () => isOpen,
    send(frames) {
      watcher.position = frames.at(-1)?.number ?? watcher.position;
    },
    end() {
      isOpen = false;
    },
  };
  const unsubscribe = followDeltas(watcher, gate, parts, onDelta);
  return () => {
    isOpen = false;
    unsubscribe();
    parts.reader.cancel(watcher);
  };
}

/** The answer when the key, its organisation or the process has no free slot. */
export function noSlot({ requestId }: Request, { headers, caller }: Answer): Answer {
  const refused = refusal("rate_limited", requestId);
  return { ...refused, headers: { ...headers, ...refused.headers }, caller };
}

/** A notification that comes before `isNotified` is called counts for the next call. */
function makeSignal() {
  let isPending = false;
  let isFinished = false;
  let wake = () => {};
  return {
    notify() {
      isPending = true;
      wake();
    },
    finish() {
      isFinished = true;
      wake();
    },
    /** Resolves to true after a notification, to false when the wait is over. */
    async isNotified(): Promise<boolean> {
      if (!isPending && !isFinished) await new Promise<void>((resolve) => (wake = resolve));
      isPending = false;
      return !isFinished;
    },
  };
}
