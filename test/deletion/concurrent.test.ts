/** Deletions beside cancellations, calls, runs, moves and retention. Each refusal and each lock. */
import { openCell } from "../../src/cells/moves/cell.ts";
import { recordMove } from "../../src/cells/moves/exclusion.ts";
import { faultsOf, tamper, verifyLog } from "../support/checkpoints.ts";
import { makeMember } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { type Customer, customer, ownOfficeOfFile } from "../support/post-office.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";
import { type Deletions, deletionsOf, receiptOf, rowsOf as rowsIn } from "./fixture.ts";

let deletions: Deletions;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  deletions = await deletionsOf(office.db);
});

const rowsOf = (organisation: string) => rowsIn(office.db, organisation);

/** A customer whose deletion is due. */
async function due(): Promise<Customer & { id: string }> {
  const who = await customer(office);
  await deletions.schedule(who.organisation.id);
  await deletions.passWait(who.organisation.id);
  return { ...who, id: who.organisation.id };
}

test("a deletion is scheduled once, for 7 to 90 days, and cancelled once; owners get a mail of both, and both logs have them", async () => {
  const { id, ownerId } = (await customer(office)).organisation;
  await makeMember(office.db, id, "admin");
  for (const days of [6, 91, null])
    await expect(
      deletions.operator.perform("schedule_organisation_deletion($1, 'Contract ended', $2)", [id, days]),
    ).rejects.toThrow("invalid_request");
  await expect(deletions.operator.perform("cancel_organisation_deletion($1, 'Not yet')", [id])).rejects.toThrow(
    "conflict",
  );
  const before = Date.now();
  const { deletionAt } = await deletions.operator.perform("schedule_organisation_deletion($1, 'Contract ended')", [id]);
  expect((Date.parse(deletionAt) - before) / 86_400_000).toBeCloseTo(30, 2);
  await expect(deletions.schedule(id)).rejects.toThrow("conflict");
  expect(await deletions.step()).toBe(false);
  expect(await deletions.operator.perform("cancel_organisation_deletion($1, 'Came back')", [id])).toEqual({
    id,
    deletionAt: null,
  });
  await expect(deletions.operator.perform("cancel_organisation_deletion($1, 'Again')", [id])).rejects.toThrow(
    "conflict",
  );
  const mails = await office.db.sql(
    `select mail.kind::text, mail.data ->> 'deletionAt' as at from app.mails mail
     join app.people person on person.email = mail.recipient
     where mail.organisation_id = $1 and person.id = $2 and mail.kind::text like 'deletion%' order by mail.id`,
    [id, ownerId],
  );
  expect(mails).toEqual([
    { kind: "deletion_scheduled", at: deletionAt },
    { kind: "deletion_cancelled", at: deletionAt },
  ]);
  expect(
    await office.db.sql("select from app.mails where organisation_id = $1 and kind::text like 'deletion%'", [id]),
  ).toHaveLength(2);
  const entries = await office.db.sql(
    "select actor::text, reason, after ->> 'deletionAt' as at from app.audit_log where organisation_id = $1 and 'deletionAt' = any (changed) order by id",
    [id],
  );
  expect(entries).toEqual([
    { actor: "operator", reason: "Contract ended", at: deletionAt },
    { actor: "operator", reason: "Came back", at: null },
  ]);
  const actions = await office.db.sql(
    "select action from app.operator_actions where organisation_id = $1 and action like '%deletion' order by id",
    [id],
  );
  expect(actions.map(({ action }) => action)).toEqual([
    "schedule_organisation_deletion",
    "cancel_organisation_deletion",
  ]);
});

test("of a deletion that begins and a cancellation the first one wins", async () => {
  const { id } = await due();
  const cancelling = await deletions.operator.begin("cancel_organisation_deletion($1, 'Came back')", [id]);
  for (let round = 0; round < 3; round += 1) await deletions.step();
  expect(await receiptOf(office.db, id)).toBeUndefined();
  await cancelling.query("commit");
  cancelling.release();
  await eventually(async () => !(await deletions.step()));
  expect(await receiptOf(office.db, id)).toBeUndefined();

  await deletions.schedule(id);
  await deletions.passWait(id);
  const beginning = await begun(office.db, "worker");
  const hasBegun = async () => (await office.db.sql("select from service.tables_without_hiding")).length === 0;
  await eventually(async () => {
    if (!(await hasBegun())) await deletions.step(0);
    return hasBegun();
  });
  await beginning.query("select * from jobs.delete_organisations()");
  const refused = expect(
    deletions.operator.perform("cancel_organisation_deletion($1, 'Too late')", [id]),
  ).rejects.toThrow("conflict");
  await untilWaiting(office.db, 1, refused);
  await beginning.query("commit");
  await refused;
  await deletions.end(id);
});

test("as soon as it begins each credential is unknown, and writes under way are waited for and deleted", async () => {
  const who = await due();
  const other = await customer(office);
  const unknown = await office.api.call("GET", "/me", { key: `${who.key.slice(0, -12)}${"0".repeat(12)}` });
  const writing = await begun(office.db);
  const written = `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
    values ($1, 'organisation', 'note', 'Harbour', 'Deep.', 'import', 'test')`;
  const late = await begun(office.db, "owner");
  await late.query("select pg_current_xact_id()");
  await deletions.begin(who.id);

  const refused = await office.api.call("GET", "/me", { key: who.key });
  expect([refused.status, refused.body.error.code]).toEqual([401, unknown.body.error.code]);
  expect(refused.body.error.message).toBe(unknown.body.error.message);
  expect((await office.api.call("POST", "/bots", { key: who.key, body: { name: "Late" } })).status).toBe(401);
  await expect(late.query(written, [who.id])).rejects.toThrow("row-level security");
  await late.query("rollback");
  for (let round = 0; round < 3; round += 1) await deletions.step();
  expect(await rowsOf(who.id)).toContain("memberships"); // waits for the open transaction
  await writing.query(
    "insert into app.request_minutes (organisation_id, minute) values ($1, date_trunc('minute', now() - interval '1 hour'))",
    [who.id],
  ); // as a statement that had begun before
  await writing.query("commit");
  await deletions.end(who.id);
  expect(await rowsOf(who.id)).toEqual([]);
  expect((await other.ask("GET", "/me")).status).toBe(200);
});

test("calls that race with the begin are refused or leave no row, and a run under lease ends without a trace", async () => {
  const { who, executor } = await workplace(office, office.db.poolAs("runner"));
  const id = who.organisation.id;
  await who.run("Work");
  const running = await leased(executor);
  await deletions.schedule(id);
  await deletions.passWait(id);
  let isOver = false;
  const statuses = new Set<number>();
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const body = { scope: "organisation", kind: "note", subject: "We", value: "Late." };
      statuses.add((await office.api.call("POST", "/memories", { key: who.key, body })).status);
    }
  });
  await eventually(async () => statuses.has(201));
  await deletions.begin(id);
  await eventually(async () => statuses.has(401));
  await expect(executor.finish(running)).rejects.toThrow();
  expect(await executor.lease()).toBeNull();
  await deletions.end(id);
  isOver = true;
  await Promise.all(callers);
  expect([...statuses].filter((status) => ![201, 401, 429].includes(status))).toEqual([]);
  expect(await rowsOf(id)).toEqual([]);
});

test("a member of two organisations stays, and the others are deleted with their addresses", async () => {
  const { id, organisation } = await due();
  const both = await makeMember(office.db, id, "admin");
  const former = await makeMember(office.db, id, "member");
  await office.db.sql("delete from app.memberships where person_id = $1", [former]);
  const other = await customer(office);
  await office.db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'member')", [
    ...[other.organisation.id, both],
  ]);
  await office.db.sql(
    "insert into app.invitations (organisation_id, email, role, invited_by, token_digest) values ($1, 'x@example.test', 'member', $2, sha256('x'))",
    [id, former],
  );
  const receipt = await deletions.end(id);
  const left = await office.db.sql("select id from app.people where id = any ($1)", [
    [organisation.ownerId, both, former],
  ]);
  expect(left).toEqual([{ id: both }]);
  expect(receipt.deleted.people).toBe(2);
});

test("a worker that ends at any point is continued by the next one", async () => {
  const { id } = await due();
  await deletions.checkpoints.run();
  const steps: (string | null)[] = [];
  for (let isEnded = false; !isEnded; ) {
    // Each transaction is rolled back once by the end of its session, and done afterwards.
    for (const isKilled of [true, false]) {
      const session = await begun(office.db, "worker");
      const { rows } = await session.query("select * from jobs.delete_organisations()");
      if (!isKilled) steps.push(rows[0].state);
      await session.query(isKilled ? "rollback" : "commit");
      if (isKilled || rows[0].state !== "log") continue;
      for (const end of ["rollback", "commit"]) {
        await session.query("select * from jobs.delete_organisations()"); // accepts the next attempt
        await session.query("begin");
        await session.query("select jobs.delete_log_entries($1)", [id]);
        await session.query(end);
      }
    }
    await office.db.sql("update app.organisation_deletions set next_step_at = now() where ended_at is null");
    expect(faultsOf(await deletions.checkpoints.run()) ?? []).toEqual([]);
    expect((await verifyLog(office.db)).faults).toEqual([]);
    isEnded = (await receiptOf(office.db, id))?.ended_at != null;
  }
  expect(steps).toContain("log");
  await deletions.end(id);
  expect(await rowsOf(id)).toEqual([]);
});

test("a deletion that finds a row ends only after the row is gone, and names its table meanwhile", async () => {
  const { id } = await due();
  await eventually(async () => {
    await deletions.step(0);
    await deletions.checkpoints.run();
    return (await rowsOf(id)).length === 0 && (await receiptOf(office.db, id)) !== undefined;
  });
  await office.db.sql("insert into app.locks (name) values ('left of ' || $1)", [id]);
  await eventually(async () => {
    await deletions.step();
    await deletions.checkpoints.run();
    return Object.keys((await receiptOf(office.db, id))?.places_left ?? {}).length > 0;
  }, 60_000);
  await eventually(async () => !(await deletions.step()));
  expect(await receiptOf(office.db, id)).toMatchObject({ places_left: { "app.locks": 1 }, ended_at: null });
  await office.db.sql("delete from app.locks where name = 'left of ' || $1", [id]);
  await office.db.sql(
    "update app.organisation_deletions set next_step_at = now(), places_left = '{}' where ended_at is null",
  );
  await deletions.end(id);
});

test("a move and a deletion exclude each other", async () => {
  const { id } = await due();
  const cell = await openCell(office.db.adminUrl);
  const move = { organisation: id, from: "one", to: "two", source: cell, target: cell };
  await recordMove(move);
  for (let round = 0; round < 3; round += 1) await deletions.step();
  expect(await receiptOf(office.db, id)).toBeUndefined();
  await office.db.sql("delete from app.organisation_moves where organisation_id = $1", [id]);
  await deletions.begin(id);
  await expect(recordMove(move)).rejects.toThrow("being deleted");
  expect(await office.db.sql("select from app.organisation_moves where organisation_id = $1", [id])).toEqual([]);
  await cell.end();
  await deletions.end(id);
});

test("retention of the audit log passes beside a deletion, and a removal that no operator scheduled is a fault", async () => {
  const { id } = await due();
  await deletions.begin(id);
  await office.db.poolAs("worker", 1).query("select jobs.record_truncations(), jobs.drop_partition()");
  await deletions.end(id);

  const forged = await customer(office);
  await deletions.checkpoints.run();
  await tamper(
    office.db,
    `insert into app.organisation_deletions (organisation_id, due_at) values ('${forged.organisation.id}', now())`,
  );
  await eventually(async () => {
    await deletions.step();
    return faultsOf(await deletions.checkpoints.run())?.some((fault) => fault.startsWith("truncation")) ?? false;
  });
  expect((await receiptOf(office.db, forged.organisation.id))?.ended_at).toBeNull();
});
