/**
 * The chain of the trail, and what is found when somebody who may do everything in the database has been at it.
 */
import { Client } from "pg";
import { makeOrganisation, type Organisation, type TestDatabase, testDatabase } from "../support/database.ts";

let db: TestDatabase;
let ours: Organisation;
let theirs: Organisation;

type Fault = { sequence: number; last: number; fault: string };

beforeAll(async () => {
  db = await testDatabase();
  ours = await makeOrganisation(db);
  theirs = await makeOrganisation(db);
  await write(ours, 20);
  await write(theirs, 3);
});

afterAll(() => db.drop());

/** Claims, an entry each. */
const write = ({ id }: Organisation, claims: number) =>
  db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select $1, 'organisation', 'fact', 'We', 'We are number ' || number, 'member', 'test'
     from generate_series(1, $2::integer) number`,
    [id, claims],
  );

const faultsIn = "select organisation_id, sequence::int, last_sequence::int as last, fault from audit.verify_chain()";

/** What is found once it has been tampered with, of our organisation and of any other; it is taken back again. */
async function found(...tampering: string[]): Promise<{ ours: Fault[]; others: number }> {
  const client = new Client({ connectionString: db.adminUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica"); // no trigger stops whoever may do this
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
/** A copy of an entry in another place of the chain, with a hash that was worked out or made up. */
const copied = (from: number, to: number, hash: string) =>
  `insert into app.audit_trail (organisation_id, id, sequence, ${columns}, hash)
   select organisation_id, made_id, ${to}, ${columns}, ${hash}
   from app.audit_trail cross join (select uuidv7() as made_id) made where ${entry(from)}`;
/** The hash that an entry would have if it followed this one. */
const worked = (previous: number, sequence = "sequence", id = "id") =>
  `audit.entry_hash(
     (select before.hash from app.audit_trail before where before.organisation_id = :ours and before.sequence = ${previous}),
     organisation_id, ${sequence}, ${id},
     audit.entry_text(
       actor, key_id, person_id, operator, reason, request_id, action, resource, resource_id, changed, before, after
     )
   )`;

const last = 23; // the organisation, its owner, what it pays, and twenty claims

test("the entries of each organisation are numbered from one, and nothing is found", async () => {
  const rows = await db.sql(
    `select organisation_id as id, min(sequence)::int as first, max(sequence)::int as last, count(*)::int as entries
     from app.audit_trail group by 1 order by 1`,
  );
  expect(rows).toEqual(
    [
      { id: ours.id, first: 1, last, entries: last },
      { id: theirs.id, first: 1, last: 6, entries: 6 },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(await db.sql(faultsIn)).toEqual([]);
});

test("ids are in the order of numbers", async () => {
  expect(
    await db.sql(
      `select from (select id, lag(id) over (partition by organisation_id order by sequence) as before from app.audit_trail) entry
       where id <= before`,
    ),
  ).toEqual([]);
});

describe("found, and nothing else is", () => {
  const middle = 11;
  test.each<[string, string[], Fault[]]>([
    [
      "an action that was altered",
      [`update app.audit_trail set action = 'deleted' where ${entry(middle)}`],
      [one(middle, "altered")],
    ],
    [
      "another person in it",
      [`update app.audit_trail set person_id = uuidv7() where ${entry(1)}`],
      [one(1, "altered")],
    ],
    [
      "another time",
      [`update app.audit_trail set id = uuidv7(-interval '1 second') where ${entry(last)}`],
      [one(last, "altered")],
    ],
    [
      "a value that was altered",
      [`update app.audit_trail set after = '{}' where ${entry(middle)}`],
      [one(middle, "altered")],
    ],
    [
      "an entry that was altered with its hash: the one after it follows from another",
      [
        `update app.audit_trail set action = 'deleted' where ${entry(middle)}`,
        `update app.audit_trail set hash = ${worked(middle - 1)} where ${entry(middle)}`,
      ],
      [one(middle + 1, "altered")],
    ],
    ["the first that is gone", [`delete from app.audit_trail where ${entry(1)}`], [one(1, "removed")]],
    [
      "one of the middle that is gone",
      [`delete from app.audit_trail where ${entry(middle)}`],
      [one(middle, "removed")],
    ],
    [
      "some in a row that are gone",
      [`delete from app.audit_trail where organisation_id = :ours and sequence between 5 and 8`],
      [{ sequence: 5, last: 8, fault: "removed" }],
    ],
    [
      "the end that is gone",
      [`delete from app.audit_trail where organisation_id = :ours and sequence > 20`],
      [{ sequence: 21, last, fault: "removed" }],
    ],
    [
      "all that are gone",
      ["delete from app.audit_trail where organisation_id = :ours"],
      [{ sequence: 1, last, fault: "removed" }],
    ],
    ["one that was inserted beside another", [copied(3, middle, "sha256('made up')")], [one(middle, "inserted")]],
    [
      "one that was added at the end",
      [copied(3, last + 1, worked(last, String(last + 1), "made_id"))],
      [one(last + 1, "inserted")],
    ],
    [
      "two that were swapped, and the one after them",
      [
        `update app.audit_trail set sequence = case sequence when 5 then 6 else 5 end where organisation_id = :ours and sequence in (5, 6)`,
      ],
      [one(5, "altered"), one(6, "altered"), one(7, "altered")],
    ],
    [
      "a head that tells another hash",
      ["update app.audit_heads set hash = sha256('made up') where organisation_id = :ours"],
      [one(last, "head")],
    ],
    [
      "a head that was moved on",
      ["update app.audit_heads set sequence = 25 where organisation_id = :ours"],
      [{ sequence: last + 1, last: 25, fault: "removed" }],
    ],
    [
      "a head that was set back",
      ["update app.audit_heads set sequence = 22 where organisation_id = :ours"],
      [one(22, "head"), one(23, "inserted")],
    ],
    [
      "a cut that was moved on over what is there",
      [
        `insert into app.audit_cuts (organisation_id, sequence, hash) select organisation_id, sequence, hash from app.audit_trail where ${entry(2)}`,
      ],
      [one(1, "inserted"), one(2, "inserted")],
    ],
  ])("%s", async (_, tampering, faults) => {
    expect(await found(...tampering)).toEqual({ ours: faults, others: 0 });
  });

  test("a head that is missing", async () => {
    const { ours } = await found("delete from app.audit_heads where organisation_id = :ours");
    expect(ours).toEqual([{ sequence: null, last: null, fault: "head" }]);
  });
});

describe("an entry", () => {
  test.each([
    ["is not altered", "update app.audit_trail set reason = 'none'"],
    ["is not deleted", "delete from app.audit_trail"],
    ["is not truncated", "truncate app.audit_trail"],
  ])("%s", async (_, statement) => {
    await expect(db.sql(statement)).rejects.toMatchObject({ code: "23001" });
    expect(await db.sql("select from app.audit_trail where organisation_id = $1", [ours.id])).toHaveLength(last);
  });

  test("nor is it in its week's own table", async () => {
    const [{ week } = { week: "" }] = await db.sql<{ week: string }>(
      "select distinct tableoid::regclass::text as week from app.audit_trail",
    );
    await expect(db.sql(`delete from ${week}`)).rejects.toMatchObject({ code: "23001" });
  });
});

test("a hundred thousand entries hold, and one of them that was altered is found", async () => {
  const many = await makeOrganisation(db);
  await db.sql(
    `insert into app.audit_drafts (organisation_id, actor, action, resource, changed)
     select $1, 'system', 'created', 'memory', '{}' from generate_series(1, 100000)`,
    [many.id],
  );
  const [head] = await db.sql("select sequence::int from app.audit_heads where organisation_id = $1", [many.id]);
  expect(head).toEqual({ sequence: 100_003 });
  expect(await db.sql("select * from audit.verify_chain($1)", [many.id])).toEqual([]);
});
