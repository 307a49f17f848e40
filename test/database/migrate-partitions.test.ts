/**
 * A database of the time before partitions: what lies in it is carried over, each row into the week of its id.
 */
import { migrate } from "../../src/database/migrate.ts";
import { databaseBefore, dropDatabase, sharedServer } from "../support/migrated.ts";
import { query } from "../support/query.ts";

const server = sharedServer();
let url: string;

beforeAll(async () => {
  url = await databaseBefore(server, "000003");
});

afterAll(() => dropDatabase(server, url));

const rows = {
  events: "select organisation_id, id, kind, data::text, created_at from app.events order by id",
  deliveries: "select to_jsonb(delivery) as delivery from app.deliveries delivery order by id",
  attempts:
    "select to_jsonb(attempt) - 'endpoint_id' as attempt from app.delivery_attempts attempt order by delivery_id, number",
};

const snapshot = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(rows).map(async ([table, text]) => [table, await query<object>(url, text)] as const),
    ),
  );

test("every row is there as it was, in the week of its id, and what is new works", async () => {
  await query(
    url,
    `with organisation as (insert into app.organisations (name) values ('Before') returning id),
     endpoint as (
       insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
       select id, 'https://receiver.example/', '{run.finished}', 'sealed' from organisation
       returning organisation_id, id
     ),
     event as (
       insert into app.events (organisation_id, id, kind, data)
       select id, uuidv7(-age * interval '3 days'), 'run.finished', format('{"age":  %s}', age)::json
       from organisation, generate_series(0, 40) age
       returning organisation_id, id
     ),
     delivery as (
       insert into app.deliveries (organisation_id, id, endpoint_id, event_id, event, max_attempts, attempts, state,
         delivered_at, next_attempt_at, last_status_code)
       select event.organisation_id, uuidv7(uuid_extract_timestamp(event.id) - clock_timestamp()), endpoint.id, event.id,
         'run.finished', 5, 1, 'delivered', now(), null, 200
       from event, endpoint
       returning organisation_id, id
     )
     insert into app.delivery_attempts (organisation_id, delivery_id, number, trigger, started_at, duration_ms, status_code)
     select organisation_id, id, 1, 'scheduled', now(), 5, 200 from delivery`,
  );
  // As definitions of that time hang on the tables.
  await query(
    url,
    "create schema rows authorization owner; create view rows.deliveries as select * from app.deliveries",
  );
  const before = await snapshot();
  expect(before.events).toHaveLength(41);
  expect(before.attempts).toHaveLength(41);

  await migrate({ adminUrl: url, key: server.key, rebuild: false });
  expect(await snapshot()).toEqual(before);
  const [told] = await query<Record<string, number>>(
    url,
    `select
       (select count(*)::integer from app.delivery_attempts join app.deliveries on id = delivery_id
        where delivery_attempts.endpoint_id = deliveries.endpoint_id) as of_endpoint,
       (select count(distinct tableoid)::integer from app.deliveries) as weeks`,
  );
  expect(told?.of_endpoint).toBe(41);
  expect(told?.weeks).toBeGreaterThanOrEqual(17);

  // Most of it is older than is kept: the first drop begins with it.
  const [dropped] = await query<{ partition: string }>(url, "select jobs.drop_partition() as partition");
  expect(dropped?.partition).toMatch(/^delivery_attempts_(\d{8}), deliveries_\1$/);
});
