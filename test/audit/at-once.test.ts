/** Many who write at once: the trail of each organisation has no gap, and nobody waits for who waits for them. */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { type TestApi, testApi } from "../support/api.ts";
import { makeExecutor, makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Customer, customer } from "../support/post-office.ts";

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await testDatabase();
  api = await testApi(db);
  await makeExecutor(db);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const entriesOf = async (organisation: string) =>
  (
    await db.sql<{ entries: number }>(
      "select count(*)::int as entries from app.audit_trail where organisation_id = $1",
      [organisation],
    )
  )[0]?.entries ?? 0;

afterEach(async () => {
  expect(await db.sql("select * from audit.verify_chain()")).toEqual([]);
  expect(await db.sql("select from app.audit_drafts")).toEqual([]);
});

const claim = {
  scope: "organisation",
  kind: "fact",
  subject: "We",
  subjectKind: "organisation",
  value: "We are many.",
  confidence: 1,
  lawfulBasis: "contract",
};

test("forty connections that write into one organisation make one chain without a gap, in the order of ids", async () => {
  const ours = await makeOrganisation(db);
  const key = await makeKey(db, ours.id, ours.ownerId);
  const before = await entriesOf(ours.id);
  const server = db.poolAs("server", 40);
  const connections = await Promise.all(times(40, () => server.connect()));
  try {
    await Promise.all(
      connections.map(async (connection) => {
        for (let round = 0; round < 5; round += 1) {
          const { rows } = await connection.query(
            "select api.handle($1, 'create_memory', $2, null, $3, $4, $4, null) as answer",
            [key.digest, JSON.stringify(claim), randomUUID(), randomBytes(32)],
          );
          expect(rows[0].answer).toMatch(/^\{"status":201\}/);
        }
      }),
    );
  } finally {
    for (const connection of connections) connection.release();
  }
  const entries = await db.sql<{ id: string; sequence: number }>(
    "select id, sequence::int from app.audit_trail where organisation_id = $1 order by id",
    [ours.id],
  );
  expect(entries.map(({ sequence }) => sequence)).toEqual(times(before + 200, (index) => index + 1));
});

test("who write for several organisations, each in an order of their own, do not wait for each other for ever", async () => {
  const both = [await makeOrganisation(db), await makeOrganisation(db)];
  const before = await Promise.all(both.map(({ id }) => entriesOf(id)));
  await Promise.all(
    times(8, async (index) => {
      const client = new Client({ connectionString: db.adminUrl });
      await client.connect();
      try {
        for (const round of times(15, (number) => number)) {
          await client.query("begin");
          for (const { id } of index % 2 ? both : [...both].reverse()) {
            await client.query(
              `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
               values ($1, 'organisation', 'fact', 'We', $2, 'member', 'test')`,
              [id, `round ${round}`],
            );
          }
          await client.query("commit");
        }
      } finally {
        await client.end();
      }
    }),
  );
  expect(await Promise.all(both.map(({ id }) => entriesOf(id)))).toEqual(before.map((entries) => entries + 120));
});

test("nor do those who start and cancel runs, whose conversations and deliveries are locked at the end too", async () => {
  const who = await customer({ db, api });
  await db.sql("update app.organisations set hourly_run_ceiling = 1000 where id = $1", [who.organisation.id]);
  await who.ask("POST", "/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
  const run = { method: "POST", path: "/runs", body: { botId: who.bot, message: "Hello" } };
  const remember = { method: "POST", path: "/memories", body: claim };
  const batch = (operations: object[]) => who.ask("POST", "/batch", { operations });
  const doings: ((who: Customer) => Promise<unknown>)[] = [
    () => batch([remember, run, run]),
    () => batch([run, remember]),
    async () => {
      const { id } = (await who.ask("POST", "/runs", run.body)).body;
      await batch([remember, { method: "POST", path: `/runs/${id}/cancel` }]);
    },
    () => who.ask("PATCH", `/bots/${who.bot}`, { instructions: randomUUID() }),
  ];
  await Promise.all(times(24, (index) => doings[index % doings.length]?.(who)));
  const [told] = await db.sql(
    `select count(*) filter (where resource = 'run' and action = 'created')::int as runs,
       count(*) filter (where resource = 'run' and action = 'updated')::int as cancelled,
       count(*) filter (where resource = 'memory')::int as memories,
       count(*) filter (where resource = 'bot' and action = 'updated')::int as bots
     from app.audit_trail where organisation_id = $1`,
    [who.organisation.id],
  );
  expect(told).toEqual({ runs: 24, cancelled: 6, memories: 18, bots: 6 });
});

test("a hundred entries of one transaction move its head once, and follow each other", async () => {
  const ours = await makeOrganisation(db);
  const before = await entriesOf(ours.id);
  await db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'fact', 'We', 'We are number ' || number, 'member', 'test' from generate_series(1, 100) number`,
    [ours.id],
  );
  expect(await entriesOf(ours.id)).toBe(before + 100);
});
