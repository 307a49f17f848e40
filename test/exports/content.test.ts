/** What an export has: every row and column that its owner may read, and nothing else. (docs/specification/exports.md#content) */

import { type Seeded, seedOrganisation } from "../sql/seed.ts";
import { raiseApproval } from "../support/approvals.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeKey, makeMember } from "../support/database.ts";
import { exportAll } from "./exported.ts";

const here = ownApiOfFile();

type Column = { table_name: string; name: string; type: string; in_key: boolean; key: string | null };
const exportedColumns = () =>
  here.db.sql<Column>(
    `select table_name, name, type::text, key, place_in_key is not null as in_key from service.exported_columns
     order by table_name collate "C", place`,
  );

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

async function seeded(): Promise<{ seeded: Seeded; owner: Member }> {
  const made = await seedOrganisation(here.db);
  const organisation = { id: made.ids.organisation as string, ownerId: made.owner } as Member["organisation"];
  return { seeded: made, owner: { organisation, ...here.withKey(made.keys.admin) } };
}

test("each table and column that a move copies is exported and readable by an owner, or left out with a reason", async () => {
  const found = await here.db.sql<{ place: string; exported: boolean; readable: boolean; listed: boolean }>(
    `select tables.name || '.' || attribute.attname as place,
       exists (select from service.exported_columns exported where exported.table_name = tables.name and exported.name = attribute.attname) as exported,
       has_column_privilege('tenant', 'app.' || tables.quoted, attribute.attname, 'select') as readable,
       exists (
         select from service.unexported listed where listed.table_name = tables.name and listed.column_name in ('', attribute.attname)
       ) as listed
     from service.moved_tables tables
     join pg_attribute attribute on attribute.attrelid = ('app.' || tables.quoted)::regclass and attribute.attnum > 0 and not attribute.attisdropped
     where tables.is_carried`,
  );
  expect(found.length).toBeGreaterThan(250);
  expect(found.filter(({ exported, readable }) => exported && !readable)).toEqual([]);
  expect(found.filter(({ exported, listed }) => exported === listed)).toEqual([]);
  const stale = await here.db.sql(
    `select table_name, column_name from service.unexported listed
     where not exists (select from service.moved_tables tables where tables.name = listed.table_name and tables.is_carried)
       or column_name <> '' and not exists (
         select from pg_attribute where attrelid = ('app.' || listed.table_name)::regclass and attname = listed.column_name
       )
       or reason = ''`,
  );
  expect(stale).toEqual([]);
});

test("a table that is added is exported without further code, once its columns are granted", async () => {
  const [before] = await here.db.sql(
    "select count(*)::integer as tables from service.exported_columns where table_name = 'zz_notes'",
  );
  expect(before).toEqual({ tables: 0 });
  const pool = here.db.adminPool({ max: 1 });
  await pool.query("begin");
  await pool.query(
    "create table app.zz_notes (organisation_id uuid, id uuid, text text, primary key (organisation_id, id))",
  );
  const { rows } = await pool.query(
    "select name from service.exported_columns where table_name = 'zz_notes' order by place",
  );
  await pool.query("rollback");
  expect(rows.map(({ name }) => name)).toEqual(["organisation_id", "id", "text"]);
});

test("an export has each exported column of each row that the owner may read, and counts the others", async () => {
  const { owner } = await seeded();
  await seeded(); // another organisation with the same rows
  const { lines, manifest } = await exportAll(owner);
  const columns = Map.groupBy(await exportedColumns(), ({ table_name }) => table_name);
  expect(Object.keys(manifest.tables)).toEqual([...columns.keys()]);
  const empty: string[] = [];
  for (const [table, of] of columns) {
    const pick = of.map(({ name, type }) =>
      type === "timestamp with time zone"
        ? `rows.time(row.${name}) as "${camel(name)}"`
        : type === "bytea"
          ? `encode(row.${name}, 'hex') as "${camel(name)}"`
          : `row.${name} as "${camel(name)}"`,
    );
    const condition = of[0]?.key
      ? `row.${of[0].key} = $1`
      : "row.id in (select person_id from app.memberships where organisation_id = $1)";
    const stored = await here.db.sql<{ row: object }>(
      `select (select to_json(picked) from (select ${pick}) picked) as row from app.${table} row where ${condition}`,
      [owner.organisation.id],
    );
    const texts = new Set(stored.map(({ row }) => JSON.stringify(row)));
    const exported = lines.filter((line) => line.table === table).map(({ row }) => JSON.stringify(row));
    // The rest of these tables changes while the export runs.
    const changing = ["api_key_days", "api_key_uses", "audit_log"].includes(table);
    if (!changing) expect([table, exported.filter((text) => !texts.has(text))]).toEqual([table, []]);
    if (!changing) expect([table, manifest.tables[table].withheld]).toEqual([table, stored.length - exported.length]);
    expect(new Set(exported).size).toBe(exported.length);
    if (exported.length === 0) empty.push(table);
  }
  expect(empty).toEqual([]); // the seed has a row of each table
});

test("an export has no id of another organisation, no secret and no digest", async () => {
  const { owner, seeded: own } = await seeded();
  const { seeded: other } = await seeded();
  const { parts } = await exportAll(owner);
  const text = parts.map(({ content }) => content).join("");
  const foreign = Object.values(other.ids).filter((id) => !Object.values(own.ids).includes(id) && id !== "");
  expect(foreign.length).toBeGreaterThan(20);
  expect(foreign.filter((id) => text.includes(id))).toEqual([]);
  const secrets = await here.db.sql<{ table: string; column: string }>(
    `select table_name as table, column_name as column from service.unexported listed
     join pg_attribute attribute on attribute.attrelid = ('app.' || table_name)::regclass and attribute.attname = column_name
     where column_name ~ '(^|_)(digest|sealed)(_|$)'`,
  );
  expect(secrets.length).toBeGreaterThan(8);
  let looked = 0;
  for (const { table, column } of secrets) {
    const values = await here.db.sql<{ hex: string; base64: string }>(
      `select encode(value, 'hex') as hex, encode(value, 'base64') as base64
       from (select ${column}::text::bytea as value from app.${table} where organisation_id = $1 and ${column} is not null) found`,
      [owner.organisation.id],
    );
    for (const { hex, base64 } of values) {
      looked += 1;
      expect([table, column, text.includes(hex), text.includes(base64)]).toEqual([table, column, false, false]);
    }
  }
  expect(looked).toBeGreaterThan(8);
});

test("an owner's export withholds what other people have of their own, and has the owner's", async () => {
  const ada = await here.owner();
  const maxId = await makeMember(here.db, ada.organisation.id, "admin");
  const max = {
    organisation: ada.organisation,
    ...here.withKey(await makeKey(here.db, ada.organisation.id, maxId, "admin")),
  };
  const words = { ada: "canary-of-ada", max: "canary-of-max" };
  const team = (await ada.post("/bots", { name: "Team" })).body;
  for (const [who, person, word] of [
    [ada, ada.organisation.ownerId, words.ada],
    [max, maxId, words.max],
  ] as const) {
    const personal = (await who.post("/bots", { name: "Own", instructions: word, visibility: "personal" })).body;
    await who.post("/memories", { scope: "bot", botId: personal.id, kind: "k", subject: "s", value: word });
    const run = (await who.post("/runs", { botId: team.id, message: word })).body;
    await raiseApproval(here.db, run.id);
    await here.db.sql(
      `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source, created_by)
       values ($1, 'member', $2, 'note', 'Tea', $3, 'member', 'app', $2)`,
      [ada.organisation.id, person, word],
    );
  }
  const { parts, manifest } = await exportAll(ada);
  const text = parts.map(({ content }) => content).join("");
  expect(text.split(words.ada)).toHaveLength(5); // instructions, memory of the bot, message, member memory
  expect(text).not.toContain(words.max);
  const withheld = Object.fromEntries(
    Object.entries<{ withheld: number }>(manifest.tables)
      .filter(([, counts]) => counts.withheld > 0)
      .map(([table, counts]) => [table, counts.withheld]),
  );
  expect(withheld).toEqual({
    approvals: 1,
    bots: 1,
    conversations: 1,
    memories: 2,
    messages: 1,
    run_events: expect.any(Number),
  });
});
