/** The scan for secrets finds planted texts in each form and in each kind of place, even after deletion. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { reportCounts } from "../support/reliability.ts";
import { patternsOf, patternsOfBytes, searcherOf } from "./patterns.ts";
import { columnsOf, filesOf, type Place, searchIn, statementsOf } from "./scan.ts";

const planted = 'bsk_plantéd/"canary"+4711';
let db: TestDatabase;
let client: Client;
beforeAll(async () => {
  db = await testDatabase();
  client = new Client({ connectionString: db.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await db?.drop();
});

/** The planted texts, by possible leak. */
const written: Record<string, (text: string) => Buffer | string> = {
  "as it is": (text) => `… ${text} …`,
  hex: (text) => `\\x00${Buffer.from(text).toString("hex")}ff`,
  "base64 of more than it": (text) => Buffer.from(`a${text}bcd`).toString("base64"),
  "base64 of still more": (text) => Buffer.from(`ab${text}c`).toString("base64"),
  "base64url of a header": (text) => Buffer.from(`abc${text}`).toString("base64url"),
  "a query": (text) => new URLSearchParams({ a: encodeURIComponent(text) }).toString().replaceAll("%25", "%"),
  JSON: (text) => JSON.stringify({ a: text }),
  "JSON in JSON": (text) => JSON.stringify({ line: JSON.stringify({ a: text }) }),
  "UTF-16": (text) => Buffer.from(`a${text}`, "utf16le"),
  "UTF-16 the other way round": (text) => Buffer.from(`a${text}`, "utf16le").swap16(),
};

test("the scan finds a planted text in every encoded form", () => {
  const search = searcherOf([...patternsOf("planted", planted), ...patternsOf("another", "another-one")]);
  const missed = Object.entries(written).filter(([, write]) => {
    const found = search(Buffer.concat([Buffer.alloc(4_099), Buffer.from(write(planted) as string)]));
    return !found.some(({ what }) => what === "planted") || found.some(({ what }) => what === "another");
  });
  const raw = Buffer.from("f00dcafe00112233445566778899aabb", "hex");
  const ofBytes = searcherOf(patternsOfBytes("bytes", raw));
  const bytesMissed = [raw, raw.toString("hex"), Buffer.concat([Buffer.of(1), raw]).toString("base64")].filter(
    (each) => ofBytes(Buffer.from(each as string)).length === 0,
  );
  const innocent = search(Buffer.from("bsk_ another bsk_plant and more")).length;
  reportCounts("scan for secrets by encoding", {
    acknowledged: Object.keys(written).length + 3,
    lost: missed.length + bytesMissed.length,
    doubled: 0,
    unexpected: innocent,
  });
  expect(missed.map(([form]) => form)).toEqual([]);
  expect(bytesMissed).toEqual([]);
  expect(innocent).toBe(0);
});

test("the scan finds a planted text in tables, statements, the log, the write-ahead log, and pages of deleted rows", async () => {
  const search = searcherOf(patternsOf("planted", planted));
  const { rows: where } = await client.query<{ database: string; from: string }>(
    `select format('base/%s/', oid) as database, pg_walfile_name(pg_current_wal_lsn()) as from
     from pg_database where datname = current_database()`,
  );
  const { database = "", from = "" } = where[0] ?? {};
  await client.query(`
    create schema attic;
    create table attic.texts (a text);
    create unlogged table attic.unlogged (a jsonb);
    create table attic.bytes (a bytea);
    create table attic.many (a text[], day date) partition by range (day);
    create table attic.many_now partition of attic.many for values from ('2026-01-01') to ('2027-01-01');
    create materialized view attic.kept as select 1 as one;
    create table attic.deleted (a text)`);
  await client.query("insert into attic.texts values ($1)", [planted]);
  await client.query("insert into attic.unlogged values (jsonb_build_object('a', $1::text))", [planted]);
  await client.query("insert into attic.bytes values (convert_to($1, 'UTF8'))", [planted]);
  await client.query("insert into attic.many values (array['', $1], '2026-06-01')", [planted]);
  await client.query("insert into attic.deleted values ($1)", [planted]);
  await client.query("delete from attic.deleted");
  await client.query("select graphile_worker.add_job('planted', json_build_object('a', $1::text))", [planted]);
  await client.query(`select '${planted}'`); // stays in pg_stat_activity until the next statement
  const other = new Client({ connectionString: db.adminUrl });
  await other.connect();
  const statements = await searchIn(statementsOf(other), search);
  await other.query("set log_min_messages = 'log'");
  await other.query(`do $$ begin raise log 'planted %', '${planted}'; end $$`);
  await other.query("checkpoint");
  await other.end();
  const { rows } = await client.query("show wal_compression");

  const columns = await searchIn(columnsOf(client), search);
  // Other tests use databases of this cluster, and share its write-ahead log.
  const isOurs = (path: string) =>
    path.startsWith(database) || (path.startsWith("pg_wal/") && path >= `pg_wal/${from}`);
  const files = await searchIn(filesOf(join(db.dataDir, "postgres"), isOurs), search);
  const log: Place = { name: "postgres.log", bytes: readFileSync(join(db.dataDir, "postgres.log")) };
  const inLog = await searchIn([log], search);
  const heap = async (table: string) => {
    const { rows: paths } = await client.query<{ path: string }>("select pg_relation_filepath($1) as path", [table]);
    return paths[0]?.path ?? "";
  };
  const wanted = [
    ...["texts.a", "unlogged.a", "bytes.a", "many.a"].map((column) => `attic.${column}`),
    "graphile_worker._private_jobs.payload",
    "pg_stat_activity",
    "postgres.log",
    await heap("attic.deleted"),
    await heap("attic.texts"),
  ];
  const places = [...columns.found, ...statements.found, ...files.found, ...inLog.found].map(({ place }) => place);
  const missed = wanted.filter((place) => !places.includes(place));
  const inWal = places.filter((place) => place.startsWith("pg_wal/"));
  reportCounts("scan for secrets by place", {
    acknowledged: wanted.length + 1,
    lost: missed.length + (inWal.length > 0 ? 0 : 1),
    doubled: 0,
    unexpected: 0,
    note: `${columns.places} columns, ${files.places} files of ${files.megabytes.toFixed(0)} MB`,
  });
  expect(missed).toEqual([]);
  expect(inWal.length).toBeGreaterThan(0);
  expect(rows).toEqual([{ wal_compression: "off" }]); // compression of page images would hide their content
});
