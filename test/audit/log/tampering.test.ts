/** Each way in which a superuser could tamper with the audit log is found by the next run of the checkpoint job. */

import { verifyDatabase } from "../../../src/cli/audit-log.ts";
import type { CheckpointJob } from "../../../src/transparency/checkpoints/job.ts";
import { nilId } from "../../../src/transparency/fault.ts";
import { copyLog, faultsOf, logSigner, tamper, testCheckpoints, writeEntries } from "../../support/checkpoints.ts";
import { makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../../support/database.ts";

let db: TestDatabase;
let ours: Organisation;
let theirs: Organisation;
let job: CheckpointJob;

/** Entries of an organisation: the organisation, its owner, its billing, and 20 memories. */
const last = 23;

beforeEach(async () => {
  db = await testDatabase();
  ours = await makeOrganisation(db);
  theirs = await makeOrganisation(db);
  for (const { id } of [ours, theirs]) await writeEntries(db, id, last - 3);
  job = testCheckpoints(db);
  expect(faultsOf(await job.run())).toEqual([]);
  expect(await verified()).toEqual([]);
});
afterEach(() => db.drop());

/** The faults that `audit verify` prints. */
async function verified() {
  const auditor = await db.poolAs("auditor", 1).connect();
  try {
    return (await verifyDatabase(auditor, [logSigner], [])).faults;
  } finally {
    auditor.release();
  }
}

const signed = async () => (await db.sql("select number from app.audit_checkpoints")).length;

/** A chain whose hashes all fit again after an entry was changed. */
const recompute = `do $$
  declare
    entry app.audit_log;
    previous bytea := sha256(convert_to(':ours', 'UTF8'));
  begin
    for entry in select * from app.audit_log where organisation_id = ':ours' order by sequence loop
      previous := audit.entry_hash(previous, entry.organisation_id, entry.sequence, entry.id, audit.entry_text(
        entry.actor, entry.key_id, entry.person_id, entry.operator, entry.reason, entry.request_id, entry.action,
        entry.resource, entry.resource_id, entry.changed, entry.before, entry.after));
      update app.audit_log set hash = previous where organisation_id = ':ours' and id = entry.id;
    end loop;
    update app.audit_chain_heads set hash = previous where organisation_id = ':ours';
  end $$`;
const entry = (sequence: number) => `organisation_id = ':ours' and sequence = ${sequence}`;

const cases: [string, string[], string[]][] = [
  ["an altered entry", [`update app.audit_log set action = 'deleted' where ${entry(11)}`], ["altered 11"]],
  ["an altered first entry", [`update app.audit_log set person_id = uuidv7() where ${entry(1)}`], ["altered 1"]],
  ["an altered last entry", [`update app.audit_log set after = '{}' where ${entry(last)}`], ["altered 23"]],
  [
    "an altered entry whose chain and head were recomputed",
    [`update app.audit_log set action = 'deleted' where ${entry(20)}`, recompute],
    ["altered 20"],
  ],
  ["a removed first entry", [`delete from app.audit_log where ${entry(1)}`], ["altered 2", "removed 1"]],
  ["a removed entry", [`delete from app.audit_log where ${entry(11)}`], ["altered 12", "removed 11"]],
  ["a removed last entry", [`delete from app.audit_log where ${entry(last)}`], ["removed 23"]],
  [
    "a removed last entry whose head was moved back",
    [
      `delete from app.audit_log where ${entry(last)}`,
      `update app.audit_chain_heads head set (sequence, entry_id, hash) = (
         select sequence, id, hash from app.audit_log where ${entry(last - 1)}) where organisation_id = ':ours'`,
    ],
    ["removed 23"],
  ],
  [
    "a beginning removed behind a truncation that no entry records",
    [
      `insert into app.audit_truncations (organisation_id, sequence, hash)
       select organisation_id, sequence, hash from app.audit_log where ${entry(20)}`,
      `delete from app.audit_log where organisation_id = ':ours' and sequence <= 20`,
    ],
    ["truncation 1"],
  ],
  [
    "two swapped chain heads",
    [
      `update app.audit_chain_heads head set (sequence, entry_id, hash) = (
         select sequence, entry_id, hash from app.audit_chain_heads other
         where other.organisation_id in (':ours', ':theirs') and other.organisation_id <> head.organisation_id)
       where head.organisation_id in (':ours', ':theirs')`,
    ],
    ["head 23", "head 23"],
  ],
  ["a missing chain head", [`delete from app.audit_chain_heads where organisation_id = ':ours'`], ["head 23"]],
  ["a missing head of the service", ["delete from app.audit_chain_heads where sequence = 0"], ["head 0"]],
  [
    "an altered leaf of the tree",
    [`update app.audit_tiles set hashes = overlay(hashes placing sha256('x') from 65) where level = 0`],
    ["altered 3", "tree 46"],
  ],
  ["a removed tile", ["delete from app.audit_tiles"], ["altered 1", "altered 1", "tree 46"]],
  [
    "an altered map of leaves",
    ["update app.audit_leaves set first_index = first_index + 1"],
    ["altered 1", "altered 1", "tree 0", "tree 46"],
  ],
  [
    "a retention that was changed without a trace",
    ["update app.service_settings set audit_retention = '1 day'"],
    ["setting 0"],
  ],
];

test.each(cases)("the checkpoint job finds %s, and signs nothing", async (_, statements, expected) => {
  await tamper(db, ...statements.map((text) => text.replaceAll(":ours", ours.id).replaceAll(":theirs", theirs.id)));
  await writeEntries(db, theirs.id, expected.includes("head 23") ? 0 : 1);
  const before = await signed();
  expect(await verified()).not.toEqual([]);
  const found = faultsOf(await job.run()) ?? [];
  const isCounted = statements.some((text) => /(update|delete from) app\.audit_log /.test(text));
  expect(found).toEqual([...expected, ...(isCounted ? ["rewritten"] : [])].sort());
  expect(await signed()).toBe(before);
  const rows = await db.sql("select fault from audit.log_faults where accepted_at is null");
  expect(rows.length).toBe(found.length);
});

test("the checkpoint job finds entries in no checkpoint yet that were rewritten with their chain, until an operator accepts it", async () => {
  await writeEntries(db, ours.id, 3);
  const rewrite = [`update app.audit_log set action = 'deleted' where ${entry(last + 2)}`, recompute];
  await tamper(db, ...rewrite.map((text) => text.replaceAll(":ours", ours.id)));
  const signedBefore = await signed();
  for (const each of [job, testCheckpoints(db)]) expect(faultsOf(await each.run())).toEqual(["rewritten"]);
  expect(await signed()).toBe(signedBefore);
  await acceptRewrites();
  expect(faultsOf(await job.run())).toEqual([]);
  expect(await signed()).toBe(signedBefore + 1);
  await tamper(db, ...rewrite.map((text) => text.replaceAll(":ours", ours.id)));
  expect(faultsOf(await job.run())).toContain("rewritten");
});

async function acceptRewrites(): Promise<void> {
  const cli = await db.poolAs("cli", 1).connect();
  await cli.query("set caller.command_by = 'Ada'; set caller.command_reason = 'disk failure'");
  const [open] = await db.sql(
    "select sequence from app.audit_faults where fault = 'rewritten' and accepted_at is null",
  );
  await cli.query("select operator.accept_audit_fault($1, 'rewritten', $2)", [nilId, open?.sequence]);
  cli.release();
}

test("the checkpoint job signs again after a changed entry is restored", async () => {
  await db.sql(`create table kept as select * from app.audit_log where ${entry(5)}`.replaceAll(":ours", ours.id));
  await tamper(db, `delete from app.audit_log where ${entry(5)}`.replaceAll(":ours", ours.id));
  await writeEntries(db, ours.id, 1);
  expect(faultsOf(await job.run())).toEqual(["altered 6", "removed 5", "rewritten"]);
  await acceptRewrites();
  await db.sql("alter table kept drop column created_at");
  const columns =
    "organisation_id, id, sequence, actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed, before, after, hash";
  await db.sql(`insert into app.audit_log (${columns}) select ${columns} from kept`);
  expect(faultsOf(await job.run())).toEqual([]);
  expect(await signed()).toBe(2);
});

test("the checkpoint job signs after a fault is accepted, until another appears; the chain records the acceptance", async () => {
  await tamper(db, `delete from app.audit_log where ${entry(5)}`.replaceAll(":ours", ours.id));
  await writeEntries(db, ours.id, 1);
  expect(faultsOf(await job.run())).toEqual(["altered 6", "removed 5", "rewritten"]);
  await acceptRewrites();
  const cli = db.poolAs("cli", 1);
  await cli.query("set caller.command_by = 'Ada'; set caller.command_reason = 'disk failure'");
  for (const [fault, sequence] of [
    ["altered", 6],
    ["removed", 5],
  ]) {
    const { rows } = await cli.query("select operator.accept_audit_fault($1, $2, $3) as done", [
      ...[ours.id, fault, sequence],
    ]);
    expect(rows).toEqual([{ done: true }]);
  }
  expect(faultsOf(await job.run())).toEqual([]);
  expect(await signed()).toBe(2);
  const recorded = await db.sql(
    "select reason from app.audit_log where organisation_id = $1 and resource = 'audit_log'",
    [ours.id],
  );
  expect(recorded).toEqual([{ reason: "disk failure" }, { reason: "disk failure" }]);
  const { rows } = await cli.query("select operator.accept_audit_fault($1, 'removed', 5) as done", [ours.id]);
  expect(rows).toEqual([{ done: false }]);
  await tamper(db, `delete from app.audit_log where ${entry(9)}`.replaceAll(":ours", ours.id));
  expect(faultsOf(await job.run())).toEqual(["altered 10", "removed 9", "rewritten"]);
});

test("the checkpoint job of a process that signed later entries finds the rows of an old backup", async () => {
  const restore = await copyLog(db);
  await writeEntries(db, ours.id, 5);
  await job.run();
  await restore();
  expect(faultsOf(await job.run())).toEqual(["checkpoint 0", "rewritten", "rolled_back 51"]);
});
