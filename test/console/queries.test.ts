/**
 * Each saved query, over an organisation that holds a row of every kind and over one that holds forty: it answers what was
 * written, and costs one statement either way.
 */

import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { multiply } from "../support/many-rows.ts";
import { type Asker, askerOf, savedQueries } from "../support/saved-queries.ts";
import { cases, goWrong, lastHour } from "./cases.ts";

let db: TestDatabase;
let asker: Asker;
let few: Seeded;
let many: Seeded;

beforeAll(async () => {
  db = await testDatabase();
  await seedService(db);
  few = await seedOrganisation(db);
  many = await seedOrganisation(db);
  for (const { ids } of [few, many]) await goWrong(db, ids);
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

test("there is a case for every saved query, and for nothing else", () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(savedQueries).sort());
});

test.each(Object.keys(savedQueries))(
  "%s answers what was written in one statement, of few rows and of many",
  async (name) => {
    for (const { ids } of [few, many]) {
      const { asked = {}, holds } = cases[name]?.(ids) ?? { holds: [] };
      const { data, errors, statements } = await asker.ask(savedQueries[name] ?? "", {
        organisation: ids.organisation,
        first: 100,
        ...asked,
      });
      expect(errors).toEqual([]);
      expect(statements).toHaveLength(1);
      const told = JSON.stringify(data);
      for (const expected of holds) expect(told).toContain(expected ?? "nothing was named");
    }
  },
);

/** All points of a series of an organisation's last hour, added up. */
async function total(name: string, field: string, ids: Record<string, string>): Promise<Record<string, number>> {
  const { data, errors } = await asker.ask(savedQueries[name] ?? "", { ...lastHour(), organisation: ids.organisation });
  expect(errors).toEqual([]);
  expect(data[field]).toHaveLength(62); // one a minute, where nothing happened too, and the minutes at both ends
  const sums: Record<string, number> = {};
  for (const point of data[field] as Record<string, unknown>[]) {
    for (const [key, value] of Object.entries(point)) sums[key] = (sums[key] ?? 0) + Number(value);
  }
  return sums;
}

test("a series adds up to what happened in its span, to this organisation and no other", async () => {
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
  ["of steps of two days", { since: "2026-01-01T00:00:00Z", until: "2026-01-03T00:00:00Z", minutes: 2880 }],
  ["that ends before it begins", { since: "2026-01-01T00:10:00Z", until: "2026-01-01T00:00:00Z", minutes: 1 }],
])("a series %s is refused", async (_, bounds) => {
  for (const name of ["delivery-series", "run-series", "request-series"]) {
    expect((await asker.ask(savedQueries[name] ?? "", bounds)).errors).toEqual([
      "a span is of at most 7 days and 200 steps of 1 to 1440 minutes",
    ]);
  }
});

test("pages of a list follow each other by cursor: each row once, newest first", async () => {
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

test("a delivery tells which run it is of", async () => {
  const { ids } = few;
  await db.sql("update app.events set data = json_build_object('runId', $2::uuid) where id = $1", [ids.event, ids.run]);
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
  ["act", "act"],
])("search finds the %s of an id, and whose it is", async (kind, name) => {
  for (const { ids } of [few, many]) {
    const { data, statements } = await asker.ask(savedQueries.search ?? "", { query: ids[name] });
    expect(statements).toHaveLength(1);
    expect(data.search).toContainEqual({
      kind,
      id: ids[name],
      organisationId: ["person", "platform_key"].includes(kind) ? null : ids.organisation,
      label: kind === "conversation" ? null : expect.stringMatching(/./),
    });
  }
});

test("what one request did is found by its id, and nothing that another did", async () => {
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
  expect(data.trailEntries.nodes).toMatchObject([
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
