/** Past events and deliveries, inserted by the administrator. */
import { eventData } from "../../src/contract/event-examples.ts";
import type { EventKind } from "../../src/contract/event-kinds.ts";
import { expectAnswer } from "./answers.ts";
import type { Json } from "./api.ts";
import type { Member } from "./callers.ts";
import type { TestDatabase } from "./database.ts";
import { quietly } from "./quietly.ts";

type Whose = { organisationId: string };

/** Data of an event of this kind. */
export const dataOf = (kind: EventKind): string => JSON.stringify(eventData[kind]);

/**
 * Inserts events of this age, an interval as `-2 hours`. Subscribed endpoints get their deliveries now. Returns the
 * ids, oldest first.
 */
export async function makeEvents(
  db: TestDatabase,
  { organisationId }: Whose,
  { ago = "0", count = 1, kind = "run.finished" }: { ago?: string; count?: number; kind?: EventKind } = {},
): Promise<string[]> {
  const rows = await db.sql<{ id: string }>(
    `with made as (
       insert into app.events (organisation_id, id, kind, data)
       select $1, uuidv7(-$2::interval), $3::app.event_kind, $5::json from generate_series(1, $4) returning id
     )
     select id from made order by id`,
    [organisationId, ago, kind, count, dataOf(kind)],
  );
  return rows.map(({ id }) => id);
}

/** Inserts finished runs' events, without their triggers, to an organisation that has had an event. Returns the last id. */
export async function makeManyEvents(db: TestDatabase, { organisationId }: Whose, count: number): Promise<string> {
  const [last] = await db.sql<{ id: string }>(
    `${quietly}, head as (
       update app.audit_chain_heads set event_position = event_position + $2
       where organisation_id = $1 returning old.event_position as last
     ), made as (
       insert into app.events (organisation_id, kind, data, position)
       select $1, 'run.finished', $3::json, head.last + number from quiet, head, generate_series(1, $2) number
       returning id, position
     )
     select id from made order by position desc limit 1`,
    [organisationId, count, dataOf("run.finished")],
  );
  await db.sql("analyze app.events"); // as autovacuum does
  return last?.id ?? "";
}

/**
 * Inserts deliveries of an event in this state, without their triggers: the newest of this age, each older by `apart`.
 * Returns the ids, oldest first.
 */
export async function makeDeliveries(
  db: TestDatabase,
  { organisationId, endpointId, eventId }: Whose & { endpointId: string; eventId: string },
  { ago = "0", apart = "0", count = 1, state = "failed" } = {},
): Promise<string[]> {
  const rows = await db.sql<{ id: string }>(
    `${quietly},
     made as (
       insert into app.deliveries
         (organisation_id, id, endpoint_id, event_id, event, state, attempts, max_attempts, next_attempt_at, delivered_at)
       select $1, uuidv7(-$2::interval - number * $7::interval), $3, $4, 'run.finished', $5::app.delivery_state, 5, 5, null, case when $5::app.delivery_state = 'delivered' then now() end
       from quiet, generate_series(0, $6 - 1) number
       returning id
     )
     select id from made order by id`,
    [organisationId, ago, endpointId, eventId, state, count, apart],
  );
  await db.sql("select jobs.count_endpoints()"); // as the triggers would have
  return rows.map(({ id }) => id);
}

/** A past time in the format of requests. */
export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

export const idsOf = (events: Json[]): string[] => events.map(({ id }) => id);

/** One page of list_events. */
export const readFeed = async (ada: Member, query = ""): Promise<Json> =>
  expectAnswer("list_events", await ada.get(`/events${query}`));

/** Reads all pages after a cursor. Returns the events and the last cursor. */
export async function readFeedOn(ada: Member, after = "", limit = 200): Promise<{ events: Json[]; cursor: string }> {
  const events: Json[] = [];
  for (let cursor = after; ; ) {
    const page = await readFeed(ada, `?limit=${limit}${cursor && `&after=${cursor}`}`);
    events.push(...page.data);
    cursor = page.position;
    if (!page.hasMore) return { events, cursor };
  }
}

/** Reads all events. */
export const readWholeFeed = async (ada: Member): Promise<Json[]> => (await readFeedOn(ada)).events;
