/**
 * Imported memories and memories that replace others, by role and by session: who reads, changes and deletes each, imports
 * one like it, and replaces it. By row-level security, without the API. (docs/specification/memories.md#visibility)
 */
import { createHash } from "node:crypto";
import type { DatabaseError, Pool } from "pg";
import { makeKey, makeMember, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { asTenant } from "../support/transactions.ts";

let db: TestDatabase;
let pool: Pool;
let organisation: string;
const credentials: Record<string, Buffer> = {};
const bots: Record<string, string> = {};

/** A session of the portal. @returns its digest */
async function sessionOf(person: string, creator: string, keyId: string): Promise<Buffer> {
  const digest = createHash("sha256").update(`${person} by ${creator}`).digest();
  await db.sql(
    `insert into app.portal_sessions (organisation_id, person_id, created_by, key_id, link_digest, expires_at, opened_at, session_digest)
     values ($1, $2, $3, $4, sha256($5::bytea), now() + interval '50 minutes', now(), $5)`,
    [organisation, person, creator, keyId, digest],
  );
  return digest;
}

beforeAll(async () => {
  db = await testDatabase();
  pool = db.adminPool({ max: 2 });
  const { id, ownerId: owner } = await makeOrganisation(db);
  organisation = id;
  const [admin, member] = [await makeMember(db, id, "admin"), await makeMember(db, id, "member")];
  const [ofOwner, ofAdmin] = [await makeKey(db, id, owner, "write"), await makeKey(db, id, admin, "write")];
  Object.assign(credentials, {
    owner: ofOwner.digest,
    admin: ofAdmin.digest,
    "own session": await sessionOf(owner, owner, ofOwner.id),
    "by another": await sessionOf(owner, admin, ofAdmin.id),
    member: await sessionOf(member, owner, ofOwner.id),
  });
  for (const visibility of ["team", "personal"]) {
    const made =
      "insert into app.bots (organisation_id, name, owner_id, visibility) values ($1, $2, $3, $4) returning id";
    const [bot] = await db.sql<{ id: string }>(made, [id, visibility, owner, visibility]);
    bots[visibility] = bot?.id ?? "";
  }
});

afterAll(async () => {
  await pool.end();
  await db.drop();
});

/** Callers: keys of scope write, then sessions: the owner's own, the owner's that the admin opened, and the member's. */
const callers = ["owner", "admin", "own session", "by another", "member"];
const attempts = ["read", "changed", "deleted", "imported", "replaced"] as const;
type Attempt = (typeof attempts)[number];

/** y yes, h hidden, r refused, n not found, c conflict: replaced already. One letter for each attempt. */
const verdicts: [memory: string, ofCallers: string][] = [
  //                                          owner admin own-s byoth member
  ["imported, of the organisation", "         yyyyy yyyyy yyyyy yyyyy yhhrn"],
  ["imported, of a bot of the team", "        yyyyy yyyyy yyyyy yyyyy yhhrn"],
  ["imported, of the owner's personal bot", " yyyyy hhhrn yyyyy hhhrn hhhrn"],
  ["replaced, of the organisation", "         yyyyc yyyyc yyyyc yyyyc yhhrn"],
  ["replaced, of the owner's personal bot", " yyyyc hhhrn yyyyc hhhrn hhhrn"],
  ["replacing, of the organisation", "        yyyyy yyyyy yyyyy yyyyy yhhrn"],
  ["replacing, of the owner's personal bot", "yyyyy hhhrn yyyyy hhhrn hhhrn"],
];

const botOf = (memory: string) =>
  memory.endsWith("personal bot") ? bots.personal : memory.endsWith("the team") ? bots.team : null;

/** A memory of this kind, new for each test. @returns its id */
async function make(memory: string): Promise<string> {
  const values = `organisation_id, scope, bot_id, kind, subject, value, provenance, source, external_id, supersedes`;
  const insert = async (externalId: string | null, supersedes: string | null = null) => {
    const [made] = await db.sql<{ id: string }>(
      `insert into app.memories (${values})
       values ($1, $2, $3, 'fact', 'We', 'We are.', $4, 'api', $5, $6) returning id`,
      [
        organisation,
        botOf(memory) ? "bot" : "organisation",
        botOf(memory),
        externalId ? "import" : "member",
        externalId,
        supersedes,
      ],
    );
    return made?.id ?? "";
  };
  if (memory.startsWith("imported")) return insert(`of ${memory}`);
  const former = await insert(null);
  const successor = await insert(null, former);
  return memory.startsWith("replaced") ? former : successor;
}

function statement(attempt: Attempt, memory: string, id: string): string {
  const bot = botOf(memory);
  const insert = (column: string, value: string, provenance: string) =>
    `insert into app.memories (organisation_id, scope, bot_id, kind, subject, value, provenance, source, created_by, ${column})
     values ('${organisation}', '${bot ? "bot" : "organisation"}', ${bot ? `'${bot}'` : "null"}, 'fact', 'We', 'New', '${provenance}', 'api',
       caller.person_id(), '${value}')`;
  return {
    read: `select from app.memories where id = '${id}'`,
    changed: `update app.memories set value = 'changed' where id = '${id}'`,
    deleted: `delete from app.memories where id = '${id}'`,
    imported: insert("external_id", "new", "import"),
    replaced: insert("supersedes", id, "member"),
  }[attempt];
}

async function verdictOf(caller: string, text: string): Promise<string> {
  try {
    const digest = credentials[caller] as Buffer;
    const { rowCount } = await asTenant(pool, digest, (client) => client.query(text));
    return rowCount === 0 ? "h" : "y";
  } catch (error) {
    const { code, message } = error as DatabaseError;
    if (code === "OA001" && message === "not_found") return "n";
    if (code === "OA001" && message === "conflict") return "c";
    if (code === "42501" && message.startsWith("new row violates row-level security policy")) return "r";
    throw error;
  }
}

test.each(verdicts)("a memory that is %s is read and written as role and session allow", async (memory, expected) => {
  const id = await make(memory);
  expect(await db.sql("select from app.memories where id = $1", [id])).toHaveLength(1);
  const actual: Record<string, string> = {};
  for (const caller of callers) {
    actual[caller] = "";
    for (const attempt of attempts) actual[caller] += await verdictOf(caller, statement(attempt, memory, id));
  }
  expect(actual).toEqual(
    Object.fromEntries(
      expected
        .trim()
        .split(" ")
        .map((letters, index) => [callers[index], letters]),
    ),
  );
});
