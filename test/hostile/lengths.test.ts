/**
 * Every bounded text of the contract at max - 1, max and max + 1 characters of two UTF-16 units each. Schema, OpenAPI
 * document and table must all count code points. (docs/specification/conventions.md#formats)
 */
import type { Pool } from "pg";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/contract/operations.ts";
import { readDocument } from "../contract/document.ts";
import type { Json } from "../support/api.ts";
import { noteModels } from "../support/database.ts";
import { reportCounts } from "../support/reliability.ts";
import { describedOf, type Fixture, openFixture } from "./fixture.ts";
import { nameOf, type Place, placesOf, valueAt, withValue } from "./places.ts";

/** Each code point has two UTF-16 units, and four bytes in UTF-8. */
const wide = (length: number) => "𝒳".repeat(length);

const { resolve } = readDocument(openApiDocument("http://127.0.0.1:3000"));

const numbers = (first: number, count: number) => Array.from({ length: count }, (_, each) => first + each).join(",");

/** A list of hours of this length: two digits where possible, otherwise one. */
function hoursOf(length: number): string {
  const ofOne = [0, 2, 1][(length + 1) % 3] ?? 0;
  return [numbers(10, (length + 1 - 2 * ofOne) / 3), numbers(1, ofOne)].filter((list) => list !== "").join(",");
}

/** Fills fields that do not accept such characters. */
const fillers: Record<string, (length: number) => string> = {
  returnUrl: (length) => `https://app.example/${wide(length - 20)}`,
  url: (length) => `https://receiver.example/${wide(length - 25)}`,
  email: (length) => `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(length - 191)}.example`,
  schedule: (length) => `${numbers(0, 60)} ${hoursOf(length - 169 - 7)} * * *`,
};

/** Their values are names from a list. */
const bounded: Record<string, string> = {
  timeZone: "there is no time zone of so long a name",
  cell: "a process without a directory knows no cell",
};

/** Texts that no table stores unchanged, with the reason. */
const notKept: Record<string, string> = {
  "erase_memories body.subject": "who was forgotten is not remembered",
  "batch body.operations.0.id": "the caller's own name for an operation is answered and forgotten",
  "batch body.operations.0.path": "a path",
  "batch body.operations.0.ifMatch": "a condition is compared and forgotten",
};

/** Columns without their own bound, with the reason. */
const copies: Record<string, string> = {
  "app.mails.recipient": "an address as it stands in the invitation or with the person, where it is bounded",
};

let fixture: Fixture;
let admin: Pool;
beforeAll(async () => {
  fixture = await openFixture();
  admin = fixture.db.adminPool({ max: 1 });
});
afterAll(async () => {
  await admin?.end();
  await fixture?.close();
});

const places = operations
  .flatMap(placesOf)
  .filter(({ part, schema }) => schema.maxLength && ["body", "query"].includes(part));

function textOf(place: Place, length: number): string {
  const filler = fillers[place.at.at(-1) ?? ""];
  return filler ? filler(length) : wide(length);
}

async function send(place: Place, text: string): Promise<Json> {
  const operation = describedOf(place.operation);
  const id = /^\/bots\/\{/.test(operation.path) ? { id: fixture.ids.own.bots ?? "" } : {};
  if (place.part === "query") {
    return fixture.organisation.send(operation, { query: `?${place.at[0]}=${encodeURIComponent(text)}`, ...id });
  }
  return fixture.organisation.send(operation, {
    body: withValue(await fixture.bodyOf(place.operation), place.at, text),
    ...id,
  });
}

/** Bounds of the same field in the document. */
function documentedBound({ operation, part, at }: Place): number | undefined {
  const { parameters, body } = describedOf(operation);
  if (part === "query") return boundOf(parameters.find(({ name }) => name === at[0])?.schema);
  return at.reduce<Json>(
    (schema, name) => inner(name === "0" ? schema?.items : schema?.properties?.[name]),
    inner(body?.content["application/json"].schema),
  )?.maxLength;
}
const boundOf = (schema: Json): number | undefined => inner(schema)?.maxLength;
const inner = (given: Json): Json => {
  const schema = given && resolve<Json>(given);
  return schema?.anyOf ? inner(schema.anyOf.find(({ type }: Json) => type !== "null")) : schema;
};

/** Every text column that contains exactly this value, as "schema.table.column"; partitions count as their table. */
async function columnsThatHold(text: string): Promise<Column[]> {
  const columns = await fixture.db.sql<Column>(
    `select attribute.attrelid::regclass::text as "table", quote_ident(attribute.attname) as "column"
     from pg_attribute attribute
     join pg_class class on class.oid = attribute.attrelid and class.relkind in ('r', 'p') and not class.relispartition
     where class.relnamespace = 'app'::regnamespace and attribute.atttypid = 'text'::regtype
       and attribute.attnum > 0 and attribute.attgenerated = ''`,
  );
  const filled: Column[] = [];
  for (const each of columns) {
    const rows = await fixture.db.sql(`select from ${each.table} where ${each.column} = $1 limit 1`, [text]);
    if (rows.length > 0) filled.push(each);
  }
  return filled;
}

type Column = { table: string; column: string };

/**
 * Whether a check constraint refuses a replacement of this text. Tried as administrator without triggers, and rolled
 * back.
 */
async function isRefusedBy({ table, column }: Column, text: string, instead: string): Promise<boolean> {
  const client = await admin.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query(`update ${table} set ${column} = $2 where ${column} = $1`, [text, instead]);
    return false;
  } catch (error) {
    if ((error as { code?: string }).code === "23514") return true;
    throw error;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test("schema, document and tables agree on the length of every bounded text", async () => {
  const faults: string[] = [];
  let agreed = 0;
  for (const place of places) {
    const name = nameOf(place);
    const { maxLength: max } = place.schema;
    const fault = (what: string) => faults.push(`${name}: ${what}`);
    if (documentedBound(place) !== max) fault(`the document says ${documentedBound(place)}, the schema ${max}`);
    const field = place.at.at(-1) ?? "";
    const over = await send(place, textOf(place, max + 1));
    if (over.status !== 400 || /𝒳/.test(over.text)) fault(`${max + 1} characters: ${over.status}`);
    if (field in bounded) continue;
    for (const length of [max - 1, max]) {
      const text = textOf(place, length);
      if ([...text].length !== length) fault(`the test's own text has ${[...text].length} and not ${length}`);
      if (field === "model") await noteModels(fixture.db, text);
      const reply = await send(place, text);
      if (reply.status >= 400) fault(`${length} characters: ${reply.status} ${reply.text.slice(0, 300)}`);
      const answered = valueAt(reply.body, place.at);
      if (answered !== undefined && answered !== text) fault(`${length} characters came back as another text`);
    }
    if (place.part === "query" || name in notKept) continue;
    const text = textOf(place, max);
    const columns = await columnsThatHold(text);
    if (columns.length === 0) fault("no column holds it");
    for (const column of columns) {
      const where = `${column.table}.${column.column}`;
      if (await isRefusedBy(column, text, textOf(place, max))) fault(`${where} refuses ${max}`);
      if (!(where in copies) && !(await isRefusedBy(column, text, textOf(place, max + 1))))
        fault(`${where} takes ${max + 1}`);
      agreed += 1;
    }
  }
  reportCounts("bounds of texts in schema, document and table", {
    acknowledged: agreed,
    lost: 0,
    doubled: 0,
    unexpected: faults.length,
    note: `${places.length} bounded texts`,
  });
  expect(faults).toEqual([]);
  expect(places.length).toBeGreaterThan(30);
});
