/** Streams of the event feed over HTTP. */
import { createParser } from "eventsource-parser";
import type { Json, TestApi } from "./api.ts";

type Entry = { cursor: string | undefined; event: string | undefined; data: Json };

export type Live = {
  status: number;
  type: string | null;
  /** What has arrived, in its order. */
  entries: Entry[];
  ended: Promise<unknown>;
  text(): string;
  leave(): void;
};

/** Opens a stream of `GET /events`. @param query for example "?after=…" */
export async function openFeed(
  api: Pick<TestApi, "url">,
  who: { key: { text: string } },
  query = "",
  lastEventId?: string,
): Promise<Live> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${who.key.text}`, accept: "text/event-stream" };
  const response = await fetch(`${api.url}/api/v1/events${query}`, {
    headers: lastEventId ? { ...headers, "last-event-id": lastEventId } : headers,
    signal: leaving.signal,
  });
  const entries: Entry[] = [];
  const parts: string[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => void entries.push({ cursor: id, event, data: JSON.parse(data) }),
  });
  async function readAll() {
    for await (const bytes of response.body ?? []) {
      const part = Buffer.from(bytes).toString();
      parts.push(part);
      parser.feed(part);
    }
  }
  const ended = readAll().catch(() => {}); // after leave
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    entries,
    ended,
    text: () => parts.join(""),
    leave: () => leaving.abort(),
  };
}
