/** What is wrong now where much is: what has long been so hides nothing that is new, and what is late is found wherever it is. */
import { Client } from "pg";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type Asker, askerOf, savedQueries } from "../support/saved-queries.ts";

let db: TestDatabase;
let asker: Asker;
/** Writes without triggers: rows are as somebody left them, and nobody works on them. */
let admin: Client;

type Trouble = { matter: string; severity: string; subject: string; inAll: number };

beforeAll(async () => {
  db = await testDatabase();
  asker = await askerOf(db);
  admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  await admin.query("set session_replication_role = replica; update app.sweep set swept_at = now()");
});

afterAll(async () => {
  await admin.end();
  await asker.end();
  await db.drop();
});

async function of(matter: string): Promise<Trouble[]> {
  const { data, errors } = await asker.ask(savedQueries.troubles ?? "");
  expect(errors).toEqual([]);
  return data.troubles.nodes.filter((trouble: Trouble) => trouble.matter === matter);
}

/** So many endpoints, each of an organisation of its own, the latest of all. */
const endpoints = (many: number, state: string, url = "https://large.example/") =>
  admin.query<{ id: string; organisation_id: string }>(
    `with organisation as (
       insert into app.organisations (name, seat_ceiling, live_endpoint_ceiling) select 'Large', 1, 1 from generate_series(1, $1)
       returning id
     )
     insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed, state, disabled_at, disabled_reason)
     select id, $3, '{run.finished}', 'sealed', $2::text::app.endpoint_state, disabled.at, disabled.reason
     from organisation, (
       select case when $2::text = 'disabled' then now() end as at,
         case when $2::text = 'disabled' then 'consecutive_failures'::app.disabled_reason end as reason
     ) disabled
     returning id, organisation_id`,
    [many, state, url],
  );

/** A delivery at each endpoint that has none, due at this time. */
const deliveries = (due: string) =>
  admin.query(
    `with event as (
       insert into app.events (organisation_id, kind, data)
       select endpoint.organisation_id, 'run.finished', '{}'
       from app.webhook_endpoints endpoint
       where endpoint.state <> 'disabled'
         and not exists (select from app.deliveries made where made.endpoint_id = endpoint.id)
       returning id, organisation_id
     )
     insert into app.deliveries (organisation_id, endpoint_id, event_id, event, max_attempts, next_attempt_at)
     select endpoint.organisation_id, endpoint.id, event.id, 'run.finished', 5, now() + $1::interval
     from event join app.webhook_endpoints endpoint using (organisation_id)`,
    [due],
  );

test("of each matter the first twenty are told, and how many there are: a mail that is not sent is among them", async () => {
  await endpoints(150, "disabled");
  await admin.query(
    `insert into app.mails (organisation_id, id, kind, recipient, data)
     select id, uuidv7(-interval '6 minutes'), 'welcome', 'late@example.test', '{}' from app.organisations limit 1`,
  );
  for (const matter of ["failing_endpoint", "ceiling"]) {
    const told = await of(matter);
    expect([matter, told.length, told[0]]).toMatchObject([matter, 20, { severity: "critical", inAll: 100 }]);
  }
  expect(await of("failing_mail")).toMatchObject([{ subject: "late@example.test", inAll: 1 }]);
});

test("a late delivery is told of behind thousands of endpoints at which others wait for their time, or are held", async () => {
  await endpoints(1_100, "active");
  await deliveries("1 hour");
  await endpoints(1_100, "paused");
  await deliveries("-1 hour");
  expect(await of("late_deliveries")).toEqual([]);
  await endpoints(1, "active", "https://late.example/");
  await deliveries("-16 minutes");
  expect(await of("late_deliveries")).toMatchObject([{ severity: "critical", subject: "late.example", inAll: 1 }]);
});

test("where more than a hundred are late, a hundred are looked at and twenty told", async () => {
  await admin.query("update app.webhook_endpoints set state = 'active' where state = 'paused'");
  expect(await db.sql("select from operator.late_deliveries")).toHaveLength(100);
  const told = await of("late_deliveries");
  expect([told.length, told[0]]).toMatchObject([20, { severity: "critical", inAll: 100 }]);
});
