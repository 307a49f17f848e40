/** What triggers and foreign keys let a deletion do, and no other transaction. (sql/triggers/deletions.sql) */
import { type LoginRole, loginRoles } from "../../src/database/roles.ts";
import { tamper } from "../support/checkpoints.ts";
import { type Customer, customer, ownOfficeOfFile } from "../support/post-office.ts";
import { begun } from "../support/transactions.ts";
import { type Deletions, deletionsOf, receiptOf, rowsOf } from "./fixture.ts";

let deletions: Deletions;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  deletions = await deletionsOf(office.db);
});

const entryStays = "an entry of the audit log stays";
const others = loginRoles.filter((role) => role !== "owner");

async function begin(): Promise<Customer & { id: string }> {
  const who = await customer(office);
  const { id } = who.organisation;
  await deletions.schedule(id);
  await deletions.passWait(id);
  await deletions.begin(id);
  return { ...who, id };
}

test("rows that refer to each other are deleted in parts, in circles too, without a change of the others", async () => {
  const who = await customer(office);
  const { id, ownerId } = who.organisation;
  const subscriber = await who.ask("POST", "/webhooks", {
    url: office.hook().url,
    events: ["member.removed", "memory.deleted", "memory.updated", "key.revoked"],
  });
  expect(subscriber.status).toBe(201);
  const [{ conversation } = { conversation: "" }] = await office.db.sql<{ conversation: string }>(
    "insert into app.conversations (organisation_id, bot_id, person_id) values ($1, $2, $3) returning id as conversation",
    [id, who.bot, ownerId],
  );
  const runs = 4_500; // more than two parts
  await tamper(
    office.db,
    `create temporary table made on commit drop as select uuidv7() as id, number from generate_series(1, ${runs}) number`,
    `insert into app.routines (organisation_id, bot_id, name, schedule, time_zone, message, created_by, last_run_id)
     select '${id}', '${who.bot}', 'Daily', '0 9 * * *', 'UTC', 'Hello', '${ownerId}', id from made where number = 1`,
    // Each run repeats the one before, and is a part of the first. Among them are references to later rows.
    `insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at, routine_id, retry_of, parent_run_id)
     select '${id}', made.id, '${who.bot}', '${conversation}', '${ownerId}', 'routine', 'completed', now(), routine.id, other.id, first.id
     from made
     cross join (select id from app.routines where organisation_id = '${id}') routine
     left join made other on other.number = made.number + case when made.number % 2 = 0 then -1 else 1 end
     left join made first on first.number = 1 and made.number > 1`,
    `insert into app.messages (organisation_id, conversation_id, run_id, author, text)
     select '${id}', '${conversation}', id, 'bot', 'Done.' from made`,
    `insert into app.run_events (organisation_id, run_id, number, message_id)
     select '${id}', run_id, 1, id from app.messages where organisation_id = '${id}'`,
    `insert into app.memories (organisation_id, id, scope, kind, subject, value, provenance, source, search_vector, supersedes, superseded_by)
     select '${id}', made.id, 'organisation', 'fact', 'We', 'We are.', 'member', 'app', '', older.id, newer.id
     from made left join made older on older.number = made.number - 1 left join made newer on newer.number = made.number + 1`,
  );
  const counted = async (table: string, condition = "true") =>
    Number(
      (await office.db.sql(`select count(*) from app.${table} where organisation_id = $1 and ${condition}`, [id]))[0]
        ?.count,
    );
  const history = await counted("memory_history");
  const events = await counted("events");
  await deletions.schedule(id);
  await deletions.passWait(id);
  const receipt = await deletions.end(id);
  expect(receipt.deleted).toMatchObject({
    runs,
    messages: runs,
    run_events: runs,
    memories: runs,
    routines: 1,
    memberships: 1,
  });
  // No trigger has written history, an event or an entry for what it deleted.
  expect([receipt.deleted.memory_history ?? 0, receipt.deleted.events ?? 0]).toEqual([history, events]);
  const entries = await office.db.sql("select resource from app.audit_log where organisation_id = $1 order by id", [
    id,
  ]);
  expect(entries).toEqual([{ resource: "audit_log" }, { resource: "organisation" }]);
  expect(await rowsOf(office.db, id)).toEqual([]);
});

test("every reference between tables of organisations has a place in the order, or becomes null", async () => {
  const wrong = await office.db.sql(
    `select conrelid::regclass::text || ' → ' || confrelid::regclass as reference
     from pg_constraint
     join service.places_of_tables referring on referring.relation = conrelid
     join service.places_of_tables referred on referred.relation = confrelid
     where contype = 'f' and confdeltype <> 'n' and conrelid <> confrelid and referring.place >= referred.place
     union all
     select conname from pg_constraint
     where contype = 'f' and connamespace = 'app'::regnamespace and conrelid = confrelid and confdeltype <> 'n'
       and conrelid <> 'app.limits'::regclass -- has no rows of organisations`,
  );
  expect(wrong).toEqual([]);
  const unindexed = await office.db.sql(
    `select pg_get_constraintdef(oid) from pg_constraint
     where contype = 'f' and conrelid = any ('{app.runs, app.run_events, app.hook_receipts, app.memories, app.steps, app.run_metadata}'::regclass[])
       and confrelid = any ('{app.runs, app.messages, app.memories, app.approvals}'::regclass[])
       and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1] and indkey[1] = conkey[2])`,
  );
  expect(unindexed).toEqual([]);
});

test("while a deletion is under way, only its own transaction sees and deletes rows; no role and no setting gets past", async () => {
  const { id } = await begin();
  const entries = (condition = "true") => `delete from app.audit_log where organisation_id = '${id}' and ${condition}`;
  const events = `delete from app.events where organisation_id = '${id}'`;
  await tamper(
    office.db,
    `insert into app.events (organisation_id, kind, data, position) values ('${id}', 'run.finished', '{}', 1)`,
  );
  expect(await receiptOf(office.db, id)).toMatchObject({ step_transaction: null });
  /** The changed rows or the error of the last statement. */
  const outcomeOf = async (role: LoginRole | undefined, ...statements: string[]): Promise<string> => {
    const session = await begun(office.db, role);
    for (const statement of statements.slice(0, -1)) await session.query(statement);
    const outcome = await session.query(statements.at(-1) ?? "").then(
      ({ rowCount }) => `${rowCount} rows`,
      ({ message }) => message,
    );
    await session.query("rollback");
    return outcome;
  };
  for (const role of [undefined, "owner"] as const) expect(await outcomeOf(role, entries())).toMatch(entryStays);
  expect(await outcomeOf(undefined, events)).toMatch("an event stays");
  expect(await outcomeOf("owner", events)).toBe("0 rows"); // hidden
  const step = `update app.organisation_deletions set step_transaction = pg_current_xact_id() where organisation_id = '${id}'`;
  for (const role of others)
    expect([role, await outcomeOf(role, step)]).toEqual([role, expect.stringMatching(/^permission denied/)]);
  for (const role of loginRoles) {
    expect([role, await outcomeOf(role, "set local session_replication_role = replica")]).toEqual([
      ...[role, 'permission denied to set parameter "session_replication_role"'],
    ]);
  }
  // Even a step deletes no entry beyond the recorded ones, and changes none.
  expect(await outcomeOf(undefined, step, entries())).toMatch(entryStays);
  const recorded = `update app.organisation_deletions set log_entry_id = uuidv7(), log_sequence = 1 where organisation_id = '${id}'`;
  // PostgreSQL counts the deletion although it was rolled back, so it would be a fault of the log.
  const accepted = "service.accept_rewrites(tableoid::regclass, 1, 'A test')";
  await office.db.sql(`select ${accepted} from app.audit_log where organisation_id = $1 and sequence = 1`, [id]);
  expect(await outcomeOf(undefined, step, recorded, entries("sequence = 1"))).toBe("1 rows");
  expect(await outcomeOf(undefined, step, recorded, entries("sequence = 2"))).toMatch(entryStays);
  expect(
    await outcomeOf(
      undefined,
      step,
      recorded,
      `update app.audit_log set reason = 'x' where organisation_id = '${id}' and sequence = 1`,
    ),
  ).toMatch(entryStays);
  const other = await customer(office);
  expect(
    await outcomeOf(undefined, step, `delete from app.audit_log where organisation_id = '${other.organisation.id}'`),
  ).toMatch(entryStays);
  await deletions.end(id);
  expect(await receiptOf(office.db, id)).toMatchObject({ step_transaction: null });
});
