/** Reads a stream of server-sent events to its end. Each new connection continues after the last event received. */
import { setTimeout as wait } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { BotsteadError, errorOfAnswer, errorOfThrown } from "./error.ts";
import type { Prepared } from "./request.ts";
import { delayAfter } from "./retry.ts";

/** An event without an id, such as a delta, is sent once. */
export type StreamEvent = { id: string | undefined; event: string; data: unknown };

/** A comment of the event feed: the position to continue from. */
const position = /^[0-9a-f]{56}$/;

/** The API sends this event last. */
const last = "end";

/**
 * @param after id of the event to continue after
 * @throws BotsteadError
 */
export async function* watch(
  request: Prepared,
  after: string | undefined,
): AsyncGenerator<StreamEvent, void, undefined> {
  const place = { id: after, retryMs: 2_000 };
  let failures = 0;
  // A connection that received data is not a failure, because long runs need many connections and may be silent. A
  // connection without data may come from a proxy while the API is down.
  const heard = () => {
    failures = 0;
  };
  for (;;) {
    try {
      for await (const event of connect(request, place, heard)) {
        if (event.id !== undefined) place.id = event.id;
        yield event;
        if (event.event === last) return;
      }
      await pause(place.retryMs, request.signal); // the API closes each stream after some minutes
    } catch (thrown) {
      if (!(thrown instanceof BotsteadError)) throw thrown;
      failures += 1;
      thrown.attempts = failures;
      const delay = delayAfter(thrown, { method: "GET", attempt: failures, retry: request.retry });
      if (delay === undefined) throw thrown;
      await pause(delay, request.signal);
    }
  }
}

/**
 * Reads one connection. It ends after `timeoutMs` without data, because the API sends heartbeats. The time in which the caller
 * handles an event does not count.
 */
async function* connect(
  { url, headers, signal, timeoutMs, fetch }: Prepared,
  place: { id: string | undefined; retryMs: number },
  heard: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const closing = new AbortController();
  let silence = setTimeout(() => closing.abort(), timeoutMs);
  const restartTimeout = () => {
    clearTimeout(silence);
    silence = setTimeout(() => closing.abort(), timeoutMs);
  };
  const streamHeaders = new Headers(headers);
  streamHeaders.set("accept", "text/event-stream");
  if (place.id !== undefined) streamHeaders.set("last-event-id", place.id);
  try {
    const signals = signal ? [signal, closing.signal] : [closing.signal];
    const response = await fetch(url, { headers: streamHeaders, signal: AbortSignal.any(signals), redirect: "manual" });
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      throw errorOfAnswer(response.status, response.headers, await response.text());
    }
    let hasData = false;
    const decoder = new TextDecoder();
    const parsed: EventSourceMessage[] = [];
    const parser = createParser({
      onEvent: (message) => parsed.push(message),
      onRetry: (ms) => {
        place.retryMs = ms;
      },
      onComment: (comment) => {
        if (position.test(comment.trim()) && parsed.length === 0) place.id = comment.trim();
      },
    });
    for await (const part of response.body ?? []) {
      hasData = true;
      heard();
      restartTimeout();
      parser.feed(decoder.decode(part, { stream: true }));
      for (const { id, event, data } of parsed.splice(0)) {
        if (!event) continue;
        clearTimeout(silence);
        yield { id: id || undefined, event, data: JSON.parse(data) };
        restartTimeout();
      }
    }
    if (!hasData) throw new Error("the stream ended without data");
  } catch (thrown) {
    if (thrown instanceof BotsteadError) throw thrown;
    throw errorOfThrown(thrown, { byCaller: signal?.aborted ?? false, byTimeout: closing.signal.aborted });
  } finally {
    clearTimeout(silence);
    closing.abort(); // also if the caller stops iterating
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return wait(ms, undefined, { signal }).catch((thrown) => {
    throw errorOfThrown(thrown, { byCaller: true, byTimeout: false });
  });
}
