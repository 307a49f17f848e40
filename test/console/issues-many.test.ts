/** operator.issues with many issues: limits per category, and late deliveries among thousands of endpoints. */

import { Client } from "pg";
import { setLimits, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Asker, askerOf, savedQueries } from "../support/saved-queries.ts";

let db: TestDatabase;
let asker: Asker;
/** Writes without triggers, so that no worker changes the rows. */
let admin: Client;

type Issue = { category: string; severity: string; subject: string; total: number };

beforeAll(async () => {
  db = await testDatabase();
  asker = await askerOf(db);
  admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  await admin.query("set session_replication_role = replica; update app.maintenance set last_run_at = now()");
});

afterAll(async () => {
  await admin.end();
  await asker.end();
  await db.drop();
});

async function of(category: string): Promise<Issue[]> {
  const { data, errors } = await asker.ask(savedQueries.issues ?? "");
  expect(errors).toEqual([]);
  return data.issues.nodes.filter((issue: Issue) => issue.category === category);
}

/** Creates endpoints, each in its own organisation. */
const endpoints = async (many: number, state: string, url = "https://large.example/") => {
  const made = await admin.query<{ id: string; organisation_id: string }>(
    `with organisation as (
       insert into app.organisations (name) select 'Large' from generate_series(1, $1) returning id
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
  await setLimits({ sql: (text, values) => admin.query(text, values) }, null, { liveWebhooks: 1 });
  return made;
};

/** Creates a delivery for each endpoint without one, due at this offset from now. */
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

test("issues lists twenty per category with the total, and one unsent email among many other issues", async () => {
  await endpoints(150, "disabled");
  await admin.query(
    `insert into app.mails (organisation_id, id, kind, recipient, data)
     select id, uuidv7(-interval '6 minutes'), 'welcome', 'late@example.test', '{}' from app.organisations limit 1`,
  );
  for (const category of ["failing_endpoint", "reached_limit"]) {
    const listed = await of(category);
    expect([category, listed.length, listed[0]]).toMatchObject([category, 20, { severity: "critical", total: 100 }]);
  }
  expect(await of("failing_mail")).toMatchObject([{ subject: "late@example.test", total: 1 }]);
});

test("issues finds a late delivery behind thousands of endpoints with future or paused deliveries", async () => {
  await endpoints(1_100, "active");
  await deliveries("1 hour");
  await endpoints(1_100, "paused");
  await deliveries("-1 hour");
  expect(await of("late_deliveries")).toEqual([]);
  await endpoints(1, "active", "https://late.example/");
  await deliveries("-16 minutes");
  expect(await of("late_deliveries")).toMatchObject([{ severity: "critical", subject: "late.example", total: 1 }]);
});

test("late_deliveries stops at 100 rows, and issues lists twenty of them", async () => {
  await admin.query("update app.webhook_endpoints set state = 'active' where state = 'paused'");
  expect(await db.sql("select from operator.late_deliveries")).toHaveLength(100);
  const listed = await of("late_deliveries");
  expect([listed.length, listed[0]]).toMatchObject([20, { severity: "critical", total: 100 }]);
});
