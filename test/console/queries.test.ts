/** Each saved query returns the rows of an organisation in one SQL statement, with one row per table and with forty. */
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { multiply } from "../support/many-rows.ts";
import { type Asker, askerOf, savedQueries } from "../support/saved-queries.ts";
import { addFailures, cases, lastHour } from "./cases.ts";

let db: TestDatabase;
let asker: Asker;
let few: Seeded;
let many: Seeded;

beforeAll(async () => {
  db = await testDatabase();
  await seedService(db);
  few = await seedOrganisation(db);
  many = await seedOrganisation(db);
  for (const { ids } of [few, many]) await addFailures(db, ids);
  await multiply(db, many.ids, 40);
  await db.sql("delete from app.request_minutes where organisation_id = $1", [few.ids.organisation]);
  await db.sql("insert into app.request_minutes values ($1, date_trunc('minute', now()), 7, 5, 3, 2)", [
    few.ids.organisation,
  ]);
  asker = await askerOf(db);
});

afterAll(async () => {
  await asker.end();
  await db.drop();
});

test("every saved query has a test case, and the reverse", () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(savedQueries).sort());
});

test.each(Object.keys(savedQueries))(
  "%s returns the rows in one statement, for few rows and for many",
  async (name) => {
    for (const { ids } of [few, many]) {
      const { variables = {}, expected } = cases[name]?.(ids) ?? { expected: [] };
      const { data, errors, statements } = await asker.ask(savedQueries[name] ?? "", {
        organisation: ids.organisation,
        first: 100,
        ...variables,
      });
      expect(errors).toEqual([]);
      expect(statements).toHaveLength(1);
      const text = JSON.stringify(data);
      for (const part of expected) expect(text).toContain(part ?? "missing test data");
    }
  },
);

test("organisation-audit-log with the condition of a resource returns the entries of that row only", async () => {
  const { organisation, endpoint } = many.ids;
  const variables = { organisation, condition: { resourceId: endpoint }, first: 100 };
  const { data, errors } = await asker.ask(savedQueries["organisation-audit-log"] ?? "", variables);
  expect(errors).toEqual([]);
  const { nodes } = data.organisation.auditLog;
  expect(new Set(nodes.map(({ resourceId }: { resourceId: string }) => resourceId))).toEqual(new Set([endpoint]));
});

/** Sums of a series over the last hour of an organisation. */
async function total(name: string, field: string, ids: Record<string, string>): Promise<Record<string, number>> {
  const { data, errors } = await asker.ask(savedQueries[name] ?? "", { ...lastHour(), organisation: ids.organisation });
  expect(errors).toEqual([]);
  expect(data[field]).toHaveLength(62); // one point per minute, including empty minutes and both ends
  const sums: Record<string, number> = {};
  for (const point of data[field] as Record<string, unknown>[]) {
    for (const [key, value] of Object.entries(point)) sums[key] = (sums[key] ?? 0) + Number(value);
  }
  return sums;
}

test("a series counts the events of its span and organisation only", async () => {
  const { ids } = few;
  expect(await total("delivery-series", "deliverySeries", ids)).toMatchObject({
    attempts: 1,
    succeeded: 0,
    failed: 1,
    p95Ms: 1,
  });
  expect(await total("run-series", "runSeries", ids)).toMatchObject({ started: 3, completed: 0, failed: 1, open: 2 });
  expect(await total("request-series", "requestSeries", ids)).toMatchObject({
    answered: 7,
    refused: 5,
    limited: 3,
    failed: 2,
  });
  await db.sql(
    "update app.delivery_attempts set started_at = started_at - interval '2 hours' where organisation_id = $1",
    [ids.organisation],
  );
  expect(await total("delivery-series", "deliverySeries", ids)).toMatchObject({ attempts: 0 });
});

test.each([
  ["longer than a week", { since: "2026-01-01T00:00:00Z", until: "2026-01-08T00:00:01Z", minutes: 1440 }],
  ["of more than 200 steps", { since: "2026-01-01T00:00:00Z", until: "2026-01-01T03:20:01Z", minutes: 1 }],
  ["with steps of two days", { since: "2026-01-01T00:00:00Z", until: "2026-01-03T00:00:00Z", minutes: 2880 }],
  ["that ends before it starts", { since: "2026-01-01T00:10:00Z", until: "2026-01-01T00:00:00Z", minutes: 1 }],
])("a series %s is refused", async (_, bounds) => {
  for (const name of ["delivery-series", "run-series", "request-series"]) {
    expect((await asker.ask(savedQueries[name] ?? "", bounds)).errors).toEqual([
      "a series spans at most 7 days and 200 steps of 1 to 1440 minutes",
    ]);
  }
});

test("pages by cursor return each row once, newest first", async () => {
  const seen: string[] = [];
  let after: string | undefined;
  for (;;) {
    const { data } = await asker.ask(savedQueries["organisation-runs"] ?? "", {
      organisation: many.ids.organisation,
      first: 10,
      after,
    });
    const { nodes, pageInfo } = data.organisation.runs;
    seen.push(...nodes.map(({ id }: { id: string }) => id));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  const rows = await db.sql<{ id: string }>("select id from app.runs where organisation_id = $1 order by id desc", [
    many.ids.organisation,
  ]);
  expect(rows.length).toBeGreaterThan(40);
  expect(seen).toEqual(rows.map(({ id }) => id));
});

test("a delivery names the run of its event", async () => {
  const { ids } = few;
  await db.sql("update app.events set run_id = $2 where id = $1", [ids.event, ids.run]);
  const { data, statements } = await asker.ask(savedQueries.delivery ?? "", { id: ids.delivery });
  expect(data.delivery.announced).toMatchObject({ id: ids.event, runId: ids.run, approvalId: null });
  expect(statements).toHaveLength(1);
});

test.each([
  ["organisation", "organisation"],
  ["person", "owner"],
  ["invitation", "invitation"],
  ["api_key", "admin_key"],
  ["platform_key", "platform_key"],
  ["bot", "bot"],
  ["conversation", "conversation"],
  ["run", "run"],
  ["approval", "approval"],
  ["memory", "memory"],
  ["webhook_endpoint", "endpoint"],
  ["delivery", "delivery"],
  ["routine", "routine"],
  ["hook", "hook"],
  ["mail", "mail"],
  ["erasure", "erasure"],
  ["operator_action", "operator_action"],
])("search by id finds the %s and its organisation", async (kind, name) => {
  for (const { ids } of [few, many]) {
    const { data, statements } = await asker.ask(savedQueries.search ?? "", { query: ids[name] });
    expect(statements).toHaveLength(1);
    expect(data.search).toContainEqual({
      kind,
      id: ids[name],
      organisationId: ["person", "platform_key"].includes(kind) ? null : ids.organisation,
      organisationName: ["person", "platform_key"].includes(kind) ? null : expect.stringMatching(/./),
      label: kind === "conversation" ? null : expect.stringMatching(/./),
    });
  }
});

test("search finds keys, people and endpoints by a part of their text", async () => {
  const { ids } = few;
  const [row] = await db.sql<{ prefix: string; email: string; host: string }>(
    `select key.prefix, person.email, rows.host_of(endpoint.url) as host
     from app.api_keys key, app.people person, app.webhook_endpoints endpoint
     where key.id = $1 and person.id = $2 and endpoint.id = $3`,
    [ids.admin_key, ids.owner, ids.endpoint],
  );
  const { prefix = "", email = "", host = "" } = row ?? {};
  const found = async (query: string) => (await asker.ask(savedQueries.search ?? "", { query })).data.search;
  expect(await found(prefix.slice(0, 8))).toContainEqual(
    expect.objectContaining({ kind: "api_key", id: ids.admin_key }),
  );
  expect(await found(email.slice(0, -3).toUpperCase())).toContainEqual(
    expect.objectContaining({ kind: "person", id: ids.owner, label: email }),
  );
  expect(await found(host.slice(1, -1))).toContainEqual(
    expect.objectContaining({ kind: "webhook_endpoint", id: ids.endpoint }),
  );
  expect(await found("bsk_")).toEqual([]); // every key starts so
  expect(await found("nobody@nowhere")).toEqual([]);
});

test("search finds people by the start of a name or its last word, and bots and keys by a part of their name", async () => {
  const { ids } = few;
  await db.sql("update app.people set display_name = 'Ophelia van Harbour-Jones' where id = $1", [ids.owner]);
  await db.sql("update app.bots set name = 'Nightly digest' where id = $1", [ids.bot]);
  await db.sql("update app.api_keys set name = 'Import of 100% of it' where id = $1", [ids.admin_key]);
  const found = async (query: string) => {
    const { data, statements } = await asker.ask(savedQueries.search ?? "", { query });
    expect(statements).toHaveLength(1);
    return data.search.map(({ kind, id }: { kind: string; id: string }) => [kind, id]);
  };
  for (const query of ["ophelia", "OPHELIA VAN", "harbour-j"])
    expect(await found(query)).toEqual([["person", ids.owner]]);
  expect(await found("ly DIG")).toEqual([["bot", ids.bot]]);
  expect(await found("100% of")).toEqual([["api_key", ids.admin_key]]);
  expect(await found("van harbour")).toEqual([]);
});

test("the request query returns the audit log entries of that request only", async () => {
  const { ids } = few;
  const [request] = await db.sql<{ id: string }>("select uuidv7() as id");
  const { rows } = await db
    .poolAs("server", 1)
    .query<{ answer: string }>("select api.handle($1, 'update_webhook', $2, null, $3, null, null, null) as answer", [
      few.keys.admin.digest,
      JSON.stringify({ id: ids.endpoint, state: "paused" }),
      request?.id,
    ]);
  expect(rows[0]?.answer).toMatch(/^\{"status":200/);
  const { data, statements } = await asker.ask(savedQueries.request ?? "", { id: request?.id });
  expect(data.auditEntries.nodes).toMatchObject([
    {
      action: "updated",
      resourceId: ids.endpoint,
      changed: expect.arrayContaining(["state"]),
      organisation: { id: ids.organisation },
    },
  ]);
  expect(statements).toHaveLength(1);
  const { data: found } = await asker.ask(savedQueries.search ?? "", { query: request?.id });
  expect(found.search).toMatchObject([{ kind: "request", id: request?.id, organisationId: ids.organisation }]);
});
