/** The audit log: retention, and text that it must never contain. */
import { type TestApi, testApi } from "../support/api.ts";
import {
  makeExecutor,
  makeOrganisation,
  noteModels,
  setLimits,
  type TestDatabase,
  testDatabase,
} from "../support/database.ts";
import { logPlans, plansOf } from "../support/plans.ts";
import { customer } from "../support/post-office.ts";

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

const entriesOf = (organisation: string) =>
  db.sql<{ sequence: number }>("select sequence::int from app.audit_log where organisation_id = $1 order by sequence", [
    organisation,
  ]);

test("the chain stays intact after a week is dropped, and verify_chain finds a restored row of that week", async () => {
  const ours = await makeOrganisation(db);
  await db.sql("select jobs.make_week('2020-01-06Z')");
  // Simulates an old organisation: replaces its entries by entries with ids of that week.
  await db.sql("begin; set local session_replication_role = replica; delete from app.audit_log; commit");
  await db.sql(
    `with recursive old as (
       select 0::bigint as sequence, null::uuid as id, sha256(convert_to($1::uuid::text, 'UTF8')) as hash
       union all
       select old.sequence + 1, made.id,
         audit.entry_hash(old.hash, $1, old.sequence + 1, made.id, audit.entry_text(
           'system', null, null, null, null, null, 'created', 'memory', null, '{}', null, null))
       from old, lateral (select uuidv7('2020-01-07Z'::timestamptz - now() + old.sequence * interval '1 second') as id) made
       where old.sequence < 5
     ), written as (
       insert into app.audit_log (organisation_id, id, sequence, actor, action, resource, changed, hash)
       select $1, id, sequence, 'system', 'created', 'memory', '{}', hash from old where sequence > 0
       returning 1
     )
     update app.audit_chain_heads set sequence = 5, entry_id = old.id, hash = old.hash
     from old where old.sequence = 5 and organisation_id = $1 and (select count(*) from written) = 5`,
    [ours.id],
  );
  await setLimits(db, ours.id, { seats: 7 });
  expect(await entriesOf(ours.id)).toEqual([1, 2, 3, 4, 5, 6].map((sequence) => ({ sequence })));
  expect(await db.sql("select * from audit.verify_chain($1)", [ours.id])).toEqual([]);
  const [first] = await db.sql<{ entry: string }>(
    "select to_json(entry)::jsonb - 'created_at' as entry from app.audit_log entry where organisation_id = $1 and sequence = 3",
    [ours.id],
  );

  const worker = db.poolAs("worker", 1);
  for (;;) {
    const { rows } = await worker.query("select jobs.drop_partition() as name");
    if (!rows[0].name) break;
  }
  expect(await entriesOf(ours.id)).toEqual([{ sequence: 6 }]);
  expect(await db.sql("select * from audit.verify_chain($1)", [ours.id])).toEqual([]);

  await db.sql("select jobs.make_week('2020-01-06Z')");
  await db.sql(
    `insert into app.audit_log (organisation_id, id, sequence, actor, action, resource, changed, hash)
     select organisation_id, id, sequence, actor, action, resource, changed, hash
     from jsonb_populate_record(null::app.audit_log, $1)`,
    [first?.entry],
  );
  expect(await db.sql("select sequence::int, fault from audit.verify_chain($1)", [ours.id])).toEqual([
    { sequence: 3, fault: "inserted" },
  ]);
});

test("the audit log never contains text that people wrote", async () => {
  const who = await customer({ db, api });
  const canary = "Kanarienvogel";
  const { body: memory } = await who.ask("POST", "/memories", {
    ...{ scope: "organisation", kind: canary, subject: canary, subjectKind: "third_party", value: canary },
  });
  await who.ask("PATCH", `/memories/${memory.id}`, { value: `${canary} 2` });
  await who.ask("PATCH", "/organisation", { name: canary });
  await noteModels(db, canary, `${canary} 2`);
  const { body: bot } = await who.ask("POST", "/bots", { name: canary, instructions: canary, model: canary });
  await who.ask("PATCH", `/bots/${bot.id}`, { name: `${canary} 2`, instructions: `${canary} 2`, model: `${canary} 2` });
  await who.ask("POST", "/runs", { botId: who.bot, message: canary });
  const { body: key } = await who.ask("POST", "/keys", { name: canary });
  const { body: hook } = await who.ask("POST", "/hooks", { botId: who.bot, name: canary });
  await who.ask("POST", "/routines", { botId: who.bot, name: canary, schedule: "0 9 * * *", message: canary });
  await who.ask("POST", "/invitations", { email: `${canary}@example.test` });
  const { body: webhook } = await who.ask("POST", "/webhooks", {
    ...{ url: `https://${canary}.example/`, description: canary, events: ["run.finished"] },
  });
  const { body: erased } = await who.ask("POST", "/memories/erase", { subject: canary, subjectKind: "third_party" });
  expect(erased).toMatchObject({ memories: 1 });

  const logged = await db.sql<{ entry: string; resource: string }>(
    "select to_json(entry)::text as entry, resource from app.audit_log entry where organisation_id = $1",
    [who.organisation.id],
  );
  const kinds = ["memory", "organisation", "bot", "run", "key", "hook", "routine", "invitation", "webhook", "erasure"];
  expect([...new Set(logged.map(({ resource }) => resource))]).toEqual(expect.arrayContaining(kinds));
  const secrets = [key.key, hook.secret, webhook.secret].map((secret: string) => secret.slice(-20));
  for (const never of [
    canary.toLowerCase(),
    who.organisation.email,
    ...secrets.map((secret) => secret.toLowerCase()),
  ]) {
    expect(logged.filter(({ entry }) => entry.toLowerCase().includes(never))).toEqual([]);
  }
  expect(logged.some(({ entry }) => entry.includes(memory.id))).toBe(true);
});

test.each(["force_generic_plan", "force_custom_plan"] as const)(
  "truncate_audit_log reads one entry per organisation, however many a week has (%s)",
  async (mode) => {
    const organisations = [await makeOrganisation(db), await makeOrganisation(db)].map(({ id }) => id);
    await db.sql("select jobs.make_week('2020-01-06Z')");
    await db.sql(
      `insert into app.audit_log (organisation_id, id, sequence, actor, action, resource, changed, hash)
       select organisation, uuidv7('2020-01-07Z'::timestamptz - now() + number * interval '1 second'), number, 'system', 'created',
         'memory', '{}', sha256(number::text::bytea)
       from unnest($1::uuid[]) organisation, generate_series(1, 5000) number`,
      [organisations],
    );
    await db.sql("vacuum analyze");
    await logPlans(db);
    const plans = await plansOf(db, "owner", mode, async (client) => {
      await client.query("select jobs.truncate_audit_log('2020-01-06Z')");
      const { rows } = await client.query(
        "select sequence::int from app.audit_truncations where organisation_id = any ($1) and hash = sha256('5000')",
        [organisations],
      );
      expect(rows).toEqual([{ sequence: 5000 }, { sequence: 5000 }]);
    });
    const read = plans.filter(({ statement }) => statement.includes("insert into app.audit_truncations"));
    expect(read).toHaveLength(1);
    expect(read[0]?.rows).toBeLessThan(50);
  },
);
