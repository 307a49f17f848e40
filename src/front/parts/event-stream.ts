/** A stream of server-sent events of the API. A lost connection continues after the last event. */
import { createParser } from "eventsource-parser";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, request } from "./api.ts";

/** reconnecting: the connection is lost, and will be made again. failed: the API refuses the stream. */
export type StreamState = "connecting" | "live" | "reconnecting" | "ended" | "failed";

type StreamEvent = { event: string; data: unknown };

const reconnectMs = 2_000;
const maxReconnectMs = 30_000;
/** The API sends this event last. */
const last = "end";

/** @param path null: no stream */
export function useEventStream(path: string | null, onEvent: (event: StreamEvent) => void): StreamState {
  const [state, set] = useState<StreamState>("connecting");
  const handler = useRef(onEvent);
  handler.current = onEvent;
  useEffect(() => {
    if (path === null) return;
    const closing = new AbortController();
    const place: Place = { id: undefined, delayMs: reconnectMs };
    const follow = async () => {
      set("connecting");
      while (!closing.signal.aborted) {
        try {
          const ended = await readConnection(path, place, closing.signal, {
            opened: () => set("live"),
            event: (event) => handler.current(event),
          });
          if (ended) return set("ended");
          place.delayMs = reconnectMs;
        } catch (error) {
          if (closing.signal.aborted) return;
          if (error instanceof ApiError && !mayPass(error)) return set("failed");
          place.delayMs = Math.min(2 * place.delayMs, maxReconnectMs);
        }
        set("reconnecting");
        await new Promise((resume) => setTimeout(resume, place.delayMs));
      }
    };
    void follow();
    return () => closing.abort();
  }, [path]);
  return state;
}

type Place = { id: string | undefined; delayMs: number };

const mayPass = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500;

/** @returns whether the last event has arrived */
async function readConnection(
  path: string,
  place: Place,
  signal: AbortSignal,
  to: { opened: () => void; event: (event: StreamEvent) => void },
): Promise<boolean> {
  let ended = false;
  const headers = { accept: "text/event-stream", ...(place.id === undefined ? {} : { "last-event-id": place.id }) };
  const response = await request("GET", `/api/v1${path}`, { headers, signal });
  to.opened();
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (!event) return;
      if (id) place.id = id; // a delta has none
      ended ||= event === last;
      to.event({ event, data: JSON.parse(data) });
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) parser.feed(part.value);
  return ended;
}
