/** GraphQL requests: invalid and oversized ones, time-outs, and error messages. */
import { consoleOfFile, mintToken, sendRaw } from "../support/console.ts";
import { makeOrganisation } from "../support/database.ts";
import { eventually } from "../support/worker.ts";

const here = consoleOfFile();
let token: string;

beforeAll(async () => {
  token = (await mintToken(here.db, "act")).text;
});

async function send(body: string): Promise<{ status: number; code: string; text: string }> {
  const { status, text } = await sendRaw(
    `${here.testServer.url}/graphql`,
    {
      host: new URL(here.testServer.url).host,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    },
    "POST",
    body,
  );
  return { status, code: JSON.parse(text).errors?.[0].extensions.code, text };
}

test.each([
  ["no JSON", "{", 400, "invalid_request"],
  ["no query", "{}", 400, "invalid_request"],
  ["several requests at once", '[{"query":"{ __typename }"},{"query":"{ __typename }"}]', 400, "invalid_request"],
  ["text that is not GraphQL", '{"query":"select 1"}', 400, "invalid_request"],
  ["an unknown field", '{"query":"{ secrets }"}', 400, "invalid_request"],
  ["circular fragments", '{"query":"{ ...A } fragment A on Query { ...A }"}', 400, "invalid_request"],
  ["first: null", '{"query":"{ organisations(first: null) { nodes { id } } }"}', 400, "invalid_request"],
  [
    "first: null by a variable",
    '{"query":"query ($n: Int) { organisations(first: $n) { nodes { id } } }","variables":{"n":null}}',
    400,
    "query_too_large",
  ],
  ["a page that is too large", '{"query":"{ organisations(first: 201) { nodes { id } } }"}', 400, "query_too_large"],
])("%s is refused with its code", async (_, body, status, code) => {
  expect(await send(body)).toMatchObject({ status, code });
});

test("a body of 100 KB is accepted, and a larger one gets 413", async () => {
  const sized = (bytes: number) => {
    const frame = JSON.stringify({ query: "{ __typename }", variables: { x: "" } });
    return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
  };
  expect((await send(sized(100 * 1024))).status).toBe(200);
  expect(await send(sized(100 * 1024 + 1))).toMatchObject({ status: 413, code: "payload_too_large" });
});

test("every list has a default size of 50 and no backward paging", async () => {
  const { data } = await here.testServer.ask(
    "{ __schema { types { fields { name args { name defaultValue } } } } }",
    token,
  );
  type Field = { name: string; args: { name: string; defaultValue: string | null }[] };
  const fields: Field[] = data.__schema.types.flatMap(({ fields }: { fields: Field[] | null }) => fields ?? []);
  const pages = fields.filter(({ args }) => args.some(({ name }) => name === "after"));
  expect(pages.length).toBeGreaterThan(10);
  const others = pages.filter(({ args }) => {
    const size = args.find(({ name }) => name === "first")?.defaultValue;
    return size !== "50" || args.some(({ name }) => ["last", "before", "offset"].includes(name));
  });
  expect(others.map(({ name }) => name)).toEqual([]);
});

test("a query cannot write, even if a view calls a function that does", async () => {
  const { id } = await makeOrganisation(here.db);
  await here.db.sql(`create function operator.spoil(id uuid) returns text language sql volatile security definer set search_path = ''
    as $$ update app.organisations organisation set name = 'Spoilt' where organisation.id = spoil.id returning name $$`);
  await here.db.sql("alter function operator.spoil owner to owner");
  await here.db.sql("grant execute on function operator.spoil to operator");
  const [original] = await here.db.sql<{ text: string }>(
    "select pg_get_viewdef('operator.organisations'::regclass) as text",
  );
  const spoilt = (original?.text ?? "").replace(/^\s*SELECT id,\s*name,/i, "SELECT id, operator.spoil(id) AS name,");
  expect(spoilt).toContain("spoil(id)");
  await here.db.sql(`create or replace view operator.organisations as ${spoilt}`);
  const result = await here.testServer.ask(`{ organisation(id: "${id}") { name } }`, token);
  expect(result.errors?.[0]).toMatchObject({
    message: "An internal error occurred.",
    extensions: { code: "internal" },
  });
  expect(JSON.stringify(result)).not.toMatch(/select|update|spoil|read-only|\.ts|at /i); // neither SQL nor a stack trace
  expect(await here.db.sql("select from app.organisations where name = 'Spoilt'")).toEqual([]);
  await here.db.sql(`create or replace view operator.organisations as ${original?.text}`);
});

test("a query that exceeds the statement time-out gets too_slow", async () => {
  // Shorter than the real 10 s, for connections opened from now on.
  const [row] = await here.db.sql<{ name: string }>("select current_database() as name");
  await here.db.sql(`alter role operator in database ${row?.name} set statement_timeout = '400ms'`);
  await here.db.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'operator' and datname = $1",
    [row?.name],
  );
  await eventually(
    async () => (await here.testServer.ask("{ organisations(first: 1) { nodes { id } } }", token)).errors === undefined,
  );
  const client = await here.db.poolAs("owner", 1).connect();
  await client.query("begin");
  await client.query("lock table app.organisations in access exclusive mode");
  const result = await here.testServer.ask("{ organisations(first: 1) { nodes { id } } }", token);
  await client.query("rollback");
  client.release();
  await here.db.sql(`alter role operator in database ${row?.name} reset statement_timeout`);
  expect(result.errors).toEqual([
    {
      message: "The query exceeded its time limit. Request less data, for example a shorter range of times.",
      path: ["organisations"],
      extensions: { code: "too_slow" },
    },
  ]);
});
