/** audit.verify_chain: finds each way in which a superuser could tamper with the audit log. */
import { Client } from "pg";
import { writeEntries } from "../support/checkpoints.ts";
import { makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let ours: Organisation;
let theirs: Organisation;

type Fault = { sequence: number; last: number; fault: string };

beforeAll(async () => {
  db = await testDatabase();
  ours = await makeOrganisation(db);
  theirs = await makeOrganisation(db);
  await writeEntries(db, ours.id, 20);
  await writeEntries(db, theirs.id, 3);
});

afterAll(() => db.drop());

const faultsIn = "select organisation_id, sequence::int, last_sequence::int as last, fault from audit.verify_chain()";

/** The faults found after this tampering, in our organisation and in others. Rolls back. */
async function found(...tampering: string[]): Promise<{ ours: Fault[]; others: number }> {
  const client = new Client({ connectionString: db.adminUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica"); // disables triggers
    for (const statement of tampering) {
      const { rowCount } = await client.query(statement.replaceAll(":ours", `'${ours.id}'`));
      expect([statement, rowCount]).not.toEqual([statement, 0]);
    }
    const { rows } = await client.query(`${faultsIn} order by sequence, fault`);
    return {
      ours: rows
        .filter((row) => row.organisation_id === ours.id)
        .map(({ sequence, last, fault }) => ({ sequence, last, fault })),
      others: rows.filter((row) => row.organisation_id !== ours.id).length,
    };
  } finally {
    await client.query("rollback");
    await client.end();
  }
}

const one = (sequence: number, fault: string) => ({ sequence, last: sequence, fault });
const entry = (sequence: number) => `organisation_id = :ours and sequence = ${sequence}`;
const columns =
  "actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed, before, after";
/** Inserts a copy of an entry at another place of the chain, with a computed or invented hash. */
const copied = (from: number, to: number, hash: string) =>
  `insert into app.audit_log (organisation_id, id, sequence, ${columns}, hash)
   select organisation_id, made_id, ${to}, ${columns}, ${hash}
   from app.audit_log cross join (select uuidv7() as made_id) made where ${entry(from)}`;
/** The hash of an entry that follows this one. */
const hashAfter = (previous: number, sequence = "sequence", id = "id") =>
  `audit.entry_hash(
     (select before.hash from app.audit_log before where before.organisation_id = :ours and before.sequence = ${previous}),
     organisation_id, ${sequence}, ${id},
     audit.entry_text(
       actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed, before, after
     )
   )`;

const last = 23; // the organisation, its owner, its billing, and 20 memories

test("entries of each organisation are numbered from 1, and verify_chain finds no fault", async () => {
  const rows = await db.sql(
    `select organisation_id as id, min(sequence)::int as first, max(sequence)::int as last, count(*)::int as entries
     from app.audit_log group by 1 order by 1`,
  );
  expect(rows).toEqual(
    [
      { id: ours.id, first: 1, last, entries: last },
      { id: theirs.id, first: 1, last: 6, entries: 6 },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(await db.sql(faultsIn)).toEqual([]);
});

test("ids are in the order of sequence numbers", async () => {
  expect(
    await db.sql(
      `select from (select id, lag(id) over (partition by organisation_id order by sequence) as before from app.audit_log) entry
       where id <= before`,
    ),
  ).toEqual([]);
});

describe("verify_chain finds exactly", () => {
  const middle = 11;
  test.each<[string, string[], Fault[]]>([
    [
      "an altered action",
      [`update app.audit_log set action = 'deleted' where ${entry(middle)}`],
      [one(middle, "altered")],
    ],
    ["an altered person", [`update app.audit_log set person_id = uuidv7() where ${entry(1)}`], [one(1, "altered")]],
    [
      "an altered time",
      [`update app.audit_log set id = uuidv7(-interval '1 second') where ${entry(last)}`],
      [one(last, "altered")],
    ],
    ["an altered value", [`update app.audit_log set after = '{}' where ${entry(middle)}`], [one(middle, "altered")]],
    [
      "the entry after one that was altered together with its hash",
      [
        `update app.audit_log set action = 'deleted' where ${entry(middle)}`,
        `update app.audit_log set hash = ${hashAfter(middle - 1)} where ${entry(middle)}`,
      ],
      [one(middle + 1, "altered")],
    ],
    ["a removed first entry", [`delete from app.audit_log where ${entry(1)}`], [one(1, "removed")]],
    ["a removed entry in the middle", [`delete from app.audit_log where ${entry(middle)}`], [one(middle, "removed")]],
    [
      "several removed entries in a row",
      [`delete from app.audit_log where organisation_id = :ours and sequence between 5 and 8`],
      [{ sequence: 5, last: 8, fault: "removed" }],
    ],
    [
      "removed last entries",
      [`delete from app.audit_log where organisation_id = :ours and sequence > 20`],
      [{ sequence: 21, last, fault: "removed" }],
    ],
    [
      "all entries removed",
      ["delete from app.audit_log where organisation_id = :ours"],
      [{ sequence: 1, last, fault: "removed" }],
    ],
    ["an entry inserted beside another", [copied(3, middle, "sha256('made up')")], [one(middle, "inserted")]],
    [
      "an entry added at the end",
      [copied(3, last + 1, hashAfter(last, String(last + 1), "made_id"))],
      [one(last + 1, "inserted")],
    ],
    [
      "two swapped entries, and the one after them",
      [
        `update app.audit_log set sequence = case sequence when 5 then 6 else 5 end where organisation_id = :ours and sequence in (5, 6)`,
      ],
      [one(5, "altered"), one(6, "altered"), one(7, "altered")],
    ],
    [
      "a chain head with another hash",
      ["update app.audit_chain_heads set hash = sha256('made up') where organisation_id = :ours"],
      [one(last, "head")],
    ],
    [
      "a chain head moved forward",
      ["update app.audit_chain_heads set sequence = 25 where organisation_id = :ours"],
      [{ sequence: last + 1, last: 25, fault: "removed" }],
    ],
    [
      "a chain head moved back",
      ["update app.audit_chain_heads set sequence = 22 where organisation_id = :ours"],
      [one(22, "head"), one(23, "inserted")],
    ],
    [
      "a truncation moved beyond existing entries",
      [
        `insert into app.audit_truncations (organisation_id, sequence, hash) select organisation_id, sequence, hash from app.audit_log where ${entry(2)}`,
      ],
      [one(1, "inserted"), { sequence: 1, last: 2, fault: "truncation" }, one(2, "inserted")],
    ],
  ])("%s", async (_, tampering, faults) => {
    expect(await found(...tampering)).toEqual({ ours: faults, others: 0 });
  });

  test("a missing chain head", async () => {
    const { ours } = await found("delete from app.audit_chain_heads where organisation_id = :ours");
    expect(ours).toEqual([{ sequence: last, last, fault: "head" }]);
  });
});

describe("an audit entry", () => {
  test.each([
    ["cannot be updated", "update app.audit_log set reason = 'none'"],
    ["cannot be deleted", "delete from app.audit_log"],
    ["cannot be truncated", "truncate app.audit_log"],
  ])("%s", async (_, statement) => {
    await expect(db.sql(statement)).rejects.toMatchObject({ code: "23001" });
    expect(await db.sql("select from app.audit_log where organisation_id = $1", [ours.id])).toHaveLength(last);
  });

  test("cannot be deleted through its weekly partition", async () => {
    const [{ week } = { week: "" }] = await db.sql<{ week: string }>(
      "select distinct tableoid::regclass::text as week from app.audit_log",
    );
    await expect(db.sql(`delete from ${week}`)).rejects.toMatchObject({ code: "23001" });
  });
});

test("verify_chain accepts a chain of 20,000 entries", async () => {
  const many = await makeOrganisation(db);
  await db.sql(
    `insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed)
     select $1, 'system', 'created', 'memory', '{}' from generate_series(1, 20000)`,
    [many.id],
  );
  const [head] = await db.sql("select sequence::int from app.audit_chain_heads where organisation_id = $1", [many.id]);
  expect(head).toEqual({ sequence: 20_003 });
  expect(await db.sql("select * from audit.verify_chain($1)", [many.id])).toEqual([]);
});

test("verify_chain refuses an organisation that does not exist", async () => {
  await expect(db.sql("select * from audit.verify_chain(uuidv7())")).rejects.toThrow(/^There is no organisation /);
});
