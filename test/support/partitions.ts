/** Weekly partitions: rows of a given age, and retention, called directly. */
import type { TestDatabase } from "./database.ts";

export const families = ["delivery_attempts", "deliveries", "endpoint_counts", "events"] as const;

/** Drops all partitions past their retention, as a worker does. @returns their names, in order */
export async function dropAll(db: TestDatabase): Promise<string[]> {
  const worker = db.poolAs("worker", 1);
  const dropped: string[] = [];
  for (;;) {
    const { rows } = await worker.query<{ partition: string | null }>("select jobs.drop_partition() as partition");
    if (!rows[0]?.partition) return dropped;
    dropped.push(...rows[0].partition.split(", "));
  }
}

export type Written = { event: string; delivery: string; endpoint: string };

/** Inserts an event, its delivery and an attempt of the given age, and creates their weekly partitions. */
export async function writeAged(
  db: TestDatabase,
  organisation: string,
  eventAge: string,
  deliveryAge = eventAge,
): Promise<Written> {
  for (const age of new Set([eventAge, deliveryAge])) {
    await db.sql(
      `select jobs.make_week(monday) from date_trunc('week', now() - $1::interval, 'UTC') monday
       where to_regclass('partitions.events_' || to_char(monday at time zone 'UTC', 'YYYYMMDD')) is null`,
      [age],
    );
  }
  const [written] = await db.sql<Written>(
    `with endpoint as (
       insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
       values ($1, 'https://receiver.example/', '{run.finished}', 'sealed') returning id
     ), event as (
       insert into app.events (organisation_id, id, kind, data)
       values ($1, uuidv7(-$2::interval), 'webhook.test', '{}') returning id
     ), delivery as (
       insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event)
       select $1, uuidv7(-$3::interval), endpoint.id, event.id, 'webhook.test' from endpoint, event
       returning id, endpoint_id, event_id
     )
     select id as delivery, event_id as event, endpoint_id as endpoint from delivery`,
    [organisation, eventAge, deliveryAge],
  );
  if (!written) throw new Error("nothing was written");
  await db.sql(
    `insert into app.delivery_attempts
       (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
     select organisation_id, id, endpoint_id, 1, 'scheduled', now(), 1, 200 from app.deliveries where id = $1`,
    [written.delivery],
  );
  return written;
}

/** How many of its rows are still there. */
export async function leftOf(
  db: TestDatabase,
  { event, delivery, endpoint }: Written,
): Promise<Record<string, number>> {
  const [row] = await db.sql<Record<string, number>>(
    `select
       (select count(*)::integer from app.events where id = $1) as events,
       (select count(*)::integer from app.deliveries where id = $2) as deliveries,
       (select count(*)::integer from app.delivery_attempts where delivery_id = $2) as attempts,
       (select count(distinct week_id)::integer from app.endpoint_counts where endpoint_id = $3) as counts`,
    [event, delivery, endpoint],
  );
  return row ?? {};
}

/** An event of now. Fails without a partition of this week. */
export const announce = (db: TestDatabase, organisation: string) =>
  db.sql<{ id: string }>(
    "insert into app.events (organisation_id, kind, data) values ($1, 'webhook.test', '{}') returning id",
    [organisation],
  );
