/** Runs whose steps a test controls one by one, and streams of their events. */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { defaultWatching, type WatchingSettings } from "../../src/api/streams/watching.ts";
import { operations } from "../../src/contract/operations.ts";
import type { Assignment } from "../../src/runner/engine.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { type TestApi, testApi } from "./api.ts";
import type { ApiOfFile, Member } from "./callers.ts";
import { eventParser, type StreamEvent } from "./event-stream.ts";
import { type HandExecutor, handExecutor, leased } from "./hand-executor.ts";

export type Stream = {
  status: number;
  headers: Headers;
  /** Events received so far. */
  events: StreamEvent[];
  /** Pieces of the preview received so far. They have no number. */
  deltas: Delta[];
  /** The whole response body so far. */
  text(): string;
  /** Resolves with all events once there are this many. */
  until(count: number): Promise<StreamEvent[]>;
  /** Resolves with all events when the service has closed the stream. */
  ended: Promise<StreamEvent[]>;
  /** Aborts the request, as when a client is killed. */
  leave(): void;
};

export type Delta = { attempt: number; offset: number; text: string };

export type StreamOptions = { key: string; lastEventId?: string | number | undefined; deltas?: boolean };

export async function openStream(
  url: string,
  runId: string,
  { key, lastEventId, deltas: wantsDeltas = false }: StreamOptions,
): Promise<Stream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/v1/runs/${runId}/events${wantsDeltas ? "?include=deltas" : ""}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
    },
    signal: leaving.signal,
  });
  const events: StreamEvent[] = [];
  const deltas: Delta[] = [];
  const waiting = new Set<() => void>();
  const parts: string[] = [];

  async function readAll(): Promise<StreamEvent[]> {
    const decoder = new TextDecoder();
    const parse = eventParser((event) => {
      if (event.event === "delta") deltas.push(event.data);
      else events.push(event);
    });
    for await (const bytes of response.body ?? []) {
      const part = decoder.decode(bytes, { stream: true });
      parts.push(part);
      parse(part);
      for (const wake of waiting) wake();
    }
    return events;
  }

  const ended = readAll();
  ended.catch(() => {});
  return {
    status: response.status,
    headers: response.headers,
    events,
    deltas,
    text: () => parts.join(""),
    ended,
    leave: () => leaving.abort(),
    async until(count) {
      while (events.length < count) {
        const more = Promise.withResolvers<void>();
        waiting.add(more.resolve);
        const over = ended.then(() => {
          if (events.length < count) throw new Error(`The stream ended after ${events.length} of ${count} events.`);
        });
        await Promise.race([more.promise, over]).finally(() => waiting.delete(more.resolve));
      }
      return events;
    },
  };
}

export type Watched = {
  id: string;
  executor: HandExecutor;
  /** The executor leases the run. */
  begin(): Promise<Assignment>;
  /** Writes the first steps of the run, in one transaction. */
  step(count: number): Promise<void>;
  /** Writes this many messages of 96,000 bytes by the bot, in one transaction. */
  sayAtLength(count?: number): Promise<void>;
};

/** A run of this person, with an executor that leases no other run. */
export async function watchedRun(here: Pick<ApiOfFile, "db">, pool: Pool, ada: Pick<Member, "post">): Promise<Watched> {
  const model = `hand-${randomUUID()}`;
  const executor = await handExecutor(here.db, pool, [model]);
  const { body: bot } = await ada.post("/bots", { name: "Ada", model });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "How deep is it?" });
  return {
    id: run.id,
    executor,
    begin: () => leased(executor),
    async step(count) {
      await here.db.sql(
        `insert into app.steps (organisation_id, run_id, number, kind)
         select organisation_id, id, number, 'think' from app.runs, generate_series(1, $2) number where id = $1`,
        [run.id, count],
      );
    },
    async sayAtLength(count = 1) {
      await here.db.sql(
        `insert into app.messages (organisation_id, conversation_id, run_id, author, text)
         select organisation_id, conversation_id, id, 'bot', repeat('€', 32000)
         from app.runs, generate_series(1, $2)
         where id = $1`,
        [run.id, count],
      );
    },
  };
}

/** Opens streams as a caller of the file's API, or of another over the same database. */
export const watching =
  (here: ApiOfFile) =>
  (who: Member, { id }: { id: string }, lastEventId?: string | number, api = here.api): Promise<Stream> =>
    openStream(api.url, id, { key: who.key.text, lastEventId });

const reply = operations.find(({ name }) => name === "watch_run")?.reply;

/** Each event as number, name, and state, text or kind. Checks that the contract's schema describes every field. */
export const inShort = (events: StreamEvent[]): string[] =>
  events.map((streamed) => {
    expect(reply?.parse(streamed)).toEqual(streamed);
    const { id, event, data } = streamed;
    return [id, event, data.state ?? data.text ?? data.kind].join(" ");
  });

/** Runs the work with a second API over the same database. */
export async function withWatchingApi(
  here: Pick<ApiOfFile, "db">,
  limits: Partial<WatchingSettings>,
  work: (api: TestApi) => Promise<void>,
): Promise<void> {
  const api = await testApi(here.db, {}, makeRateLimiter(Date.now, specified), { ...defaultWatching, ...limits });
  try {
    await work(api);
  } finally {
    await api.stop();
  }
}
