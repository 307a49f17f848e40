/** The conditions of a move, checked before it changes anything. */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { openSession } from "../../database/connections/session.ts";
import { type Cell, finds, holdsAdvisoryLock, type Move } from "./cell.ts";

/** A move that was not begun, continued or ended. The message is a sentence for the operator. */
export class MoveRefused extends Error {}

const refuse = (sentence: string): never => {
  throw new MoveRefused(sentence);
};

const setting = async (cell: Cell, name: string): Promise<string | undefined> =>
  (await cell.rows<{ value: string }>("select current_setting($1) as value", [name]))[0]?.value;

export async function requireMovable(move: Move): Promise<void> {
  const { source, target, organisation } = move;
  if (!(await finds(source, "select from app.organisations where id = $1", [organisation]))) {
    refuse("The source has no organisation with this id.");
  }
  if ((await setting(source, "wal_level")) !== "logical") {
    refuse("The source needs wal_level = logical. PostgreSQL applies it at its next start.");
  }
  const definitions = "select digest from app.definition_builds order by id desc limit 1";
  const [[ours], [theirs]] = await Promise.all([source.rows(definitions), target.rows(definitions)]);
  if (ours?.digest !== theirs?.digest) refuse("The two cells run different versions. Upgrade one of them first.");
  const marks = "select system_identifier::text as id, current_database() as name from pg_control_system()";
  const [[here], [there]] = await Promise.all([source.rows(marks), target.rows(marks)]);
  if (here?.id === there?.id && here?.name === there?.name) refuse("Source and target are the same database.");
  await requireOwnLog(move);
  await requireNoTrace(move);
  await requireOneIdPerPerson(move);
}

/**
 * Two logs of one name and one key contradict each other. A receiver of an audit stream, or a witness, would take the target's
 * for a rewritten log.
 */
async function requireOwnLog({ source, target }: Move): Promise<void> {
  const text = "select public_key as key from app.audit_checkpoints order by number desc limit 1";
  const [[ours], [theirs]] = await Promise.all([
    source.rows<{ key: string }>(text),
    target.rows<{ key: string }>(text),
  ]);
  if (ours && ours.key === theirs?.key) {
    refuse(
      `The audit logs of both cells have the name ${ours.key.split("+")[0]}. Give the target another AUDIT_ORIGIN, restart its workers, and wait for its next checkpoint.`,
    );
  }
}

/** Entries that an earlier stay left at the target would exist twice, and its tree covers them. */
async function requireNoTrace({ target, organisation }: Move): Promise<void> {
  const text =
    "select from app.audit_chain_heads where organisation_id = $1 union all select from app.organisations where id = $1";
  if (await finds(target, text, [organisation])) {
    refuse("The target still has the audit log of an earlier stay of this organisation, so it cannot return there.");
  }
}

async function requireOneIdPerPerson({ source, target, organisation }: Move): Promise<void> {
  const people = await source.rows<{ id: string; address: string }>(
    'select id, lower(email collate "pg_c_utf8") as address from service.people_of($1)',
    [organisation],
  );
  const [other] = await target.rows<{ id: string }>(
    `select person.id from app.people person
     join json_to_recordset($1) arriving (id uuid, address text) on arriving.address = lower(person.email collate "pg_c_utf8") collate "default" and arriving.id <> person.id
     limit 1`,
    [JSON.stringify(people)],
  );
  if (other)
    refuse(
      `The target has the address of a member as another person (${other.id}). A person needs one id in all cells.`,
    );
}

/**
 * The URLs that the directory and the operator have for a cell may differ by an alias, so an advisory lock shows whether they lead
 * to one database.
 */
export async function requireSameDatabase(adminUrl: string, auditorUrl: string): Promise<void> {
  const admin = await openSession(adminUrl, "botstead move");
  try {
    const number = randomBytes(8).readBigInt64BE();
    await admin.query("select pg_advisory_lock($1)", [number]);
    const auditor = await openSession(auditorUrl, "botstead move");
    try {
      const seen = `select from pg_locks held where ${holdsAdvisoryLock("held", "$1::bigint")}`; // auditor may take none
      if ((await auditor.query(seen, [number])).rowCount === 0)
        refuse("The target is not the database that the directory has for this cell.");
    } finally {
      await auditor.end();
    }
  } finally {
    await admin.end();
  }
}

/** Sealed secrets move as they are. The passwords of logins follow from the master key, so a login shows that it is the same. */
export async function requireSameMasterKey(auditorUrl: string): Promise<void> {
  const client = new Client({ connectionString: auditorUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== "28P01") throw error;
    refuse("The target has another master key. All cells need the same one, since sealed secrets move as they are.");
  } finally {
    await client.end().catch(() => {});
  }
}
