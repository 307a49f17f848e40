/** The audit log: retention, and text that it must never contain. */
import { leafData, readCheckpoint } from "../../src/transparency/checkpoint.ts";
import { leafHash, rootOfInclusion } from "../../src/transparency/merkle.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { faultsOf, tamper, testCheckpoints, writeOldWeek } from "../support/checkpoints.ts";
import { makeOrganisation, noteModels, setLimits } from "../support/database.ts";
import { logPlans, plansOf, rowsOf } from "../support/plans.ts";
import { customer } from "../support/post-office.ts";

const here = ownApiOfFile();

const entriesOf = (organisation: string) =>
  here.db.sql<{ sequence: number }>(
    "select sequence::int from app.audit_log where organisation_id = $1 order by sequence",
    [organisation],
  );

type Proof = { leaf: string | null; leaf_hash: Buffer; index: number; hashes: Buffer[]; checkpoint: string };

const proofOf = async (organisation: string, sequence: number) =>
  (
    await here.db.sql<Proof>(
      "select leaf, leaf_hash, leaf_index::int as index, hashes, checkpoint from audit.proof($1, $2)",
      [organisation, sequence],
    )
  )[0];

/** The newest checkpoint contains the entry with this hash, and the proof is at most 1 KiB. */
async function expectProven(organisation: string, sequence: number, hash: string): Promise<void> {
  const proof = await proofOf(organisation, sequence);
  if (!proof) throw new Error(`The entry ${sequence} has no proof.`);
  const leaf = leafHash(leafData(organisation, sequence, hash));
  expect(proof.leaf_hash).toEqual(leaf);
  const { size, root } = readCheckpoint(proof.checkpoint);
  expect(rootOfInclusion(leaf, proof.index, size, proof.hashes)).toEqual(root);
  expect(Buffer.concat(proof.hashes).length).toBeLessThanOrEqual(1_024);
}

test("the chain stays intact after a week is dropped, and verify_chain finds a restored row of that week", async () => {
  const ours = await makeOrganisation(here.db);
  await writeOldWeek(here.db, ours.id);
  await setLimits(here.db, ours.id, { seats: 7 });
  expect(await entriesOf(ours.id)).toEqual([1, 2, 3, 4, 5, 6].map((sequence) => ({ sequence })));
  expect(await here.db.sql("select * from audit.verify_chain($1)", [ours.id])).toEqual([]);
  const [first] = await here.db.sql<{ entry: Record<string, string> & { hash: string } }>(
    "select to_json(entry)::jsonb - 'created_at' as entry from app.audit_log entry where organisation_id = $1 and sequence = 3",
    [ours.id],
  );

  const worker = here.db.poolAs("worker", 1);
  const dropAll = async () => {
    for (;;) {
      const { rows } = await worker.query("select jobs.drop_partition() as name");
      if (!rows[0].name) break;
    }
  };
  const job = testCheckpoints(here.db);
  const all = [1, 2, 3, 4, 5, 6].map((sequence) => ({ sequence }));
  expect(faultsOf(await job.run())).toEqual([]);
  await dropAll();
  expect(await entriesOf(ours.id)).toEqual(all); // the truncation is not an entry yet
  expect((await worker.query("select jobs.record_truncations() as recorded")).rows).toEqual([{ recorded: 1 }]);
  expect((await worker.query("select jobs.record_truncations() as recorded")).rows).toEqual([{ recorded: 0 }]);
  await dropAll();
  expect(await entriesOf(ours.id)).toEqual([...all, { sequence: 7 }]); // nor is that entry in a checkpoint
  expect(faultsOf(await job.run())).toEqual([]);
  await dropAll();
  expect(await entriesOf(ours.id)).toEqual([{ sequence: 6 }, { sequence: 7 }]);
  expect(await here.db.sql("select * from audit.verify_chain($1)", [ours.id])).toEqual([]);
  expect(faultsOf(await job.run())).toEqual([]);
  const [recorded] = await here.db.sql(
    "select actor, action, before from app.audit_log where sequence = 7 and organisation_id = $1",
    [ours.id],
  );
  expect(recorded).toMatchObject({
    ...{ actor: "worker", action: "deleted" },
    before: { entries: 5, throughSequence: 5, retention: "1 year" },
  });
  // A dropped entry stays provable by its hash.
  expect((await proofOf(ours.id, 3))?.leaf).toBeNull();
  await expectProven(ours.id, 3, (first?.entry.hash ?? "").slice(2));

  await here.db.sql("select jobs.make_week('2020-01-06Z')");
  await here.db.sql(
    `insert into app.audit_log (organisation_id, id, sequence, actor, action, resource, changed, hash)
     select organisation_id, id, sequence, actor, action, resource, changed, hash
     from jsonb_populate_record(null::app.audit_log, $1)`,
    [first?.entry],
  );
  expect(await here.db.sql("select sequence::int, fault from audit.verify_chain($1)", [ours.id])).toEqual([
    { sequence: 3, fault: "inserted" },
  ]);
  expect(faultsOf(await job.run())).toEqual(["altered 6", "inserted 3"]);
  await tamper(
    here.db,
    "set local track_counts = off", // else the job reports the deletion
    `delete from app.audit_log where organisation_id = '${ours.id}' and sequence = 3`,
  );
  expect(faultsOf(await job.run())).toEqual([]);
});

test("a change of the retention is an entry of the service's chain, and auditors read it", async () => {
  const [before] = await here.db.sql("select count(*)::int as changes from audit.retention");
  await here.db.sql("update app.service_settings set audit_retention = '2 years'");
  const auditor = here.db.poolAs("auditor", 1);
  const { rows } = await auditor.query("select actor, before, after from audit.retention order by changed_at");
  expect(rows).toHaveLength(before?.changes + 1);
  expect(rows).toEqual([
    { actor: "system", before: "1 year", after: "2 years" },
    { actor: null, before: null, after: "2 years" },
  ]);
  const service = "00000000-0000-0000-0000-000000000000";
  const [changed] = await here.db.sql<{ sequence: number; hash: string }>(
    "select sequence::int, encode(hash, 'hex') as hash from app.audit_log where organisation_id = $1 order by 1 desc limit 1",
    [service],
  );
  expect(faultsOf(await testCheckpoints(here.db).run())).toEqual([]);
  await expectProven(service, changed?.sequence ?? 0, changed?.hash ?? "");
  await here.db.sql("update app.service_settings set audit_retention = default");
});

test("a truncation that the retention does not allow is a fault, before anything is dropped", async () => {
  const ours = await makeOrganisation(here.db);
  const job = testCheckpoints(here.db);
  await job.run();
  await here.db.sql(
    `insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed, before)
     select organisation_id, 'worker', 'deleted', 'audit_log', '{}', json_build_object(
       'throughSequence', sequence, 'throughHash', encode(hash, 'hex'), 'throughId', id, 'retention', '1 year')
     from app.audit_log where organisation_id = $1 and sequence = 2`,
    [ours.id],
  );
  expect(faultsOf(await job.run())?.filter((fault) => fault.startsWith("truncation"))).toEqual(["truncation 4"]);
});

test("the audit log never contains text that people wrote", async () => {
  const who = await customer(here);
  const canary = "Kanarienvogel";
  const { body: memory } = await who.ask("POST", "/memories", {
    ...{ scope: "organisation", kind: canary, subject: canary, subjectKind: "third_party", value: canary },
  });
  await who.ask("PATCH", `/memories/${memory.id}`, { value: `${canary} 2` });
  await who.ask("PATCH", "/organisation", { name: canary });
  await noteModels(here.db, canary, `${canary} 2`);
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

  const logged = await here.db.sql<{ entry: string; resource: string }>(
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
  "last_entries reads one entry per organisation, however many a week has (%s)",
  async (mode) => {
    const organisations = [await makeOrganisation(here.db), await makeOrganisation(here.db)].map(({ id }) => id);
    await here.db.sql("select jobs.make_week('2020-01-06Z')");
    await here.db.sql(
      `insert into app.audit_log (organisation_id, id, sequence, actor, action, resource, changed, hash)
       select organisation, uuidv7('2020-01-07Z'::timestamptz - now() + number * interval '1 second'), number, 'system', 'created',
         'memory', '{}', sha256(number::text::bytea)
       from unnest($1::uuid[]) organisation, generate_series(1, 5000) number`,
      [organisations],
    );
    await here.db.sql("vacuum analyze");
    await logPlans(here.db);
    const plans = await plansOf(here.db, "owner", mode, async (client) => {
      const { rows } = await client.query(
        "select sequence::int from jobs.last_entries('2020-01-06Z') where organisation_id = any ($1) and hash = sha256('5000')",
        [organisations],
      );
      expect(rows).toEqual([{ sequence: 5000 }, { sequence: 5000 }]);
    });
    const read = plans.filter(({ statement }) => statement.includes("app.audit_chain_heads"));
    expect(read).toHaveLength(1);
    expect(rowsOf(read.flatMap(({ reads }) => reads))).toBeLessThan(50);
  },
);
