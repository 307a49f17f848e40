/**
 * Open event streams. A stream writes its run's events as they come, and a heartbeat comment at each interval, when its key
 * is checked again, as after each change of its organisation's credentials. Streams end after some minutes; clients resume where they were. A slow stream gets no more events until
 * its buffer has drained, so each buffers at most one answer of the database.
 */
import type { ServerResponse } from "node:http";
import { type Backlog, trackUntilDrained } from "../../web/backlog.ts";
import { followDeltas } from "./deltas.ts";
import type { Frame } from "./frames.ts";
import { accessTo, type Notifications } from "./notifications.ts";
import type { Reader, Watcher } from "./reader.ts";

export type Pace = { heartbeatMs: number; maxDurationMs: number };

export const defaultPace: Pace = { heartbeatMs: 15_000, maxDurationMs: 300_000 };

/** How long a stream stays open. A random part, so that streams that began together do not reconnect together. */
export function durationMs({ maxDurationMs }: Pace): number {
  return maxDurationMs * (0.8 + Math.random() / 5);
}

export type Streams = {
  /** Subscribes to the run before the first read, so that no event is missed between the two. */
  prepare(
    caller: Pick<Watcher, "credential" | "address" | "gate">,
    runId: string,
    response: ServerResponse,
  ): PreparedStream;
  /** Ends all streams, and new ones at once. */
  stop(): void;
};

export type PreparedStream = {
  /** Continues after this event. @param isBehind when more events can be read already */
  open(position: number, organisationId: string | null | undefined, isBehind: boolean): void;
};

type Stream = { watcher: Watcher; response: ServerResponse; until: number };

export function makeStreams(notifications: Notifications, reader: Reader, pace: Pace, unsent: Backlog): Streams {
  const streams = new Set<Stream>();
  let isStopped = false;

  const heartbeat = setInterval(() => {
    const now = Date.now();
    for (const { watcher, response, until } of streams) {
      if (response.writableEnded)
        response.destroy(); // ended at an earlier heartbeat; the client has not read the rest
      else if (now >= until) response.end();
      else if (watcher.hasRoom()) {
        response.write(":\n\n");
        reader.requestRead(watcher);
      }
    }
  }, pace.heartbeatMs);
  heartbeat.unref();

  return {
    prepare(caller, runId, response) {
      const watcher = watcherOf(caller, runId, response, unsent);
      let isOpen = false;
      let isNotified = false;
      const unsubscribe = notifications.subscribe(runId, () => {
        if (isOpen) reader.requestRead(watcher);
        else isNotified = true;
      });
      response.once("close", unsubscribe);
      return {
        open(position, organisationId, isBehind) {
          if (isStopped) return void response.end();
          isOpen = true;
          watcher.position = position;
          watcher.organisationId = organisationId;
          const stream = { watcher, response, until: Date.now() + durationMs(pace) };
          streams.add(stream);
          response.on("drain", () => reader.requestRead(watcher));
          const unwatch = notifications.subscribe(accessTo(organisationId ?? ""), () => reader.requestRead(watcher));
          response.once("close", () => {
            unwatch();
            streams.delete(stream);
            reader.cancel(watcher);
          });
          const { gate } = watcher;
          if (gate) {
            const send = (delta: string) => write(`event: delta\ndata: ${delta}\n\n`, response, unsent);
            response.once("close", followDeltas(watcher, gate, { notifications, reader }, send));
          }
          if (isBehind || isNotified) reader.requestRead(watcher);
        },
      };
    },
    stop() {
      isStopped = true;
      clearInterval(heartbeat);
      for (const { response } of streams) response.end();
    },
  };
}

function write(text: string, response: ServerResponse, unsent: Backlog): void {
  if (!response.write(text)) trackUntilDrained(response, unsent);
}

function watcherOf(
  caller: Pick<Watcher, "credential" | "address" | "gate">,
  runId: string,
  response: ServerResponse,
  unsent: Backlog,
): Watcher {
  const isOpen = () => !response.destroyed && !response.writableEnded;
  const watcher: Watcher = {
    ...caller,
    organisationId: undefined,
    runId,
    position: 0,
    hasRoom: () => isOpen() && !response.writableNeedDrain,
    send(frames: Frame[]) {
      const last = frames.at(-1);
      if (!last || !isOpen()) return;
      watcher.position = last.number;
      write(frames.map(({ text }) => text).join(""), response, unsent);
      if (frames.some(({ isEnd }) => isEnd)) response.end();
    },
    end: () => void response.end(),
  };
  return watcher;
}
