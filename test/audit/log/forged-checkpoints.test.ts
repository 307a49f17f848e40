/** Forged checkpoints, rewritten history and missing chains are found by the next run of the checkpoint job. */
import { verifyDatabase } from "../../../src/cli/audit-log.ts";
import { signerFrom } from "../../../src/secrets/note-key.ts";
import type { CheckpointJob } from "../../../src/transparency/checkpoints/job.ts";
import { usualBudget } from "../../../src/transparency/checkpoints/run.ts";
import { faultsOf, logSigner, tamper, testCheckpoints, writeEntries } from "../../support/checkpoints.ts";
import { makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../../support/database.ts";

let db: TestDatabase;
let ours: Organisation;
let job: CheckpointJob;

/** Three checkpoints: of 24, 29 and 34 entries. */
beforeEach(async () => {
  db = await testDatabase();
  ours = await makeOrganisation(db);
  await writeEntries(db, ours.id, 21);
  job = testCheckpoints(db);
  expect(faultsOf(await job.run())).toEqual([]);
  for (let times = 0; times < 2; times += 1) {
    await writeEntries(db, ours.id, 5);
    expect(faultsOf(await job.run())).toEqual([]);
  }
});
afterEach(() => db.drop());

const asSuperuser = (...statements: string[]) => tamper(db, ...statements);
const tables = ["audit_log", "audit_truncations", "audit_chain_heads", "audit_leaves"];
/** Owner has no right to `session_replication_role`, but disables triggers and policies of its own tables. */
const asOwner = async (...statements: string[]) => {
  const opened = tables.flatMap((table) => [
    `alter table app.${table} disable trigger user`,
    `alter table app.${table} no force row level security`,
  ]);
  await db.poolAs("owner", 1).query([...opened, ...statements, "select pg_stat_force_next_flush()"].join(";"));
};

const newest = "number = (select max(number) from app.audit_checkpoints)";
const oldest = "number = (select min(number) from app.audit_checkpoints)";
const others = "number <> (select max(number) from app.audit_checkpoints)";

test.each([
  [
    "an altered note of the newest",
    `update app.audit_checkpoints set note = replace(note, '34', '35') where ${newest}`,
  ],
  ["an altered root of the newest", `update app.audit_checkpoints set root = sha256('x') where ${newest}`],
  ["an altered older one", `update app.audit_checkpoints set root = sha256('x') where ${oldest}`],
  ["a removed older one", `delete from app.audit_checkpoints where ${oldest}`],
  ["all older ones removed", `delete from app.audit_checkpoints where ${others}`],
  ["the newest removed", `delete from app.audit_checkpoints where ${newest}`],
  ["all removed", "delete from app.audit_checkpoints"],
  [
    "an older one replayed as the newest",
    `insert into app.audit_checkpoints (tree_size, root, public_key, note)
     select tree_size, root, public_key, note from app.audit_checkpoints where ${oldest}`,
  ],
])("the checkpoint job finds stored checkpoints: %s", async (_, statement) => {
  await asSuperuser(statement);
  await writeEntries(db, ours.id, 1);
  const kinds = (found: string[] | undefined) => [...new Set(found?.map((fault) => fault.split(" ")[0]))].sort();
  const found = kinds(faultsOf(await job.run()));
  const restarted = kinds(faultsOf(await testCheckpoints(db).run()));
  const expected = /removed|altered/.test(_) ? "checkpoint" : "rolled_back";
  expect(found).toContain(expected);
  expect(restarted).toContain(expected === "checkpoint" ? "checkpoint" : "tree");
});

test("the checkpoint job accepts no checkpoint of another key under the log's own key", async () => {
  const forger = signerFrom(logSigner.name, 1, Buffer.alloc(32, 7));
  await writeEntries(db, ours.id, 1);
  expect(faultsOf(await testCheckpoints(db, { signer: forger }).run())).toEqual([]);
  await asSuperuser(`update app.audit_checkpoints set public_key = '${logSigner.text}' where ${newest}`);
  expect(faultsOf(await testCheckpoints(db).run())).toEqual(["checkpoint 0", "checkpoint 35"]);
});

const recomputed = (organisation: string) => `do $$
  declare
    entry app.audit_log;
    previous bytea;
  begin
    select hash into previous from app.audit_log where organisation_id = '${organisation}' and sequence = 4;
    update app.audit_log set action = 'deleted' where organisation_id = '${organisation}' and sequence = 5;
    for entry in select * from app.audit_log where organisation_id = '${organisation}' and sequence > 4 order by sequence loop
      previous := audit.entry_hash(previous, entry.organisation_id, entry.sequence, entry.id, audit.content_of(entry));
      update app.audit_log set hash = previous where organisation_id = '${organisation}' and id = entry.id;
    end loop;
    update app.audit_chain_heads set hash = previous where organisation_id = '${organisation}';
    update app.audit_leaves set last_hash = (
      select hash from app.audit_log last where last.organisation_id = '${organisation}' and last.sequence = last_sequence
    ), previous_hash = coalesce((
      select hash from app.audit_log last where last.organisation_id = '${organisation}' and last.sequence = first_sequence - 1
    ), previous_hash);
  end $$`;

test.each([
  ["a superuser", () => asSuperuser],
  ["owner", () => asOwner],
])("the checkpoint job finds history that %s rewrote with its chain and its map of leaves", async (_, by) => {
  await by()(recomputed(ours.id));
  await writeEntries(db, ours.id, 1);
  const outcome = await job.run();
  expect(outcome?.open.filter(({ fault }) => fault !== "rewritten")).toEqual([
    { organisation_id: ours.id, fault: "altered", sequence: 5, last_sequence: 34 },
  ]);
});

test("owner cannot hide a removed beginning behind a truncation", async () => {
  await asOwner(
    `insert into app.audit_truncations (organisation_id, sequence, hash)
     select organisation_id, sequence, hash from app.audit_log where organisation_id = '${ours.id}' and sequence = 20`,
    `delete from app.audit_log where organisation_id = '${ours.id}' and sequence <= 20`,
  );
  expect(faultsOf(await job.run())).toEqual(["rewritten", "truncation 1"]);
});

test.each([
  ["whose entries and head are removed", ""],
  ["that is removed with its entries and head", "; delete from app.organisations where id = ':ours'"],
])("the checkpoint job finds an organisation %s", async (_, more) => {
  await asSuperuser(
    `delete from app.audit_log where organisation_id = ':ours';
     delete from app.audit_chain_heads where organisation_id = ':ours'${more}`.replaceAll(":ours", ours.id),
  );
  const auditor = await db.poolAs("auditor", 1).connect();
  const { faults } = await verifyDatabase(auditor, [logSigner], []);
  auditor.release();
  expect(faults).toContain(`organisation ${ours.id}: entries 1 to 34 are removed`);
  expect(faultsOf(await job.run())).toContain("removed 1");
});

test("the checkpoint job finds an altered entry outside of the part that a run verifies again", async () => {
  const small = testCheckpoints(db, { budget: { ...usualBudget, verified: 1 } });
  for (let times = 0; times < 2; times += 1) expect(faultsOf(await small.run())).toEqual([]);
  await asSuperuser(
    `update app.audit_log set action = 'deleted' where organisation_id = '${ours.id}' and sequence = 4`,
  );
  expect(faultsOf(await small.run())).toEqual(["altered 4", "rewritten"]);
});
