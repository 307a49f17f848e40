/** Runs that a test moves by hand, and those who watch them. */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { operations } from "../../src/contract/operations.ts";
import type { Assignment } from "../../src/runner/engine.ts";
import type { ApiOfFile, Member } from "./callers.ts";
import { eventsIn, type Told } from "./event-stream.ts";
import { claimed, type HandExecutor, handExecutor } from "./hand-executor.ts";

export type Stream = {
  status: number;
  headers: Headers;
  /** What has been told so far. */
  events: Told[];
  /** All that came, as it came. */
  text(): string;
  /** Resolves with all events once so many are there. */
  until(count: number): Promise<Told[]>;
  /** Resolves with all events when the service has closed the stream. */
  ended: Promise<Told[]>;
  /** Goes away as a client does that is killed. */
  leave(): void;
};

export type StreamOptions = { key: string; lastEventId?: string | number | undefined };

export async function openStream(url: string, runId: string, { key, lastEventId }: StreamOptions): Promise<Stream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/v1/runs/${runId}/events`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
    },
    signal: leaving.signal,
  });
  const events: Told[] = [];
  const waiting = new Set<() => void>();
  const parts: string[] = [];

  async function readAll(): Promise<Told[]> {
    const decoder = new TextDecoder();
    let pending = "";
    for await (const bytes of response.body ?? []) {
      const part = decoder.decode(bytes, { stream: true });
      parts.push(part);
      pending += part;
      const end = pending.lastIndexOf("\n\n") + 2;
      if (end < 2) continue;
      events.push(...eventsIn(pending.slice(0, end)));
      pending = pending.slice(end);
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
  /** The executor takes the run. */
  begin(): Promise<Assignment>;
  /** So many steps are written, the first of the run, in one transaction. */
  step(count: number): Promise<void>;
  /** The bot says so many times what fills 96,000 bytes, in one transaction. */
  sayAtLength(count?: number): Promise<void>;
};

/** A run of this person, with an executor that takes no other. */
export async function watchedRun(here: Pick<ApiOfFile, "db">, pool: Pool, ada: Pick<Member, "post">): Promise<Watched> {
  const model = `hand-${randomUUID()}`;
  const executor = await handExecutor(here.db, pool, [model]);
  const { body: bot } = await ada.post("/bots", { name: "Ada", model });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "How deep is it?" });
  return {
    id: run.id,
    executor,
    begin: () => claimed(executor),
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

/** In short: number, name, and what is particular. Each is one of the contract's events, with nothing beside. */
export const inShort = (events: Told[]): string[] =>
  events.map((told) => {
    expect(reply?.parse(told)).toEqual(told);
    const { id, event, data } = told;
    return [id, event, data.state ?? data.text ?? data.kind].join(" ");
  });
