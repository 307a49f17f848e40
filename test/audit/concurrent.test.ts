/** Concurrent writers: the audit log of each organisation has no gap, and there is no deadlock. */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { apiOfFile } from "../support/callers.ts";
import { makeKey, makeOrganisation, setLimits } from "../support/database.ts";
import { type Customer, customer } from "../support/post-office.ts";

const here = apiOfFile();

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const entriesOf = async (organisation: string) =>
  (
    await here.db.sql<{ entries: number }>(
      "select count(*)::int as entries from app.audit_log where organisation_id = $1",
      [organisation],
    )
  )[0]?.entries ?? 0;

afterEach(async () => {
  expect(await here.db.sql("select * from audit.verify_chain()")).toEqual([]);
  expect(await here.db.sql("select from app.audit_pending_entries")).toEqual([]);
});

const memory = {
  scope: "organisation",
  kind: "fact",
  subject: "We",
  subjectKind: "organisation",
  value: "We are many.",
  confidence: 1,
  lawfulBasis: "contract",
};

test("40 connections that write to one organisation make one chain without gaps, in the order of ids", async () => {
  const ours = await makeOrganisation(here.db);
  const key = await makeKey(here.db, ours.id, ours.ownerId);
  const before = await entriesOf(ours.id);
  const server = here.db.poolAs("server", 40);
  const connections = await Promise.all(times(40, () => server.connect()));
  try {
    await Promise.all(
      connections.map(async (connection) => {
        for (let round = 0; round < 5; round += 1) {
          const { rows } = await connection.query(
            "select api.handle($1, 'create_memory', $2, null, $3, $4, $4, null) as answer",
            [key.digest, JSON.stringify(memory), randomUUID(), randomBytes(32)],
          );
          expect(rows[0].answer).toMatch(/^\{"status":201\}/);
        }
      }),
    );
  } finally {
    for (const connection of connections) connection.release();
  }
  const entries = await here.db.sql<{ id: string; sequence: number }>(
    "select id, sequence::int from app.audit_log where organisation_id = $1 order by id",
    [ours.id],
  );
  expect(entries.map(({ sequence }) => sequence)).toEqual(times(before + 200, (index) => index + 1));
});

test("transactions that write to two organisations in opposite orders do not deadlock", async () => {
  const both = [await makeOrganisation(here.db), await makeOrganisation(here.db)];
  const before = await Promise.all(both.map(({ id }) => entriesOf(id)));
  await Promise.all(
    times(8, async (index) => {
      const client = new Client({ connectionString: here.db.adminUrl });
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

test("batches that start and cancel runs, whose commit locks conversations and deliveries, do not deadlock", async () => {
  const who = await customer(here);
  await setLimits(here.db, who.organisation.id, { runStartsPerHour: 1000 });
  await who.ask("POST", "/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
  const run = { method: "POST", path: "/runs", body: { botId: who.bot, message: "Hello" } };
  const createMemory = { method: "POST", path: "/memories", body: memory };
  const batch = (operations: object[]) => who.ask("POST", "/batch", { operations });
  const requests: ((who: Customer) => Promise<unknown>)[] = [
    () => batch([createMemory, run, run]),
    () => batch([run, createMemory]),
    async () => {
      const { id } = (await who.ask("POST", "/runs", run.body)).body;
      await batch([createMemory, { method: "POST", path: `/runs/${id}/cancel` }]);
    },
    () => who.ask("PATCH", `/bots/${who.bot}`, { instructions: randomUUID() }),
  ];
  await Promise.all(times(24, (index) => requests[index % requests.length]?.(who)));
  const [entries] = await here.db.sql(
    `select count(*) filter (where resource = 'run' and action = 'created')::int as runs,
       count(*) filter (where resource = 'run' and action = 'updated')::int as cancelled,
       count(*) filter (where resource = 'memory')::int as memories,
       count(*) filter (where resource = 'bot' and action = 'updated')::int as bots
     from app.audit_log where organisation_id = $1`,
    [who.organisation.id],
  );
  expect(entries).toEqual({ runs: 24, cancelled: 6, memories: 18, bots: 6 });
});

test("100 entries of one transaction get consecutive numbers", async () => {
  const ours = await makeOrganisation(here.db);
  const before = await entriesOf(ours.id);
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'fact', 'We', 'We are number ' || number, 'member', 'test' from generate_series(1, 100) number`,
    [ours.id],
  );
  expect(await entriesOf(ours.id)).toBe(before + 100);
});
